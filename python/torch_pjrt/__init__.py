"""A PyTorch device for every accelerator that has a PJRT plugin.

`import torch` loads this package by its entry point; nothing is opened, printed or compiled until a tensor is used.
"""

import sys

_torch = sys.modules.get("torch")
_asked_for = not (_torch and getattr(_torch.__spec__, "_initializing", False))  # else torch's autoload imports us


def _autoload():
    """Entry point of the group `torch.backends`.  Never raises: that would break `import torch` for everybody."""
    from . import _load

    if not _load.autoload(_asked_for):
        sys.modules.pop(__name__, None)  # so that the user's `import torch_pjrt` runs this file again


if _asked_for:
    import torch  # noqa: F401  its autoload may find this module half made, and calls _autoload

    from . import _load

    _load.try_load()
