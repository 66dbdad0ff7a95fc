"""Storages: copies, serialisation, sharing, growth, addresses."""
import copy
import io
import pickle

import pytest
import torch

from conftest import DEVICE, TYPE, is_host
from same import assert_same, both, like

pytestmark = pytest.mark.usefixtures("fallbacks_forbidden")

DTYPES = [torch.float32, torch.bool, torch.complex64, torch.bfloat16, torch.int64, torch.uint8, torch.float64, torch.float16,
          torch.complex128, torch.int8, torch.int16, torch.int32]
UNSIGNED = [torch.uint16, torch.uint32, torch.uint64]  # PyTorch's legacy format and pickle have no names for these


def sample(dtype):
    return torch.arange(12).reshape(3, 4).remainder(2 if dtype is torch.bool else 99).to(dtype)


def shapes(x):
    """Tensors that read the storage of |x| in different ways."""
    return {"whole": x, "row": x[1], "t": x.t(), "step": x[:, ::2], "one": x[2, 3]}


def saved(value, **options):
    file = io.BytesIO()
    torch.save(value, file, **options)
    file.seek(0)
    return file


# ---- deepcopy, pickle, save, load

@pytest.mark.parametrize("dtype", DTYPES + UNSIGNED, ids=str)
def test_deepcopy(dtype, device):
    x = sample(dtype).to(device)
    for name, t in shapes(x).items():
        c = copy.deepcopy(t)
        assert_same(c, shapes(sample(dtype))[name], what=name, exact=True)
        assert c.device == t.device and c.data_ptr() != t.data_ptr()
    c = copy.deepcopy(x)
    c.zero_()
    assert_same(x, sample(dtype), exact=True)


def test_deepcopy_keeps_sharing(device):
    x = sample(torch.float32).to(device)
    d = copy.deepcopy(shapes(x))
    d["row"].fill_(-1)
    expected = sample(torch.float32)
    expected[1] = -1
    for name, t in shapes(expected).items():
        assert_same(d[name], t, what=name)
    assert_same(x, sample(torch.float32))


FORMATS = [(d, z) for d in DTYPES for z in (True, False)] + [(d, True) for d in UNSIGNED]


@pytest.mark.parametrize("dtype,zip_format", FORMATS, ids=lambda v: {True: "zip", False: "legacy"}.get(v, str(v)))
def test_save_and_load(dtype, zip_format, device):
    x = sample(dtype).to(device)
    file = saved(shapes(x), _use_new_zipfile_serialization=zip_format)
    for where in (None, device, "cpu"):
        file.seek(0)
        d = torch.load(file, map_location=where)
        for name, t in shapes(sample(dtype)).items():
            assert d[name].device.type == torch.device(where or device).type
            assert_same(d[name], t, what=name, exact=True)
        d["row"].fill_(1)
        expected = sample(dtype)
        expected[1] = 1
        assert_same(d["whole"], expected, exact=True)
        assert_same(d["t"], expected.t(), exact=True)


@pytest.mark.parametrize("zip_format", [True, False], ids=["zip", "legacy"])
def test_host_file_onto_device(zip_format, device):
    file = saved(shapes(sample(torch.float32)), _use_new_zipfile_serialization=zip_format)
    d = torch.load(file, map_location=device)
    assert d["t"].device.type == TYPE
    assert_same(d["t"] + 1, sample(torch.float32).t() + 1)
    d["one"].mul_(0)
    assert d["whole"][2, 3].item() == 0


def test_load_by_function_and_table(device):
    x = sample(torch.float32).to(device)
    assert torch.load(saved(x), map_location=lambda storage, where: storage).device.type == "cpu"
    assert torch.load(saved(x), map_location={str(x.device): "cpu"}).device.type == "cpu"


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_pickle(dtype, device):
    t = sample(dtype).to(device).t()
    u = pickle.loads(pickle.dumps(t))
    assert u.device == t.device
    assert_same(u, sample(dtype).t(), exact=True)


def test_one_storage_of_two_dtypes(device):
    def f(x):
        v = x.view(torch.int32)
        with torch.no_grad():
            v[0, 0] = 7
        a, b = copy.deepcopy([x, v])
        b[1, 1] = 1065353216
        assert a[1, 1].item() == 1
        file = saved([x, v])
        c, d = torch.load(file, map_location=x.device)
        d[2, 2] = 0
        assert c[2, 2].item() == 0
        return x, v, a, b, c, d

    both(f, sample(torch.float32), device=device, exact=True)


def test_model_and_optimizer(device):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.LayerNorm(3)).to(device)
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.ones(2, 4, device=device)).pow(2).sum().backward()
    optimizer.step()
    file = saved({"model": model.state_dict(), "optimizer": optimizer.state_dict()})
    state = torch.load(file, map_location=device)
    other = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.LayerNorm(3)).to(device)
    other.load_state_dict(state["model"])
    again = torch.optim.Adam(other.parameters())
    again.load_state_dict(state["optimizer"])
    for (name, a), b in zip(model.state_dict().items(), other.state_dict().values()):
        assert_same(a, b.cpu(), what=name, exact=True)
    for p, q in zip(optimizer.state.values(), again.state.values()):
        assert_same(p["exp_avg"], q["exp_avg"].cpu(), exact=True)
    host = torch.load(saved(model.state_dict()), map_location="cpu")
    assert all(t.device.type == "cpu" for t in host.values())


def test_parameter_deepcopy_and_module_to(device):
    m = torch.nn.Linear(3, 2).to(device)
    c = copy.deepcopy(m)
    with torch.no_grad():
        c.weight.zero_()
    assert m.weight.abs().sum().item() > 0
    assert m.to("cpu").weight.device.type == "cpu"


def test_empty_tensors_are_copied(device):
    for t in (torch.empty(0, device=device), torch.empty(3, 0, device=device), torch.zeros(4, device=device)[4:]):
        for c in (copy.deepcopy(t), pickle.loads(pickle.dumps(t)), torch.load(saved(t))):
            assert c.shape == t.shape and c.device == t.device


# ---- storages as objects

def test_storage_copies(device):
    x = sample(torch.float32)
    d = x.to(device)
    s = d.untyped_storage()
    assert s.nbytes() == 48 and s.device == d.device
    assert s.cpu().tolist() == x.untyped_storage().tolist()
    c = s.clone()
    assert torch.empty(0, device=device).set_(c, 0, (3, 4)).cpu().equal(x)
    y = torch.zeros(3, 4, device=device)
    y.untyped_storage().copy_(s)
    assert_same(y, x)
    y.untyped_storage().copy_(torch.ones(3, 4).untyped_storage())
    assert_same(y, torch.ones(3, 4))
    z = torch.zeros(3, 4)
    z.untyped_storage().copy_(s)
    assert z.equal(x)


def test_storage_bytes_written(device):
    x = torch.zeros(2, 2, device=device)
    raw = torch.empty(0, dtype=torch.uint8, device=device).set_(x.untyped_storage())
    assert raw.shape == (0,) or raw.numel() == 16
    raw = torch.empty(0, dtype=torch.uint8, device=device).set_(x.untyped_storage(), 0, (16,))
    raw.copy_(torch.ones(2, 2).view(torch.uint8).flatten())
    assert_same(x, torch.ones(2, 2))
    raw[3::4] = 64
    raw[2::4] = 0
    assert_same(x, torch.full((2, 2), 2.0))


def test_typed_storage(device):
    x = sample(torch.float32).to(device)
    typed = x.storage()
    assert typed.size() == 12 and typed.dtype == torch.float32 and typed[5] == 5
    assert typed.tolist() == sample(torch.float32).flatten().tolist()


def test_reinterpreting_set(device):
    def f(x):
        i = torch.empty(0, dtype=torch.int32, device=x.device).set_(x.untyped_storage(), 4, (2, 2), (3, 1))
        i.fill_(1073741824)
        return x, i

    both(f, sample(torch.float32), device=device)


@pytest.mark.parametrize("source", [torch.bool, torch.complex64, torch.bfloat16], ids=str)
def test_copied_bytes_take_the_readers_dtype(source, device):
    x = sample(source)
    file = saved(x)
    y = torch.load(file, map_location=device)
    bytes_ = torch.empty(0, dtype=torch.uint8, device=device).set_(y.untyped_storage(), 0, (x.untyped_storage().nbytes(),))
    assert bytes_.cpu().tolist() == x.untyped_storage().tolist()
    assert_same(y, x, exact=True)


# ---- size and address

def test_growth_keeps_bytes_and_moves(device):
    x = torch.arange(4.0, device=device)
    before = x.data_ptr()
    x.resize_(4096)
    assert x.untyped_storage().nbytes() == 16384
    assert_same(x[:4], torch.arange(4.0))
    if not is_host():
        assert x.data_ptr() != before
    x.untyped_storage().resize_(8)
    assert x.untyped_storage().nbytes() == 8


def test_growth_through_a_view(device):
    def f(x):
        y = x.view(-1)[:6]
        y.resize_(20)
        y[12:].zero_()
        return x, y

    both(f, sample(torch.float32), device=device)


@pytest.mark.skipif(is_host(), reason="the CPU's addresses are its allocator's")
def test_addresses_are_aligned_and_disjoint(device):
    live = [torch.empty(n, dtype=torch.uint8, device=device) for n in (1, 511, 512, 513, 4096, 7) * 40]
    for t in live[::3]:
        t.resize_(t.numel() * 2)
    del live[1::5]
    live += [torch.empty(n, dtype=torch.uint8, device=device) for n in (1, 600, 100000) * 20]
    ranges = sorted((t.data_ptr(), t.data_ptr() + max(512, t.untyped_storage().nbytes())) for t in live)
    assert all(a % 512 == 0 and (1 << 54) <= a and b <= (1 << 55) for a, b in ranges)
    assert all(end <= start for (_, end), (start, _) in zip(ranges, ranges[1:]))


def test_views_share_the_address(device):
    x = torch.zeros(4, 4, device=device)
    assert x[1].data_ptr() == x.data_ptr() + 16 and x.t().data_ptr() == x.data_ptr()
    assert x.untyped_storage().data_ptr() == x[2].untyped_storage().data_ptr() == x.data_ptr()
    assert torch.empty(0, device=device).data_ptr() == 0


def test_storage_identity(device):
    x = torch.zeros(4, device=device)
    y = torch.empty(0, device=device).set_(x)
    assert y.untyped_storage()._cdata == x.untyped_storage()._cdata
    y.add_(1)
    assert_same(x, torch.ones(4))


def test_strided_sample_builder_is_faithful():
    t = torch.arange(20.0)[3:].as_strided((3, 3), (2, 3), 4)
    assert_same(like(t, DEVICE), t)
