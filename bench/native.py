"""Builds the measurements' own native code into build/bench, when it is older than its sources."""

import pathlib
import shutil
import subprocess
import sys
import sysconfig

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "bench"
C_FLAGS = ["-std=c11", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", "-fPIC", "-shared", "-fvisibility=hidden"]


def site_packages():
    return pathlib.Path(sysconfig.get_paths()["platlib"])


def plugin():
    """The embedded CPU plugin."""
    return site_packages() / "xla_plugins" / "xla_cpu_pjrt" / "xla_cpu_pjrt.so"


def _compile(name, command, sources):
    out = OUT / f"{name}.so"
    if out.exists() and all(out.stat().st_mtime > s.stat().st_mtime for s in sources):
        return out
    print(f"building {out.relative_to(ROOT)}", file=sys.stderr)
    OUT.mkdir(parents=True, exist_ok=True)
    subprocess.run([*map(str, command), "-o", out], check=True)
    return out


def _core(*layers):
    return [s for layer in layers for s in sorted((ROOT / "core" / layer).glob("*.c"))]


def malloc_count():
    source = ROOT / "bench" / "malloc_count.c"
    flags = [f for f in C_FLAGS if not f.startswith("-fvisibility")]
    return _compile("malloc_count", ["cc", *flags, "-fno-builtin", source], [source])


def bare_execute():
    sources = [ROOT / "bench" / "bare_execute.c", *_core("base", "pjrt")]
    flags = [*C_FLAGS, f"-I{ROOT / 'core'}", "-isystem", plugin().parent / "include"]
    return _compile("bare_execute", ["cc", *flags, *sources, "-lpthread", "-ldl"], sources)


def kernel_lookup():
    """Links the core that was built for the installation."""
    library = ROOT / "build" / "py" / "libcore.a"
    if not library.exists():
        raise SystemExit("the core must have been built; run `make build` first")
    source = ROOT / "bench" / "kernel_lookup.c"
    flags = [*C_FLAGS, f"-I{ROOT / 'core'}"]
    return _compile("kernel_lookup", ["cc", *flags, source, library, "-lpthread", "-ldl", "-lm"], [source, library])


def noop():
    """Needs a C++ compiler and the headers of the installed PyTorch."""
    source, torch = ROOT / "bench" / "noop.cpp", site_packages() / "torch"
    include = torch / "include"
    flags = ["-std=c++20", "-O2", "-fPIC", "-shared", "-isystem", include, "-isystem", include / "torch/csrc/api/include"]
    return _compile("noop", [shutil.which("c++") or "g++", *flags, source, f"-L{torch / 'lib'}", "-lc10", "-ltorch_cpu"], [source])


if __name__ == "__main__":
    for build in (malloc_count, bare_execute, kernel_lookup, noop):
        build()
