"""Eager modes: process-wide, in force from the call on; pending calls are cut first."""

import enum

from . import _C


class EagerMode(enum.Enum):
    """When recorded ops become programs.  The names are TorchTPU's; each value is (mode, blocking) of the core."""

    DEFER_NEVER = (0, False)
    DEFER_NEVER_AND_LAUNCH_BLOCKING = (0, True)
    DEFER_AND_FUSE = (1, False)


_WORDS = {"strict": EagerMode.DEFER_NEVER, "defer": EagerMode.DEFER_AND_FUSE}


class _ModeSwitch:
    """What set_eager_mode returns: as a context manager it restores the mode that was found."""

    def __init__(self, found):
        self._found = found

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        _C.mode_set(*self._found)
        return False


def set_eager_mode(mode):
    """`"strict"`, `"defer"` or an EagerMode.  Takes effect now; use it in a `with` to restore the mode found."""
    chosen = mode if isinstance(mode, EagerMode) else _WORDS.get(mode) if isinstance(mode, str) else None
    if chosen is None:
        raise ValueError(f"the eager mode must be 'strict', 'defer' or an EagerMode; got {mode!r}")
    found = _C.mode_get()
    _C.mode_set(*chosen.value)
    return _ModeSwitch(found)


def get_eager_mode():
    mode, blocking = _C.mode_get()
    return EagerMode((mode, blocking and mode == 0))


class Precision(enum.Enum):
    """Of float32 dot and convolution: DEFAULT is one bfloat16 pass on TPUs, HIGH three, HIGHEST six."""

    DEFAULT = 0
    HIGH = 1
    HIGHEST = 2


class precision:
    """Sets the precision of float32 dot and convolution now; used in a `with`, restores the one found."""

    def __init__(self, value):
        if not isinstance(value, Precision):
            raise ValueError(f"the precision must be a Precision; got {value!r}")
        self._found = _C.precision_get()
        _C.precision_set(value.value)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        _C.precision_set(self._found)
        return False
