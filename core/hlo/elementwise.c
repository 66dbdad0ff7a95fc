/* Elementwise builders: operands broadcast like NumPy's first, then agree in shape as the specification wants. */
#include "hlo/node.h"

static hlo_val refuse_dtype(hlo_graph *g, hlo_op op, const tp_type *t) {
    return hlo_refuse(g, op, "the operand's dtype must be one the op is defined for (I1); got %s", HLO_TEXT(t));
}

/* The result's dtype by the op's row. */
static void apply_rule(hlo_op op, tp_type *t) {
    if (hlo_type_rule(op) == HLO_PRED) t->dtype = TP_BOOL;
    if (hlo_type_rule(op) == HLO_REAL_OF) t->dtype = (uint8_t)tp_dtype_real((tp_dtype)t->dtype);
}

hlo_val hlo_un(hlo_graph *g, hlo_op op, hlo_val a) {
    tp_type t = *hlo_type_of(g, a);
    if (hlo_is_none(a)) return HLO_NONE;
    if (hlo_arity(op) != 1 || hlo_type_rule(op) == HLO_GIVEN) return hlo_refuse(g, op, "hlo_un must get a unary op; got %d of %s", (int)op, HLO_TEXT(&t));
    if (!hlo_takes(op, (tp_dtype)t.dtype)) return refuse_dtype(g, op, &t);
    apply_rule(op, &t);
    return hlo_make_one(g, op, 1, &a, 0, NULL, &t);
}

/* The shape |a| and |b| broadcast to, with a's dtype, into |a|. */
static bool merge(tp_type *a, const tp_type *b) {
    tp_type m = {.dtype = a->dtype, .rank = a->rank > b->rank ? a->rank : b->rank};
    for (int i = 1; i <= m.rank; i++) {
        int64_t x = i <= a->rank ? a->dims[a->rank - i] : 1, y = i <= b->rank ? b->dims[b->rank - i] : 1;
        if (x != y && x != 1 && y != 1) return false;
        m.dims[m.rank - i] = x == 1 ? y : x;
    }
    *a = m;
    return true;
}

static bool same_shape(const tp_type *a, const tp_type *b) {
    return a->rank == b->rank && memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) == 0;
}

/* Broadcasts all operands to their common shape, |out_type| with the first one's dtype.  Those in |scalars|, a bit mask,
 * may stay of rank 0.  False if there is an error or a none. */
static bool align(hlo_graph *g, hlo_op op, int n, hlo_val *ops, uint32_t scalars, tp_type *out_type) {
    for (int i = 0; i < n; i++)
        if (hlo_is_none(ops[i])) return false;
    *out_type = *hlo_type_of(g, ops[0]);
    for (int i = 1; i < n; i++)
        if (!merge(out_type, hlo_type_of(g, ops[i]))) {
            hlo_refuse(g, op, "shapes must broadcast to one (C1); got %s and %s", HLO_TEXT(hlo_type_of(g, ops[0])), HLO_TEXT(hlo_type_of(g, ops[i])));
            return false;
        }
    for (int i = 0; i < n; i++) {
        const tp_type *t = hlo_type_of(g, ops[i]);
        if (same_shape(t, out_type) || (t->rank == 0 && (scalars >> i & 1))) continue;
        ops[i] = hlo_broadcast_to(g, ops[i], out_type->rank, out_type->dims);
    }
    return !hlo_failed(g);
}

static bool same_dtype(hlo_graph *g, hlo_op op, hlo_val a, hlo_val b) {
    const tp_type *x = hlo_type_of(g, a), *y = hlo_type_of(g, b);
    if (x->dtype == y->dtype) return true;
    if (!hlo_is_none(a) && !hlo_is_none(b)) hlo_refuse(g, op, "dtypes must agree (C1); got %s and %s", HLO_TEXT(x), HLO_TEXT(y));
    return false;
}

hlo_val hlo_bin(hlo_graph *g, hlo_op op, hlo_val a, hlo_val b) {
    hlo_val ops[2] = {a, b};
    tp_type t;
    if (!same_dtype(g, op, a, b)) return HLO_NONE;
    if (hlo_arity(op) != 2 || hlo_type_rule(op) != HLO_SAME)
        return hlo_refuse(g, op, "hlo_bin must get a binary op; got %d of %s", (int)op, HLO_TEXT(hlo_type_of(g, a)));
    if (hlo_is_none(a)) return HLO_NONE;
    if (!hlo_takes(op, (tp_dtype)hlo_type_of(g, a)->dtype)) return refuse_dtype(g, op, hlo_type_of(g, a));
    if (!align(g, op, 2, ops, 0, &t)) return HLO_NONE;
    return hlo_make_one(g, op, 2, ops, 0, NULL, &t);
}

static hlo_val compare(hlo_graph *g, hlo_dir dir, hlo_val a, hlo_val b, bool total) {
    hlo_val ops[2] = {a, b};
    const int64_t attrs[2] = {dir, total};
    tp_type t;
    if (!same_dtype(g, HLO_COMPARE, a, b) || !align(g, HLO_COMPARE, 2, ops, 0, &t)) return HLO_NONE;
    if (total && !tp_dtype_is_float((tp_dtype)t.dtype))
        return hlo_refuse(g, HLO_COMPARE, "only floats must be compared in total order (C3); got %s", HLO_TEXT(hlo_type_of(g, a)));
    apply_rule(HLO_COMPARE, &t);
    return hlo_make_one(g, HLO_COMPARE, 2, ops, 2, attrs, &t);
}

hlo_val hlo_compare(hlo_graph *g, hlo_dir dir, hlo_val a, hlo_val b) { return compare(g, dir, a, b, false); }
hlo_val hlo_compare_total(hlo_graph *g, hlo_dir dir, hlo_val a, hlo_val b) { return compare(g, dir, a, b, true); }

hlo_val hlo_select(hlo_graph *g, hlo_val pred, hlo_val on_true, hlo_val on_false) {
    hlo_val ops[3] = {on_true, on_false, pred};
    tp_type t;
    if (hlo_is_none(pred) || !same_dtype(g, HLO_SELECT, on_true, on_false)) return HLO_NONE;
    if (hlo_type_of(g, pred)->dtype != TP_BOOL)
        return hlo_refuse(g, HLO_SELECT, "the predicate must be bool (I1); got %s", HLO_TEXT(hlo_type_of(g, pred)));
    if (!align(g, HLO_SELECT, 3, ops, 1u << 2, &t)) return HLO_NONE;
    const hlo_val ordered[3] = {ops[2], ops[0], ops[1]};
    return hlo_make_one(g, HLO_SELECT, 3, ordered, 0, NULL, &t);
}

hlo_val hlo_clamp(hlo_graph *g, hlo_val lo, hlo_val x, hlo_val hi) {
    hlo_val ops[3] = {lo, x, hi};
    tp_type t;
    if (!same_dtype(g, HLO_CLAMP, lo, x) || !same_dtype(g, HLO_CLAMP, x, hi)) return HLO_NONE;
    if (!align(g, HLO_CLAMP, 3, ops, 1u << 0 | 1u << 2, &t)) return HLO_NONE;
    return hlo_make_one(g, HLO_CLAMP, 3, ops, 0, NULL, &t);
}

hlo_val hlo_convert(hlo_graph *g, hlo_val a, tp_dtype dtype) {
    tp_type t = *hlo_type_of(g, a);
    if (hlo_is_none(a) || t.dtype == dtype) return a;
    t.dtype = (uint8_t)dtype;
    return hlo_make_one(g, HLO_CONVERT, 1, &a, 0, NULL, &t);
}

hlo_val hlo_complex(hlo_graph *g, hlo_val re, hlo_val im) {
    hlo_val ops[2] = {re, im};
    tp_type t;
    if (!same_dtype(g, HLO_COMPLEX, re, im) || !align(g, HLO_COMPLEX, 2, ops, 0, &t)) return HLO_NONE;
    if (t.dtype != TP_F32 && t.dtype != TP_F64)
        return hlo_refuse(g, HLO_COMPLEX, "parts must be float32 or float64 (I1); got %s", HLO_TEXT(hlo_type_of(g, re)));
    t.dtype = t.dtype == TP_F32 ? TP_C64 : TP_C128;
    return hlo_make_one(g, HLO_COMPLEX, 2, ops, 0, NULL, &t);
}

hlo_val hlo_bitcast(hlo_graph *g, hlo_val a, tp_dtype dtype) {
    tp_type t = *hlo_type_of(g, a);
    if (hlo_is_none(a) || t.dtype == dtype) return a;
    if (!hlo_takes(HLO_BITCAST, (tp_dtype)t.dtype) || !hlo_takes(HLO_BITCAST, dtype))
        return hlo_refuse(g, HLO_BITCAST, "neither dtype must be bool or complex; got %s to %s", HLO_TEXT(&t), tp_dtype_name(dtype));
    size_t have = tp_dtype_size((tp_dtype)t.dtype), want = tp_dtype_size(dtype);
    if (want < have) {
        if (t.rank == TP_MAX_RANK) return hlo_refuse(g, HLO_BITCAST, "the rank must be below %d; got %s", TP_MAX_RANK, HLO_TEXT(&t));
        t.dims[t.rank++] = (int64_t)(have / want);
    } else if (want > have) {
        if (t.rank == 0 || t.dims[t.rank - 1] != (int64_t)(want / have))
            return hlo_refuse(g, HLO_BITCAST, "the last dimension must be %zu for %s (C1); got %s", want / have, tp_dtype_name(dtype), HLO_TEXT(&t));
        t.rank--;
    }
    t.dtype = (uint8_t)dtype;
    return hlo_make_one(g, HLO_BITCAST, 1, &a, 0, NULL, &t);
}
