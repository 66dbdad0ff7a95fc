"""Views of complex tensors: real and imaginary parts, and the lazy conj and neg bits."""
import os

import pytest
import torch

from same import assert_same, both

pytestmark = pytest.mark.usefixtures("fallbacks_forbidden")


def grid(*sizes):
    return torch.arange(torch.Size(sizes).numel(), dtype=torch.float32).reshape(sizes)


def numbers(*sizes):
    return torch.complex(grid(*sizes) + 1, -grid(*sizes) - 2)


def test_view_as_real_and_back(device):
    def f(z):
        r = torch.view_as_real(z)
        r[..., 1] = 5
        r[0].mul_(2)
        q = torch.view_as_complex(r[:, 1:])
        q.add_(1j)
        return z, r, q

    both(f, numbers(3, 4), device=device)


def test_real_and_imag_write_through(device):
    def f(z):
        z.real.fill_(1)
        z.imag = torch.arange(4.0, device=z.device)
        z[1].imag.neg_()
        return z, z.real, z.imag, z.real.stride()

    both(f, numbers(3, 4), device=device)


def test_view_as_complex_of_floats(device):
    def f(r):
        torch.view_as_complex(r).add_(1j)
        return r, torch.view_as_complex(r)

    both(f, grid(3, 4, 2), device=device)


def test_conj_is_lazy_and_right(device):
    def f(z):
        c = z.conj()
        assert c.is_conj()
        return c, c * 1j, c.resolve_conj(), c.clone(), c.t(), c[1:].conj(), c.imag, c.real, c.to(torch.complex128), z.mH

    both(f, numbers(3, 4), device=device)


def test_neg_bit(device):
    def f(z):
        n = z.conj().imag
        assert n.is_neg()
        return n, n + 1, n.resolve_neg(), n.t().clone(), n[1], n.sum(0)

    both(f, numbers(3, 4), device=device)


def test_write_through_conj_and_neg(device, request):
    if os.environ.get("TORCH_PJRT_MODE") == "defer":
        request.applymarker(pytest.mark.xfail(strict=True, reason="all five writes in one program give wrong values on xla-cpu-pjrt "
                                                                  "0.0.1; any four of them in a row are right"))
    def f(z):
        z.conj()[0] = 3 + 4j
        z.conj().mul_(2)
        z.conj().imag.add_(10)
        z.conj().copy_(z.clone())
        z[1:].copy_(z[:2].conj().clone())
        return z

    both(f, numbers(3, 4), device=device)


def test_conj_to_and_from_host(device):
    z = numbers(3)
    assert_same(z.conj().to(device), z.conj().resolve_conj())
    assert_same(z.to(device).conj().cpu(), z.conj())
