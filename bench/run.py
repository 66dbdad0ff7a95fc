#!/usr/bin/env python3
"""`make bench`: runs every measurement, prints a table, writes build/bench.json.

Each figure with a target is a ratio or a difference of things measured in turns in one run, so it holds on any machine; a
target that is missed is marked and makes the exit status 1.  What needs a peer that is not installed (bench/peers/setup.sh)
is said and left out.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time

import native
from tqdm import tqdm

BENCH = native.ROOT / "bench"
PEER_OUT = native.ROOT / "build" / "peers"
PEER_GRID = ("W1_4", "W1_128", "W2_sgd", "W2_adamw")
PEER_AGREE = 1e-4  # relative; the peers agree to 8e-6 among themselves
MALLOCS = {"strict": 0, "defer": 0.02}  # defer: the work space of a long program's cut, one for some hundred ops
QUIET = 0.25  # cores that other processes may use before wall time means nothing
STAGES = ("inert", "memory", "mallocs", "op_overhead", "peers")


def script(name, **env):
    """The JSON object that a measurement prints on its last line; its progress goes to the terminal."""
    done = subprocess.run([sys.executable, BENCH / f"{name}.py"], env=dict(os.environ, **env), stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise RuntimeError(f"bench/{name}.py must end with status 0; it ended with {done.returncode}")
    return json.loads(done.stdout.splitlines()[-1])


def peers():
    """Steady state of W1 and W2 and the cost of an op, ours and the peers' in turns."""
    only = "ours.strict,ours.defer,ttpu.strict,ttpu.defer,jax.jit,torch.eager"
    command = [sys.executable, BENCH / "peers" / "run_all.py", "grid", "dispatch", "--threads", "1", "--rounds", "3", "--only", only]
    command += ["--grid", ",".join(f"{n}:f32" for n in PEER_GRID), "--out", PEER_OUT, "--core", str(max(os.sched_getaffinity(0)))]
    shutil.rmtree(PEER_OUT, ignore_errors=True)  # run_all keeps the quieter cell of two runs; here all are of this run
    subprocess.run(command, cwd=native.ROOT, env=dict(os.environ, OURS=sys.executable), check=True, stdout=subprocess.DEVNULL)
    grid, dispatch = (json.loads((PEER_OUT / f"{n}_t1.json").read_text()) for n in ("grid", "dispatch"))
    add = {}
    for who, rounds in dispatch.items():  # CPU time of the pinned worker: its wall time on a quiet core
        spent = [r["dispatch"]["add[4]"]["cpu_us"] for r in rounds if "add[4]" in r.get("dispatch", {})]
        if spent:
            add[who] = min(spent)
    workloads = {}
    for name in PEER_GRID:
        for who, cell in grid[f"{name}:f32"].items():
            cpu = sorted(m["cpu"] for m in cell["m"] if "cpu" in m)
            prep = cell["prep"]
            workloads.setdefault(name, {})[who] = {
                "ms": cpu[len(cpu) // 2] * 1e3 if cpu else None,
                "check": prep.get("check"),
                "compiles": prep.get("compiles"),
                "error": prep.get("error"),
            }
    foreign = sorted(m["foreign"] for n in PEER_GRID for cell in grid[f"{n}:f32"].values() for m in cell["m"] if "foreign" in m)
    return {"add_cpu_us": add, "workloads": workloads, "foreign_cores": foreign[len(foreign) // 2] if foreign else None}


def stage(name):
    if name == "peers":
        return peers()
    if name == "mallocs":
        return script(name, LD_PRELOAD=str(native.malloc_count()))
    return script(name)


def verdict(rows, what, value, limit, unit=""):
    rows.append({"what": what, "value": value, "limit": limit, "unit": unit, "met": None if value is None else value <= limit})


def is_quiet(measured):
    return (measured["foreign_cores"] or 0) < QUIET


def judge(r):
    """The table: each demand with what was measured; value None where it could not be."""
    rows = []
    if "op_overhead" in r:
        o = r["op_overhead"]
        figure = "total" if is_quiet(o) else "cpu"
        total = {name: us[figure] for name, us in o["add_us"].items()}
        verdict(rows, "strict add above no-op dispatch + bare execute", total["strict"] - total["noop"] - total["bare_execute"], 1.0, "us")
        verdict(rows, "defer add / torch CPU eager add", total["defer"] / total["cpu"], 1.5, "x")
        verdict(rows, "kernel lookup on a hit", o["lookup_ns"], 150, "ns")
        for name, us in o["view_us"].items():
            verdict(rows, f"making a view: {name} / CPU's", us["tpu"] / us["cpu"], 1.3, "x")
    for mode, ops in r.get("mallocs", {}).items():
        for name, counts in ops.items():
            verdict(rows, f"mallocs by core and shim per op: {name}, {mode}", counts["per_op"], MALLOCS[mode])
    if "inert" in r:
        for name, label in (("load", "import torch"), ("program", "a CPU-only program")):
            verdict(rows, f"{label}: more time for having the device", r["inert"][f"{name}_ms_more"], 50, "ms")
            verdict(rows, f"{label}: more memory", r["inert"][f"{name}_mb_more"], 15, "MB")
        verdict(rows, "a CPU-only program: plugins opened", r["inert"]["plugins_opened"], 0)
    if "memory" in r:
        verdict(rows, "peak of the ledger / live bytes on the CPU, strict", r["memory"]["strict_ratio"], 1.1, "x")
    if "peers" in r:
        judge_peers(rows, r["peers"])
    return rows


def judge_peers(rows, r):
    add = r["add_cpu_us"]
    ratio = add["ours.strict"] / add["ttpu.strict"] if "ours.strict" in add and "ttpu.strict" in add else None
    verdict(rows, "strict add / TorchTPU's", ratio, 1 / 3, "x")
    if not is_quiet(r):  # TorchTPU's own figure doubles under load, which would flatter ours
        rows[-1]["met"] = None
    for name, cells in r["workloads"].items():
        want = cells.get("torch.eager", {}).get("check")
        for mode in ("ours.strict", "ours.defer"):
            got = cells.get(mode, {}).get("check")
            off = abs(got - want) / abs(want) if got is not None and want else None
            verdict(rows, f"{name}: {mode} off the peers' result", off, PEER_AGREE)


def number(value):
    return f"{value:.3g}" if value else "0"


def print_report(results, rows):
    print(f"\n{'':60}{'measured':>10}{'at most':>10}")
    for row in rows:
        value = "-" if row["value"] is None else number(row["value"])
        mark = {True: "", False: "  MISSED", None: "  not measured" if row["value"] is None else "  not judged: others use the machine"}[row["met"]]
        print(f"{row['what']:60}{value:>10}{number(row['limit']):>10} {row['unit']:3}{mark}")
    if "op_overhead" in results:
        o = results["op_overhead"]
        print(f"\nf32[4] add, us per op; others used {o['foreign_cores']:.1f} cores, so {'wall' if is_quiet(o) else 'CPU'} time was judged")
        print(f"  {'':22}{'issue':>8}{'total':>8}{'CPU':>8}")
        for name, us in o["add_us"].items():
            print(f"  {name:22}{us['issue']:8.2f}{us['total']:8.2f}{us['cpu']:8.2f}")
    if "peers" in results:
        print("\nf32[4] add, CPU us per op: " + ", ".join(f"{who} {us:.2f}" for who, us in results["peers"]["add_cpu_us"].items()))
    for name, cells in results.get("peers", {}).get("workloads", {}).items():
        shown = (f"{who} {c['ms']:.2f}" if c["ms"] else f"{who} failed: {(c['error'] or '')[:70]}" for who, c in cells.items())
        print(f"{name}, CPU ms per step: " + ", ".join(shown))
    if "memory" in results:
        print("peak bytes of a training step: " + ", ".join(f"{k[:-6]} {v:,}" for k, v in results["memory"].items() if k.endswith("bytes")))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("stages", nargs="*", help=f"of {', '.join(STAGES)}; all by default")
    stages = parser.parse_args().stages or STAGES
    unknown = [s for s in stages if s not in STAGES]
    if unknown:
        parser.error(f"the stages are {', '.join(STAGES)}; got {', '.join(unknown)}")
    results, failures = {}, []
    with tqdm(stages, unit="stage") as bar:
        for name in bar:
            bar.set_description(name)
            try:
                results[name] = stage(name)
            except (RuntimeError, subprocess.CalledProcessError, json.JSONDecodeError, IndexError) as error:
                failures.append(f"{name}: {error}")
    rows = judge(results)
    print_report(results, rows)
    record = {"time": time.strftime("%Y-%m-%dT%H:%M:%S"), "cores": os.cpu_count(), "rows": rows, **results, "failures": failures}
    (native.ROOT / "build" / "bench.json").write_text(json.dumps(record, indent=1) + "\n")
    missed = [row for row in rows if row["met"] is False]
    unknown = sum(row["met"] is None for row in rows)
    print(f"\n{len(rows) - len(missed) - unknown} of {len(rows)} demands met, {len(missed)} missed, {unknown} not judged; build/bench.json written")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if missed or failures else 0


if __name__ == "__main__":
    sys.exit(main())
