"""torch.tpu and torch.accelerator: devices, modes, streams, memory, random state, generated methods."""
import copy
import io
import pickle

import pytest
import torch

import child
from conftest import DEVICE, is_host, module

pytestmark = pytest.mark.skipif(is_host(), reason="these are the device's own functions")


def test_names():
    tpu = module()
    assert torch._C._get_privateuse1_backend_name() == torch.device(DEVICE).type
    assert torch.accelerator.current_accelerator().type == torch.device(DEVICE).type
    for name in ("current_device device_count device device_of is_available is_initialized set_device synchronize Stream Event "
                 "stream current_stream default_stream set_stream EagerMode set_eager_mode Precision precision compile_count "
                 "fallbacks get_device_name get_device_properties memory_allocated max_memory_allocated memory_reserved "
                 "max_memory_reserved memory_stats reset_peak_memory_stats mem_get_info empty_cache manual_seed manual_seed_all "
                 "seed initial_seed get_rng_state set_rng_state get_rng_state_all set_rng_state_all default_generators "
                 "_is_in_bad_fork get_amp_supported_dtype is_bf16_supported").split():
        assert hasattr(tpu, name), name


def test_methods_of_tensors_modules_and_storages():
    x = torch.ones(3)
    assert x.tpu().device.type == "tpu" and x.tpu().is_tpu and not x.is_tpu
    assert torch.nn.Linear(2, 2).tpu().weight.is_tpu
    assert x.untyped_storage().tpu().device.type == "tpu"


def test_generated_forms_are_registered():
    import torch_pjrt._C as C

    forms = {row["row"]: row["forms"] for row in C.ops()}
    assert forms["add.Tensor"] == ["add.Tensor", "add_.Tensor", "add.out"]
    assert all(row["forms"] or row["kind"] == "internal" for row in C.ops())
    for names in forms.values():
        for name in names:
            assert torch._C._dispatch_has_kernel_for_dispatch_key(f"aten::{name}", "PrivateUse1"), name


def test_eager_mode():
    tpu = module()
    found = tpu.eager_mode
    with tpu.set_eager_mode("defer"):
        assert tpu.eager_mode is tpu.EagerMode.DEFER_AND_FUSE
        with tpu.set_eager_mode(tpu.EagerMode.DEFER_NEVER_AND_LAUNCH_BLOCKING):
            assert tpu.eager_mode is tpu.EagerMode.DEFER_NEVER_AND_LAUNCH_BLOCKING
        assert tpu.eager_mode is tpu.EagerMode.DEFER_AND_FUSE
    assert tpu.eager_mode is found
    for bad in ("eager", None, 3, ""):
        with pytest.raises(ValueError, match="eager mode must be"):
            tpu.set_eager_mode(bad)
    assert tpu.eager_mode is found


def test_streams_and_events():
    tpu = module()
    x = torch.ones(4, device=DEVICE)
    side = tpu.Stream()
    assert tpu.current_stream() == tpu.default_stream() != side
    with tpu.stream(side):
        assert tpu.current_stream() == side
        y = x + 1
        event = side.record_event()
    tpu.current_stream().wait_event(event)
    z = y * 2
    event.synchronize()
    assert event.query()
    side.synchronize()
    assert side.query() and tpu.current_stream() == tpu.default_stream()
    assert z.tolist() == [4.0] * 4
    start, end = tpu.Event(enable_timing=True), tpu.Event(enable_timing=True)
    start.record()
    (x + 3).sum().item()
    end.record()
    end.synchronize()
    assert 0 <= start.elapsed_time(end) < 60000
    assert tpu.Event().query(), "an event never recorded is complete"
    y.record_stream(side)


def test_memory():
    tpu = module()
    torch.ones(1, device=DEVICE).cpu()
    before = tpu.memory_allocated()
    x = torch.rand(1 << 18).to(DEVICE) + 1
    x[0].item()
    assert tpu.memory_allocated() >= before + (1 << 20)
    assert torch.accelerator.memory_allocated() == tpu.memory_allocated()
    assert tpu.max_memory_allocated() >= tpu.memory_allocated()
    del x
    tpu.synchronize()
    assert tpu.memory_allocated() < before + (1 << 20)
    tpu.reset_peak_memory_stats()
    assert tpu.max_memory_allocated() == tpu.memory_allocated()
    stats = torch.accelerator.memory_stats()
    assert stats["active_bytes.all.peak"] == tpu.max_memory_allocated() and stats["num_ooms"] >= 0
    free, total = tpu.mem_get_info()
    assert 0 < free <= total
    tpu.empty_cache()


def test_empty_owns_nothing():
    tpu = module()
    tpu.synchronize()
    before = tpu.memory_allocated()
    x = torch.empty(1 << 28, device=DEVICE)
    assert tpu.memory_allocated() == before
    assert x[12345].item() == 0


def test_generators():
    tpu = module()
    torch.manual_seed(3)
    assert tpu.initial_seed() == 3
    state = tpu.get_rng_state()
    a = torch.rand(5, device=DEVICE)
    tpu.set_rng_state(state)
    assert torch.equal(a.cpu(), torch.rand(5, device=DEVICE).cpu())
    g = torch.Generator(device=DEVICE).manual_seed(3)
    assert torch.equal(a.cpu(), torch.rand(5, device=DEVICE, generator=g).cpu()), "a seed gives the same numbers everywhere"
    h = g.clone_state() if hasattr(g, "clone_state") else copy.copy(g)
    assert torch.equal(torch.rand(5, device=DEVICE, generator=g).cpu(), torch.rand(5, device=DEVICE, generator=h).cpu())
    with torch.random.fork_rng(devices=[0], device_type="tpu"):
        torch.manual_seed(9)
    assert tpu.initial_seed() == 3
    with pytest.raises(RuntimeError, match="Expected a 'tpu' device type for generator but found 'cpu'"):
        torch.rand(2, device=DEVICE, generator=torch.Generator())


def test_set_state_refuses_other_bytes():
    for bad in (torch.zeros(3, dtype=torch.uint8), torch.zeros(16)):
        with pytest.raises((RuntimeError, TypeError)):
            module().set_rng_state(bad)


@pytest.mark.parametrize("zipped", [True, False])
def test_save_and_load(zipped):
    x = torch.randn(3, 4)
    d = x.to(DEVICE)
    file = io.BytesIO()
    torch.save({"whole": d, "part": d[1]}, file, _use_new_zipfile_serialization=zipped)
    file.seek(0)
    loaded = torch.load(file)
    assert loaded["whole"].device == d.device and torch.equal(loaded["whole"].cpu(), x)
    loaded["part"].zero_()
    assert loaded["whole"][1].abs().sum().item() == 0, "storages stay shared"
    file.seek(0)
    assert torch.load(file, map_location="cpu")["whole"].device.type == "cpu"
    assert torch.equal(pickle.loads(pickle.dumps(d)).cpu(), x)


def test_pinned_memory():
    x = torch.randn(8).pin_memory()
    assert x.is_pinned() and not torch.randn(8).is_pinned()
    assert torch.equal(x.to(DEVICE, non_blocking=True).cpu(), x)


def test_precision():
    import torch_pjrt._C as C

    tpu = module()
    found = C.precision_get()
    with tpu.precision(tpu.Precision.HIGH):
        assert C.precision_get() == 1
    assert C.precision_get() == found
    was = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("medium")
    assert C.precision_get() == 0
    torch.set_float32_matmul_precision(was)
    C.precision_set(found)


def test_autocast_runs_at_lower_precision():
    a, b = torch.randn(4, 4, device=DEVICE), torch.randn(4, 4, device=DEVICE)
    with torch.autocast("tpu", dtype=torch.bfloat16):
        assert (a @ b).dtype is torch.bfloat16
        assert torch.exp((a @ b)).dtype is torch.float32
    assert (a @ b).dtype is torch.float32


def test_fallbacks_are_counted(capfd):
    tpu = module()
    tpu.fallbacks(reset=True)
    x = torch.tensor([[2.0, 0.0], [0.0, 3.0]], device=DEVICE)
    values = torch.linalg.eigvals(x)
    assert values.device == x.device
    counts = tpu.fallbacks()
    assert counts and all(n >= 1 for n in counts.values()) and all(name.startswith("aten::") for name in counts)
    counts["aten::nothing"] = 1
    assert "aten::nothing" not in tpu.fallbacks(), "a copy is given"
    tpu.fallbacks(reset=True)
    assert tpu.fallbacks() == {}


def test_virtual_devices():
    child.run("""
        import torch
        assert torch.tpu.device_count() == 4 and torch.accelerator.device_count() == 4
        torch.ones(2, requires_grad=True).sum().backward()
        x = torch.ones(2, device="tpu:3", requires_grad=True)
        (x * 3).sum().backward()
        assert x.grad.device == torch.device("tpu:3") and x.grad.tolist() == [3.0, 3.0]
        y = x.detach().to("tpu:1") + 1
        assert y.device.index == 1 and y.tolist() == [2.0, 2.0]
        with torch.tpu.device(2):
            assert torch.empty(1, device="tpu").device.index == 2 and torch.tpu.current_device() == 2
        assert torch.tpu.current_device() == 0
        with torch.tpu.device_of(y):
            assert torch.tpu.current_device() == 1
        torch.accelerator.set_device_index(1)
        assert torch.zeros(1, device="tpu").device.index == 1
        try:
            x + y
        except RuntimeError as e:
            assert "at least two devices" in str(e), e
        else:
            raise AssertionError("tensors on two devices were added")
    """, env={"TORCH_PJRT_CPU_DEVICES": "4", "TORCH_PJRT_PLUGIN": "cpu"})
