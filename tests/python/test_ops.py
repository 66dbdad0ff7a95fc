"""Every row of the op table, in every form PyTorch has of it, against the CPU."""
import warnings

import pytest
import torch
from torch.utils._pytree import tree_flatten, tree_map

import op_samples
from conftest import DEVICE, is_host
from op_samples import Host, overload
from same import assert_same, like, outcome

ROWS = op_samples.rows()
RANDOM = {"uniform", "normal_functional", "bernoulli.p", "bernoulli", "bernoulli.Tensor", "exponential", "random", "random.to",
          "random.from", "native_dropout", "randperm", "multinomial", "cauchy", "geometric", "log_normal", "rrelu_with_noise_functional"}
TIES = {"topk", "sort", "sort.stable", "mode", "kthvalue"}  # which of two equal elements comes first is not promised
STRIDES_FREE = {}


@pytest.fixture(scope="module")
def samples(request):
    row_of = {form: r["row"] for r in ROWS for form in [r["row"], *r["forms"]]}
    return op_samples.harvested(row_of, request.config.cache.mkdir("op_samples"))


def samples_of(name, harvested):
    calls = list(op_samples.by_hand(name))
    for kept in harvested.get(name, {}).values():
        calls += kept
    return calls or op_samples.from_binary_neighbour(name, harvested)


def placed(value, device):
    """|value| with its tensors copied to |device|."""
    def place(leaf):
        if isinstance(leaf, Host):
            return leaf.tensor.clone()
        if isinstance(leaf, torch.Tensor):
            return like(leaf, device)
        return torch.device(device) if isinstance(leaf, torch.device) else leaf
    return tree_map(place, value)


def describe(name, args, kwargs):
    def short(leaf):
        if isinstance(leaf, torch.Tensor):
            return f"{str(leaf.dtype).removeprefix('torch.')}{list(leaf.shape)}" + ("" if leaf.is_contiguous() else f"~{leaf.stride()}")
        return "host scalars" if isinstance(leaf, Host) else repr(leaf)
    leaves = [short(v) for v in tree_flatten((args, kwargs))[0]]
    return f"{name}({', '.join(leaves)})"


def tensors_in(value):
    return [t for t in tree_flatten(value)[0] if isinstance(t, torch.Tensor)]


def compare(name, actual, expected, what):
    row = name.split(".")[0].rstrip("_")
    if name in RANDOM or row in RANDOM:
        for a, e in zip(tensors_in(actual), tensors_in(expected)):
            assert (a.dtype, a.shape, a.stride()) == (e.dtype, e.shape, e.stride()), f"{what}: {a.dtype} {a.shape} {a.stride()}"
        return
    if name in TIES:
        actual, expected = actual[:1], expected[:1]
    assert_same(actual, expected, strides=name not in STRIDES_FREE, what=what)


def run_both(name, call, args, kwargs, what):
    """Results of call(args, kwargs) on CPU and device, or None where both raise alike."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected, error = outcome(lambda: call("cpu", *placed((args, kwargs), "cpu")))
        if isinstance(error, NotImplementedError) or (error is not None and "not implemented for" in str(error)):
            return None  # the CPU has no kernel for the dtype: there is nothing to compare with
        actual, raised = outcome(lambda: call(DEVICE, *placed((args, kwargs), DEVICE)))
    if error is not None:
        assert raised is not None, f"{what}: must raise {type(error).__name__}: {error}"
        assert isinstance(raised, type(error)), f"{what}: must raise {type(error).__name__}: {error}; raised {raised!r}"
        return None
    assert raised is None, f"{what}: raised {type(raised).__name__}: {str(raised)[:600]}"
    return actual, expected


def functional(name, args, kwargs):
    what = describe(name, args, kwargs)
    got = run_both(name, lambda device, a, k: overload(name)(*a, **k), args, kwargs, what)
    if got is not None:
        compare(name, *got, what)
    return got[1] if got is not None else None


def in_place(row, form, args, kwargs):
    """The form's result is its written arguments, and nothing else changes."""
    op = overload(form)
    written = [i for i, a in enumerate(op._schema.arguments) if a.alias_info is not None and a.alias_info.is_write]

    def call(device, a, k):
        a = list(a)
        names = [x.name for x in op._schema.arguments]
        op(*a, **{n: v for n, v in k.items() if n in names})
        return [a[i] if i < len(a) else k[names[i]] for i in written]

    what = describe(form, args, kwargs)
    got = run_both(row, call, args, kwargs, what)
    if got is not None:
        compare(row, *got, what)


def out_tensors(expected, how, device):
    if how == "empty":
        return [torch.empty(0, dtype=e.dtype, device=device) for e in expected]
    if how == "permuted":
        return [torch.empty(tuple(reversed(e.shape)), dtype=e.dtype, device=device).permute(*range(e.dim() - 1, -1, -1)) for e in expected]
    if how == "wider":
        return [torch.empty(e.shape, dtype=torch.complex128 if e.is_complex() else torch.float64, device=device) for e in expected]
    if how == "slice":
        return [torch.zeros(*e.shape[:-1], 2 * e.shape[-1], dtype=e.dtype, device=device)[..., ::2] if e.dim() else torch.zeros(2, dtype=e.dtype, device=device)[1] for e in expected]
    return [torch.empty(e.shape, dtype=e.dtype, device=device) for e in expected]


def with_out(row, form, args, kwargs, expected, how):
    op = overload(form)
    outs = [a for a in op._schema.arguments if a.is_out]
    flat = tensors_in(expected)
    listed = len(outs) == 1 and str(outs[0].type) == "List[Tensor]"
    if not listed and len(outs) != len(flat):
        return
    known = {a.name for a in op._schema.arguments}

    def call(device, a, k):
        made = out_tensors(flat, how, device)
        given = {outs[0].name: made} if listed else {o.name: t for o, t in zip(outs, made)}
        op(*a, **{n: v for n, v in k.items() if n in known}, **given)
        return made

    what = f"{describe(form, args, kwargs)} out: {how}"
    got = run_both(row, call, args, kwargs, what)
    if got is not None:
        compare(row, *got, what)


def forms_of(row):
    """(in-place forms, out= forms)"""
    inplace, out = [], []
    for form in row["forms"]:
        schema = overload(form)._schema
        if any(a.is_out for a in schema.arguments):
            out.append(form)
        elif any(a.alias_info is not None and a.alias_info.is_write for a in schema.arguments):
            inplace.append(form)
    return inplace, out


def check_row(row, calls):
    """Messages of what differs."""
    wrong = []

    def attempt(f, *args):
        try:
            return f(*args)
        except AssertionError as e:
            wrong.append(str(e))
            return None

    name = row["row"]
    inplace, outs = forms_of(row)
    has_functional = name in row["forms"] or is_host()
    tried_outs = 0
    for args, kwargs in calls:
        expected = attempt(functional, name, args, kwargs) if has_functional else None
        for form in inplace:
            attempt(in_place, name, form, args, kwargs)
        if expected is None or name in TIES:
            continue
        hows = ["same"] if tried_outs else ["same", "empty", "permuted", "wider", "slice"]
        for form in outs:
            for how in hows if tried_outs < 3 or op_samples.FULL else []:
                attempt(with_out, name, form, args, kwargs, expected, how)
        tried_outs += 1
    return wrong


@pytest.mark.parametrize("row", ROWS, ids=[r["row"] for r in ROWS])
def test_row(row, samples, fallbacks_forbidden):
    calls = samples_of(row["row"], samples)
    assert calls, f"{row['row']}: no OpInfo reaches this row: give it samples in op_samples.HAND"
    wrong = check_row(row, calls)
    assert not wrong, f"{len(wrong)} of {len(calls)} samples:\n" + "\n".join(w[:900] for w in wrong[:4])


def test_every_kind_of_row_exists():
    if is_host():
        return
    kinds = {r["kind"] for r in ROWS}
    assert {"row", "sized", "foreach"} <= kinds and len(ROWS) >= 60
