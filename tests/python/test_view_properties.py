"""Random programs of views, dtype views and in-place writes do the same as on the CPU.

TORCH_PJRT_EXAMPLES programs are drawn (500); the same ones each time up to that number, new ones above it."""
import os

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import DEVICE
from same import assert_same

NIGHTLY = os.environ.get("TORCH_PJRT_NIGHTLY", "0") not in ("", "0")
EXAMPLES = int(os.environ.get("TORCH_PJRT_EXAMPLES", "20000" if NIGHTLY else "500"))
pytestmark = pytest.mark.usefixtures("fallbacks_forbidden")

# Few shapes, so that programs share kernels.
SHAPES = [(4, 6), (2, 3, 4), (8,), (2, 1, 4), (0, 3)]
DTYPES = [torch.float32, torch.float32, torch.int32, torch.bool, torch.complex64, torch.bfloat16, torch.int64, torch.uint8]
REINTERPRETED = [torch.int32, torch.uint8, torch.float32, torch.int64, torch.float64, torch.int16, torch.complex64, torch.bool]


def base(shape, dtype, order):
    """A tensor of 0 and 1 (bool) or small numbers, stored in the order of dimensions that |order| chooses."""
    n = torch.Size(shape).numel()
    t = torch.arange(n).remainder(2 if dtype is torch.bool else 50).to(dtype)
    if order and len(shape) > 1:
        return t.reshape(shape[::-1]).permute(*range(len(shape) - 1, -1, -1))
    return t.reshape(shape)


def window(t, a, b):
    sizes = [(2, 3), (3,), (2, 2, 2), (4,), ()][a % 5]
    strides = [(1, 1), (2, 1), (0, 1), (3, 2), (1, 2), (4, 1)][b % 6]
    strides = (strides * 2)[:len(sizes)]
    return t.as_strided(sizes, strides, t.storage_offset() if b % 2 else 0)


VIEWS = [
    lambda t, a, b: t.transpose(a % max(t.dim(), 1), b % max(t.dim(), 1)),
    lambda t, a, b: t.select(a % max(t.dim(), 1), b % max(t.size(a % t.dim()), 1)) if t.dim() else t[None],
    lambda t, a, b: t[b % 3:] if t.dim() else t,
    lambda t, a, b: t[..., a % 3::1 + b % 3] if t.dim() else t,
    lambda t, a, b: t[..., :max(1, a % 4)] if t.dim() else t,
    lambda t, a, b: t.permute(*range(1, t.dim()), 0) if t.dim() else t,
    lambda t, a, b: t.unsqueeze(a % (t.dim() + 1)),
    lambda t, a, b: t.squeeze(),
    lambda t, a, b: t.unsqueeze(0).expand(2, *t.shape) if t.dim() < 5 else t,
    lambda t, a, b: t.diagonal(a % 3 - 1, 0, 1) if t.dim() >= 2 else t,
    lambda t, a, b: t.unfold(a % max(t.dim(), 1), 2, 1 + b % 2) if t.dim() else t,
    lambda t, a, b: t.view(-1),
    lambda t, a, b: t.view(2, -1),
    lambda t, a, b: t.reshape(-1, 2),
    lambda t, a, b: t.flatten(0, a % max(t.dim(), 1)),
    window,
    lambda t, a, b: t.view(REINTERPRETED[a % len(REINTERPRETED)]),
    lambda t, a, b: t.view(REINTERPRETED[b % len(REINTERPRETED)]),
    lambda t, a, b: torch.view_as_real(t) if t.is_complex() else t.detach(),
    lambda t, a, b: (t.real if a % 2 else t.imag) if t.is_complex() else t.mT,
    lambda t, a, b: t.conj(),
    lambda t, a, b: t.clone(),
    lambda t, a, b: t.contiguous(),
    lambda t, a, b: t.data,
]


def ones_and_zeros(t):
    return torch.arange(t.numel()).remainder(2).reshape(t.shape).to(t.dtype).to(t.device)


# (write, arithmetic): arithmetic on reinterpreted floats depends on how a processor treats denormals, so it is left out there.
WRITES = [
    (lambda t, a, b, other: t.fill_(a % 2), False),
    (lambda t, a, b, other: t.zero_(), False),
    (lambda t, a, b, other: t.copy_(ones_and_zeros(t)), False),
    (lambda t, a, b, other: t.copy_(other.clone()), False),
    (lambda t, a, b, other: t.copy_(other), False),
    (lambda t, a, b, other: t.__setitem__((Ellipsis, a % 2), b % 2), False),
    (lambda t, a, b, other: t.__setitem__(slice(a % 2, None, 1 + b % 2), 1), False),
    (lambda t, a, b, other: t.masked_fill_(ones_and_zeros(t).bool(), 1), False),
    (lambda t, a, b, other: t.add_(1), True),
    (lambda t, a, b, other: t.mul_(2), True),
    (lambda t, a, b, other: t.add_(t), True),
    (lambda t, a, b, other: t.sub_(ones_and_zeros(t)), True),
]

STEP = st.tuples(st.sampled_from([0, 0, 0, 1, 1]), st.integers(0, 30), st.integers(0, 5), st.integers(0, 7), st.integers(0, 7))


def execute(step, tensors, pure):
    """Runs one step; a view is appended to |tensors|.  Returns whether floats are still numbers."""
    writes, which, register, a, b = step
    t = tensors[-1 - register % min(len(tensors), 3)]
    if not writes:
        made = VIEWS[which % len(VIEWS)](t, a, b)
        tensors.append(made)
        return pure and made.dtype == t.dtype
    write, arithmetic = WRITES[which % len(WRITES)]
    if arithmetic and (t.dtype is torch.bool or not (pure or not (t.is_floating_point() or t.is_complex()))):
        write = WRITES[0][0]
    if arithmetic and not pure and tensors[0].dtype is torch.bool:
        write = WRITES[1][0]
    write(t, a, b, tensors[a % len(tensors)])
    return pure


def attempt(step, tensors, pure):
    try:
        return execute(step, tensors, pure), None
    except (RuntimeError, IndexError, ValueError) as e:
        return pure, e


def overlaps_itself(t):
    places = torch.zeros(t.shape, dtype=torch.int64)
    for d, (size, stride) in enumerate(zip(t.shape, t.stride())):
        places += (torch.arange(size) * stride).reshape([-1 if i == d else 1 for i in range(t.dim())])
    return places.unique().numel() < t.numel()


def is_open(step, tensors):
    """PyTorch leaves open what the step does: its loops decide, or it only warns that it will refuse some day."""
    writes, which, register, a, _ = step
    if not writes:
        return False
    t, other = tensors[-1 - register % min(len(tensors), 3)], tensors[a % len(tensors)]
    if which % len(WRITES) > 1 and overlaps_itself(t):
        return True
    return which % len(WRITES) == 4 and t.untyped_storage()._cdata == other.untyped_storage()._cdata


def holds_bytes_not_bools(tensors):
    """A bool view of other bytes than 0 and 1 has no meaning on the CPU either."""
    for t in tensors:
        if t.dtype is torch.bool:
            raw = torch.empty(0, dtype=torch.uint8).set_(t.untyped_storage(), 0, (t.untyped_storage().nbytes(),))
            if raw.gt(1).any():
                return True
    return False


@settings(max_examples=EXAMPLES, deadline=None, derandomize=EXAMPLES <= 500, database=None,
          suppress_health_check=list(HealthCheck))
@given(st.sampled_from(SHAPES), st.sampled_from(DTYPES), st.booleans(), st.lists(STEP, min_size=1, max_size=6))
def test_programs(shape, dtype, order, steps):
    host = [base(shape, dtype, order)]
    ours = [base(shape, dtype, order).to(DEVICE, copy=True)]
    pure = True
    done = []
    for step in steps:
        if is_open(step, host):
            continue
        now, expected = attempt(step, host, pure)
        if holds_bytes_not_bools(host):
            return
        _, raised = attempt(step, ours, pure)
        pure = now
        done.append(step)
        assert (raised is None) == (expected is None), f"{done}: CPU: {expected!r}, device: {raised!r}"
        if expected is not None:
            assert isinstance(raised, type(expected)), f"{done}: CPU: {expected!r}, device: {raised!r}"
    for i in sorted({0, len(host) - 1, len(host) - 2} & set(range(len(host)))):
        assert_same(ours[i], host[i], exact=True, what=f"{done}: tensor {i}")
