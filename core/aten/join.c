/* Rows that move or lay out whole arrays: cat, stack, repeat, flip, roll, padding, triangles. */
#include "aten/shape.h"

/* ---- several into one */
/* PyTorch skips arrays of shape [0] in a cat, whatever the others' rank. */
static bool is_skipped(low *l, hlo_val v) { return rank_of(l, v) == 1 && size_of(l, v, 0) == 0; }

static void check_cat(low *l, hlo_val model, hlo_val v, int k, int d) {
    if (rank_of(l, model) != rank_of(l, v)) {
        fail(l, TP_RUNTIME, "Tensors must have same number of dimensions: got %d and %d", rank_of(l, model), rank_of(l, v));
        return;
    }
    for (int i = 0; i < rank_of(l, v); i++)
        if (i != d && size_of(l, v, i) != size_of(l, model, i))
            fail(l, TP_RUNTIME,
                 "Sizes of tensors must match except in dimension %d. Expected size %lld but got size %lld for tensor number %d in the list.", d,
                 (long long)size_of(l, model, i), (long long)size_of(l, v, i), k);
}

/* Concatenates |n| (at least 1) arrays of one dtype, a bounded number at a time. */
static hlo_val concat_all(low *l, int n, hlo_val (*part)(low *, int, int), int d) {
    enum { AT_ONCE = 64 };
    hlo_val some[AT_ONCE];
    int have = 0;
    for (int k = 0; k < n; k++) {
        hlo_val v = part(l, k, d);
        if (hlo_is_none(v)) continue;
        if (have == AT_ONCE) {
            some[0] = hlo_concat(l->g, have, some, d);
            have = 1;
        }
        some[have++] = v;
    }
    return have == 1 ? some[0] : hlo_concat(l->g, have, some, d);
}

static hlo_val cat_part(low *l, int k, int d) {
    (void)d;
    hlo_val v = elem(l, 0, k);
    return is_skipped(l, v) ? HLO_NONE : cast(l, v, promote(l, 0, 1));
}

void low_cat(low *l) {
    int n = nelems(l, 0), model = -1;
    if (n == 0) fail(l, TP_VALUE, "torch.cat(): expected a non-empty list of Tensors");
    for (int k = 0; k < n && !failed(l); k++) {
        hlo_val v = elem(l, 0, k);
        if (rank_of(l, v) == 0) fail(l, TP_RUNTIME, "zero-dimensional tensor (at position %d) cannot be concatenated", k);
        if (model < 0 && !is_skipped(l, v)) model = k;
    }
    if (failed(l)) return;
    tp_dtype t = promote(l, 0, 1);
    if (model < 0) {
        dim(l, 1, 1);
        out_as(l, 0, elem(l, 0, 0), t);
        return;
    }
    hlo_val first = elem(l, 0, model);
    int d = dim(l, 1, rank_of(l, first));
    for (int k = 0; k < n && !failed(l); k++)
        if (!is_skipped(l, elem(l, 0, k))) check_cat(l, first, elem(l, 0, k), k, d);
    if (!failed(l)) out(l, 0, concat_all(l, n, cat_part, d));
}

static hlo_val stack_part(low *l, int k, int d) { return unsqueeze_mask(l, cast(l, elem(l, 0, k), promote(l, 0, 1)), 1u << d); }

void low_stack(low *l) {
    int n = nelems(l, 0);
    if (n == 0) fail(l, TP_RUNTIME, "stack expects a non-empty TensorList");
    if (failed(l)) return;
    tp_type first = *type_of(l, elem(l, 0, 0));
    int d = dim(l, 1, first.rank + 1);
    for (int k = 1; k < n && !failed(l); k++) {
        tp_type t = *type_of(l, elem(l, 0, k));
        if (t.rank != first.rank || memcmp(t.dims, first.dims, t.rank * sizeof *t.dims) != 0)
            fail(l, TP_RUNTIME, "stack expects each tensor to be equal size, but got %s at entry 0 and %s at entry %d",
                 sizes_text(l, first.rank, first.dims), sizes_text(l, t.rank, t.dims), k);
    }
    if (!failed(l)) out(l, 0, concat_all(l, n, stack_part, d));
}

/* ---- one into more, or into another order */
void low_repeat(low *l) {
    int n, rank = rank_of(l, in(l, 0));
    const int64_t *times = ints(l, 1, &n);
    if (failed(l)) return;
    if (n < rank) {
        fail(l, TP_RUNTIME, "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor");
        return;
    }
    int64_t sizes[TP_MAX_RANK], asked[TP_MAX_RANK], first_bad = 0;
    for (int d = 0; d < n && d < TP_MAX_RANK; d++) {
        sizes[d] = d < n - rank ? 1 : size_of(l, in(l, 0), d - (n - rank));
        asked[d] = sizes[d] * times[d];
        if (asked[d] < 0 && !first_bad) first_bad = asked[d];
    }
    if (n >= TP_MAX_RANK) fail(l, TP_RUNTIME, "repeat must give fewer than %d dimensions; got %d", TP_MAX_RANK, n);
    else if (first_bad)
        fail(l, TP_RUNTIME, "Trying to create tensor with negative dimension %lld: %s", (long long)first_bad, sizes_text(l, n, asked));
    if (failed(l)) return;
    hlo_val v = reshape(l, in(l, 0), n, sizes);
    for (int d = n - 1; d >= 0; d--) {
        if (times[d] == 1) continue;
        int64_t wide[TP_MAX_RANK], from[TP_MAX_RANK];
        for (int k = 0; k < n; k++) {
            from[k] = k + (k >= d);
            wide[from[k]] = sizes[k];
        }
        wide[d] = times[d];
        sizes[d] *= times[d];
        v = reshape(l, hlo_broadcast(l->g, v, n + 1, wide, from), n, sizes);
    }
    out(l, 0, v);
}

void low_flip(low *l) {
    hlo_val x = in(l, 0);
    int rank = rank_of(l, x), n = 0;
    int64_t dims[TP_MAX_RANK];
    uint32_t mask = dims_mask(l, 1, rank, false);
    for (int d = 0; d < rank; d++)
        if (mask >> d & 1) dims[n++] = d;
    out(l, 0, n ? hlo_reverse(l->g, x, n, dims) : x);
}

static hlo_val roll(low *l, hlo_val x, int64_t shift, int d) {
    int64_t n = size_of(l, x, d);
    if (failed(l) || n == 0 || rank_of(l, x) == 0) return x;
    int64_t by = ((shift % n) + n) % n;
    return by ? join(l, narrow(l, x, d, n - by, by), narrow(l, x, d, 0, n - by), d) : x;
}

void low_roll(low *l) {
    int n, nd;
    const int64_t *shifts = ints(l, 1, &n), *dims = ints(l, 2, &nd);
    hlo_val x = in(l, 0);
    int64_t sizes[TP_MAX_RANK];
    int rank = sizes_of(l, x, sizes);
    if (n == 0) fail(l, TP_RUNTIME, "`shifts` required");
    else if (n != nd && !(nd == 0 && n == 1)) fail(l, TP_RUNTIME, "shifts and dimensions must align. shifts: %d, dims:%d", n, nd);
    if (failed(l)) return;
    if (nd == 0) {
        out(l, 0, reshape(l, roll(l, flatten(l, x), shifts[0], 0), rank, sizes));
        return;
    }
    for (int k = 0; k < n && !failed(l); k++) x = roll(l, x, shifts[k], wrap_dim(l, dims[k], rank));
    out(l, 0, x);
}

/* The diagonal is a run-time number: one kernel serves them all. */
static void triangle(low *l, bool lower) {
    hlo_val x = in(l, 0);
    int rank = rank_of(l, x);
    if (!failed(l) && rank < 2) fail(l, TP_RUNTIME, "%s: input tensor must have at least 2 dimensions", lower ? "tril" : "triu");
    if (failed(l)) return;
    int64_t sizes[2] = {size_of(l, x, rank - 2), size_of(l, x, rank - 1)};
    tp_type square = tp_type_make(TP_I64, 2, sizes);
    hlo_val above = sub(l, hlo_iota(l->g, &square, 1), hlo_iota(l->g, &square, 0)), diagonal = num(l, 1, TP_I64);
    out(l, 0, sel(l, cmp(l, lower ? HLO_LE : HLO_GE, above, diagonal), x, konst_like(l, x, 0)));
}

void low_tril(low *l) { triangle(l, true); }
void low_triu(low *l) { triangle(l, false); }

void low_trace(low *l) {
    hlo_val x = in(l, 0);
    if (!failed(l) && rank_of(l, x) != 2) fail(l, TP_RUNTIME, "trace: expected a matrix, but got tensor with dim %d", rank_of(l, x));
    if (failed(l)) return;
    if (dt(l, x) == TP_BOOL) unimplemented(l, "trace", TP_BOOL);
    tp_dtype t = dt(l, x), result = tp_dtype_is_float(t) || tp_dtype_is_complex(t) ? t : sum_type(t);
    hlo_val wide = cast(l, x, opmath(result)), on = cmp(l, HLO_EQ, iota(l, TP_I64, x, 0), iota(l, TP_I64, x, 1));
    out_as(l, 0, reduce(l, HLO_ADD, sel(l, on, wide, konst_like(l, wide, 0)), 0, UINT32_MAX, false), result);
}

/* pad lists (before, after) from the last dimension on; negative numbers cut. */
void low_constant_pad(low *l) {
    hlo_val x = in(l, 0);
    int n, rank = rank_of(l, x);
    const int64_t *pad = ints(l, 1, &n);
    int64_t before[TP_MAX_RANK] = {0}, after[TP_MAX_RANK] = {0}, inner[TP_MAX_RANK] = {0};
    if (failed(l)) return;
    if (n % 2) fail(l, TP_RUNTIME, "Length of pad must be even but instead it equals %d", n);
    else if (n > 2 * rank)
        fail(l, TP_RUNTIME,
             "Length of pad should be no more than twice the number of dimensions of the input. Pad length is %dwhile the input has "
             "%ddimensions.", n, rank);
    for (int k = 0; k < n / 2 && !failed(l); k++) {
        int d = rank - 1 - k;
        before[d] = pad[2 * k];
        after[d] = pad[2 * k + 1];
        if (size_of(l, x, d) + before[d] + after[d] < 0)
            fail(l, TP_RUNTIME,
                 "The input size %lld, plus negative padding %lld and %lld, resulted in a negative output size, which is invalid. Check "
                 "dimension %d of your input.",
                 (long long)size_of(l, x, d), (long long)before[d], (long long)after[d], d);
    }
    if (!failed(l)) out(l, 0, n ? hlo_pad(l->g, x, num(l, 2, dt(l, x)), before, after, inner) : x);
}
