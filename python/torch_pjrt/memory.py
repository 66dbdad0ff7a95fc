"""Memory of values on a device: live buffers and results in flight."""

import torch

from . import _C
from .device import index_of


def memory_allocated(device=None):
    return _C.memory(index_of(device))["allocated"]


def max_memory_allocated(device=None):
    return _C.memory(index_of(device))["peak"]


def memory_reserved(device=None):
    """The same as memory_allocated: nothing is kept back."""
    return memory_allocated(device)


def max_memory_reserved(device=None):
    return max_memory_allocated(device)


def reset_peak_memory_stats(device=None):
    torch._C._accelerator_resetPeakStats(index_of(device))


def memory_stats(device=None):
    return torch.accelerator.memory_stats(index_of(device))


def mem_get_info(device=None):
    """(free, total) bytes.  A host plugin without TORCH_PJRT_MEMORY_LIMIT has the host's memory."""
    return torch.accelerator.get_memory_info(index_of(device))


def empty_cache():
    """Drops executables, kernels and slot operands that are not in use."""
    torch.accelerator.empty_cache()
