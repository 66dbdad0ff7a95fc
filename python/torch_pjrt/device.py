"""Which devices there are, which one is current, and waiting for them."""

import collections

import torch

from . import _C

# What the plugin calls a device -> the name that programs compare with.
_NAMES = {"TPU v5 lite": "TPU v5e", "TPU v5": "TPU v5p", "TPU v6 lite": "TPU v6e", "TPU7x": "TPU v7x"}

DeviceProperties = collections.namedtuple("DeviceProperties", "name type index total_memory plugin")


def type_name():
    return torch._C._get_privateuse1_backend_name()


def index_of(device):
    """The index of a device given as torch.device, "tpu:1", 1 or None (the current one)."""
    if device is None:
        return _C.get_device()
    if isinstance(device, int):
        return device if device >= 0 else _C.get_device()
    given = torch.device(device)
    if given.type != type_name():
        raise ValueError(f"a {type_name()} device must be given; got {given}")
    return _C.get_device() if given.index is None else given.index


def is_available():
    """True if an accelerator was found or the user chose a plugin; device "tpu" works in any case.  Opens nothing."""
    return _C.hardware_found()


def is_initialized():
    return _C.is_open()


def init():
    _C.open()


def device_count():
    return _C.device_count()


def current_device():
    return _C.get_device()


def set_device(device):
    _C.set_device(index_of(device))


def synchronize(device=None):
    """Waits until all work recorded on |device| (the current one) has run."""
    _C.synchronize(index_of(device))


class device:
    """Context manager: makes a device current, and the one found again at the end.  None and negative: no change."""

    def __init__(self, device):
        self._index = None if device is None or isinstance(device, int) and device < 0 else index_of(device)

    def __enter__(self):
        self._found = _C.get_device()
        if self._index is not None:
            _C.set_device(self._index)

    def __exit__(self, *exc):
        if self._index is not None:
            _C.set_device(self._found)
        return False


class device_of(device):
    """Makes the device of a tensor or storage current; no change if it lives elsewhere."""

    def __init__(self, obj):
        super().__init__(obj.device if obj.device.type == type_name() else None)


def get_device_name(device=None):
    kind = _C.device_kind(index_of(device))
    return _NAMES.get(kind, kind)


def get_device_properties(device=None):
    index = index_of(device)
    name = get_device_name(index)
    total = torch.accelerator.get_memory_info(index)[1]
    return DeviceProperties(name, type_name(), index, total, _C.plugin_path())


def get_amp_supported_dtype():
    return [torch.bfloat16, torch.float16]


def is_bf16_supported(including_emulation=True):
    return True


def compile_count():
    """Successful plugin compiles of all devices in this process; exact after synchronize().  Opens nothing."""
    return _C.compile_count()


def fallbacks(reset=False):
    """{"aten::name.overload": calls that ran on the host}, since the process started or the last reset."""
    return _C.fallbacks(bool(reset))
