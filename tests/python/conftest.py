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


@pytest.fixture
def fallbacks_forbidden():
    """The test must not run any op on the host."""
    if is_host():
        yield
        return
    module().fallbacks(reset=True)
    yield
    assert module().fallbacks() == {}, "no op may fall back to the host here"


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
