"""Streams and events: views of the one order in which a device runs what is recorded on it."""

import torch

from .device import index_of

Stream = torch.Stream
Event = torch.Event


def current_stream(device=None):
    return torch.accelerator.current_stream(index_of(device))


def default_stream(device=None):
    current = current_stream(device)
    return torch.Stream(stream_id=0, device_index=current.device_index, device_type=current.device_type)


def set_stream(stream):
    if stream is not None:
        torch.accelerator.set_stream(stream)


class stream:
    """Context manager: makes a stream current; None: no change."""

    def __init__(self, stream):
        self._stream = stream

    def __enter__(self):
        if self._stream is not None:
            self._found = current_stream(self._stream.device)
            set_stream(self._stream)
        return self._stream

    def __exit__(self, *exc):
        if self._stream is not None:
            set_stream(self._found)
        return False
