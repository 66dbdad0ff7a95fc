"""What one op costs, piece by piece, in one process pinned to one core.

f32[4] add through PyTorch on "cpu", on "tpu" strict and deferred; PyTorch's dispatch to a kernel that does nothing; a bare
PJRT execute; a kernel lookup; making views.  The cases take turns, so a disturbance hits all; the lower quartile counts.
Prints one JSON object of microseconds (lookup: nanoseconds).
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

import ctypes  # noqa: E402  after the process is pinned, so that every thread is
import json  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402

import native  # noqa: E402
import torch  # noqa: E402
from tqdm import tqdm  # noqa: E402

OPS, ROUNDS, WARM_UP = 200, 25, 3
VIEWS = {
    "view": lambda x: x.view(4, 2),
    "t": lambda x: x.t(),
    "transpose": lambda x: x.transpose(0, 1),
    "slice": lambda x: x[1:],
    "select": lambda x: x[0],
    "unsqueeze": lambda x: x.unsqueeze(0),
    "expand": lambda x: x[0:1].expand(2, 4),
    "detach": lambda x: x.detach(),
}
clock = time.perf_counter


def quartile(values):
    return sorted(values)[len(values) // 4]


def run_ops(op, wait):
    """(us until all calls had returned, us until the device was done), per op."""
    keep = []
    start = clock()
    for _ in range(OPS):
        keep.append(op())
    issued = clock() - start
    wait()
    return issued / OPS * 1e6, (clock() - start) / OPS * 1e6


def take_turns(cases, title):
    """{name: (issue, total)} of {name: a function that runs once and says so}."""
    seen = {name: [] for name in cases}
    for i in tqdm(range(WARM_UP + ROUNDS), desc=title, leave=False):
        for name, case in cases.items():
            result = case()
            if i >= WARM_UP:
                seen[name].append(result)
    return {name: tuple(quartile(r[i] for r in rs) for i in (0, 1)) for name, rs in seen.items()}


def load(path, prefix):
    """A driver's run function, opened on the embedded plugin."""
    library = ctypes.CDLL(str(path))
    run, message = getattr(library, f"{prefix}_run"), getattr(library, f"{prefix}_message")
    run.restype, message.restype = ctypes.c_double, ctypes.c_char_p
    if getattr(library, f"{prefix}_open")(str(native.plugin()).encode()):
        sys.exit(f"{path.name}: {message().decode()}")

    def checked(*arguments):
        ns = run(*arguments)
        if ns < 0:
            sys.exit(f"{path.name}: {message().decode()}")
        return ns

    return checked


def add_cases():
    bare = load(native.bare_execute(), "bare")
    torch.ops.load_library(str(native.noop()))
    ours = [torch.ones(4, device="tpu") for _ in range(2)]
    host = [torch.ones(4) for _ in range(2)]
    empty = [torch.ops.torch_pjrt_bench.make(4) for _ in range(2)]
    nothing = lambda: None

    def on_device(mode):
        def case():
            with torch.tpu.set_eager_mode(mode):
                return run_ops(lambda: ours[0] + ours[1], torch.tpu.synchronize)

        return case

    return {
        "cpu": lambda: run_ops(lambda: host[0] + host[1], nothing),
        "noop": lambda: run_ops(lambda: empty[0] + empty[1], nothing),
        "noop_new_tensor": lambda: run_ops(lambda: torch.maximum(empty[0], empty[1]), nothing),
        "bare_execute": lambda: (bare(OPS, 0) / 1e3,) * 2,
        "bare_execute_event": lambda: (bare(OPS, 1) / 1e3,) * 2,
        "strict": on_device("strict"),
        "defer": on_device("defer"),
    }


def view_cases():
    host, ours = torch.ones(2, 4), torch.ones(2, 4, device="tpu")
    nothing = lambda: None
    cases = {}
    for name, make in VIEWS.items():
        for device, x in (("cpu", host), ("tpu", ours)):
            cases[f"{name} {device}"] = lambda make=make, x=x: run_ops(lambda: make(x), nothing)
    return cases


def main():
    add = take_turns(add_cases(), "op overhead: add")
    views = take_turns(view_cases(), "op overhead: views")
    lookup = load(native.kernel_lookup(), "lookup")
    result = {
        "add_us": {name: {"issue": issue, "total": total} for name, (issue, total) in add.items()},
        "view_us": {n: {d: views[f"{n} {d}"][0] for d in ("cpu", "tpu")} for n in VIEWS},
        "lookup_ns": quartile([lookup(20000) for _ in range(20)]),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
