"""Pointwise ops and reductions over layouts, ranks, dtypes and kinds of number."""
import itertools

import pytest
import torch

from same import both

pytestmark = pytest.mark.usefixtures("fallbacks_forbidden")


def f(*sizes, dtype=torch.float32):
    return torch.linspace(-2, 3, max(torch.Size(sizes).numel(), 1))[:torch.Size(sizes).numel()].reshape(sizes).to(dtype)


LAYOUTS = {
    "contiguous": lambda: f(2, 3, 4, 5),
    "transposed": lambda: f(3, 4).t(),
    "channels_last": lambda: f(2, 3, 4, 5).to(memory_format=torch.channels_last),
    "permuted": lambda: f(2, 3, 4).permute(2, 0, 1),
    "step": lambda: f(4, 6)[:, ::2],
    "expanded": lambda: f(4, 1).expand(4, 3),
    "offset": lambda: f(4, 6)[1:, 2:],
    "zero_size": lambda: f(2, 0, 3),
    "zero_dim": lambda: torch.tensor(1.5),
    "one": lambda: f(1, 1, 1),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_unary_layouts(layout, device):
    both(lambda x: (x.exp(), torch.relu(x), -x, x.abs().sqrt(), x > 0, x.to(torch.int64), torch.empty_like(x).stride(), torch.zeros_like(x)),
         LAYOUTS[layout](), device=device, what=layout)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_in_place_layouts(layout, device):
    if layout == "expanded":
        pytest.skip("in-place on expanded tensors is refused: tested in test_views")

    def g(x):
        x.add_(1).mul_(x).clamp_(-1, 5).sqrt_()
        return x

    both(g, LAYOUTS[layout](), device=device, what=layout)


SAME_SHAPE = {
    "rows_columns": lambda: (f(3, 4), f(4, 3).t()),
    "columns_rows": lambda: (f(4, 3).t(), f(3, 4)),
    "columns_columns": lambda: (f(4, 3).t(), f(4, 3).t()),
    "last_first": lambda: (f(2, 3, 4, 5).to(memory_format=torch.channels_last), f(2, 3, 4, 5)),
    "step_contiguous": lambda: (f(3, 8)[:, ::2], f(3, 4)),
    "expanded_contiguous": lambda: (f(3, 1).expand(3, 4), f(3, 4)),
    "expanded_expanded": lambda: (f(3, 1).expand(3, 4), f(1, 4).expand(3, 4)),
    "three_permuted": lambda: (f(2, 3, 4).permute(2, 0, 1), f(4, 2, 3)),
    "both_permuted": lambda: (f(2, 3, 4).permute(1, 2, 0), f(2, 4, 3).permute(2, 1, 0)),
    "broadcast_row": lambda: (f(3, 4), f(4)),
    "broadcast_column": lambda: (f(3, 4), f(3, 1)),
    "broadcast_both": lambda: (f(3, 1), f(1, 4)),
    "broadcast_rank": lambda: (f(4), f(2, 3, 4)),
    "broadcast_permuted": lambda: (f(4, 3).t(), f(2, 3, 4).permute(0, 1, 2)),
    "broadcast_last": lambda: (f(2, 3, 4, 5).to(memory_format=torch.channels_last), f(3, 1, 1)),
    "broadcast_zero": lambda: (f(0, 4), f(1, 4)),
    "zero_dim_left": lambda: (torch.tensor(1.5), f(3, 4)),
    "zero_dim_right": lambda: (f(4, 3).t(), torch.tensor(1.5)),
    "zero_dims": lambda: (torch.tensor(1.5), torch.tensor(2.0)),
    "one_element": lambda: (f(1, 1), f(1)),
    "mismatch": lambda: (f(3, 4), f(3)),
    "mismatch_rank": lambda: (f(2, 3, 4), f(2, 1, 5)),
}


@pytest.mark.parametrize("layout", SAME_SHAPE)
def test_binary_layouts(layout, device):
    both(lambda x, y: (x + y, x * y, x / (y.abs() + 1), x < y, torch.maximum(x, y), torch.where(x > y, x, y)),
         *SAME_SHAPE[layout](), device=device, what=layout)


@pytest.mark.parametrize("layout", SAME_SHAPE)
def test_binary_in_place_layouts(layout, device):
    def g(x, y):
        x = x.clone()
        x.sub_(y)
        return x

    both(g, *SAME_SHAPE[layout](), device=device, what=layout)


# ---- type promotion

KINDS = [torch.bool, torch.uint8, torch.int32, torch.int64, torch.bfloat16, torch.float16, torch.float32, torch.float64, torch.complex64]
PAIRS = [p for i, p in enumerate(itertools.product(KINDS, KINDS)) if p[0] != p[1] and i % 2 == 0] + [(k, k) for k in KINDS]


@pytest.mark.parametrize("a,b", PAIRS, ids=str)
def test_promotion(a, b, device):
    x, y = torch.tensor([[0, 1, 2], [3, 4, 5]]).to(a), torch.tensor([1, 2, 3]).to(b)
    both(lambda x, y: (x * y, x == y), x, y, device=device)
    both(lambda x, y: x + y, x, y[2], device=device, what="0-dim right")
    both(lambda x, y: torch.true_divide(x, y), x, y, device=device, what="div")


NUMBERS = [True, 2, -3, 2.5, 1 + 2j]


@pytest.mark.parametrize("dtype", KINDS, ids=str)
def test_numbers(dtype, device):
    x = torch.tensor([[0, 1, 2], [3, 4, 5]]).to(dtype)
    for n in NUMBERS:
        if isinstance(n, complex) and dtype in (torch.bool, torch.float16):
            continue  # complex32 does not exist here; PyTorch's bool tensors of complex numbers are an accident
        both(lambda x: x * n, x, device=device, what=f"* {n}")
        both(lambda x: n + x, x, device=device, what=f"{n} +")
        both(lambda x: x == n, x, device=device, what=f"== {n}")
        both(lambda x: x.clone().mul_(n), x, device=device, what=f"mul_ {n}")
        both(lambda x: torch.full_like(x, n), x, device=device, what=f"full_like {n}")


@pytest.mark.parametrize("dtype", [torch.int32, torch.bfloat16, torch.float32], ids=str)
def test_host_zero_dim_tensors(dtype, device):
    x = torch.tensor([[0, 1, 2], [3, 4, 5]]).to(dtype)
    for n in (torch.tensor(3), torch.tensor(2.5), torch.tensor(2.5, dtype=torch.float64), torch.tensor(True)):
        both(lambda x: (x * n, n + x, x > n, torch.where(x > n, x, n)), x, device=device, what=f"{n.dtype}")


@pytest.mark.parametrize("op", ["//", "%", "**", "trunc", "floor"])
@pytest.mark.parametrize("dtype", [torch.int32, torch.int64, torch.float32, torch.bfloat16, torch.uint8], ids=str)
def test_division(op, dtype, device):
    x = torch.tensor([7, -7, 5, -5, 0, 3]).to(dtype)
    y = torch.tensor([2, 2, -3, -3, 4, 3]).to(dtype).abs() if op == "**" else torch.tensor([2, 2, -3, -3, 4, 3]).to(dtype)
    run = {"//": lambda a, b: a // b, "%": lambda a, b: a % b, "**": lambda a, b: a ** b,
           "trunc": lambda a, b: torch.div(a, b, rounding_mode="trunc"), "floor": lambda a, b: torch.div(a, b, rounding_mode="floor")}[op]
    both(run, x, y, device=device)
    both(lambda x: run(x, 3), x, device=device, what="number")
    if dtype.is_floating_point:
        both(run, x, torch.zeros_like(y), device=device, what="zero")


SPECIAL = torch.tensor([float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 1.0, -1.0, 1e30, 1e-30, 3.4e38, 0.5, -2.5, 1.5])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16], ids=str)
def test_special_values(dtype, device):
    x = SPECIAL.to(dtype)
    for g in (torch.exp, torch.tanh, torch.sigmoid, torch.sqrt, torch.log, torch.floor, torch.ceil, torch.round, torch.trunc, torch.sign,
              torch.relu, torch.isnan, torch.isinf, torch.isfinite, torch.abs, torch.neg, torch.erf, torch.log1p, torch.rsqrt,
              torch.reciprocal, torch.nn.functional.silu, torch.square, torch.logical_not):
        both(g, x, device=device, what=g.__name__)
    both(torch.nn.functional.gelu, x[3:9], device=device, what="gelu")  # the CPU's own vector code has nan for infinity
    y = x.flip(0)
    for g in (torch.maximum, torch.minimum, torch.fmax, torch.fmin, torch.pow, torch.eq, torch.lt, torch.ge, torch.atan2, torch.fmod):
        both(g, x, y, device=device, what=g.__name__)
    both(lambda x: (x.clamp(-1, 1), x.clamp(min=0), x.clamp(max=0), x.clamp(x - 1, x + 1), x.max(), x.min(), x.argmax(), x.sum()),
         x, device=device, what="clamp")


@pytest.mark.parametrize("source", [torch.float32, torch.int64, torch.bool, torch.complex64, torch.bfloat16, torch.uint8], ids=str)
def test_casts(source, device):
    x = torch.tensor([-1.7, -0.2, 0.0, 1.7, 100.0, 3.5]).abs().to(source) if source is torch.uint8 else torch.tensor([-1.7, -0.2, 0.0, 1.7, 100.0, 3.5]).to(source)
    for target in [*KINDS, torch.int8, torch.int16, torch.complex128]:
        if source.is_floating_point and target is torch.uint8:
            x = x.abs()
        both(lambda x: x.to(target), x, device=device, what=f"to {target}", exact=True)


# ---- reductions

REDUCTIONS = {
    "sum": lambda x: (x.sum(), x.sum(0), x.sum(-1, keepdim=True), x.sum((0, 1))),
    "mean": lambda x: (x.mean(), x.mean(1)),
    "extremes": lambda x: (x.amax(1), x.amin(0, keepdim=True), x.max(), x.min(), *x.max(1), *x.min(0)),
    "arg": lambda x: (x.argmax(), x.argmax(1), x.argmin(0, keepdim=True)),
    "prod": lambda x: (x.prod(), x.prod(1)),
    "logic": lambda x: ((x > 0).any(), (x > 0).all(1), x.any(0), x.all()),
    "moments": lambda x: (x.var(), x.var(1, correction=0), x.std(0), *torch.var_mean(x, 1)),
    "logsumexp": lambda x: x.logsumexp(1),
    "norm": lambda x: (x.norm(), x.norm(p=1, dim=1), x.norm(p=float("inf"), dim=0)),
    "cumsum": lambda x: x.cumsum(0),
    "softmax": lambda x: (x.softmax(1), x.log_softmax(0)),
    "dtype": lambda x: (x.sum(dtype=torch.float64), x.mean(0, dtype=torch.float64)),
}


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("layout", ["rows", "columns", "step", "three"])
def test_reductions(name, layout, device):
    x = {"rows": f(4, 5), "columns": f(5, 4).t(), "step": f(4, 10)[:, ::2], "three": f(2, 3, 4).permute(2, 0, 1)}[layout]
    both(REDUCTIONS[name], x, device=device, what=name)


@pytest.mark.parametrize("name", ["sum", "extremes", "arg", "prod", "logic"])
@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.bool, torch.bfloat16, torch.uint8], ids=str)
def test_reduction_dtypes(name, dtype, device):
    both(REDUCTIONS[name], torch.tensor([[1, 0, 3], [2, 1, 0], [1, 1, 1]]).to(dtype), device=device, what=name)


@pytest.mark.parametrize("name", sorted(set(REDUCTIONS) - {"norm"}))
def test_reductions_of_nothing(name, device):
    for expression in (lambda x: REDUCTIONS[name](x), ):
        both(expression, torch.empty(0, 3), device=device, what=name)
        both(expression, torch.empty(3, 0), device=device, what=name)


def test_reductions_of_a_number(device):
    both(lambda x: (x.sum(), x.mean(), x.max(), x.max(0), x.argmax(), x.sum(-1), x.softmax(0), x.any(), x.cumsum(0)), torch.tensor(2.5), device=device)


# ---- random numbers

def test_random_numbers_are_what_was_asked_for(device):
    u = torch.empty(20000, device=device).uniform_(-1, 3).cpu()
    assert u.min() >= -1 and u.max() < 3 and abs(u.mean() - 1) < 0.05 and u.unique().numel() > 19000
    n = torch.empty(20000, device=device).normal_(2, 3).cpu()
    assert abs(n.mean() - 2) < 0.1 and abs(n.std() - 3) < 0.1 and n.isfinite().all()
    b = torch.empty(20000, device=device).bernoulli_(0.3).cpu()
    assert set(b.unique().tolist()) == {0, 1} and abs(b.mean() - 0.3) < 0.02
    i = torch.randint(-3, 5, (20000,), device=device).cpu()
    assert i.min() == -3 and i.max() == 4 and abs(i.float().mean() - 0.5) < 0.1
    e = torch.empty(20000, device=device).exponential_(2.0).cpu()
    assert e.min() >= 0 and abs(e.mean() - 0.5) < 0.02
    assert sorted(torch.randperm(100, device=device).tolist()) == list(range(100))


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.float16], ids=str)
def test_random_dtypes(dtype, device):
    u, n = torch.rand(4000, dtype=dtype, device=device).cpu(), torch.randn(4000, dtype=dtype, device=device).cpu()
    assert u.dtype == dtype and u.min() >= 0 and u.max() <= (1 if dtype is torch.bfloat16 else 0.9999999) and abs(u.double().mean() - 0.5) < 0.03
    assert n.dtype == dtype and abs(n.double().std() - 1) < 0.05


def test_seeds_and_states(device):
    torch.manual_seed(5)
    a, b = torch.rand(8, device=device).cpu(), torch.randn(8, device=device).cpu()
    torch.manual_seed(5)
    assert torch.rand(8, device=device).cpu().equal(a)
    g = torch.Generator(device).manual_seed(5)
    c = torch.rand(8, device=device, generator=g).cpu()
    state = g.get_state()
    d = torch.rand(8, device=device, generator=g).cpu()
    g.set_state(state)
    assert torch.rand(8, device=device, generator=g).cpu().equal(d) and not c.equal(d)
    assert torch.randn(8, device=device).cpu().equal(b)
