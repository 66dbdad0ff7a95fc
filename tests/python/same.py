"""One rule for what `the same as on the CPU` means."""
import torch

# (relative, absolute): a few roundings of the type, as fused chains contract multiply-adds.
TOLERANCE = {
    torch.float64: (1e-9, 1e-9),
    torch.complex128: (1e-9, 1e-9),
    torch.float32: (1e-5, 1e-5),
    torch.complex64: (1e-5, 1e-5),
    torch.float16: (2e-3, 1e-3),
    torch.bfloat16: (1.6e-2, 1e-2),
}


def on_host(value):
    """Tensors anywhere inside |value|, copied to the CPU with their strides."""
    if isinstance(value, torch.Tensor):
        return value.detach().cpu()
    if isinstance(value, (tuple, list)):
        return type(value)(map(on_host, value)) if type(value) in (tuple, list) else tuple(map(on_host, value))
    return value


def assert_same(actual, expected, *, strides=True, exact=False, what="", tolerance=None):
    """|actual|, from the device, has |expected|'s structure, dtype, shape, strides and values.

    |tolerance|: (relative, absolute), where the dtype's does not apply."""
    if isinstance(expected, (tuple, list)):
        assert isinstance(actual, (tuple, list)) and len(actual) == len(expected), f"{what}: {actual!r} for {expected!r}"
        for i, (a, e) in enumerate(zip(actual, expected)):
            assert_same(a, e, strides=strides, exact=exact, what=f"{what}[{i}]", tolerance=tolerance)
        return
    if not isinstance(expected, torch.Tensor):
        if isinstance(expected, float):
            torch.testing.assert_close(actual, expected, rtol=1e-5, atol=1e-5, equal_nan=True, msg=lambda m: f"{what}: {m}")
        else:
            assert actual == expected and type(actual) is type(expected), f"{what}: got {actual!r}, not {expected!r}"
        return
    assert isinstance(actual, torch.Tensor), f"{what}: got {actual!r}"
    assert actual.dtype == expected.dtype, f"{what}: dtype {actual.dtype}, not {expected.dtype}"
    assert actual.shape == expected.shape, f"{what}: shape {tuple(actual.shape)}, not {tuple(expected.shape)}"
    if strides:
        assert actual.stride() == expected.stride(), (
            f"{what}: strides {actual.stride()}, not {expected.stride()} (sizes {tuple(expected.shape)})")
    rtol, atol = tolerance or ((0, 0) if exact else TOLERANCE.get(expected.dtype, (0, 0)))
    torch.testing.assert_close(actual.detach().cpu().resolve_conj().resolve_neg(), expected.detach().resolve_conj().resolve_neg(),
                               rtol=rtol, atol=atol, equal_nan=True, check_stride=False, msg=lambda m: f"{what}: {m}")


def is_dense(t):
    """True if the elements of |t| fill one run of memory, in any order of dimensions."""
    expected = 1
    for stride, size in sorted(zip(t.stride(), t.shape)):
        if size == 1:
            continue
        if stride != expected:
            return False
        expected *= size
    return True


def like(t, device):
    """A tensor on |device| with the values, strides and offset of the CPU tensor |t|, in a storage of the same bytes."""
    if t.numel() == 0:
        return torch.empty_strided(t.shape, t.stride(), dtype=t.dtype, device=device)
    if is_dense(t) and t.storage_offset() == 0:
        return t.detach().to(device, copy=True)
    flat = torch.empty(0, dtype=t.dtype).set_(t.untyped_storage())
    return flat.to(device, copy=True).as_strided(t.shape, t.stride(), t.storage_offset())


def moved(value, device):
    """|value| with every CPU tensor in it rebuilt on |device|."""
    if isinstance(value, torch.Tensor):
        return like(value, device)
    if isinstance(value, (tuple, list)):
        return type(value)(moved(v, device) for v in value)
    if isinstance(value, dict):
        return {k: moved(v, device) for k, v in value.items()}
    if isinstance(value, torch.device):
        return torch.device(device)
    return value


def outcome(call):
    """(result, None) or (None, exception) of call()."""
    try:
        return call(), None
    except Exception as e:  # noqa: BLE001 - the exception is the outcome
        return None, e


def both(f, *args, device, strides=True, exact=False, what="", **kwargs):
    """Runs f on copies of the arguments on the CPU and on |device|; the results, or the kinds of exception, must agree."""
    expected, error = outcome(lambda: f(*[moved(a, "cpu") for a in args], **kwargs))
    actual, raised = outcome(lambda: f(*moved(args, device), **kwargs))
    if error is not None:
        assert raised is not None, f"{what}: must raise {type(error).__name__}: {error}; returned {actual!r}"
        assert isinstance(raised, type(error)), f"{what}: must raise {type(error).__name__}: {error}; raised {raised!r}"
        return None
    if raised is not None:
        raise AssertionError(f"{what}: raised {type(raised).__name__}: {raised}") from raised
    assert_same(actual, expected, strides=strides, exact=exact, what=what)
    return actual
