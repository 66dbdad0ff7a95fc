"""What one op costs, piece by piece, in one process pinned to one core.

f32[4] add through PyTorch on "cpu", on "tpu" strict and deferred; PyTorch's dispatch to a kernel that does nothing; a bare
PJRT execute; a kernel lookup; making views.  The cases take turns, so a disturbance hits all; the lower quartile counts.
Each is timed by the wall clock and by the CPU time of the whole process: on a quiet core they agree, and where others use the
core only the latter means anything, because a wait for another thread then lasts somebody else's time slice.
Prints one JSON object of microseconds (lookup: nanoseconds), and how many cores other processes kept busy.
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
FIGURES = ("issue", "total", "cpu")
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
    ranked = sorted(values)
    return ranked[len(ranked) // 4]


def busy_s():
    """CPU seconds of the whole machine so far."""
    with open("/proc/stat") as stat:
        v = [int(x) for x in stat.readline().split()[1:9]]
    return (sum(v) - v[3] - v[4]) / os.sysconf("SC_CLK_TCK")


def run_ops(op, wait):
    """us per op: until all calls had returned, until the device was done, and the CPU time of all threads."""
    keep = []
    cpu, start = time.process_time(), clock()
    for _ in range(OPS):
        keep.append(op())
    issued = clock() - start
    wait()
    done = clock() - start
    return tuple(t / OPS * 1e6 for t in (issued, done, time.process_time() - cpu))


def take_turns(cases, title):
    """{name: (issue, total, CPU)} of {name: a function that runs once and says so}."""
    seen = {name: [] for name in cases}
    for i in tqdm(range(WARM_UP + ROUNDS), desc=title, leave=False):
        for name, case in cases.items():
            result = case()
            if i >= WARM_UP:
                seen[name].append(result)
    return {name: dict(zip(FIGURES, map(quartile, zip(*rounds)))) for name, rounds in seen.items()}


def load(path, prefix):
    """A driver's run function, opened on the embedded plugin: arguments -> its figures in nanoseconds."""
    library, out = ctypes.CDLL(str(path)), (ctypes.c_double * 2)()
    message = getattr(library, f"{prefix}_message")
    message.restype = ctypes.c_char_p

    def checked(function, *arguments):
        if getattr(library, f"{prefix}_{function}")(*arguments):
            sys.exit(f"{path.name}: {message().decode()}")
        return tuple(out)

    checked("open", str(native.plugin()).encode())
    return lambda *arguments: checked("run", *arguments, out)


def bare_case(bare, with_event):
    wall, cpu = (ns / 1e3 for ns in bare(OPS, with_event))
    return wall, wall, cpu


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
        "bare_execute": lambda: bare_case(bare, 0),
        "bare_execute_event": lambda: bare_case(bare, 1),
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
    busy, own, start = busy_s(), time.process_time(), clock()
    add = take_turns(add_cases(), "op overhead: add")
    views = take_turns(view_cases(), "op overhead: views")
    lookup = load(native.kernel_lookup(), "lookup")
    result = {
        "add_us": add,
        "view_us": {n: {d: views[f"{n} {d}"]["issue"] for d in ("cpu", "tpu")} for n in VIEWS},
        "lookup_ns": quartile([lookup(20000)[0] for _ in range(20)]),
        "foreign_cores": (busy_s() - busy - (time.process_time() - own)) / (clock() - start),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
