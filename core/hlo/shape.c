/* Builders that move elements. */
#include "hlo/node.h"

#include <stdlib.h>

static hlo_val with_attrs(hlo_graph *g, hlo_op op, hlo_val a, uint32_t n, const int64_t *attrs, const tp_type *t) {
    return hlo_make(g, &(hlo_draft){.op = op, .nops = 1, .ops = &a, .nattrs = n, .attrs = attrs, .nresults = 1, .types = t});
}

hlo_val hlo_iota(hlo_graph *g, const tp_type *type, int dim) {
    int64_t attr = dim;
    if (dim < 0 || dim >= type->rank) return hlo_refuse(g, HLO_IOTA, "dimension must be in range (C1); got %d of %s", dim, TYPE_TEXT(type));
    return hlo_make(g, &(hlo_draft){.op = HLO_IOTA, .nattrs = 1, .attrs = &attr, .nresults = 1, .types = type});
}

hlo_val hlo_reshape(hlo_graph *g, hlo_val a, int rank, const int64_t *dims) {
    const tp_type *from = hlo_type_of(g, a);
    if (hlo_is_none(a)) return a;
    if (rank > TP_MAX_RANK) return hlo_refuse(g, HLO_RESHAPE, "rank must be at most %d; got %d", TP_MAX_RANK, rank);
    tp_type t = tp_type_make((tp_dtype)from->dtype, rank, dims);
    if (tp_type_equal(&t, from)) return a;
    if (tp_type_numel(&t) != tp_type_numel(from))
        return hlo_refuse(g, HLO_RESHAPE, "element counts must agree (C2); got %s and %s", TYPE_TEXT(from), TYPE_TEXT(&t));
    return with_attrs(g, HLO_RESHAPE, a, 0, NULL, &t);
}

hlo_val hlo_broadcast(hlo_graph *g, hlo_val a, int rank, const int64_t *dims, const int64_t *bdims) {
    const tp_type *from = hlo_type_of(g, a);
    if (hlo_is_none(a)) return a;
    if (rank > TP_MAX_RANK) return hlo_refuse(g, HLO_BROADCAST, "rank must be at most %d; got %d", TP_MAX_RANK, rank);
    tp_type t = tp_type_make((tp_dtype)from->dtype, rank, dims);
    for (int i = 0; i < from->rank; i++) {
        bool placed = bdims[i] >= 0 && bdims[i] < rank && (i == 0 || bdims[i] > bdims[i - 1]);
        if (!placed || (from->dims[i] != 1 && from->dims[i] != dims[bdims[i]]))
            return hlo_refuse(g, HLO_BROADCAST, "operand dimensions must fit the result (C2-C5); got %s into %s", TYPE_TEXT(from), TYPE_TEXT(&t));
    }
    if (tp_type_equal(&t, from)) return a;
    return with_attrs(g, HLO_BROADCAST, a, from->rank, bdims, &t);
}

hlo_val hlo_broadcast_to(hlo_graph *g, hlo_val a, int rank, const int64_t *dims) {
    int64_t bdims[TP_MAX_RANK];
    int from = hlo_type_of(g, a)->rank;
    if (hlo_is_none(a)) return a;
    if (from > rank) return hlo_refuse(g, HLO_BROADCAST, "rank must not shrink; got %s to rank %d", TYPE_TEXT(hlo_type_of(g, a)), rank);
    for (int i = 0; i < from; i++) bdims[i] = rank - from + i;
    return hlo_broadcast(g, a, rank, dims, bdims);
}

hlo_val hlo_transpose(hlo_graph *g, hlo_val a, const int64_t *perm) {
    const tp_type *from = hlo_type_of(g, a);
    if (hlo_is_none(a)) return a;
    tp_type t = *from;
    bool same = true;
    uint32_t seen = 0;
    for (int i = 0; i < from->rank; i++) {
        if (perm[i] < 0 || perm[i] >= from->rank || seen >> perm[i] & 1)
            return hlo_refuse(g, HLO_TRANSPOSE, "permutation must be one of the dimensions (C2) of %s", TYPE_TEXT(from));
        seen |= 1u << perm[i];
        t.dims[i] = from->dims[perm[i]];
        same = same && perm[i] == i;
    }
    return same ? a : with_attrs(g, HLO_TRANSPOSE, a, from->rank, perm, &t);
}

hlo_val hlo_slice(hlo_graph *g, hlo_val a, const int64_t *starts, const int64_t *limits, const int64_t *strides) {
    const tp_type *from = hlo_type_of(g, a);
    if (hlo_is_none(a)) return a;
    tp_type t = *from;
    int64_t attrs[3 * TP_MAX_RANK];
    int n = from->rank;
    for (int i = 0; i < n; i++) {
        if (starts[i] < 0 || starts[i] > limits[i] || limits[i] > from->dims[i] || strides[i] < 1)
            return hlo_refuse(g, HLO_SLICE, "0 <= start <= limit <= size and stride >= 1 must hold (C3, C4); got %lld:%lld:%lld in dimension %d of %s",
                              (long long)starts[i], (long long)limits[i], (long long)strides[i], i, TYPE_TEXT(from));
        attrs[i] = starts[i];
        attrs[n + i] = limits[i];
        attrs[2 * n + i] = strides[i];
        t.dims[i] = (limits[i] - starts[i] + strides[i] - 1) / strides[i];
    }
    if (tp_type_equal(&t, from)) return a;
    return with_attrs(g, HLO_SLICE, a, (uint32_t)(3 * n), attrs, &t);
}

static bool starts_ok(hlo_graph *g, hlo_op op, int rank, const hlo_val *starts) {
    for (int i = 0; i < rank; i++) {
        const tp_type *t = hlo_type_of(g, starts[i]);
        if (hlo_is_none(starts[i])) return false;
        if (t->rank || !tp_dtype_is_int((tp_dtype)t->dtype) || t->dtype != hlo_type_of(g, starts[0])->dtype) {
            hlo_refuse(g, op, "starts must be integers of rank 0 and one dtype (C3); got %s", TYPE_TEXT(t));
            return false;
        }
    }
    return true;
}

hlo_val hlo_dynamic_slice(hlo_graph *g, hlo_val a, const hlo_val *starts, const int64_t *sizes) {
    const tp_type *from = hlo_type_of(g, a);
    hlo_val ops[TP_MAX_RANK + 1] = {a};
    if (hlo_is_none(a) || !starts_ok(g, HLO_DSLICE, from->rank, starts)) return HLO_NONE;
    tp_type t = *from;
    for (int i = 0; i < from->rank; i++) {
        if (sizes[i] < 0 || sizes[i] > from->dims[i])
            return hlo_refuse(g, HLO_DSLICE, "sizes must be at most the operand's (C4); got %lld in dimension %d of %s", (long long)sizes[i], i, TYPE_TEXT(from));
        t.dims[i] = sizes[i];
        ops[i + 1] = starts[i];
    }
    if (tp_type_equal(&t, from)) return a;
    return hlo_make(g, &(hlo_draft){.op = HLO_DSLICE, .nops = 1u + from->rank, .ops = ops, .nattrs = from->rank, .attrs = sizes, .nresults = 1, .types = &t});
}

hlo_val hlo_dynamic_update(hlo_graph *g, hlo_val a, hlo_val update, const hlo_val *starts) {
    const tp_type *from = hlo_type_of(g, a), *u = hlo_type_of(g, update);
    hlo_val ops[TP_MAX_RANK + 2] = {a, update};
    if (hlo_is_none(a) || hlo_is_none(update) || !starts_ok(g, HLO_DUPDATE, from->rank, starts)) return HLO_NONE;
    bool fits = u->rank == from->rank && u->dtype == from->dtype;
    for (int i = 0; fits && i < from->rank; i++) {
        fits = u->dims[i] <= from->dims[i];
        ops[i + 2] = starts[i];
    }
    if (!fits) return hlo_refuse(g, HLO_DUPDATE, "the update must fit the operand (C3-C6); got %s into %s", TYPE_TEXT(u), TYPE_TEXT(from));
    tp_type t = *from;
    return hlo_make(g, &(hlo_draft){.op = HLO_DUPDATE, .nops = 2u + from->rank, .ops = ops, .nresults = 1, .types = &t});
}

hlo_val hlo_pad(hlo_graph *g, hlo_val a, hlo_val value, const int64_t *low, const int64_t *high, const int64_t *interior) {
    const tp_type *from = hlo_type_of(g, a), *v = hlo_type_of(g, value);
    if (hlo_is_none(a) || hlo_is_none(value)) return HLO_NONE;
    if (v->rank || v->dtype != from->dtype) return hlo_refuse(g, HLO_PAD, "the padding value must be a scalar of the operand's dtype (C1); got %s", TYPE_TEXT(v));
    tp_type t = *from;
    int64_t attrs[3 * TP_MAX_RANK];
    int n = from->rank;
    bool same = true;
    for (int i = 0; i < n; i++) {
        attrs[i] = low[i];
        attrs[n + i] = high[i];
        attrs[2 * n + i] = interior[i];
        same = same && !low[i] && !high[i] && !interior[i];
        int64_t inner = from->dims[i] ? (from->dims[i] - 1) * interior[i] : 0;
        t.dims[i] = from->dims[i] + inner + low[i] + high[i];
        if (interior[i] < 0 || t.dims[i] < 0)
            return hlo_refuse(g, HLO_PAD, "interior padding and sizes must not be negative (C3, C4); dimension %d of %s", i, TYPE_TEXT(from));
    }
    if (same) return a;
    hlo_val ops[2] = {a, value};
    return hlo_make(g, &(hlo_draft){.op = HLO_PAD, .nops = 2, .ops = ops, .nattrs = (uint32_t)(3 * n), .attrs = attrs, .nresults = 1, .types = &t});
}

hlo_val hlo_reverse(hlo_graph *g, hlo_val a, int n, const int64_t *dims) {
    if (hlo_is_none(a) || n == 0) return a;
    tp_type t = *hlo_type_of(g, a);
    for (int i = 0; i < n; i++)
        if (dims[i] < 0 || dims[i] >= t.rank) return hlo_refuse(g, HLO_REVERSE, "dimensions must be in range (C3); got %lld of %s", (long long)dims[i], TYPE_TEXT(&t));
    return with_attrs(g, HLO_REVERSE, a, (uint32_t)n, dims, &t);
}

hlo_val hlo_concat(hlo_graph *g, int n, const hlo_val *parts, int dim) {
    if (n < 1 || hlo_is_none(parts[0])) return HLO_NONE;
    if (n == 1) return parts[0];
    tp_type t = *hlo_type_of(g, parts[0]);
    if (dim < 0 || dim >= t.rank) return hlo_refuse(g, HLO_CONCAT, "dimension must be in range (C4); got %d of %s", dim, TYPE_TEXT(&t));
    for (int i = 1; i < n; i++) {
        const tp_type *p = hlo_type_of(g, parts[i]);
        if (hlo_is_none(parts[i])) return HLO_NONE;
        bool fits = p->rank == t.rank && p->dtype == t.dtype;
        for (int k = 0; fits && k < t.rank; k++) fits = k == dim || p->dims[k] == t.dims[k];
        if (!fits) return hlo_refuse(g, HLO_CONCAT, "parts must agree but in dimension %d (C2, C6); got %s and %s", dim, TYPE_TEXT(&t), TYPE_TEXT(p));
        t.dims[dim] += p->dims[dim];
    }
    int64_t attr = dim;
    return hlo_make(g, &(hlo_draft){.op = HLO_CONCAT, .nops = (uint32_t)n, .ops = parts, .nattrs = 1, .attrs = &attr, .nresults = 1, .types = &t});
}
