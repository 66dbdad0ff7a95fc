"""Arguments for each row of the op table.

Most are harvested: PyTorch's own OpInfo samples run on the CPU, forward and backward, and every ATen overload they reach is
noted with its arguments.  Lists of tensors, optimisers and what no OpInfo reaches have samples here."""
import hashlib
import itertools
import os
import pickle
import random
import re
import warnings

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map_only

from conftest import is_host

FULL = any(os.environ.get(name, "0") not in ("", "0") for name in ("TORCH_PJRT_TEST_FULL", "TORCH_PJRT_NIGHTLY"))
PER_OP = 12 if FULL else 5           # samples of an OpInfo that are run, per dtype
PER_ROW = {torch.float32: 8 if FULL else 3}  # distinct samples kept of a row, per dtype
PER_ROW_OTHER = 4 if FULL else 1
DTYPES = [torch.float32, torch.bfloat16, torch.int64, torch.bool, torch.complex64]
if FULL:
    DTYPES += [torch.float64, torch.float16, torch.uint8, torch.int32]
SKIPPED = ("linalg.l", "linalg.s", "linalg.i", "linalg.e", "linalg.c", "linalg.p", "linalg.h", "special.", "fft.", "signal.", "masked.",
           "_refs", "torch.ops", "svd", "pca_lowrank", "jiterator", "sparse", "to_sparse", "nn.functional.multi_head")  # reach no more rows
UNPICKLED = {torch.uint16, torch.uint32, torch.uint64}
MAX_NUMEL = 20_000


class Host:
    """A tensor argument that stays on the CPU."""

    def __init__(self, tensor):
        self.tensor = tensor


def rows():
    """[{row, kind, forms}] of the table; read from its text where the tests run against the CPU."""
    if not is_host():
        import torch_pjrt
        return [r for r in torch_pjrt._C.ops() if r["kind"] not in ("internal", "cpu")]
    path = os.path.join(os.path.dirname(__file__), "../../core/aten/aten.def")
    names = re.findall(r'^(?:LOWER|POINT|SIZED|FOREACH)\("([^"]+)"', open(path).read(), re.M)
    return [{"row": n, "kind": "row", "forms": [n]} for n in names]


def overload(name):
    base, _, kind = name.partition(".")
    return getattr(getattr(torch.ops.aten, base), kind or "default")


def frozen(value):
    """A copy of a recorded argument that later writes do not reach."""
    def copy(t):
        t = t.detach().resolve_conj().resolve_neg()
        return torch.empty(0, dtype=t.dtype).set_(t.untyped_storage().clone(), t.storage_offset(), t.shape, t.stride())
    return tree_map_only(torch.Tensor, copy, value)


def signature(args, kwargs):
    leaves, spec = tree_flatten((args, kwargs))
    return str(spec), tuple((t.dtype, t.shape, t.stride()) if isinstance(t, torch.Tensor) else repr(t) for t in leaves)


def first_dtype(args, kwargs):
    for leaf in tree_flatten((args, kwargs))[0]:
        if isinstance(leaf, torch.Tensor):
            return leaf.dtype
    return torch.float32


class Harvest(TorchDispatchMode):
    """Notes the arguments of every call of a known form."""

    def __init__(self, row_of):
        super().__init__()
        self.row_of, self.samples, self.seen, self.hits = row_of, {}, set(), 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = func._schema.name.removeprefix("aten::") + ("." + func._overloadname if func._overloadname != "default" else "")
        row = self.row_of.get(name)
        if row is not None:
            self.hits += 1
            self.note(row, args, {k: v for k, v in kwargs.items() if not func_out(func, k)})
        return func(*args, **kwargs)

    def note(self, row, args, kwargs):
        dtype = first_dtype(args, kwargs)
        kept = self.samples.setdefault(row, {}).setdefault(dtype, [])
        key = (row, signature(args, kwargs))
        limit = PER_ROW.get(dtype, PER_ROW_OTHER)
        tensors = [t for t in tree_flatten((args, kwargs))[0] if isinstance(t, torch.Tensor)]
        if (len(kept) >= limit or key in self.seen or any(t.layout is not torch.strided or t.numel() > MAX_NUMEL for t in tensors)):
            return
        self.seen.add(key)
        sample = frozen(args), frozen(kwargs)
        if all(type(t) is torch.Tensor and t.dtype not in UNPICKLED for t in tensors):
            kept.append(sample)


def func_out(func, name):
    return any(a.name == name and a.is_out for a in func._schema.arguments)


def run_sample(op, sample, dtype):
    result = op(sample.input, *sample.args, **sample.kwargs)
    if not op.supports_autograd or not (dtype.is_floating_point or dtype.is_complex):
        return
    wanted = [t for t in tree_flatten(result)[0] if isinstance(t, torch.Tensor) and t.requires_grad]
    if wanted:
        torch.autograd.backward(wanted, [torch.ones_like(t) for t in wanted])


def chosen_samples(op, dtype, chosen):
    """A few of the OpInfo's samples: the first, and some of those that follow."""
    torch.manual_seed(0)
    try:
        made = op.sample_inputs("cpu", dtype, requires_grad=op.supports_autograd and dtype.is_floating_point)
        few = list(itertools.islice(made, 4 * PER_OP))
    except Exception:  # noqa: BLE001 - some OpInfos need what this machine lacks
        return []
    return few[:1] + chosen.sample(few[1:], min(PER_OP, max(len(few) - 1, 0)))


def harvest(row_of):
    """{row: {dtype: [(args, kwargs)]}}"""
    from torch.testing._internal.common_methods_invocations import op_db
    chosen = random.Random(0)
    mode = Harvest(row_of)
    for op in op_db:
        if op.name.startswith(SKIPPED):
            continue
        supported = [d for d in DTYPES if d in op.supported_dtypes("cpu")]
        before = mode.hits
        for dtype in supported:
            if dtype != supported[0] and mode.hits == before:
                break  # it reaches no row
            for sample in chosen_samples(op, dtype, chosen):
                try:
                    with warnings.catch_warnings(), mode:
                        warnings.simplefilter("ignore")
                        run_sample(op, sample, dtype)
                except Exception:  # noqa: BLE001 - whatever was reached before is noted
                    pass
    return mode.samples


def harvested(row_of, folder):
    """harvest(row_of), kept in |folder| from one run to the next."""
    key = repr((sorted(row_of.items()), torch.__version__, FULL, open(__file__).read()))
    path = os.path.join(folder, hashlib.sha256(key.encode()).hexdigest()[:32] + ".pt")
    if os.path.exists(path):
        with open(path, "rb") as file:
            return pickle.load(file)
    samples = harvest(row_of)
    fresh = f"{path}.{os.getpid()}"
    with open(fresh, "wb") as file:
        pickle.dump(samples, file)
    os.replace(fresh, path)
    return samples


# ---- hand-written samples

def tensors(dtype=torch.float32, offset=1.0):
    """A list as an optimiser would have it: several ranks, one not contiguous."""
    return [torch.arange(3).to(dtype) + offset, (torch.arange(6).to(dtype) + offset).view(3, 2).t(), torch.tensor(offset).to(dtype)]


def from_schema(name):
    """Arguments for an op on lists, made from its schema."""
    args, kwargs = [], {}
    for a in overload(name)._schema.arguments:
        if a.is_out:
            continue
        kind = str(a.type)
        if a.has_default_value() and a.name not in ("alpha",):
            continue
        if kind == "List[Tensor]":
            value = tensors(offset=1.0 + len(args))
        elif kind == "List[number]":
            value = [1.5, 2.0, 0.5]
        elif kind in ("number", "float"):
            value = 2
        elif kind == "Tensor":
            value = Host(torch.tensor([1.5, 2.0, 0.5])) if a.name == "scalars" else torch.tensor(1.5)
        else:
            raise NotImplementedError(f"{name}: no sample for {a}")
        if a.kwarg_only:
            kwargs[a.name] = value
        else:
            args.append(value)
    return tuple(args), kwargs


def fused(name):
    """Arguments of a fused optimiser, with and without its optional parts."""
    schema = overload(name)._schema
    made = []
    for full in (False, True):
        args, kwargs = [], {}
        for a in schema.arguments:
            if a.is_out:
                continue
            kind = str(a.type)
            numbers = {"lr": 0.01, "beta1": 0.9, "beta2": 0.99, "weight_decay": 0.1, "eps": 1e-8, "momentum": 0.9, "dampening": 0.1}
            if a.name == "state_steps":
                value = [torch.tensor(3.0) for _ in range(3)]
            elif a.name == "max_exp_avg_sqs":
                value = tensors(offset=0.5) if full else []
            elif kind == "List[Tensor]":
                value = tensors(offset=0.25 * (1 + len(args)))
            elif kind == "Tensor":
                value = torch.tensor(0.01)
            elif kind == "float":
                value = numbers[a.name]
            elif kind == "bool":
                value = full and a.name != "is_first_step"
            else:
                continue
            (kwargs.__setitem__(a.name, value) if a.kwarg_only else args.append(value))
        made.append((tuple(args), kwargs))
    return made


def f(*sizes):
    return torch.linspace(-2, 3, max(torch.Size(sizes).numel(), 1)).reshape(sizes) if 0 not in sizes else torch.empty(sizes)


def half_open(*sizes):
    return f(*sizes).sigmoid()


I2 = torch.tensor([0, 2])
HAND = {
    "uniform": [((f(3, 4), -1.0, 2.0), {}), ((f(2, 3).t(),), {})],
    "normal_functional": [((f(3, 4), 1.0, 2.0), {})],
    "bernoulli.p": [((f(3, 4), 0.25), {})],
    "bernoulli": [((half_open(3, 4),), {})],
    "exponential": [((f(3, 4), 2.0), {})],
    "random": [((torch.zeros(3, 4, dtype=torch.int64),), {}), ((f(3),), {})],
    "random.to": [((torch.zeros(3, 4, dtype=torch.int64), 9), {})],
    "random.from": [((torch.zeros(3, 4, dtype=torch.int64), -5, 9), {})],
    "native_dropout": [((f(3, 4), 0.25, True), {}), ((f(3, 4), 0.25, False), {})],
    "native_dropout_backward": [((f(3, 4), f(3, 4) > 0, 1.5), {})],
    "threshold_backward": [((f(3, 4), f(3, 4).t().contiguous().t(), 0), {}), ((f(3, 4), f(3, 4), 0.5), {})],
    "fill.Scalar": [((f(3, 4), 2), {}), ((f(3, 4).t(), 2.5), {}), ((I2, True), {})],
    "fill.Tensor": [((f(3, 4), torch.tensor(2.5)), {})],
    "zero": [((f(3, 4),), {}), ((I2,), {})],
    "embedding": [((f(5, 3), torch.tensor([[0, 4], [1, 1]])), {}), ((f(5, 3), torch.tensor(2)), {})],
    "embedding_dense_backward": [((f(2, 2, 3), torch.tensor([[0, 4], [1, 1]]), 5, -1, False), {}),
                                 ((f(2, 2, 3), torch.tensor([[0, 4], [1, 1]]), 5, 1, True), {})],
    "_index_put_impl_": [((f(5, 3), [I2], f(2, 3)), {}), ((f(5, 3), [None, I2], f(2), True), {})],
    "_index_put_impl": [((f(5, 3), [I2], f(2, 3)), {})],
    "_unsafe_index_put": [((f(5, 3), [I2], f(2, 3)), {})],
    "_unsafe_index.Tensor": [((f(5, 3), [I2]), {})],
    "dot": [((f(4), f(4)), {}), ((f(0), f(0)), {})],
    "eye": [((3,), {})],
    "rsub.Scalar": [((f(3, 4), 2.5), {}), ((f(3, 4), 2, 3), {})],
    "_amp_foreach_non_finite_check_and_unscale": [((tensors(), torch.tensor(0.0), torch.tensor(0.5)), {})],
    "_amp_update_scale": [((torch.tensor(4.0), torch.tensor(1, dtype=torch.int32), torch.tensor(0.0), 2.0, 0.5, 2), {})],
    "__lshift__.Scalar": [((I2, 2), {})],
    "__lshift__.Tensor": [((I2, torch.tensor([1, 3])), {})],
    "__rshift__.Scalar": [((I2 * 40, 2), {})],
    "__rshift__.Tensor": [((I2 * 40, torch.tensor([1, 3])), {})],
    "bitwise_left_shift.Tensor_Scalar": [((I2, 2), {})],
    "bitwise_right_shift.Tensor_Scalar": [((I2 * 40, 2), {})],
    "bitwise_left_shift.Scalar_Tensor": [((2, I2), {})],
    "bitwise_right_shift.Scalar_Tensor": [((40, I2), {})],
    "clamp_max": [((f(3, 4), 1), {}), ((I2, 1), {})],
    "clamp_min": [((f(3, 4), 1), {}), ((I2, 1), {})],
    "div.Scalar_mode": [((f(3, 4), 2), {"rounding_mode": "floor"}), ((I2, 2), {"rounding_mode": "trunc"})],
    "floor_divide.Scalar": [((f(3, 4), 2), {}), ((I2, 2), {})],
    "_addmm_activation": [((f(4), f(3, 2), f(2, 4)), {}), ((f(4), f(3, 2), f(2, 4)), {"use_gelu": True})],
    "_native_batch_norm_legit.no_stats": [((f(4, 3, 2), f(3), f(3), True, 0.1, 1e-5), {})],
    "_native_batch_norm_legit_functional": [((f(4, 3, 2), f(3), f(3), f(3), half_open(3), True, 0.1, 1e-5), {}),
                                            ((f(4, 3, 2), f(3), f(3), f(3), half_open(3), False, 0.1, 1e-5), {})],
    "_native_batch_norm_legit_no_training": [((f(4, 3, 2), f(3), f(3), f(3), half_open(3), 0.1, 1e-5), {})],
    "norm.Scalar": [((f(3, 4),), {}), ((f(3, 4), 1), {})],
    "norm.ScalarOpt_dtype": [((f(3, 4), 2), {"dtype": torch.float64})],
    "norm.ScalarOpt_dim": [((f(3, 4), 2, [1]), {}), ((f(3, 4), 1, [0], True), {})],
    "norm.ScalarOpt_dim_dtype": [((f(3, 4), 2, [1], False), {"dtype": torch.float64})],
    "bernoulli.Tensor": [((f(3, 4), half_open(3, 4)), {})],
    "normal.float_Tensor": [((1.5, half_open(3, 4)), {})],
    "randperm.generator": [((7,), {"generator": None})],
    "scatter.value_reduce": [((f(3, 4), 1, torch.tensor([[0, 1], [2, 2], [3, 0]]), 2.0), {"reduce": "add"}),
                             ((f(3, 4), 1, torch.tensor([[0, 1], [2, 2], [3, 0]]), 2.0), {"reduce": "multiply"})],
    "convolution_overrideable": [((f(2, 4, 5, 6), f(6, 4, 3, 2), f(6), [2, 1], [1, 0], [1, 2], False, [0, 0], 1), {}),
                                 ((f(2, 4, 5), f(6, 2, 3), None, [1], [1], [1], False, [0], 2), {}),
                                 ((f(2, 4, 5, 6), f(4, 3, 3, 2), f(3), [2, 1], [1, 0], [1, 1], True, [1, 0], 1), {})],
    "convolution_backward_overrideable": [
        ((f(2, 6, 3, 4), f(2, 4, 5, 6), f(6, 4, 3, 2), [2, 1], [1, 0], [1, 2], False, [0, 0], 1, [True, True, True]), {}),
        ((f(2, 6, 5), f(2, 4, 5), f(6, 2, 3), [1], [1], [1], False, [0], 2, [True, True, True]), {})],
    "_conj_physical": [((torch.complex(f(3, 4), f(3, 4)),), {})],
    "_to_copy": [((f(3, 4),), {"dtype": torch.int64})],
}


def by_hand(name):
    if name in HAND:
        return HAND[name]
    if name.startswith("_fused_"):
        return fused(name)
    if name.startswith("_foreach_"):
        return [from_schema(name)]
    return []


def from_binary_neighbour(name, samples):
    """The Scalar overloads of a binary op that PyTorch reaches from C++ only, from samples of the Tensor overload."""
    base, _, kind = name.partition(".")
    schema = overload(name)._schema.arguments
    if kind.startswith("Scalar") and len([a for a in schema if not a.has_default_value()]) == 2:
        numbers = [str(a.type) == "number" for a in schema[:2]]
        made = []
        for dtype, calls in samples.get(base + ".Tensor", samples.get(base + ".self", {})).items():
            for args, _ in calls[:2]:
                t = next((a for a in args if isinstance(a, torch.Tensor)), None)
                if t is not None and not dtype.is_complex:
                    made.append(((2, t) if numbers[0] else (t, 2), {}))
        return made
    return []
