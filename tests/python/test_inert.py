"""Having the package installed costs nothing until the device is used, and never breaks `import torch`."""
import pytest

import child
from conftest import is_host

pytestmark = pytest.mark.skipif(is_host(), reason="about the package")

QUIET = """
    import torch
    model = torch.nn.Linear(4, 2)
    torch.manual_seed(0)
    model(torch.ones(3, 4)).sum().backward()
    torch.optim.SGD(model.parameters(), 0.1).step()
    assert torch.tpu.device_count() == 1 and not torch.tpu.is_initialized()
    torch.tpu.compile_count(), torch.tpu.fallbacks(), torch.tpu.memory_allocated(), torch.tpu.current_device()
    torch.tpu.is_available(), torch.tpu.eager_mode, torch.tpu.get_rng_state()
    x = torch.empty(1 << 20, device="tpu")
    x.view(1024, 1024)[3].t()
    assert not torch.tpu.is_initialized()
    maps = open("/proc/self/maps").read()
    assert "xla_cpu_pjrt.so" not in maps, "no plugin is opened"
"""


def test_cpu_work_opens_and_prints_nothing():
    assert child.run(QUIET) == ""
    assert child.run.stderr == ""


def test_loading_imports_no_more_of_torch():
    code = "import sys, torch; print(sorted(name for name in sys.modules if name.startswith('torch.')))"
    with_us, without = (set(eval(child.run(code, env={"TORCH_DEVICE_BACKEND_AUTOLOAD": on}))) for on in "10")
    assert with_us - without == {"torch.tpu"}


def test_opening_prints_nothing():
    assert child.run("""
        import os, torch
        before = dict(os.environ)
        assert (torch.ones(3, device="tpu") + 1).tolist() == [2.0] * 3
        assert dict(os.environ) == before
    """) == ""
    assert child.run.stderr == ""


MEASURE = """
    import resource, sys, time
    import torch
    began = time.process_time()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    import torch_pjrt
    print((time.process_time() - began) * 1000, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""


def test_load_is_cheap():
    runs = [tuple(map(float, child.run(MEASURE, env={"TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}).split())) for _ in range(3)]
    milliseconds, mebibytes = min(r[0] for r in runs), min(r[1] for r in runs)
    assert milliseconds <= 50, f"loading must take at most 50 ms; took {milliseconds:.0f}"
    assert mebibytes <= 15, f"loading must take at most 15 MiB; took {mebibytes:.1f}"


def test_another_backend_was_first():
    assert child.run("""
        import torch
        torch.utils.rename_privateuse1_backend("other")
        import torch_pjrt
        assert not torch.tpu.is_available() and torch.tpu.device_count() == 0
        try:
            torch.tpu.synchronize()
        except RuntimeError as e:
            assert "other" in str(e), e
        else:
            raise AssertionError("the stub did something")
    """, env={"TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}) == ""


def test_built_for_another_torch():
    assert child.run("""
        import torch
        torch.__version__ = "2.99.0"
        import torch_pjrt
        try:
            torch.tpu.get_device_name()
        except RuntimeError as e:
            assert "2.99.0" in str(e), e
        else:
            raise AssertionError("a build for another torch was used")
    """, env={"TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}) == ""


def test_bad_device_name_does_not_break_import():
    child.run("""
        import torch
        assert torch.ones(2).sum().item() == 2
        try:
            torch.tpu.synchronize()
        except RuntimeError as e:
            assert "TORCH_PJRT_DEVICE_NAME" in str(e), e
    """, env={"TORCH_PJRT_DEVICE_NAME": "gpu"})


def test_other_name():
    child.run("""
        import torch
        assert torch.ones(2, device="neuron").tolist() == [1.0, 1.0] and torch.neuron.device_count() == 1
    """, env={"TORCH_PJRT_DEVICE_NAME": "neuron"})


def test_beside_cuda_nothing_is_bound_until_asked():
    assert child.run("""
        import torch
        torch.version.cuda = "12.8"
        torch.__spec__._initializing = True  # as while torch's autoload runs
        import torch_pjrt
        torch_pjrt._autoload()
        torch.__spec__._initializing = False
        assert not hasattr(torch, "tpu") and torch._C._get_privateuse1_backend_name() == "privateuseone"
        import torch_pjrt
        assert torch.tpu.device_count() == 1
    """, env={"TORCH_DEVICE_BACKEND_AUTOLOAD": "0", "TORCH_PJRT_PLUGIN": ""}) == ""
