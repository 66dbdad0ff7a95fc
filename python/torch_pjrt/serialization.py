"""torch.load puts storages saved on the device back there, also where is_available() is False: "tpu" works always."""

import re

import torch

from . import _C
from .device import type_name


def _tag(storage):
    return None  # PyTorch's own tagger names the device


def _restore(storage, location):
    if not re.fullmatch(f"{type_name()}(:[0-9]+)?", location):
        return None
    device = torch.device(location)
    if (device.index or 0) >= _C.device_count():
        raise RuntimeError(
            f"torch.load needs device {location}; torch.{type_name()}.device_count() is {_C.device_count()}: "
            "use map_location to put the storages on a device that exists"
        )
    return storage.to(device=device)


def register():
    torch.serialization.register_package(11, _tag, _restore)
