"""Binding of the device to PyTorch: once per process, and only if it fits this PyTorch."""

import atexit
import functools
import importlib.util
import os

import torch

from . import _absent

DEVICE_NAMES = ("tpu", "neuron")
PRECISIONS = {"medium": 0, "high": 1, "highest": 2}

_loaded = False


def device_name():
    name = os.environ.get("TORCH_PJRT_DEVICE_NAME") or "tpu"
    if name not in DEVICE_NAMES:
        raise ValueError(f"TORCH_PJRT_DEVICE_NAME must be one of {', '.join(DEVICE_NAMES)}; got {name!r}")
    return name


def embedded_plugin():
    """Path of the embedded CPU plugin, None where its package is not installed.  Imports nothing heavy."""
    try:
        spec = importlib.util.find_spec("xla_plugins.xla_cpu_pjrt")
    except ModuleNotFoundError:
        return None
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = os.path.join(folder, "xla_cpu_pjrt.so")
        if os.path.exists(path):
            return path
    return None


def reason_against():
    """Why the device cannot be bound here, or None."""
    from ._build import TORCH_VERSION

    found = torch.__version__.split("+")[0]
    if found != TORCH_VERSION:
        return f"torch_pjrt was built for torch {TORCH_VERSION}; found torch {found}: install a torch_pjrt built for it"
    other = torch._C._get_privateuse1_backend_name()
    if other != "privateuseone":
        return f"PyTorch has one place for a device of another package (PrivateUse1); {other!r} was there first"
    return None


def load():
    """Binds the device.  Where it cannot be, torch.tpu becomes a stub that says why.  Raises only what is a bug of ours."""
    global _loaded
    if _loaded:
        return
    why = reason_against()
    if why:
        _absent.install(why)
        return
    name = device_name()
    from . import _C

    path = embedded_plugin()
    if path:
        _C.set_embedded_plugin(path)
    _C.register()
    _loaded = True
    torch.utils.rename_privateuse1_backend(name)
    from . import serialization, tpu

    torch._register_device_module(name, tpu)
    torch.utils.generate_methods_for_privateuse1_backend(for_tensor=True, for_module=True, for_storage=True)
    serialization.register()
    _wrap_precision()
    _wrap_printing()
    atexit.register(_C.shutdown)


def try_load():
    try:
        load()
    except Exception as error:  # noqa: BLE001  an accelerator that cannot be loaded must not break CPU programs
        _absent.install(f"torch_pjrt could not be loaded: {type(error).__name__}: {error}")


def autoload(asked_for):
    """Loads, unless PyTorch has CUDA, there is no TPU and the user has not asked.  False if it left things alone."""
    try:
        if not asked_for and torch.version.cuda is not None:
            from . import _C

            if not _C.hardware_found():
                return False
    except Exception as error:  # noqa: BLE001
        _absent.install(f"torch_pjrt could not be loaded: {type(error).__name__}: {error}")
        return True
    try_load()
    return True


def _wrap_precision():
    """torch.set_float32_matmul_precision holds for this device too, from its first call on."""
    from . import _C

    original = torch.set_float32_matmul_precision

    @functools.wraps(original)
    def set_float32_matmul_precision(precision):
        original(precision)
        _C.precision_set(PRECISIONS[precision])

    torch.set_float32_matmul_precision = set_float32_matmul_precision


def _wrap_printing():
    """Printing reads a tensor once; PyTorch's formatter would run some ten ops on the device, and compile each."""
    from torch import _tensor_str

    original = _tensor_str._tensor_str

    @functools.wraps(original)
    def format_elements(self, indent):
        return original(self.detach().cpu() if self.device.type == device_name() else self, indent)

    _tensor_str._tensor_str = format_elements
