"""Peak of the device's ledger in the demo's training step, against what the same step holds on the CPU.

CPU: the largest sum of bytes of live storages after any op of the step, counted by a TorchDispatchMode.  Device, strict:
max_memory_allocated of the step, results in flight included.  Prints one JSON object.
"""

import json
import pathlib
import sys

import torch
import torch.nn.functional as F
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "demo"))
import digits  # noqa: E402

STEPS = 4  # the optimizer's state is made in the first


class LiveBytes(TorchDispatchMode):
    """The largest sum of bytes of the storages that were alive at once."""

    def __init__(self):
        super().__init__()
        self.peak, self._live = 0, {}

    def _see(self, tensors):
        for t in tensors:
            if isinstance(t, torch.Tensor):
                storage = t.untyped_storage()
                self._live[storage._cdata] = (StorageWeakRef(storage), storage.nbytes())

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self._see(tree_leaves((args, kwargs)))
        out = func(*args, **(kwargs or {}))
        self._see(tree_leaves(out))
        self._live = {key: (ref, size) for key, (ref, size) in self._live.items() if not ref.expired()}
        self.peak = max(self.peak, sum(size for _, size in self._live.values()))
        return out


def step_of(device):
    """A function that runs one training step of the demo on |device|."""
    torch.manual_seed(0)
    data, _, _ = digits.digits()
    x, y = (t[: digits.BATCH].clone() for t in data.tensors)
    model = digits.perceptron().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)

    def step():
        loss = F.cross_entropy(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


def cpu_peak():
    step = step_of("cpu")
    for _ in range(STEPS - 1):
        step()
    with LiveBytes() as live:
        step()
    return live.peak


def device_peak(mode):
    with torch.tpu.set_eager_mode(mode):
        step = step_of("tpu")
        for _ in range(STEPS - 1):
            step()
        torch.tpu.synchronize()
        torch.tpu.reset_peak_memory_stats()
        step()
        torch.tpu.synchronize()
        return torch.tpu.max_memory_allocated()


def main():
    cpu = cpu_peak()
    peaks = {mode: device_peak(mode) for mode in ("strict", "defer")}
    print(json.dumps({"cpu_bytes": cpu, **{f"{m}_bytes": p for m, p in peaks.items()}, "strict_ratio": peaks["strict"] / cpu}))


if __name__ == "__main__":
    main()
