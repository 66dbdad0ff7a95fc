"""Heap allocations per op by our code (core and shim), in steady state, with malloc_count preloaded by run.py.

The two objects PyTorch needs for any result, TensorImpl and StorageImpl, are made by PyTorch's templates inside the shim;
they are told apart by size and counted separately.  Prints one JSON object: {mode: {op: {...}}}.
"""

import ctypes
import json
import re

import native
import torch
import torch_pjrt._C as extension

OPS, WARM_UP = 500, 3


def text_range(path):
    """Where the code of the library is mapped."""
    with open("/proc/self/maps") as maps:
        for line in maps:
            if line.rstrip().endswith(path) and " r-xp " in line:
                return (int(x, 16) for x in re.match(r"(\w+)-(\w+)", line).groups())
    raise SystemExit(f"{path} is not mapped")


def sites(counter):
    """[(offset, count, bytes)] of the places that allocated."""
    found, out = [], (ctypes.c_uint64 * 3)()
    while counter.malloc_count_site(len(found), out):
        found.append(tuple(out))
    return found


def main():
    torch.ops.load_library(str(native.noop()))
    results = {torch.ops.torch_pjrt_bench.impl_bytes(), torch.ops.torch_pjrt_bench.storage_bytes()}
    counter = ctypes.CDLL(None)
    counter.malloc_count_watch.argtypes = [ctypes.c_size_t, ctypes.c_size_t]
    low, high = text_range(extension.__file__)
    x, y = torch.ones(4, device="tpu"), torch.ones(4, device="tpu")
    m = torch.ones(4, 4, device="tpu")
    ops = {
        "add": lambda: x + y,
        "mul_scalar": lambda: x * 1.0001,
        "add_": lambda: x.add_(y),
        "matmul": lambda: m @ m,
        "add of views": lambda: m[0] + m.t()[1],
    }
    report = {}
    for mode in ("strict", "defer"):
        torch.tpu.set_eager_mode(mode)
        for name, op in ops.items():
            for _ in range(WARM_UP):
                for _ in range(OPS):
                    op()
                torch.tpu.synchronize()
            counter.malloc_count_watch(low, high)
            for _ in range(OPS):
                op()
            torch.tpu.synchronize()
            found = sites(counter)
            counter.malloc_count_watch(0, 0)
            ours = [s for s in found if s[2] // s[1] not in results]
            report.setdefault(mode, {})[name] = {
                "per_op": sum(s[1] for s in ours) / OPS,
                "result_objects": sum(s[1] for s in found if s not in ours) / OPS,
                "sites": {hex(offset): [count, size // count] for offset, count, size in ours},
            }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
