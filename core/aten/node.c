/* Nodes that lowerings build often: conversions, selections, constants, reductions over a mask of dimensions. */
#include "aten/lower.h"

#include <math.h>

const tp_type *type_of(const low *l, hlo_val a) { return hlo_type_of(l->g, a); }
tp_dtype dt(const low *l, hlo_val a) { return (tp_dtype)type_of(l, a)->dtype; }
int rank_of(const low *l, hlo_val a) { return type_of(l, a)->rank; }
int64_t size_of(const low *l, hlo_val a, int d) { return d >= 0 && d < rank_of(l, a) ? type_of(l, a)->dims[d] : 1; }
int64_t numel_of(const low *l, hlo_val a) { return tp_type_numel(type_of(l, a)); }

/* ---- conversion */
static hlo_val to_bool(low *l, hlo_val a) {
    if (!tp_dtype_is_complex(dt(l, a))) return cmp(l, HLO_NE, a, konst_like(l, a, 0));
    return bin(l, HLO_OR, to_bool(l, un(l, HLO_REAL, a)), to_bool(l, un(l, HLO_IMAG, a)));
}

static hlo_val float_to_int(low *l, hlo_val a, tp_dtype dtype) {
    hlo_graph *g = l->g;
    size_t bytes = tp_dtype_size(dtype);
    if (bytes < 4) return hlo_convert(g, hlo_convert(g, a, TP_I32), dtype); /* as on x86: out of range wraps */
    if (dtype == TP_U32) return hlo_convert(g, hlo_convert(g, a, TP_I64), dtype);
    if (dtype != TP_U64) return hlo_convert(g, a, dtype);
    return sel(l, cmp(l, HLO_LT, a, konst_like(l, a, 0)), hlo_convert(g, hlo_convert(g, a, TP_I64), dtype), hlo_convert(g, a, dtype));
}

hlo_val cast(low *l, hlo_val a, tp_dtype dtype) {
    tp_dtype from = dt(l, a);
    if (from == dtype || hlo_is_none(a)) return a;
    if (dtype == TP_BOOL) return to_bool(l, a);
    if (tp_dtype_is_complex(from) && !tp_dtype_is_complex(dtype)) return cast(l, un(l, HLO_REAL, a), dtype);
    if (tp_dtype_is_float(from) && tp_dtype_is_int(dtype)) return float_to_int(l, a, dtype);
    if (opmath(dtype) != dtype && from != TP_F32 && from != TP_BOOL) a = hlo_convert(l->g, a, TP_F32);
    if (tp_dtype_is_complex(dtype) && !tp_dtype_is_complex(from)) {
        hlo_val re = cast(l, a, tp_dtype_real(dtype));
        return hlo_complex(l->g, re, bcast_as(l, konst_like(l, re, 0), re));
    }
    return hlo_convert(l->g, a, dtype);
}

/* ---- constants */
hlo_val konst(low *l, tp_dtype dtype, double value) {
    if (dtype == TP_BOOL || tp_dtype_is_int(dtype)) return hlo_const_int(l->g, dtype, (int64_t)value);
    return hlo_const_float(l->g, dtype, value);
}

hlo_val konst_like(low *l, hlo_val a, double value) { return konst(l, dt(l, a), value); }

hlo_val full(low *l, tp_dtype dtype, int rank, const int64_t *sizes, double value) {
    return bcast(l, konst(l, dtype, value), rank, sizes);
}

double lowest(tp_dtype t) {
    if (tp_dtype_class(t) == TP_CLASS_SINT) return -ldexp(1, (int)tp_dtype_size(t) * 8 - 1);
    return tp_dtype_is_float(t) ? -INFINITY : 0;
}

double highest(tp_dtype t) {
    int bits = (int)tp_dtype_size(t) * 8;
    if (tp_dtype_class(t) == TP_CLASS_SINT) return ldexp(1, bits - 1) - 1;
    if (tp_dtype_class(t) == TP_CLASS_UINT) return ldexp(1, bits) - 1;
    return tp_dtype_is_float(t) ? INFINITY : 1;
}

hlo_val konst_lowest(low *l, tp_dtype t) { return t == TP_I64 ? hlo_const_int(l->g, t, INT64_MIN) : konst(l, t, lowest(t)); }

hlo_val konst_highest(low *l, tp_dtype t) {
    if (t == TP_U64) return hlo_const_int(l->g, t, -1);
    return t == TP_I64 ? hlo_const_int(l->g, t, INT64_MAX) : konst(l, t, highest(t));
}

/* ---- shapes */
hlo_val bcast(low *l, hlo_val a, int rank, const int64_t *sizes) { return hlo_broadcast_to(l->g, a, rank, sizes); }

hlo_val bcast_as(low *l, hlo_val a, hlo_val like) {
    tp_type t = *type_of(l, like);
    return bcast(l, a, t.rank, t.dims);
}

hlo_val iota(low *l, tp_dtype dtype, hlo_val like, int d) {
    tp_type t = *type_of(l, like);
    t.dtype = (uint8_t)dtype;
    if (t.rank) return hlo_iota(l->g, &t, d);
    return konst(l, dtype, 0);
}

tp_type broadcast_type(low *l, int n, const hlo_val *vals) {
    tp_type r = {0};
    for (int i = 0; i < n; i++) {
        tp_type t = *type_of(l, vals[i]);
        int rank = r.rank > t.rank ? r.rank : t.rank;
        tp_type both = tp_type_make((tp_dtype)r.dtype, 0, NULL);
        both.rank = (uint8_t)rank;
        for (int d = 1; d <= rank; d++) {
            int64_t a = d <= r.rank ? r.dims[r.rank - d] : 1, b = d <= t.rank ? t.dims[t.rank - d] : 1;
            if (a != b && a != 1 && b != 1)
                fail(l, TP_RUNTIME, "The size of tensor a (%lld) must match the size of tensor b (%lld) at non-singleton dimension %d",
                     (long long)a, (long long)b, rank - d);
            both.dims[rank - d] = a == 1 ? b : a;
        }
        r = both;
    }
    return r;
}

void together(low *l, int n, hlo_val *vals) {
    tp_type t = broadcast_type(l, n, vals);
    for (int i = 0; i < n; i++) vals[i] = bcast(l, vals[i], t.rank, t.dims);
}

void refuse_dtype(low *l, tp_dtype t) {
    const char *name = l->row->name;
    int n = (int)strcspn(name, ".");
    fail(l, TP_NOT_IMPLEMENTED, "\"%.*s_cpu\" not implemented for '%s'", n, name, scalar_type_name(t));
}

hlo_val sel(low *l, hlo_val pred, hlo_val on_true, hlo_val on_false) {
    hlo_val all[3] = {pred, on_true, on_false};
    together(l, 3, all);
    return hlo_select(l->g, all[0], all[1], all[2]);
}

hlo_val is_nan(low *l, hlo_val a) {
    if (tp_dtype_is_complex(dt(l, a))) return bin(l, HLO_OR, is_nan(l, un(l, HLO_REAL, a)), is_nan(l, un(l, HLO_IMAG, a)));
    if (tp_dtype_is_float(dt(l, a))) return cmp(l, HLO_NE, a, a);
    return bcast_as(l, konst(l, TP_BOOL, 0), a);
}

/* ---- reduction */
hlo_val squeeze_mask(low *l, hlo_val a, uint32_t mask) {
    tp_type t = *type_of(l, a);
    int64_t sizes[TP_MAX_RANK];
    int n = 0;
    for (int d = 0; d < t.rank; d++)
        if (!(mask >> d & 1)) sizes[n++] = t.dims[d];
    return hlo_reshape(l->g, a, n, sizes);
}

hlo_val unsqueeze_mask(low *l, hlo_val a, uint32_t mask) {
    tp_type t = *type_of(l, a);
    int64_t sizes[TP_MAX_RANK];
    int rank = 0, from = 0;
    for (; rank < TP_MAX_RANK && (from < t.rank || mask >> rank); rank++) sizes[rank] = mask >> rank & 1 ? 1 : t.dims[from++];
    return hlo_reshape(l->g, a, rank, sizes);
}

/* Floats as integers that sort alike, NaN beyond all of them in the direction of |most|; its own inverse but for the NaN.
 * An integer max is associative, so compilers vectorise it, and it cannot lose NaN. */
static hlo_val flip_negative(low *l, hlo_val bits) {
    tp_dtype t = dt(l, bits);
    int64_t width = 8 * (int64_t)tp_dtype_size(t);
    hlo_val sign = bin(l, HLO_SHR, bits, hlo_const_int(l->g, t, width - 1));
    return bin(l, HLO_XOR, bits, bin(l, HLO_AND, sign, hlo_const_int(l->g, t, (int64_t)(UINT64_MAX >> (65 - width)))));
}

static hlo_val sortable(low *l, hlo_val a, bool most) {
    hlo_val nan = konst_like(l, a, most ? (double)NAN : -(double)NAN), x = sel(l, is_nan(l, a), nan, a);
    size_t size = tp_dtype_size(dt(l, a));
    return flip_negative(l, hlo_bitcast(l->g, x, size == 2 ? TP_I16 : size == 4 ? TP_I32 : TP_I64));
}

static bool loses_nan(low *l, hlo_op op, hlo_val a) {
    return (op == HLO_MAX || op == HLO_MIN) && tp_dtype_is_float(dt(l, a)) && tp_dtype_size(dt(l, a)) > 1;
}

hlo_val reduce_from(low *l, hlo_op op, hlo_val a, hlo_val init, uint32_t mask, bool keep) {
    int64_t dims[TP_MAX_RANK];
    int rank = rank_of(l, a), n = 0;
    mask &= (1u << rank) - 1;
    for (int d = 0; d < rank; d++)
        if (mask >> d & 1) dims[n++] = d;
    hlo_val r = a;
    if (n && loses_nan(l, op, a)) {
        bool most = op == HLO_MAX;
        r = hlo_reduce(l->g, op, sortable(l, a, most), sortable(l, init, most), n, dims);
        r = hlo_bitcast(l->g, flip_negative(l, r), dt(l, a));
    } else if (n) {
        r = hlo_reduce(l->g, op, a, init, n, dims);
    }
    return keep && n ? unsqueeze_mask(l, r, mask) : r;
}

hlo_val reduce(low *l, hlo_op op, hlo_val a, double init, uint32_t mask, bool keep) {
    return reduce_from(l, op, a, konst_like(l, a, init), mask, keep);
}
