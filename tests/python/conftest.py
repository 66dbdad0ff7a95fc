"""Fixtures of the Python tests.

TORCH_PJRT_TEST_DEVICE names the device under test (default `tpu`; `cpu` checks the tests themselves).  The eager mode is
the process's TORCH_PJRT_MODE: the whole suite is run once per mode."""
import gc
import os

import pytest
import torch

DEVICE = os.environ.get("TORCH_PJRT_TEST_DEVICE", "tpu")
TYPE = DEVICE.split(":")[0]


def is_host():
    return TYPE == "cpu"


def module():
    """torch.tpu, or None where the tests run against the CPU."""
    return None if is_host() else getattr(torch, TYPE)


def synchronize():
    if not is_host():
        module().synchronize()


def compile_count():
    """Programs compiled so far, exact."""
    if is_host():
        return 0
    module().synchronize()
    return module().compile_count()


@pytest.fixture
def device():
    return DEVICE


def pytest_configure(config):
    config.addinivalue_line("markers", "may_fall_back(op, ...): these ops have no row yet and may run on the host in this test")


@pytest.fixture
def fallbacks_forbidden(request):
    """The test must not run any op on the host, but for those that the marker may_fall_back names."""
    if is_host():
        yield
        return
    module().fallbacks(reset=True)
    yield
    marker = request.node.get_closest_marker("may_fall_back")
    allowed = marker.args if marker else ()
    counted = {op: n for op, n in module().fallbacks().items() if op.removeprefix("aten::") not in allowed}
    assert counted == {}, "no op may fall back to the host here"


@pytest.fixture
def mode():
    """`strict` or `defer`; `cpu` where the tests run against the CPU."""
    return "cpu" if is_host() else os.environ.get("TORCH_PJRT_MODE", "strict")


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)
    yield


def pytest_sessionfinish(session, exitstatus):
    gc.collect()
