"""Orchestrator.  python run_all.py PHASE... [--threads 1|2] [--core N] [--rounds R] [--out DIR] [--only peer.mode,...]
Phases: grid (interleaved steady state) | dispatch | cold (fresh process per workload: first step, peak RSS)
        | sweep (8 batch sizes, twice) | imports
Each peer/mode is one worker process; a round measures every worker once, so ratios come from one run."""
import argparse, json, os, statistics as st, subprocess, sys, time
from workloads import GRID
HERE = os.path.dirname(os.path.abspath(__file__))
V = os.environ.get("PEERS_VENVS", os.path.expanduser("~/.cache/torch-pjrt-peers"))
OURS = os.path.abspath(os.environ.get("OURS", ".venv/bin/python"))      # the interpreter that has this project installed
VTORCH = f"{V}/vtorch/bin/python" if os.path.exists(f"{V}/vtorch/bin/python") else OURS     # the same torch either way
PEERS = {"torch": (VTORCH, "peer_torch_cpu.py", ("eager", "compile")),
         "jax": (f"{V}/vjax/bin/python", "peer_jax.py", ("eager", "jit")),
         "txla": (f"{V}/vxla/bin/python", "peer_torch_xla.py", ("lazy", "eager", "openxla")),
         "ttpu": (f"{V}/vtpu/bin/python", "peer_torch_tpu.py", ("strict", "defer", "compile")),
         "ours": (OURS, "peer_torch_pjrt.py", ("strict", "defer", "compile"))}
PEERS = {k: v for k, v in PEERS.items() if os.path.exists(v[0])}         # what is not installed is left out
BATCHES = [64, 32, 16, 48, 24, 8, 40, 56]
GBATCHES = [4, 2, 1, 3, 6, 8, 5, 7]
ap = argparse.ArgumentParser()
ap.add_argument("phases", nargs="+"); ap.add_argument("--threads", type=int, default=1); ap.add_argument("--core", type=int, default=1)
ap.add_argument("--rounds", type=int, default=5); ap.add_argument("--seconds", type=float, default=0.4)
ap.add_argument("--out", default="build/peers"); ap.add_argument("--only", default=""); ap.add_argument("--grid", default="")
ap.add_argument("--cold", default="W1_4,W2_sgd,W2_adamw,W3_fwd,W3_train,W5"); ap.add_argument("--sweep", default="W2_sgd,W3_fwd")
A = ap.parse_args()
os.makedirs(A.out, exist_ok=True)
WHO = [f"{p}.{m}" for p, (_, _, ms) in PEERS.items() for m in ms]
if A.only:
    missing = [w for w in A.only.split(",") if w not in WHO]
    if missing:
        print("not installed here, left out:", *missing, file=sys.stderr)
    WHO = [w for w in WHO if w in A.only.split(",")]
grid = [g for g in GRID if not A.grid or f"{g[0]}:{g[1]}" in A.grid.split(",")]


class W:
    def __init__(self, who):
        p, m = who.split(".")
        py, f, _ = PEERS[p]
        env = dict(os.environ, PEER_WRAPPER=f"{V}/torch_tpu_on_cpu.so", PEER_PLUGIN=f"{V}/plugin/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so", OMP_NUM_THREADS=str(A.threads), MKL_NUM_THREADS=str(A.threads), TF_CPP_MIN_LOG_LEVEL="3")
        if p == "torch":
            env["TORCH_DEVICE_BACKEND_AUTOLOAD"] = "0"
        cmd = [py, "-W", "ignore", f, "--mode", m]
        if A.threads == 1:
            cmd = ["taskset", "-c", str(A.core)] + cmd
        self.t0 = time.perf_counter()
        self.p = subprocess.Popen(cmd, cwd=HERE, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=open(f"{A.out}/{who}.err", "a"), text=True)
        self.hello = self.read(); self.up_s = time.perf_counter() - self.t0

    def read(self):
        l = self.p.stdout.readline()
        return json.loads(l) if l else {"error": f"worker died rc={self.p.poll()}"}

    def ask(self, **c):
        try:
            self.p.stdin.write(json.dumps(c) + "\n"); self.p.stdin.flush()
        except BrokenPipeError:
            return {"error": "worker dead"}
        return self.read()

    def quit(self):
        try:
            self.p.stdin.write('{"cmd":"quit"}\n'); self.p.stdin.flush()
            self.p.wait(20)
        except Exception:
            self.p.kill()


def old(name):
    p = f"{A.out}/{name}.json"
    return json.load(open(p)) if os.path.exists(p) else {}


def save(name, obj):
    with open(f"{A.out}/{name}.json", "w") as f:
        json.dump(obj, f, indent=1)


def phase_grid():
    ws, res = {w: W(w) for w in WHO}, old(f"grid_t{A.threads}")
    res.setdefault("_info", {}).update({w: ws[w].hello for w in WHO})
    for n, d in grid:
        cell = {}
        res.setdefault(f"{n}:{d}", {})
        for w in WHO:
            cell[w] = dict(prep=ws[w].ask(cmd="prepare", name=n, dtype=d), m=[])
        for r in range(A.rounds):
            for w in WHO:
                if "error" not in cell[w]["prep"]:
                    cell[w]["m"].append(ws[w].ask(cmd="measure", name=n, dtype=d, seconds=A.seconds))
        for w in WHO:
            ws[w].ask(cmd="drop")
            def noise(c):              # a rerun replaces a cell only when the machine was as quiet or quieter
                f = [m["foreign"] for m in (c or {}).get("m", []) if "foreign" in m]
                return st.median(f) if f else 99
            prev = res[f"{n}:{d}"].get(w)
            if prev is None or noise(cell[w]) <= noise(prev) + 0.05:
                res[f"{n}:{d}"][w] = cell[w]
            ms = [m for m in cell[w]["m"] if "thr" in m]
            print(n, d, w, "first %.0fms" % (cell[w]["prep"].get("first_s", [0])[0] * 1e3), "thr %.3fms" % (st.median([m["thr"] for m in ms]) * 1e3 if ms else -1),
                  "foreign", [round(m["foreign"], 1) for m in ms], cell[w]["prep"].get("error", ""), flush=True)
        save(f"grid_t{A.threads}", res)
    res["_rss"] = {w: ws[w].ask(cmd="rss") for w in WHO}
    save(f"grid_t{A.threads}", res)
    [w.quit() for w in ws.values()]


def phase_dispatch():
    res, ws = {}, {w: W(w) for w in WHO}
    for r in range(3):
        for w in WHO:
            res.setdefault(w, []).append(ws[w].ask(cmd="dispatch"))
    save(f"dispatch_t{A.threads}", res)
    [w.quit() for w in ws.values()]


def phase_cold():
    res = old("cold")              # phases add to what is there, so a noisy or missing cell can be redone alone
    for n in A.cold.split(","):
        for w in WHO:
            x = W(w)
            h = x.hello
            p = x.ask(cmd="prepare", name=n, dtype="f32")
            res.setdefault(n, {})[w] = dict(p, up_s=x.up_s, base_rss=h.get("rss"))
            x.quit()
            print("cold", n, w, [round(v, 3) for v in p.get("first_s", [])], "peak", p.get("peak"), p.get("error", ""), flush=True)
            save("cold", res)


def phase_sweep():
    res = old("sweep")
    for n in A.sweep.split(","):
        b = GBATCHES if n.startswith("W3") else BATCHES
        for w in WHO:
            x = W(w)
            res.setdefault(n, {})[w] = r = x.ask(cmd="sweep", name=n, dtype="f32", batches=b)
            x.quit()
            s = r.get("sweep", [])
            print("sweep", n, w, "round0 %.2fs round1 %.3fs" % tuple(sum(i["s"] for i in s if i["round"] == k) for k in (0, 1)),
                  [i["compiles"] for i in s], r.get("error", ""), flush=True)
            save("sweep", res)


def phase_imports():
    exe = lambda p: PEERS[p][0] if p in PEERS else None
    snip = {"python": (sys.executable, "pass"), "numpy": (exe("torch"), "import numpy"),
            "torch": (exe("torch"), "import torch"),
            "torch+1op": (exe("torch"), "import torch; (torch.ones(4)+1).sum().item()"),
            "jax": (exe("jax"), "import jax, jax.numpy"),
            "jax+1op": (exe("jax"), "import jax, jax.numpy as j; float((j.ones(4)+1).sum())"),
            "torch2.9.1": (exe("txla"), "import torch"),
            "torch_xla": (exe("txla"), "import torch, torch_xla"),
            "torch_xla+1op": (exe("txla"), "import torch, torch_xla; (torch.ones(4, device=torch_xla.device())+1).sum().item()")}
    snip = {k: v for k, v in snip.items() if v[0]}
    tail = "\nimport resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss/1024)"
    res = {}
    for r in range(6):
        for k, (py, s) in snip.items():
            t = time.perf_counter()
            o = subprocess.run(["taskset", "-c", str(A.core), py, "-W", "ignore", "-c", s + tail], capture_output=True, text=True,
                               env=dict(os.environ, PJRT_DEVICE="CPU", JAX_PLATFORMS="cpu", OMP_NUM_THREADS="1"))
            dt = time.perf_counter() - t
            if r:
                res.setdefault(k, []).append((dt, float(o.stdout.split()[-1])))
    res = {k: dict(s=st.median(x[0] for x in v), rss=st.median(x[1] for x in v)) for k, v in res.items()}
    save("imports", res); print(res)


for ph in A.phases:
    globals()["phase_" + ph]()
