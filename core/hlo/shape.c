/* Builders that move elements. */
#include "hlo/node.h"

static bool rank_fits(hlo_graph *g, hlo_op op, int rank) {
    if (rank >= 0 && rank <= TP_MAX_RANK) return true;
    hlo_refuse(g, op, "the rank must be at most %d; got %d", TP_MAX_RANK, rank);
    return false;
}

hlo_val hlo_reshape(hlo_graph *g, hlo_val a, int rank, const int64_t *dims) {
    const tp_type *from = hlo_type_of(g, a);
    if (hlo_is_none(a) || !rank_fits(g, HLO_RESHAPE, rank)) return HLO_NONE;
    tp_type t = tp_type_make((tp_dtype)from->dtype, rank, dims);
    if (tp_type_equal(&t, from)) return a;
    hlo_wide count = 1;
    for (int i = 0; i < rank && count <= INT64_MAX; i++) count *= dims[i] < 0 ? INT64_MAX : dims[i];
    for (int i = 0; i < rank; i++)
        if (dims[i] == 0) count = 0;
    if (count != tp_type_numel(from))
        return hlo_refuse(g, HLO_RESHAPE, "element counts must agree (C2); got %s and %s", HLO_TEXT(from), HLO_TEXT(&t));
    return hlo_make_one(g, HLO_RESHAPE, 1, &a, 0, NULL, &t);
}

hlo_val hlo_broadcast(hlo_graph *g, hlo_val a, int rank, const int64_t *dims, const int64_t *bdims) {
    const tp_type *from = hlo_type_of(g, a);
    if (hlo_is_none(a) || !rank_fits(g, HLO_BROADCAST, rank)) return HLO_NONE;
    tp_type t = tp_type_make((tp_dtype)from->dtype, rank, dims);
    for (int i = 0; i < from->rank; i++) {
        if (bdims[i] < 0 || bdims[i] >= rank || (i > 0 && bdims[i] <= bdims[i - 1]))
            return hlo_refuse(g, HLO_BROADCAST, "result dimensions must be in range and increase (C3, C4); got %lld for dimension %d of %s in %s",
                              (long long)bdims[i], i, HLO_TEXT(from), HLO_TEXT(&t));
        if (from->dims[i] != 1 && from->dims[i] != dims[bdims[i]])
            return hlo_refuse(g, HLO_BROADCAST, "a size must be 1 or the result's (C5); got dimension %d of %s at %lld of %s", i, HLO_TEXT(from),
                              (long long)bdims[i], HLO_TEXT(&t));
    }
    if (tp_type_equal(&t, from)) return a;
    return hlo_make_one(g, HLO_BROADCAST, 1, &a, from->rank, bdims, &t);
}

hlo_val hlo_broadcast_to(hlo_graph *g, hlo_val a, int rank, const int64_t *dims) {
    int64_t bdims[TP_MAX_RANK];
    int from = hlo_type_of(g, a)->rank;
    if (hlo_is_none(a)) return HLO_NONE;
    if (from > rank) return hlo_refuse(g, HLO_BROADCAST, "the rank must not shrink (C3); got %s for rank %d", HLO_TEXT(hlo_type_of(g, a)), rank);
    for (int i = 0; i < from; i++) bdims[i] = rank - from + i;
    return hlo_broadcast(g, a, rank, dims, bdims);
}

hlo_val hlo_transpose(hlo_graph *g, hlo_val a, const int64_t *perm) {
    const tp_type *from = hlo_type_of(g, a);
    tp_type t = *from;
    uint32_t seen = 0;
    bool identity = true;
    if (hlo_is_none(a)) return HLO_NONE;
    for (int i = 0; i < t.rank; i++) {
        if (perm[i] < 0 || perm[i] >= t.rank || (seen >> perm[i] & 1))
            return hlo_refuse(g, HLO_TRANSPOSE, "the permutation must name each dimension once (C2); got %lld at %d for %s", (long long)perm[i], i,
                              HLO_TEXT(from));
        seen |= 1u << perm[i];
        identity = identity && perm[i] == i;
        t.dims[i] = from->dims[perm[i]];
    }
    return identity ? a : hlo_make_one(g, HLO_TRANSPOSE, 1, &a, t.rank, perm, &t);
}

hlo_val hlo_slice(hlo_graph *g, hlo_val a, const int64_t *starts, const int64_t *limits, const int64_t *strides) {
    const tp_type *from = hlo_type_of(g, a);
    tp_type t = *from;
    int64_t attrs[3 * TP_MAX_RANK];
    int n = t.rank;
    if (hlo_is_none(a)) return HLO_NONE;
    for (int i = 0; i < n; i++) {
        if (starts[i] < 0 || starts[i] > limits[i] || limits[i] > t.dims[i] || strides[i] < 1)
            return hlo_refuse(g, HLO_SLICE, "0 <= start <= limit <= size and 1 <= stride must hold (C3, C4); got %lld:%lld:%lld in dimension %d of %s",
                              (long long)starts[i], (long long)limits[i], (long long)strides[i], i, HLO_TEXT(from));
        attrs[i] = starts[i];
        attrs[n + i] = limits[i];
        attrs[2 * n + i] = strides[i];
        int64_t span = limits[i] - starts[i];
        t.dims[i] = span / strides[i] + (span % strides[i] != 0);
    }
    if (tp_type_equal(&t, from)) return a;
    return hlo_make_one(g, HLO_SLICE, 1, &a, 3 * n, attrs, &t);
}

/* Copies |rank| run-time starts to |out|. */
static bool take_starts(hlo_graph *g, hlo_op op, const char *tag, int rank, const hlo_val *starts, hlo_val *out) {
    for (int i = 0; i < rank; i++) {
        const tp_type *t = hlo_type_of(g, starts[i]);
        if (hlo_is_none(starts[i])) return false;
        if (t->rank != 0 || !tp_dtype_is_int((tp_dtype)t->dtype) || t->dtype != hlo_type_of(g, starts[0])->dtype) {
            hlo_refuse(g, op, "starts must be integers of rank 0 and one dtype (%s); start %d is %s, the first %s", tag, i, HLO_TEXT(t),
                       HLO_TEXT(hlo_type_of(g, starts[0])));
            return false;
        }
        out[i] = starts[i];
    }
    return true;
}

hlo_val hlo_dynamic_slice(hlo_graph *g, hlo_val a, const hlo_val *starts, const int64_t *sizes) {
    const tp_type *from = hlo_type_of(g, a);
    tp_type t = *from;
    hlo_val ops[1 + TP_MAX_RANK] = {a};
    if (hlo_is_none(a) || !take_starts(g, HLO_DSLICE, "C3", t.rank, starts, ops + 1)) return HLO_NONE;
    for (int i = 0; i < t.rank; i++) {
        if (sizes[i] < 0 || sizes[i] > t.dims[i])
            return hlo_refuse(g, HLO_DSLICE, "sizes must be at most the operand's (C4); got %lld in dimension %d of %s", (long long)sizes[i], i,
                              HLO_TEXT(from));
        t.dims[i] = sizes[i];
    }
    return hlo_make_one(g, HLO_DSLICE, 1 + t.rank, ops, t.rank, sizes, &t);
}

hlo_val hlo_dynamic_update(hlo_graph *g, hlo_val a, hlo_val update, const hlo_val *starts) {
    const tp_type *t = hlo_type_of(g, a), *u = hlo_type_of(g, update);
    hlo_val ops[2 + TP_MAX_RANK] = {a, update};
    if (hlo_is_none(a) || hlo_is_none(update) || !take_starts(g, HLO_DUPDATE, "C5", t->rank, starts, ops + 2)) return HLO_NONE;
    bool fits = u->rank == t->rank && u->dtype == t->dtype;
    for (int i = 0; fits && i < t->rank; i++) fits = u->dims[i] <= t->dims[i];
    if (!fits)
        return hlo_refuse(g, HLO_DUPDATE, "the update must have the operand's dtype and rank and fit into it (C2, C3, C6); got %s into %s", HLO_TEXT(u),
                          HLO_TEXT(t));
    return hlo_make_one(g, HLO_DUPDATE, 2 + t->rank, ops, 0, NULL, t);
}

hlo_val hlo_pad(hlo_graph *g, hlo_val a, hlo_val value, const int64_t *low, const int64_t *high, const int64_t *interior) {
    const tp_type *from = hlo_type_of(g, a), *v = hlo_type_of(g, value);
    tp_type t = *from;
    int64_t attrs[3 * TP_MAX_RANK];
    int n = t.rank;
    bool nothing = true;
    if (hlo_is_none(a) || hlo_is_none(value)) return HLO_NONE;
    if (v->rank != 0 || v->dtype != t.dtype)
        return hlo_refuse(g, HLO_PAD, "the padding value must be rank 0 of the operand's dtype (C1); got %s for %s", HLO_TEXT(v), HLO_TEXT(from));
    for (int i = 0; i < n; i++) {
        hlo_wide size = t.dims[i] + (hlo_wide)low[i] + high[i];
        if (t.dims[i] > 1) size += (t.dims[i] - 1) * (hlo_wide)interior[i];
        if (interior[i] < 0 || size < 0 || size > INT64_MAX)
            return hlo_refuse(g, HLO_PAD, "interior padding and resulting sizes must not be negative (C3, C4); got (%lld, %lld, %lld) in dimension %d of %s",
                              (long long)low[i], (long long)high[i], (long long)interior[i], i, HLO_TEXT(from));
        attrs[i] = low[i];
        attrs[n + i] = high[i];
        attrs[2 * n + i] = interior[i];
        nothing = nothing && !low[i] && !high[i] && !interior[i];
        t.dims[i] = (int64_t)size;
    }
    const hlo_val ops[2] = {a, value};
    return nothing ? a : hlo_make_one(g, HLO_PAD, 2, ops, 3 * n, attrs, &t);
}

hlo_val hlo_reverse(hlo_graph *g, hlo_val a, int n, const int64_t *dims) {
    const tp_type *t = hlo_type_of(g, a);
    uint32_t seen = 0;
    if (hlo_is_none(a) || n == 0) return a;
    for (int i = 0; i < n; i++) {
        if (dims[i] < 0 || dims[i] >= t->rank || (seen >> dims[i] & 1))
            return hlo_refuse(g, HLO_REVERSE, "dimensions must be unique and in range (C2, C3); got %lld for %s", (long long)dims[i], HLO_TEXT(t));
        seen |= 1u << dims[i];
    }
    return hlo_make_one(g, HLO_REVERSE, 1, &a, n, dims, t);
}

hlo_val hlo_concat(hlo_graph *g, int n, const hlo_val *parts, int dim) {
    const int64_t attr = dim;
    if (n < 1) return hlo_refuse(g, HLO_CONCAT, "there must be a part (C3); got %d", n);
    if (hlo_is_none(parts[0])) return HLO_NONE;
    const tp_type *first = hlo_type_of(g, parts[0]);
    tp_type t = *first;
    if (dim < 0 || dim >= t.rank) return hlo_refuse(g, HLO_CONCAT, "the dimension must be in range (C4); got %d of %s", dim, HLO_TEXT(first));
    for (int i = 1; i < n; i++) {
        const tp_type *p = hlo_type_of(g, parts[i]);
        if (hlo_is_none(parts[i])) return HLO_NONE;
        bool fits = p->rank == t.rank && p->dtype == t.dtype;
        for (int k = 0; fits && k < t.rank; k++) fits = k == dim || p->dims[k] == t.dims[k];
        fits = fits && !__builtin_add_overflow(t.dims[dim], p->dims[dim], &t.dims[dim]);
        if (!fits)
            return hlo_refuse(g, HLO_CONCAT, "parts must have one dtype, and one shape but in dimension %d (C1, C2); got %s and %s", dim, HLO_TEXT(first),
                              HLO_TEXT(p));
    }
    return n == 1 ? parts[0] : hlo_make_one(g, HLO_CONCAT, n, parts, 1, &attr, &t);
}
