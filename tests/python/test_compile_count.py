"""Programs compiled: a constant number, whatever moves from one iteration to the next."""
import copy
import io
import os

import pytest
import torch

from conftest import compile_count, is_host, synchronize
from same import assert_same

pytestmark = [
    pytest.mark.skipif(is_host(), reason="the CPU compiles nothing"),
    pytest.mark.usefixtures("fallbacks_forbidden"),
]


def counts(step, n):
    """Programs each call of step(i) compiled."""
    made = []
    before = compile_count()
    for i in range(n):
        step(i)
        after = compile_count()
        made.append(after - before)
        before = after
    return made


def assert_settles(step, n=8, after=2):
    made = counts(step, n)
    assert sum(made[after:]) == 0, f"no program may be compiled from step {after} on; compiled per step: {made}"


def test_column_of_a_loop(device):
    x, y = torch.rand(5, 9, device=device), torch.zeros(5, device=device)

    def step(t):
        y.add_(x[:, t])

    assert_settles(step, 9)
    assert_same(y, x.cpu().sum(1))


@pytest.mark.parametrize("dim", [0, 1, 2])
def test_select_in_any_dimension(dim, device):
    x = torch.rand(6, 6, 6, device=device)
    assert_settles(lambda t: (x.select(dim, t) + 1), 6)


def test_cache_slot_written(device):
    cache = torch.zeros(2, 3, 8, 4, device=device)

    def step(t):
        cache[:, :, t] = torch.full((2, 3, 4), float(t), device=device)

    assert_settles(step)
    assert_same(cache[0, 0, :, 0], torch.arange(8.0), strides=False)


def test_slice_of_one_written_and_read(device):
    cache = torch.zeros(3, 16, device=device)

    def step(t):
        cache[:, t:t + 1] = cache[:, t:t + 1] + 1

    assert_settles(step, 10)


def test_wider_slices_become_run_time_starts(device):
    x = torch.rand(4, 64, device=device)
    assert_settles(lambda t: x[:, 3 * t:3 * t + 3] * 2, 12, after=5)


def test_numbers_are_not_compiled_in(device):
    x = torch.rand(7, device=device)
    assert_settles(lambda t: (x * (0.5 + t)).add_(t).clamp_(min=-float(t)), 8, after=1)


def test_zero_dim_host_tensors_are_not_compiled_in(device):
    x = torch.rand(7, device=device)
    assert_settles(lambda t: x * torch.tensor(0.5 + t), 8, after=1)


@pytest.mark.parametrize("make", [
    lambda p, lr: torch.optim.SGD(p, lr=lr, momentum=0.9),
    lambda p, lr: torch.optim.Adam(p, lr=lr),
    lambda p, lr: torch.optim.AdamW(p, lr=lr, fused=True),
    lambda p, lr: torch.optim.AdamW(p, lr=lr, foreach=False),
], ids=["sgd", "adam", "adamw_fused", "adamw_loop"])
def test_learning_rate_changes(make, device):
    model = torch.nn.Linear(5, 3).to(device)
    optimizer = make(model.parameters(), 0.1)
    x = torch.rand(4, 5, device=device)

    def step(t):
        optimizer.param_groups[0]["lr"] = 0.1 / (t + 1)
        optimizer.zero_grad()
        model(x).pow(2).sum().backward()
        optimizer.step()

    assert_settles(step, 7, after=3)


def network():
    return torch.nn.Sequential(torch.nn.Linear(6, 5), torch.nn.GELU(), torch.nn.LayerNorm(5), torch.nn.Linear(5, 2))


def train_twice(model, x):
    for _ in range(2):
        model.zero_grad()
        model(x).pow(2).sum().backward()
        with torch.no_grad():
            for p in model.parameters():
                p.sub_(p.grad, alpha=0.01)
    synchronize()


def test_copied_and_loaded_models(device):
    x = torch.rand(4, 6, device=device)
    synchronize()
    model = network().to(device)
    train_twice(model, x)
    train_twice(copy.deepcopy(model), x)  # its first step updates values that the original holds too
    file = io.BytesIO()
    torch.save(model.state_dict(), file)

    def copy_and_load():
        file.seek(0)
        train_twice(copy.deepcopy(model), x)
        other = network().to(device)
        train_twice(other, x)
        other.load_state_dict(torch.load(file, map_location=device))
        synchronize()
        train_twice(other, x)
        file.seek(0)
        assigned = network()
        assigned.load_state_dict(torch.load(file, map_location=device), assign=True)
        train_twice(assigned, x)

    if os.environ.get("TORCH_PJRT_MODE") == "defer":
        copy_and_load()  # which values a deferred step may donate differs for the first loaded model, once
    before = compile_count()
    copy_and_load()
    made = compile_count() - before
    assert made == 0, f"a copied or loaded model may make no new programs; made {made}"


def test_channels_last_chain(device):
    def step(t):
        x = torch.rand(2, 3, 4, 5, device=device).to(memory_format=torch.channels_last)
        y = torch.relu(x * 2 + 1) - x
        y[:, 0] = t
        z = (y * y).sum((2, 3))
        assert y.is_contiguous(memory_format=torch.channels_last)
        return z

    assert_settles(step, 6)


def test_channels_last_costs_nothing_over_contiguous(device):
    x = torch.rand(2, 3, 4, 5, device=device)
    y = x.to(memory_format=torch.channels_last)
    z = torch.exp(y)
    before = compile_count()
    for _ in range(3):
        z = torch.exp(z)
    synchronize()
    assert compile_count() - before <= 1, "a dense operand of any order is read as it is"


def test_views_compile_nothing(device):
    x = torch.rand(4, 6, device=device)
    synchronize()
    before = compile_count()
    for t in range(4):
        x.t()[1:].unsqueeze(0).expand(3, 5, 4)[:, t].view(3, 4).detach()
    assert compile_count() == before


def test_counting_is_exact_and_monotonic(device):
    before = compile_count()
    x = torch.ones(3, 11, 13, device=device)
    synchronize()
    (x * 3 - 1).sum().item()
    middle = compile_count()
    (x * 3 - 1).sum().item()
    assert middle > before and compile_count() == middle
