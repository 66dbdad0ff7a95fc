#!/usr/bin/env python3
"""Compares the rows of core/aten/aten.def with PyTorch's schemas: names, signatures, numbers of outputs, targets.

Prints one line per difference and exits with 1 if there is any.  Needs torch, not the built core."""

import pathlib
import re
import sys

import torch

TABLE = pathlib.Path(__file__).resolve().parent.parent / "core" / "aten" / "aten.def"
ROW = re.compile(r'^(LOWER|POINT|REDUCE|DRAW|EFFECT|SIZED|FOREACH|CPU|INTERNAL)\("([^"]+)"(?:, "([^"]*)")?(.*)\)\s*$')
STATIC_TWINS = str.maketrans("axynN", "ssfiI")
PLAIN = {
    "Tensor": "T", "List[Tensor]": "L", "List[Optional[Tensor]]": "O", "number": "s", "Scalar": "s", "List[number]": "X",
    "List[Scalar]": "X", "float": "f", "int": "i", "SymInt": "i", "bool": "b", "List[int]": "I", "List[SymInt]": "I",
    "List[bool]": "B", "List[float]": "F", "ScalarType": "d", "MemoryFormat": "m", "Layout": "l", "Device": "D", "str": "S",
    "Generator": "G",
}


def rows(text):
    """(line number, macro, name, signature, rest) of each row."""
    for number, line in enumerate(text.splitlines(), 1):
        match = ROW.match(line)
        if match:
            yield number, *match.groups()
        elif re.match(r"^[A-Z]+\(", line):
            yield number, "UNREADABLE", line, "", ""


def letter(type_):
    text = str(type_)
    optional = re.fullmatch(r"Optional\[(.*)\]", text)
    return PLAIN.get(optional.group(1) if optional else text, "-") + ("?" if optional else "")


def schema_signature(schema):
    return "".join(letter(a.real_type if hasattr(a, "real_type") else a.type) for a in schema.arguments if not a.is_out)


def outputs(macro, rest):
    fields = [f.strip() for f in rest.split(",") if f.strip()]
    if macro in ("LOWER", "DRAW", "EFFECT"):
        return int(fields[1])
    return 1 if macro == "POINT" else int(fields[0])


def differences():
    schemas = {s.name[6:] + ("." + s.overload_name if s.overload_name else ""): s
               for s in torch._C._jit_get_all_schemas() if s.name.startswith("aten::")}
    found = list(rows(TABLE.read_text()))
    names = [name for _, _, name, _, _ in found]
    for number, macro, name, signature, rest in found:
        where = f"aten.def:{number}: {name}"
        if macro == "UNREADABLE":
            yield f"{where}: not a row this tool can read"
        elif names.count(name) > 1:
            yield f"{where}: named {names.count(name)} times"
        elif macro == "INTERNAL":
            if not name.startswith("_tp_"):
                yield f"{where}: an internal row's name begins with _tp_"
        elif name not in schemas:
            yield f"{where}: PyTorch has no such overload"
        elif macro != "CPU":
            schema = schemas[name]
            want = schema_signature(schema)
            if signature.translate(STATIC_TWINS) != want:
                yield f"{where}: has {signature}, the schema is {want} ({schema})"
            returns = len(schema.returns) or sum(a.is_write for a in schema.arguments)
            if outputs(macro, rest) != returns:
                yield f"{where}: has {outputs(macro, rest)} outputs, the schema {returns}"
        if macro == "FOREACH":
            target = re.search(r'"([^"]+)"', rest)
            if not target or target.group(1) not in names:
                yield f"{where}: its target is not a row"


def main():
    problems = list(differences())
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
