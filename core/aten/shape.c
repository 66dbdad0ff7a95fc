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

/* Interleaves |even| (n - n/2 elements along d) with |odd| (n/2). */
static hlo_val interleave(low *l, hlo_val even, hlo_val odd, int d, int64_t n) {
    int64_t low_edge[TP_MAX_RANK] = {0}, high_edge[TP_MAX_RANK] = {0}, inner[TP_MAX_RANK] = {0};
    tp_dtype t = dt(l, even);
    hlo_val none = konst(l, t, 0);
    inner[d] = 1;
    high_edge[d] = n % 2 == 0;
    hlo_val a = hlo_pad(l->g, even, none, low_edge, high_edge, inner);
    low_edge[d] = 1;
    high_edge[d] = n % 2;
    hlo_val b = hlo_pad(l->g, odd, none, low_edge, high_edge, inner);
    hlo_val position = iota(l, TP_I32, a, d);
    return sel(l, cmp(l, HLO_EQ, bin(l, HLO_AND, position, konst(l, TP_I32, 1)), konst(l, TP_I32, 0)), a, b);
}

/* Pairs are combined, the half as long array scanned, and the even places filled in from it. */
hlo_val scan(low *l, hlo_op op, hlo_val a, int d) {
    if (failed(l) || rank_of(l, a) == 0) return a;
    int64_t n = size_of(l, a, d), half = n / 2;
    if (n < 2 || numel_of(l, a) == 0) return a;
    hlo_val first = narrow(l, a, d, 0, 1);
    hlo_val odd = scan(l, op, bin(l, op, stride_dim(l, a, d, 0, 2 * half - 1, 2), stride_dim(l, a, d, 1, 2 * half, 2)), d);
    hlo_val even = first;
    if (n > 2) {
        int64_t rest = n - half - 1;
        even = join(l, first, bin(l, op, narrow(l, odd, d, 0, rest), stride_dim(l, a, d, 2, n, 2)), d);
    }
    return interleave(l, even, odd, d, n);
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
