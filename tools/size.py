#!/usr/bin/env python3
"""Sizes of files and functions.

No file over 800 lines (.def tables excepted), no C or C++ function over 60 lines (PRINTERS excepted), shim/ under 3,000
lines, C at least 85 % of the compiled lines.  Prints the lines of each folder, then each excess; exits 1 if there is one.
Functions are found by counting braces: good for code formatted as here, no parser.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("core", "shim", "python", "tests", "tools", "bench", "demo")
SUFFIXES = {".c", ".h", ".def", ".cpp", ".py", ".sh"}
MAX_FILE, MAX_FUNCTION, MAX_SHIM, MIN_C_SHARE = 800, 60, 3000, 0.85
PRINTERS = set()  # "file:function": one long switch over ops that would not read better in pieces

TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*\#(?:\\\n|[^\n])*', re.S | re.M
)
CONTAINER = re.compile(r"\b(namespace|extern|class|struct|union|enum)\b")
NAME = re.compile(r"([~\w:]+|operator\s*[^\s(]+)\s*\(")


def blank(m):
    """The same number of lines, nothing on them."""
    return re.sub(r"[^\n]", " ", m[0])


def is_function(head):
    """Whether the text in front of a brace outside any function begins one."""
    if "(" not in head or ")" not in head:
        return False
    assigned = head.find("=")
    if 0 <= assigned < head.find("(") and "operator" not in head:
        return "](" in head.replace(" ", "")  # a lambda kept in a global
    return True


def functions(text):
    """(name, first line, number of lines) of each function in C or C++ source."""
    text = TOKEN.sub(blank, text)
    depth, containers, head_at, start = 0, set(), 0, None
    for at, char in enumerate(text):
        if char == "{":
            if start is None:
                head = text[head_at:at]
                if is_function(head):
                    start = (depth, head, head_at + len(head) - len(head.lstrip()))
                elif CONTAINER.search(head):
                    containers.add(depth)
            depth += 1
            head_at = at + 1
        elif char == "}":
            depth -= 1
            if start is not None and depth == start[0]:
                names = NAME.findall(start[1])
                first = text.count("\n", 0, start[2]) + 1
                yield (names[0] if names else "?"), first, text.count("\n", start[2], at) + 1
                start = None
            containers.discard(depth)
            head_at = at + 1
        elif char == ";":
            head_at = at + 1


def sources():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file() and "__pycache__" not in path.parts:
                yield path


def main():
    per_folder, excess = {}, []
    for path in sources():
        text = path.read_text()
        lines, name = text.count("\n"), str(path.relative_to(ROOT))
        parts = path.relative_to(ROOT).parts
        folder = "/".join(parts[:2]) if parts[0] == "core" and len(parts) > 2 else parts[0]
        per_folder[folder] = per_folder.get(folder, 0) + lines
        if lines > MAX_FILE and path.suffix != ".def":
            excess.append(f"{name}: a file has at most {MAX_FILE} lines; this one has {lines}")
        if path.suffix in (".c", ".h", ".cpp"):
            for function, first, length in functions(text):
                if length > MAX_FUNCTION and f"{name}:{function}" not in PRINTERS:
                    excess.append(f"{name}:{first}: a function has at most {MAX_FUNCTION} lines; {function} has {length}")
    for folder, lines in per_folder.items():
        print(f"{lines:7,}  {folder}")
    c = sum(n for f, n in per_folder.items() if f.split("/")[0] == "core")
    shim = per_folder.get("shim", 0)
    share = c / max(c + shim, 1)
    print(f"size: core {c:,} lines of C, shim {shim:,} lines of C++: {share:.1%} C")
    if shim >= MAX_SHIM:
        excess.append(f"shim/ has fewer than {MAX_SHIM} lines; now {shim}")
    if share < MIN_C_SHARE:
        excess.append(f"C is at least {MIN_C_SHARE:.0%} of the compiled lines; now {share:.1%}")
    print("\n".join(excess) if excess else "size: nothing over its limit")
    return 1 if excess else 0


if __name__ == "__main__":
    sys.exit(main())
