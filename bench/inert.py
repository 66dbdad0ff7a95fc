"""What the installed device costs a program that never uses it.

Child processes with and without autoload take turns: milliseconds and resident megabytes of `import torch`, and of a
CPU-only program (seed, forward, backward).  Prints one JSON object of medians and the differences of the two kinds.
"""

import json
import os
import statistics
import subprocess
import sys

from tqdm import tqdm

ROUNDS = 9
IMPORT = "pass"
CPU_PROGRAM = """
torch.manual_seed(0)
w = torch.randn(8, 8, requires_grad=True)
(w @ w).sum().backward()
"""
CHILD = """
import time
start = time.perf_counter()
import torch
{program}
ms = (time.perf_counter() - start) * 1e3
kb = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmRSS"))
opened = "xla_cpu_pjrt.so" in open("/proc/self/maps").read()
print(ms, kb / 1024, int(opened), int(hasattr(torch, "tpu")))
"""


def child(program, autoload):
    """(ms, MB, plugin opened, device known) of one process; what it printed besides is an error."""
    env = dict(os.environ, TORCH_DEVICE_BACKEND_AUTOLOAD=str(int(autoload)), OMP_NUM_THREADS="1")
    done = subprocess.run([sys.executable, "-c", CHILD.format(program=program)], env=env, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    if len(lines) != 1 or done.stderr:
        sys.exit(f"an inert device prints nothing; found {done.stdout + done.stderr!r}")
    ms, mb, opened, known = lines[0].split()
    return float(ms), float(mb), opened == "1", known == "1"


def main():
    result = {}
    for name, program in (("import", IMPORT), ("cpu_program", CPU_PROGRAM)):
        seen = {True: [], False: []}
        for i in tqdm(range(ROUNDS + 1), desc=f"inert: {name}", leave=False):
            for autoload in (True, False):
                measured = child(program, autoload)
                if measured[3] != autoload:
                    sys.exit("torch.tpu must exist exactly where autoload is on; is torch-pjrt installed?")
                if i:  # the first pair fills the page cache
                    seen[autoload].append(measured)
        with_ms, without_ms = ([m[0] for m in seen[a]] for a in (True, False))
        with_mb, without_mb = (statistics.median(m[1] for m in seen[a]) for a in (True, False))
        result[name] = {
            "ms_without": statistics.median(without_ms),
            "ms_more": statistics.median(a - b for a, b in zip(with_ms, without_ms)),
            "mb_without": without_mb,
            "mb_more": with_mb - without_mb,
            "plugin_opened": any(m[2] for m in seen[True]),
        }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
