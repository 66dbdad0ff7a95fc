"""Written tensors that overlap themselves or an operand: refused or done as on the CPU."""
import pytest
import torch

import same
from conftest import DEVICE
from same import assert_same, both

pytestmark = pytest.mark.usefixtures("fallbacks_forbidden")


def grid(*sizes):
    return torch.arange(torch.Size(sizes).numel(), dtype=torch.float32).reshape(sizes)


OVERLAPS = {
    "add_expanded": lambda x: x[:1].expand(3, 4).add_(1),
    "copy_expanded": lambda x: x[:1].expand(3, 4).copy_(x),
    "add_shifted": lambda x: x.view(-1)[1:].add_(x.view(-1)[:-1]),
    "add_itself": lambda x: x.add_(x),
    "add_same_view": lambda x: x[:, 1:].add_(x[:, 1:]),
    "out_is_operand": lambda x: torch.add(x, x, out=x),
    "out_overlaps_operand": lambda x: torch.add(x[:2], 1, out=x[1:]),
    "out_expanded": lambda x: torch.exp(x, out=x[:1].expand(3, 4)),
    "fill_expanded": lambda x: x[:1].expand(3, 4).fill_(7),
    "zero_expanded": lambda x: x[:1].expand(3, 4).zero_(),
    "mm_out_overlaps": lambda x: torch.mm(x[:, :3], x[:, :3], out=x[:, 1:]),
    "add_square_transposed": lambda x: x[:, :3].contiguous().add_(x[:, :3].contiguous().t()),
    "interleaved_are_apart": lambda x: x.view(-1)[::2].add_(x.view(-1)[1::2]),
}


@pytest.mark.parametrize("name", OVERLAPS)
def test_overlap_rules(name, device):
    def f(x):
        y = OVERLAPS[name](x)
        return x, y

    both(f, grid(3, 4), device=device, what=name)


def test_operand_is_read_before_it_is_written(device):
    """PyTorch leaves open what its loops make of an operand that overlaps in another order; here nothing is read late."""
    x = grid(3, 4).to(device)
    square = x[:, :3]
    square.add_(square.t())
    assert_same(square.contiguous(), grid(3, 4)[:, :3] + grid(3, 4)[:, :3].t(), strides=False)


def test_writes_that_the_cpu_only_warns_about_are_refused(device):
    """index_put_ and masked_fill_ on expanded tensors: deprecated in PyTorch, an error of the same words here."""
    if torch.device(device).type == "cpu":
        return
    x = grid(1, 4).to(device).expand(3, 4)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        x.masked_fill_(torch.ones(3, 4, dtype=torch.bool, device=device), 1)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        x.index_put_((torch.tensor([0], device=device),), torch.ones(1, device=device))


def test_device_is_usable_after_errors():
    x = grid(3, 4).to(DEVICE)
    for f in OVERLAPS.values():
        same.outcome(lambda f=f: f(x.clone()))
    assert_same(x + 1, grid(3, 4) + 1)
