"""Every row of the op table, in every form PyTorch has of it, against the CPU."""
import warnings

import pytest
import torch
from torch.utils._pytree import tree_flatten, tree_map

import op_samples
from conftest import DEVICE, is_host, module
from op_samples import Host, overload
from same import TOLERANCE, assert_same, like, outcome

ROWS = op_samples.rows()
RANDOM = {"uniform", "normal.Tensor_Tensor", "normal.Tensor_float", "normal.float_Tensor", "randperm.generator", "normal_functional", "bernoulli.p", "bernoulli", "bernoulli.Tensor", "exponential", "random", "random.to",
          "random.from", "native_dropout", "randperm", "multinomial", "cauchy", "geometric", "log_normal", "rrelu_with_noise_functional"}
TIES = {"topk", "sort", "sort.stable", "mode", "kthvalue"}  # which of two equal elements comes first is not promised
# A transposed result on the CPU, by the way its loop is written; operands in another order; results nobody keeps; contiguous
# results where the CPU keeps channels_last_3d.
STRIDES_FREE = {"nonzero", "threshold_backward", "_fused_adam", "_fused_adam.tensor_lr", "_fused_adamw", "_fused_adamw.tensor_lr",
                "_fused_sgd", "_fused_sgd.tensor_lr", "_foreach_pow.ScalarAndTensor", "upsample_nearest3d"}
REAL_IN_PLACE = {"abs"}  # the CPU refuses abs_ of complex numbers
# Rows whose CPU kernel has another name.
ON_CPU = {
    "convolution_overrideable": torch.ops.aten.convolution.default,
    "convolution_backward_overrideable": lambda g, x, w, *rest: torch.ops.aten.convolution_backward(g, x, w, [g.size(1)], *rest),
}
# The CPU sums the batches of a half-precision addbmm in half precision.
COARSE = {("addbmm", torch.bfloat16): (0.1, 0.1), ("addbmm", torch.float16): (0.1, 0.1)}


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


def tolerance_of(name, value):
    """The rule of the dtype that |value|, the functional result, was computed in."""
    dtype = next((t.dtype for t in tensors_in(value)), None)
    return COARSE.get((name, dtype)) or TOLERANCE.get(dtype)


def compare(name, actual, expected, what, tolerance=None):
    row = name.split(".")[0].rstrip("_")
    if name in RANDOM or row in RANDOM:
        for a, e in zip(tensors_in(actual), tensors_in(expected)):
            assert (a.dtype, a.shape, a.stride()) == (e.dtype, e.shape, e.stride()), f"{what}: {a.dtype} {a.shape} {a.stride()}"
        return
    if name in TIES:
        actual, expected = actual[:1], expected[:1]
    assert_same(actual, expected, strides=name not in STRIDES_FREE, what=what, tolerance=tolerance)


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
    got = run_both(name, lambda device, a, k: (ON_CPU.get(name) if device == "cpu" and name in ON_CPU else overload(name))(*a, **k),
                   args, kwargs, what)
    if got is not None:
        compare(name, *got, what, COARSE.get((name, op_samples.first_dtype(args, kwargs))))
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
        compare(row, *got, what, COARSE.get((row, op_samples.first_dtype(args, kwargs))))


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
    """The given tensors get the functional result, converted, and keep their strides if their shape was right.

    Compared with the functional result and not with the CPU's own out= form: many of the CPU's kernels write a wrong result
    into tensors that are not contiguous, or refuse them."""
    op = overload(form)
    outs = [a for a in op._schema.arguments if a.is_out]
    flat = tensors_in(expected)
    listed = len(outs) == 1 and str(outs[0].type) == "List[Tensor]"
    if not listed and len(outs) != len(flat):
        return
    known = {a.name for a in op._schema.arguments}

    def call(device):
        a, k = placed((args, kwargs), device)
        made = out_tensors(flat, how, device)
        given = {outs[0].name: made} if listed else {o.name: t for o, t in zip(outs, made)}
        op(*a, **{n: v for n, v in k.items() if n in known}, **given)
        return made

    what = f"{describe(form, args, kwargs)} out: {how}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if outcome(lambda: call("cpu"))[1] is not None:
            return
        actual, raised = outcome(lambda: call(DEVICE))
    assert raised is None, f"{what}: raised {type(raised).__name__}: {str(raised)[:600]}"
    if how == "empty":
        right = flat
    else:
        right = [t.copy_(e) for t, e in zip(out_tensors(flat, how, "cpu"), flat)]
    compare(row, actual, right, what, tolerance_of(row, expected))


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


def writes_fit(args, expected):
    """False where the CPU's in-place form would resize its first argument, as a few do where they should refuse."""
    first = next(iter(tensors_in(expected)), None)
    return first is None or not args or not isinstance(args[0], torch.Tensor) or args[0].shape == first.shape


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
        expected = attempt(functional, name, args, kwargs) if has_functional and not name.startswith("_fused_") else None
        fits = writes_fit(args, expected) and not (name in REAL_IN_PLACE and is_complex((args, kwargs)))
        for form in inplace if fits else []:
            attempt(in_place, name, form, args, kwargs)
        if expected is None or name in TIES:
            continue
        hows = ["same"] if tried_outs else ["same", "empty", "permuted", "wider", "slice"]
        for form in outs:
            for how in hows if tried_outs < 1 or op_samples.FULL else []:
                attempt(with_out, name, form, args, kwargs, expected, how)
        tried_outs += 1
    return wrong


def is_complex(call):
    return any(isinstance(v, complex) or (isinstance(v, torch.Tensor) and v.is_complex()) for v in tree_flatten(call)[0])


seen = {}


@pytest.fixture
def real_fallbacks_forbidden():
    """No op on real numbers may run on the host; complex kernels may be missing, and are then counted."""
    seen.clear()
    yield
    if not is_host():
        assert seen == {}, "no op on real numbers may fall back to the host"


@pytest.mark.parametrize("row", ROWS, ids=[r["row"] for r in ROWS])
def test_row(row, samples, real_fallbacks_forbidden):
    calls = sorted(samples_of(row["row"], samples), key=is_complex)
    assert calls, f"{row['row']}: no OpInfo reaches this row: give it samples in op_samples.HAND"
    real = [c for c in calls if not is_complex(c)]
    if not is_host():
        module().fallbacks(reset=True)
    wrong = check_row(row, real)
    seen.update({} if is_host() else module().fallbacks())
    wrong += check_row(row, calls[len(real):])
    assert not wrong, f"{len(wrong)} of {len(calls)} samples:\n" + "\n".join(w[:900] for w in wrong[:4])


def test_every_kind_of_row_exists():
    if is_host():
        return
    kinds = {r["kind"] for r in ROWS}
    assert {"row", "sized", "foreach"} <= kinds and len(ROWS) >= 60
