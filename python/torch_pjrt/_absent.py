"""torch.tpu where the device could not be bound: a module that says why."""

import sys
import types

import torch


class _Absent(types.ModuleType):
    def __init__(self, why):
        super().__init__("torch.tpu", why)
        self._why = why

    def is_available(self):
        return False

    def is_initialized(self):
        return False

    def device_count(self):
        return 0

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise RuntimeError(f"torch.tpu.{name} needs the device to be loaded; {self._why}")


def install(why):
    """Leaves a torch.tpu of another package alone."""
    if not hasattr(torch, "tpu"):
        torch.tpu = sys.modules["torch.tpu"] = _Absent(why)
