"""Views: reads, chains, writes through them, dtype views, windows, zero sizes, rebinding."""
import pytest
import torch

from same import assert_same, both

pytestmark = pytest.mark.usefixtures("fallbacks_forbidden")


def grid(*sizes, dtype=torch.float32):
    return torch.arange(torch.Size(sizes).numel(), dtype=torch.float32).reshape(sizes).to(dtype)


VIEWS = {
    "view": lambda x: x.view(4, 6),
    "view_flat": lambda x: x.view(-1),
    "view_split": lambda x: x.view(2, 3, 2, 2),
    "reshape_of_transposed": lambda x: x.transpose(0, 2).reshape(4, 6),
    "flatten": lambda x: x.flatten(1),
    "unflatten": lambda x: x.unflatten(2, (2, 2)),
    "t": lambda x: x[0].t(),
    "mT": lambda x: x.mT,
    "transpose": lambda x: x.transpose(0, 2),
    "permute": lambda x: x.permute(2, 0, 1),
    "movedim": lambda x: x.movedim(0, 2),
    "swapaxes": lambda x: x.swapaxes(1, 2),
    "squeeze": lambda x: x[:, :1].squeeze(1),
    "squeeze_all": lambda x: x[:1, :, :1].squeeze(),
    "unsqueeze": lambda x: x.unsqueeze(1).unsqueeze(-1),
    "expand": lambda x: x.unsqueeze(0).expand(5, 2, 3, 4),
    "expand_middle": lambda x: x[:, :1].expand(2, 7, 4),
    "expand_number": lambda x: x[0, 0, 0].expand(3, 2),
    "expand_as": lambda x: x[:1].expand_as(x),
    "broadcast_to": lambda x: x[0, 0].broadcast_to(3, 4),
    "select": lambda x: x.select(1, 2),
    "select_negative": lambda x: x.select(-1, -2),
    "select_scalar": lambda x: x[1, 2, 3],
    "slice": lambda x: x[:, 1:3],
    "slice_step": lambda x: x[:, ::2, 1::2],
    "slice_last": lambda x: x[..., -2:],
    "slice_empty": lambda x: x[:, 3:],
    "slice_clamped": lambda x: x[:, -9:9],
    "narrow": lambda x: x.narrow(2, 1, 2),
    "split": lambda x: x.split(2, 2)[1],
    "split_sizes": lambda x: x.split([1, 3], 2)[1],
    "chunk": lambda x: x.chunk(3, 1)[2],
    "tensor_split": lambda x: x.tensor_split(3, 2)[0],
    "hsplit": lambda x: x.hsplit(3)[1],
    "unbind": lambda x: x.unbind(1)[1],
    "diagonal": lambda x: x.diagonal(0, 1, 2),
    "diagonal_offset": lambda x: x.diagonal(1, 0, 2),
    "diagonal_below": lambda x: x.diagonal(-1, 1, 2),
    "diagonal_outside": lambda x: x.diagonal(9, 1, 2),
    "unfold": lambda x: x.unfold(2, 2, 1),
    "unfold_gap": lambda x: x.unfold(2, 1, 3),
    "unfold_middle": lambda x: x.unfold(1, 2, 1),
    "as_strided": lambda x: x.as_strided((3, 2), (4, 2), 1),
    "as_strided_windows": lambda x: x.as_strided((5, 4), (2, 1), 3),
    "as_strided_repeat": lambda x: x.as_strided((3, 4), (0, 1), 8),
    "as_strided_irregular": lambda x: x.as_strided((2, 3), (7, 3), 2),
    "as_strided_past_view": lambda x: x[0].as_strided((2, 12), (12, 1), 0),
    "detach": lambda x: x.detach(),
    "view_as": lambda x: x.view_as(torch.empty(6, 4)),
    "alias": lambda x: x[...],
    "chain_slice_transpose_reshape": lambda x: x[:, 1:].transpose(0, 1)[:, :, ::3],
    "chain_permute_select_expand": lambda x: x.permute(2, 1, 0)[1].unsqueeze(0).expand(2, 3, 2),
    "chain_view_of_slice": lambda x: x[1].view(2, 6)[:, 2:5].t(),
    "chain_diagonal_of_view": lambda x: x.view(4, 6)[:, :4].diagonal()[1:],
    "chain_unfold_select": lambda x: x.view(-1).unfold(0, 4, 2)[3],
}

WHOLE = {"unfold", "unfold_middle", "as_strided_windows", "as_strided_repeat", "chain_permute_select_expand"}
EXPANDED = {name for name in VIEWS if "expand" in name or "broadcast" in name} | WHOLE


@pytest.mark.parametrize("name", VIEWS)
def test_read(name, device):
    both(VIEWS[name], grid(2, 3, 4), device=device, exact=True, what=name)


@pytest.mark.parametrize("name", VIEWS)
def test_compute_with_view(name, device):
    both(lambda x: VIEWS[name](x) * 2 + 1, grid(2, 3, 4), device=device, what=name)


@pytest.mark.parametrize("name", VIEWS)
def test_write_through(name, device):
    def write(x):
        y = VIEWS[name](x)
        if name not in EXPANDED and "reshape_of" not in name:
            y.add_(100)
            y.mul_(y)
        return x, y

    both(write, grid(2, 3, 4), device=device, what=name)


@pytest.mark.parametrize("name", sorted(set(VIEWS) - EXPANDED))
def test_copy_into_view(name, device):
    def write(x):
        y = VIEWS[name](x)
        y.copy_(torch.full(y.shape, -3, dtype=torch.int64).to(x.device))
        return x

    both(write, grid(2, 3, 4), device=device, what=name)


@pytest.mark.parametrize("name", ["view", "slice_step", "select", "as_strided_irregular", "diagonal", "unfold_gap", "transpose"])
@pytest.mark.parametrize("dtype", [torch.bool, torch.int64, torch.uint8, torch.bfloat16, torch.complex64, torch.float64])
def test_dtypes(name, dtype, device):
    def write(x):
        y = VIEWS[name](x)
        read = y.clone()
        y.fill_(1)
        return x, y, read

    both(write, grid(2, 3, 4, dtype=dtype), device=device, exact=True, what=name)


def test_write_is_seen_by_every_other_view(device):
    def f(x):
        a, b, c = x.view(-1), x.transpose(0, 1), x[1:]
        a[5] = 50
        b[2, 1] = 60
        c.mul_(2)
        return x, a, b, c

    both(f, grid(3, 4), device=device)


def test_setitem_forms(device):
    def f(x):
        x[0] = 1
        x[:, 1] = torch.arange(3.0, device=x.device)
        x[1:, 2:] = torch.tensor([[7.0, 8.0], [9.0, 10.0]], device=x.device)
        x[2, 3] = torch.tensor(5.0)
        x[x > 8] = -1
        x[..., 0] += 3
        x[torch.tensor([0, 2], device=x.device), 1] = 4
        return x

    both(f, grid(3, 4), device=device)


def test_unequal_slices_of_one_base(device):
    def f(x):
        x[:, :2] += x[:, 3:]
        x[1:, 1:3].clamp_(3, 9)
        x[0].copy_(x[2])
        return x

    both(f, grid(5, 5), device=device)


def test_overlapping_copy_within_a_storage(device):
    def f(x):
        x.view(-1)[0:6].copy_(x.view(-1)[6:12])
        x[0:2].copy_(x[1:3].clone())
        return x

    both(f, grid(4, 4), device=device)


# ---- channels_last and other dense orders

def test_channels_last_passes_through(device):
    def f(x):
        y = x.to(memory_format=torch.channels_last)
        z = torch.relu(y * 2 - 10) + y
        z[:, 1] = 0
        return y, z, z.contiguous(), z.is_contiguous(memory_format=torch.channels_last), torch.empty_like(z).stride()

    both(f, grid(2, 3, 4, 5), device=device)


def test_channels_last_meets_contiguous(device):
    both(lambda x: (x.to(memory_format=torch.channels_last) + x, x + x.to(memory_format=torch.channels_last)), grid(2, 3, 4, 5),
         device=device)


def test_channels_last_views(device):
    def f(x):
        y = x.contiguous(memory_format=torch.channels_last)
        y[0].mul_(3)
        y.permute(0, 2, 3, 1).reshape(2, 20, 3)[1, 7] = -1
        return y, y.flatten(2), y[:, :, 1:3, ::2], y.sum((2, 3))

    both(f, grid(2, 3, 4, 5), device=device)


def test_permuted_base_is_overwritten_whole(device):
    def f(x):
        y = x.t().contiguous().t()
        y.copy_(x * 2)
        y.t().add_(1)
        return y, y.t()

    both(f, grid(3, 5), device=device)


# ---- dtype views

REINTERPRET = [
    (torch.float32, torch.int32), (torch.float32, torch.uint8), (torch.int64, torch.float64), (torch.int32, torch.int64),
    (torch.bfloat16, torch.int16), (torch.uint8, torch.int8), (torch.int64, torch.int32), (torch.float64, torch.float32),
    (torch.bool, torch.uint8), (torch.uint8, torch.bool), (torch.complex64, torch.float32), (torch.float32, torch.complex64),
    (torch.complex64, torch.int64), (torch.float16, torch.bfloat16), (torch.complex128, torch.uint8), (torch.uint8, torch.float32),
]


@pytest.mark.parametrize("source,target", REINTERPRET, ids=str)
def test_reinterpret_read(source, target, device):
    x = grid(3, 16, dtype=torch.float32).remainder(2).to(source) if source in (torch.uint8, torch.bool) else grid(3, 16, dtype=source)
    if source is torch.uint8 and target is torch.float32:
        x = torch.arange(48, dtype=torch.float32)[:12].view(torch.uint8).view(3, 16)
    both(lambda x: x.view(target), x, device=device, exact=True)
    both(lambda x: x[1:].view(target), x, device=device, exact=True)


@pytest.mark.parametrize("source,target", REINTERPRET, ids=str)
def test_reinterpret_write(source, target, device):
    def f(x):
        y = x.view(target)
        y[1].fill_(1)
        y[2, :1] = 0
        return x

    both(f, torch.ones(3, 16).to(source), device=device, exact=True)


def test_bits_of_floats(device):
    x = torch.tensor([1.0, -2.0], device=device)
    v = x.view(torch.int32)
    v[0] = 1073741824
    assert_same(x, torch.tensor([2.0, -2.0]))
    assert x.view(torch.uint8).shape == (8,)


def test_two_dtypes_in_turn(device):
    def f(x):
        y = x.view(torch.int32)
        for _ in range(3):
            x.mul_(2)
            y.add_(1)
        return x, y

    both(f, grid(8) + 1, device=device, exact=True)


def test_dtype_view_errors(device):
    both(lambda x: x.view(torch.int64), grid(2, 3), device=device)
    both(lambda x: x.t().view(torch.uint8), grid(2, 4), device=device)
    both(lambda x: x[:, 1:].view(torch.int64), grid(2, 4), device=device)


# ---- zero size and rank

@pytest.mark.parametrize("sizes", [(0,), (0, 3), (2, 0, 4), (3, 0)], ids=str)
def test_zero_size(sizes, device):
    def f(x):
        y = x + 1
        y.mul_(2)
        x.fill_(1)
        z = torch.cat([x, y])
        return x, y, z, x.transpose(0, -1), x.sum(), x.sum(-1), x.clone(), x[..., :0], x.to(torch.int64), torch.empty_like(x)

    both(f, torch.empty(sizes), device=device)


def test_zero_dim(device):
    def f(x):
        y = x.expand(3)
        v = x.view(1, 1)
        v.add_(1)
        x.mul_(3)
        return x, y, v, x.item(), x.unsqueeze(0), x[None], x[...], x.reshape(()), x.t()

    both(f, torch.tensor(2.0), device=device)


@pytest.mark.parametrize("rank", [6, 8])
def test_many_dimensions(rank, device):
    x = grid(*([2] * rank))
    both(lambda x: (x.permute(*range(rank - 1, -1, -1)) + x, x[0, ..., 1].flatten(), x.sum((0, -1))), x, device=device)


# ---- rebinding

def test_data_assignment(device):
    x = torch.zeros(10, device=device)
    w = x.view(2, 5)
    x.data.add_(1)
    assert_same(w, torch.ones(2, 5))
    x.data = x.data + 1
    assert_same(w, torch.ones(2, 5))
    assert_same(x, torch.full((10,), 2.0))
    x.data = torch.ones(2, 3, device=device)
    assert x.shape == (2, 3) and x.stride() == (3, 1) and x.sum().item() == 6
    assert_same(w, torch.ones(2, 5))


def test_set_to_another_storage(device):
    def f(x, y):
        z = torch.empty(0, device=x.device)
        z.set_(x.untyped_storage(), 2, (2, 3), (4, 1))
        z.mul_(2)
        y.set_(x)
        y.add_(1)
        return x, y, z, z.storage_offset()

    both(f, grid(3, 4), grid(2), device=device)


def test_resize(device):
    def f(x):
        y = x.clone()
        y.resize_(2, 3)
        small = y.clone()
        y.resize_(4, 5)
        y[2:].zero_()
        y[1, 1:].zero_()
        return x, small, y

    both(f, grid(3, 4), device=device)


def test_storage_to_zero_and_back(device):
    x = grid(3, 4).to(device)
    v = x[1]
    storage = x.untyped_storage()
    storage.resize_(0)
    assert storage.nbytes() == 0
    storage.resize_(48)
    x.copy_(grid(3, 4) + 1)
    assert_same(v, grid(3, 4)[1] + 1)
    assert_same(x, grid(3, 4) + 1)


def test_read_of_a_freed_storage_raises(device):
    def f(x):
        x.untyped_storage().resize_(0)
        return (x + 1).cpu()

    if torch.device(device).type != "cpu":  # the CPU reads memory that is gone
        with pytest.raises(RuntimeError):
            f(grid(3, 4).to(device))
