"""What the installed device costs a program that never uses it.

Child processes with and without the device take turns.  Timed is what the device can add to and nothing else, so that the
seconds of `import torch` itself do not drown it: the call by which `import torch` loads device packages, and a CPU-only
program (seed, forward, backward) after it.  Milliseconds are CPU time, which other processes disturb little, with the wall
clock beside it.  Prints one JSON object of medians.
"""

import json
import os
import statistics
import subprocess
import sys

from tqdm import tqdm

ROUNDS = 9
CHILD = """
import sys, time
import torch
figures = []
def timed(f):
    wall, cpu = time.perf_counter(), time.process_time()
    f()
    figures.extend([(time.process_time() - cpu) * 1e3, (time.perf_counter() - wall) * 1e3])
def resident():
    with open("/proc/self/status") as status:
        figures.append(next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024)
def program():
    torch.manual_seed(0)
    w = torch.randn(8, 8, requires_grad=True)
    (w @ w).sum().backward()
timed(torch._import_device_backends if sys.argv[1] == "1" else int)
resident()
timed(program)
resident()
with open("/proc/self/maps") as maps:
    opened = "xla_cpu_pjrt.so" in maps.read()
print(*figures, int(torch._C._get_privateuse1_backend_name() == "tpu"), int(opened))
"""
FIGURES = ("load_ms", "load_wall_ms", "load_mb", "program_ms", "program_wall_ms", "program_mb", "known", "opened")


def child(with_device):
    """{figure: number} of one process; what it printed besides is an error."""
    env = dict(os.environ, TORCH_DEVICE_BACKEND_AUTOLOAD="0", OMP_NUM_THREADS="1")
    command = [sys.executable, "-c", CHILD, str(int(with_device))]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    if done.returncode or len(lines) != 1 or done.stderr:
        sys.exit(f"an inert device prints nothing and ends with 0; found {done.returncode}, {done.stdout + done.stderr!r}")
    measured = dict(zip(FIGURES, map(float, lines[0].split())))
    if measured["known"] != with_device:
        sys.exit("torch.tpu must exist exactly where device packages were loaded; is torch-pjrt installed?")
    return measured


def main():
    seen = {True: [], False: []}
    for i in tqdm(range(ROUNDS + 1), desc="inert", leave=False):
        for with_device in (True, False):
            measured = child(with_device)
            if i:  # the first pair fills the page cache
                seen[with_device].append(measured)
    median = lambda figure, with_device: statistics.median(m[figure] for m in seen[with_device])
    more = {f: median(f, True) - median(f, False) for f in FIGURES[:6]}
    print(json.dumps({**{f"{f}_more": v for f, v in more.items()}, "plugins_opened": max(m["opened"] for m in seen[True])}))


if __name__ == "__main__":
    main()
