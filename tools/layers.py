#!/usr/bin/env python3
"""The include rule of core/ and shim/, and the names of their files.

    base <- pjrt, hlo;  hlo <- aten;  pjrt, hlo <- cache;  aten, pjrt, hlo <- coll;  all <- trace
    only core/pjrt includes pjrt_c_api.h; core/ includes nothing of PyTorch or Python; shim/ sees of core/ only tp.h
    and the table of dtypes

Prints each breach as file:line and exits 1 if there is one.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAY_INCLUDE = {
    "base": {"base"},
    "pjrt": {"pjrt", "base"},
    "hlo": {"hlo", "base"},
    "aten": {"aten", "hlo", "base"},
    "cache": {"cache", "pjrt", "hlo", "base"},
    "coll": {"coll", "aten", "pjrt", "hlo", "base"},
    "trace": {"trace", "coll", "aten", "cache", "pjrt", "hlo", "base", ""},  # "": core/tp.h
    "": {"aten", "base"},
}
PJRT_HEADER = "pjrt_c_api.h"
FOREIGN = re.compile(r"^(torch|ATen|c10|caffe2|pybind11)/|^Python\.h$")
BAD_STEMS = {"util", "utils", "common", "misc", "helper", "helpers", "type", "types", "state", "manager"}
INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')
SOURCES = {".c", ".h", ".def", ".cpp", ".inc"}


def includes(path):
    """(line number, is quoted, target) of each include."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        m = INCLUDE.match(line)
        if m:
            yield number, m[1] == '"', m[2]


def core_breach(layer, quoted, target):
    """What is wrong with an include in |layer| of core, or None."""
    if target == PJRT_HEADER:
        return None if layer == "pjrt" else f"only core/pjrt may include {PJRT_HEADER}"
    if FOREIGN.search(target):
        return f"core/ must not know PyTorch or Python; includes {target}"
    if not quoted:
        return None
    if not (ROOT / "core" / target).exists():
        return f'a quoted include must be a path under core/; no file "{target}" there'
    below = target.split("/")[0] if "/" in target else ""
    if below not in MAY_INCLUDE[layer]:
        return f'layer {layer or "tp.h"} must not include {below or "tp.h"}: "{target}"'
    return None


def shim_breach(quoted, target):
    if target == PJRT_HEADER:
        return f"only core/pjrt may include {PJRT_HEADER}"
    in_core = (ROOT / "core" / target).exists() or target.startswith("../core")
    if quoted and target not in ("tp.h", "base/dtype.def") and (in_core or not (ROOT / "shim" / target).exists()):
        return f'shim/ may include its own files, tp.h and base/dtype.def; includes "{target}"'
    return None


def breaches():
    for path in sorted((ROOT / "core").rglob("*")):
        if path.suffix not in SOURCES:
            continue
        inside = path.relative_to(ROOT / "core").parts
        layer = inside[0] if len(inside) > 1 else ""
        if layer not in MAY_INCLUDE:
            yield path, 1, f"core/ has no layer {layer!r}; the layers are {', '.join(k for k in MAY_INCLUDE if k)}"
            continue
        for number, quoted, target in includes(path):
            why = core_breach(layer, quoted, target)
            if why:
                yield path, number, why
    for path in sorted((ROOT / "shim").rglob("*")):
        if path.suffix in SOURCES:
            for number, quoted, target in includes(path):
                why = shim_breach(quoted, target)
                if why:
                    yield path, number, why
    for folder in ("core", "shim", "python", "tests", "tools", "bench", "demo"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and path.stem.lower().strip("_") in BAD_STEMS:
                yield path, 1, f"a file is named after a noun or a pass; {path.stem!r} says neither"


def main():
    found = list(breaches())
    for path, number, why in found:
        print(f"{path.relative_to(ROOT)}:{number}: {why}")
    print(f"layers: {len(found)} breaches of the include rule" if found else "layers: the include rule holds")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
