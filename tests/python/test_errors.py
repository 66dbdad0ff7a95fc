"""What a user does wrong raises what PyTorch's CPU device raises, at the call, and leaves the device usable."""
import pytest
import torch

import child
from conftest import DEVICE, is_host

device_only = pytest.mark.skipif(is_host(), reason="about the device's own errors")


def usable():
    assert (torch.ones(2, device=DEVICE) + 1).tolist() == [2.0, 2.0]


SHAPES = {
    "add": lambda d: torch.ones(2, 3, device=d) + torch.ones(4, device=d),
    "add_": lambda d: torch.ones(3, device=d).add_(torch.ones(2, 3, device=d)),
    "mm": lambda d: torch.mm(torch.ones(4, 8, device=d), torch.ones(4, 8, device=d)),
    "bmm": lambda d: torch.bmm(torch.ones(1, 2, 3, device=d), torch.ones(2, 3, 2, device=d)),
    "dot": lambda d: torch.dot(torch.ones(3, device=d), torch.ones(4, device=d)),
    "matmul of vectors": lambda d: torch.ones(3, device=d) @ torch.ones(4, device=d),
    "cat": lambda d: torch.cat([torch.ones(2, 2, device=d), torch.ones(3, 3, device=d)]),
    "copy_": lambda d: torch.ones(2, device=d).copy_(torch.ones(3)),
    "view": lambda d: torch.ones(2, 3, device=d).view(4),
    "dim": lambda d: torch.ones(2, 3, device=d).sum(5),
    "select": lambda d: torch.ones(2, 3, device=d)[7],
    "cast in place": lambda d: torch.ones(2, device=d, dtype=torch.long).add_(1.5),
    "out dtype": lambda d: torch.add(torch.ones(2, device=d), 1, out=torch.empty(2, dtype=torch.long, device=d)),
    "expanded in place": lambda d: torch.ones(1, device=d).expand(3).add_(1),
    "partial overlap": lambda d: (lambda x: x[1:].add_(x[:-1]))(torch.ones(5, device=d)),
    "fill overflow": lambda d: torch.zeros(2, dtype=torch.uint8, device=d).fill_(300),
    "item": lambda d: torch.ones(2, device=d).item(),
}


@pytest.mark.parametrize("case", SHAPES, ids=lambda name: name.replace(" ", "_"))
def test_as_on_the_cpu(case):
    try:
        SHAPES[case]("cpu")
    except Exception as error:  # noqa: BLE001
        expected = error
    else:
        raise AssertionError("the case must fail on the CPU")
    with pytest.raises(type(expected)) as caught:
        SHAPES[case](DEVICE)
    assert type(caught.value) is type(expected)
    usable()


@device_only
def test_devices_are_not_mixed():
    x = torch.ones(3, device=DEVICE)
    for f in (lambda: x + torch.ones(3), lambda: torch.ones(3) + x, lambda: torch.ones(3).add_(x), lambda: x.add_(torch.ones(3)),
              lambda: torch.add(x, x, out=torch.empty(3)), lambda: torch.mm(x[None], torch.ones(3, 1))):
        with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device, but found at least two devices, "
                                               f"{DEVICE}(:0)? and cpu!"):
            f()
    assert (x + torch.tensor(1.0)).tolist() == [2.0] * 3, "a 0-dim CPU tensor is a number"
    assert x[torch.tensor([0, 2])].tolist() == [1.0, 1.0], "indices may be on the CPU"


@device_only
def test_no_such_device():
    with pytest.raises(RuntimeError, match=r"\b1\b"):
        torch.ones(2, device="tpu:9")
    usable()


@device_only
def test_unsupported_dtype_names_those_there_are():
    with pytest.raises(TypeError, match="float32"):
        torch.empty(2, dtype=torch.complex32, device=DEVICE)
    usable()


@device_only
def test_unsupported_layout_and_rank():
    with pytest.raises(RuntimeError):
        torch.empty(2, layout=torch.sparse_coo, device=DEVICE)
    with pytest.raises(RuntimeError, match="16 dimensions"):
        torch.zeros([1] * 17, device=DEVICE).add_(1)
    usable()


def test_resized_output_warns():
    out = torch.empty(4, device=DEVICE)
    with pytest.warns(UserWarning, match="An output with one or more elements was resized"):
        torch.add(torch.ones(2, 3, device=DEVICE), 1, out=out)
    assert out.shape == (2, 3)
    strided = torch.empty(3, 2, device=DEVICE).t()
    torch.add(torch.ones(2, 3, device=DEVICE), 1, out=strided)
    assert strided.stride() == (1, 2) and strided.tolist() == [[2.0] * 3] * 2


@device_only
def test_fallback_refused():
    child.run("""
        import torch
        x = torch.ones(2, 2, device="tpu")
        try:
            torch.linalg.eigvals(x)
        except NotImplementedError as e:
            assert "aten::" in str(e) and "TORCH_PJRT_FALLBACK" in str(e), e
        else:
            raise AssertionError("a fallback ran")
        assert (x + 1).sum().item() == 8
    """, env={"TORCH_PJRT_FALLBACK": "error"})


@device_only
@pytest.mark.parametrize("variable", ["TORCH_PJRT_MODE", "TORCH_PJRT_CPU_DEVICES", "TORCH_PJRT_MEMORY_LIMIT", "TORCH_PJRT_CHECK"])
def test_bad_environment_value(variable):
    child.run(f"""
        import torch
        assert torch.ones(2).sum().item() == 2
        try:
            torch.ones(2, device="tpu").cpu()
        except ValueError as e:
            assert {variable!r} in str(e), e
        else:
            raise AssertionError("a bad value was accepted")
    """, env={variable: "nonsense"})


@device_only
def test_out_of_memory():
    child.run("""
        import torch
        x = torch.ones(1 << 20, device="tpu")
        x.sum().item()
        try:
            kept = [(x + i) for i in range(8)]
            torch.tpu.synchronize()
        except torch.OutOfMemoryError as e:
            pass
        else:
            raise AssertionError("the limit was not kept")
        kept = None
        assert (x + 1)[5].item() == 2
    """, env={"TORCH_PJRT_MEMORY_LIMIT": str(20 << 20)})


@device_only
@pytest.mark.parametrize("plugin", ["/nonexistent/plugin.so", __file__])
def test_missing_and_broken_plugin(plugin):
    child.run(f"""
        import torch
        for _ in range(2):
            try:
                torch.ones(2, device="tpu").cpu()
            except RuntimeError as e:
                assert {plugin!r} in str(e), e
            else:
                raise AssertionError("no plugin, but a result")
        assert torch.ones(2).sum().item() == 2
    """, env={"TORCH_PJRT_PLUGIN": plugin})


@device_only
def test_use_after_fork():
    child.run("""
        import os, torch
        x = torch.ones(3, device="tpu"); x.sum().item()
        pid = os.fork()
        if pid == 0:
            try:
                (x + 1).cpu()
            except RuntimeError as e:
                torch.manual_seed(1)
                os._exit(0 if "fork" in str(e) else 2)
            os._exit(3)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        assert (x + 1).tolist() == [2.0] * 3
    """)


@device_only
def test_interrupted_wait_raises():
    child.run("""
        import signal, torch
        x = torch.ones(64, 64, device="tpu"); (x @ x)[0, 0].item()
        def handler(*_):
            raise KeyboardInterrupt
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        big = torch.ones(1024, 1024, device="tpu")
        try:
            for _ in range(100000):
                big = (big @ big) / 1024
                big[0, 0].item()
        except KeyboardInterrupt:
            pass
        assert (x + 1)[0, 0].item() == 2
    """)
