/* Elementwise builders: operands broadcast like NumPy, then agree in shape and dtype. */
#include "hlo/node.h"

static hlo_val simple(hlo_graph *g, hlo_op op, uint32_t n, const hlo_val *ops, const tp_type *type) {
    return hlo_make(g, &(hlo_draft){.op = op, .nops = n, .ops = ops, .nresults = 1, .types = type});
}

hlo_val hlo_un(hlo_graph *g, hlo_op op, hlo_val a) {
    if (hlo_is_none(a)) return HLO_NONE;
    tp_type t = *hlo_type_of(g, a);
    if (op == HLO_ISFINITE) t.dtype = TP_BOOL;
    if (op == HLO_ABS || op == HLO_REAL || op == HLO_IMAG) t.dtype = (uint8_t)tp_dtype_real((tp_dtype)t.dtype);
    return simple(g, op, 1, &a, &t);
}

/* The common shape of |n| operands; none is none. */
static bool common_shape(hlo_graph *g, hlo_op op, int n, const hlo_val *ops, tp_type *out) {
    *out = *hlo_type_of(g, ops[0]);
    for (int i = 1; i < n; i++) {
        const tp_type *t = hlo_type_of(g, ops[i]);
        tp_type merged = {.dtype = out->dtype, .rank = out->rank > t->rank ? out->rank : t->rank};
        for (int k = 1; k <= merged.rank; k++) {
            int64_t x = k <= out->rank ? out->dims[out->rank - k] : 1, y = k <= t->rank ? t->dims[t->rank - k] : 1;
            if (x != y && x != 1 && y != 1) {
                hlo_refuse(g, op, "shapes must broadcast; got %s and %s", TYPE_TEXT(out), TYPE_TEXT(t));
                return false;
            }
            merged.dims[merged.rank - k] = x == 1 ? y : x;
        }
        *out = merged;
    }
    return true;
}

static bool align(hlo_graph *g, hlo_op op, int n, hlo_val *ops, tp_type *out) {
    for (int i = 0; i < n; i++)
        if (hlo_is_none(ops[i])) return false;
    if (!common_shape(g, op, n, ops, out)) return false;
    for (int i = 0; i < n; i++) ops[i] = hlo_broadcast_to(g, ops[i], out->rank, out->dims);
    return !g->error;
}

static bool same_dtype(hlo_graph *g, hlo_op op, hlo_val a, hlo_val b) {
    const tp_type *x = hlo_type_of(g, a), *y = hlo_type_of(g, b);
    if (x->dtype == y->dtype) return true;
    hlo_refuse(g, op, "dtypes must agree (C1); got %s and %s", TYPE_TEXT(x), TYPE_TEXT(y));
    return false;
}

hlo_val hlo_bin(hlo_graph *g, hlo_op op, hlo_val a, hlo_val b) {
    hlo_val ops[2] = {a, b};
    tp_type t;
    if (!align(g, op, 2, ops, &t) || !same_dtype(g, op, a, b)) return HLO_NONE;
    return simple(g, op, 2, ops, &t);
}

static hlo_val compare(hlo_graph *g, hlo_dir dir, hlo_val a, hlo_val b, bool total) {
    hlo_val ops[2] = {a, b};
    tp_type t;
    if (!align(g, HLO_COMPARE, 2, ops, &t) || !same_dtype(g, HLO_COMPARE, a, b)) return HLO_NONE;
    t.dtype = TP_BOOL;
    const int64_t attrs[2] = {dir, total};
    return hlo_make(g, &(hlo_draft){.op = HLO_COMPARE, .nops = 2, .ops = ops, .nattrs = 2, .attrs = attrs, .nresults = 1, .types = &t});
}

hlo_val hlo_compare(hlo_graph *g, hlo_dir dir, hlo_val a, hlo_val b) { return compare(g, dir, a, b, false); }
hlo_val hlo_compare_total(hlo_graph *g, hlo_dir dir, hlo_val a, hlo_val b) { return compare(g, dir, a, b, true); }

hlo_val hlo_select(hlo_graph *g, hlo_val pred, hlo_val on_true, hlo_val on_false) {
    hlo_val ops[3] = {pred, on_true, on_false};
    tp_type t;
    if (!align(g, HLO_SELECT, 3, ops, &t) || !same_dtype(g, HLO_SELECT, on_true, on_false)) return HLO_NONE;
    if (hlo_type_of(g, pred)->dtype != TP_BOOL)
        return hlo_refuse(g, HLO_SELECT, "the predicate must be bool; got %s", TYPE_TEXT(hlo_type_of(g, pred)));
    t.dtype = hlo_type_of(g, on_true)->dtype;
    return simple(g, HLO_SELECT, 3, ops, &t);
}

hlo_val hlo_clamp(hlo_graph *g, hlo_val lo, hlo_val x, hlo_val hi) {
    hlo_val ops[3] = {lo, x, hi};
    tp_type t;
    if (!align(g, HLO_CLAMP, 3, ops, &t) || !same_dtype(g, HLO_CLAMP, lo, x) || !same_dtype(g, HLO_CLAMP, x, hi)) return HLO_NONE;
    return simple(g, HLO_CLAMP, 3, ops, &t);
}

hlo_val hlo_convert(hlo_graph *g, hlo_val a, tp_dtype dtype) {
    tp_type t = *hlo_type_of(g, a);
    if (hlo_is_none(a) || t.dtype == dtype) return a;
    t.dtype = (uint8_t)dtype;
    return simple(g, HLO_CONVERT, 1, &a, &t);
}

hlo_val hlo_complex(hlo_graph *g, hlo_val re, hlo_val im) {
    hlo_val ops[2] = {re, im};
    tp_type t;
    if (!align(g, HLO_COMPLEX, 2, ops, &t) || !same_dtype(g, HLO_COMPLEX, re, im)) return HLO_NONE;
    if (t.dtype != TP_F32 && t.dtype != TP_F64) return hlo_refuse(g, HLO_COMPLEX, "parts must be float32 or float64; got %s", TYPE_TEXT(&t));
    t.dtype = t.dtype == TP_F32 ? TP_C64 : TP_C128;
    return simple(g, HLO_COMPLEX, 2, ops, &t);
}

hlo_val hlo_bitcast(hlo_graph *g, hlo_val a, tp_dtype dtype) {
    if (hlo_is_none(a)) return a;
    tp_type t = *hlo_type_of(g, a);
    tp_class from = tp_dtype_class((tp_dtype)t.dtype), to = tp_dtype_class(dtype);
    if (t.dtype == dtype) return a;
    if (from == TP_CLASS_BOOL || from == TP_CLASS_COMPLEX || to == TP_CLASS_BOOL || to == TP_CLASS_COMPLEX)
        return hlo_refuse(g, HLO_BITCAST, "bool and complex have no bits here; got %s to %s", TYPE_TEXT(&t), tp_dtype_name(dtype));
    size_t have = tp_dtype_size((tp_dtype)t.dtype), want = tp_dtype_size(dtype);
    if (want < have) {
        if (t.rank == TP_MAX_RANK) return hlo_refuse(g, HLO_BITCAST, "rank must be below %d; got %s", TP_MAX_RANK, TYPE_TEXT(&t));
        t.dims[t.rank++] = (int64_t)(have / want);
    } else if (want > have) {
        if (!t.rank || t.dims[t.rank - 1] != (int64_t)(want / have))
            return hlo_refuse(g, HLO_BITCAST, "the last dimension must be %zu (C1); got %s", want / have, TYPE_TEXT(&t));
        t.rank--;
    }
    t.dtype = (uint8_t)dtype;
    return simple(g, HLO_BITCAST, 1, &a, &t);
}
