#include "aten/shape.h"

int sizes_of(const low *l, hlo_val a, int64_t out_sizes[TP_MAX_RANK]) {
    const tp_type *t = type_of(l, a);
    memcpy(out_sizes, t->dims, t->rank * sizeof(int64_t));
    return t->rank;
}

hlo_val reshape(low *l, hlo_val a, int rank, const int64_t *sizes) { return hlo_reshape(l->g, a, rank, sizes); }

hlo_val flatten(low *l, hlo_val a) {
    int64_t n = numel_of(l, a);
    return reshape(l, a, 1, &n);
}

hlo_val stride_dim(low *l, hlo_val a, int d, int64_t start, int64_t limit, int64_t step) {
    int64_t from[TP_MAX_RANK] = {0}, to[TP_MAX_RANK], by[TP_MAX_RANK];
    int rank = sizes_of(l, a, to);
    if (d >= rank) return a;
    for (int i = 0; i < rank; i++) by[i] = 1;
    from[d] = start;
    to[d] = limit;
    by[d] = step;
    return hlo_slice(l->g, a, from, to, by);
}

hlo_val narrow(low *l, hlo_val a, int d, int64_t start, int64_t length) { return stride_dim(l, a, d, start, start + length, 1); }

hlo_val pad_dim(low *l, hlo_val a, int d, int64_t before, int64_t after, hlo_val value) {
    int64_t low_edge[TP_MAX_RANK] = {0}, high_edge[TP_MAX_RANK] = {0}, inner[TP_MAX_RANK] = {0};
    if (!before && !after) return a;
    low_edge[d] = before;
    high_edge[d] = after;
    return hlo_pad(l->g, a, value, low_edge, high_edge, inner);
}

hlo_val join(low *l, hlo_val a, hlo_val b, int d) { return hlo_concat(l->g, 2, (hlo_val[]){a, b}, d); }

hlo_val along(low *l, hlo_val a, int rank, const int64_t *sizes, int d) {
    int64_t at = d;
    return hlo_broadcast(l->g, a, rank, sizes, &at);
}

hlo_val count_up(low *l, tp_dtype dtype, int64_t n) {
    tp_type t = tp_type_make(dtype, 1, &n);
    return hlo_iota(l->g, &t, 0);
}

tp_dtype position_type(int64_t n) { return n <= INT32_MAX ? TP_I32 : TP_I64; }

hlo_val expand(low *l, hlo_val a, int rank, const int64_t *sizes) {
    int64_t own[TP_MAX_RANK];
    int n = sizes_of(l, a, own);
    if (failed(l)) return HLO_NONE;
    if (n > rank)
        fail(l, TP_RUNTIME,
             "expand(torch.%sTensor{%s}, size=%s): the number of sizes provided (%d) must be greater or equal to the number of "
             "dimensions in the tensor (%d)",
             scalar_type_name(dt(l, a)), sizes_text(l, n, own), sizes_text(l, rank, sizes), rank, n);
    for (int i = n - 1; i >= 0 && !failed(l); i--) {
        int d = rank - n + i;
        if (own[i] == sizes[d] || own[i] == 1) continue;
        fail(l, TP_RUNTIME,
             "The expanded size of the tensor (%lld) must match the existing size (%lld) at non-singleton dimension %d.  Target "
             "sizes: %s.  Tensor sizes: %s",
             (long long)sizes[d], (long long)own[i], d, sizes_text(l, rank, sizes), sizes_text(l, n, own));
    }
    return failed(l) ? HLO_NONE : bcast(l, a, rank, sizes);
}

/* A window as long as the dimension, which compilers turn into a tree of short ones. */
hlo_val scan(low *l, hlo_op op, hlo_val a, int d) {
    int64_t window[TP_MAX_RANK], one[TP_MAX_RANK], before[TP_MAX_RANK] = {0}, after[TP_MAX_RANK] = {0};
    if (failed(l) || rank_of(l, a) == 0 || numel_of(l, a) == 0 || size_of(l, a, d) < 2) return a;
    for (int k = 0; k < rank_of(l, a); k++) window[k] = one[k] = 1;
    window[d] = size_of(l, a, d);
    before[d] = window[d] - 1;
    tp_dtype t = dt(l, a);
    hlo_val init = op == HLO_MAX ? konst_lowest(l, t) : op == HLO_MIN ? konst_highest(l, t) : konst(l, t, op == HLO_MUL || op == HLO_AND);
    return hlo_reduce_window(l->g, op, a, init, window, one, NULL, NULL, before, after);
}

hlo_val contract(low *l, hlo_val a, hlo_val matrix, int d, int c) {
    int64_t sizes[TP_MAX_RANK], perm[TP_MAX_RANK];
    int rank = sizes_of(l, a, sizes);
    if (failed(l)) return HLO_NONE;
    sizes[d] = size_of(l, matrix, 1 - c);
    if (numel_of(l, a) == 0 || numel_of(l, matrix) == 0) return full(l, dt(l, a), rank, sizes, 0);
    hlo_dot_dims dims = {.ncontract = 1, .lhs_contract = {d}, .rhs_contract = {c}};
    hlo_val v = hlo_dot(l->g, a, matrix, &dims, dt(l, a), HLO_HIGHEST); /* the new dimension comes last */
    for (int k = 0; k < rank; k++) perm[k] = k < d ? k : k == d ? rank - 1 : k - 1;
    return hlo_transpose(l->g, v, perm);
}

void unimplemented(low *l, const char *kernel, tp_dtype t) {
    fail(l, TP_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'", kernel, scalar_type_name(t));
}
