"""The module torch.tpu."""

import sys
import types

from . import mode as _mode
from . import random as _random
from .device import (
    DeviceProperties,
    compile_count,
    current_device,
    device,
    device_count,
    device_of,
    fallbacks,
    get_amp_supported_dtype,
    get_device_name,
    get_device_properties,
    init,
    is_available,
    is_bf16_supported,
    is_initialized,
    set_device,
    synchronize,
)
from .memory import (
    max_memory_allocated,
    max_memory_reserved,
    mem_get_info,
    memory_allocated,
    memory_reserved,
    memory_stats,
    empty_cache,
    reset_peak_memory_stats,
)
from .mode import EagerMode, Precision, precision, set_eager_mode
from .random import (
    _is_in_bad_fork,
    get_rng_state,
    get_rng_state_all,
    initial_seed,
    manual_seed,
    manual_seed_all,
    seed,
    seed_all,
    set_rng_state,
    set_rng_state_all,
)
from .streams import Event, Stream, current_stream, default_stream, set_stream, stream


class _Module(types.ModuleType):
    # What torch.utils.checkpoint asks before it saves the random state, which is on the host here: always there.
    _initialized = True

    @property
    def eager_mode(self):
        """The eager mode; may be assigned."""
        return _mode.get_eager_mode()

    @eager_mode.setter
    def eager_mode(self, value):
        _mode.set_eager_mode(value)

    @property
    def default_generators(self):
        return _random._all()


sys.modules[__name__].__class__ = _Module
