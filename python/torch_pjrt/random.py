"""Random numbers: a generator is a (seed, offset) pair on the host, so nothing here touches a device."""

import os

import torch

from . import _C
from .device import index_of

_in_child = False


def _note_child():
    global _in_child
    _in_child = True


os.register_at_fork(after_in_child=_note_child)


def _is_in_bad_fork():
    """True in a forked child: the device cannot be used there."""
    return _in_child


def _generator(device):
    return _C.default_generator(index_of(device))


def _all():
    return tuple(_C.default_generator(i) for i in range(_C.device_count()))


def manual_seed(seed):
    _generator(None).manual_seed(int(seed))


def manual_seed_all(seed):
    for generator in _all():
        generator.manual_seed(int(seed))


def seed():
    _generator(None).seed()


def seed_all():
    manual_seed_all(torch.Generator().seed())


def initial_seed():
    return _generator(None).initial_seed()


def get_rng_state(device=None):
    return _generator(device).get_state()


def set_rng_state(new_state, device=None):
    _generator(device).set_state(new_state)


def get_rng_state_all():
    return [generator.get_state() for generator in _all()]


def set_rng_state_all(new_states):
    for generator, state in zip(_all(), new_states):
        generator.set_state(state)
