#!/usr/bin/env python3
"""docs/environment.md from core/base/env.def.  Without arguments writes it; --check exits 1 if it is out of date."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE, PAGE = ROOT / "core/base/env.def", ROOT / "docs/environment.md"
TEXT = r'"((?:\\.|[^"\\])*)"'
ROW = re.compile(rf"^ENV\((\w+),\s*{TEXT},\s*{TEXT},\s*{TEXT}\)$", re.M)
HEAD = """# Environment variables

Read once, when PyTorch loads the device or at its first use; never written. A bad value is a `ValueError` at the first use
of the device, never an error of `import torch`.
This page is made by `tools/env_table.py` from `core/base/env.def`.

| variable | default | what it does |
|---|---|---|
"""


def page():
    text = TABLE.read_text()
    rows = ROW.findall(text)
    if len(rows) != len(re.findall(r"^ENV\(", text, re.M)):
        raise SystemExit(f"{TABLE.relative_to(ROOT)}: each row must be one line ENV(enum, name, default, text)")
    unescape = lambda s: s.replace('\\"', '"').replace("|", "\\|")
    return HEAD + "".join(
        f"| `{name}` | {f'`{default}`' if default else ''} | {unescape(doc)} |\n" for _, name, default, doc in rows
    )


def main():
    wanted = page()
    if "--check" in sys.argv[1:]:
        if not PAGE.exists() or PAGE.read_text() != wanted:
            print(f"{PAGE.relative_to(ROOT)} is out of date; run tools/env_table.py")
            return 1
        print("env_table: docs/environment.md is up to date")
        return 0
    PAGE.write_text(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
