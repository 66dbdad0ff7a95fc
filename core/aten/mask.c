/* Rows whose places, or result sizes, come from a mask: nonzero, masked_select, masked_scatter. */
#include "aten/index.h"

static hlo_val count_true(low *l, hlo_val mask) { return reduce(l, HLO_ADD, cast(l, mask, TP_I64), 0, UINT32_MAX, false); }

/* Flat places as rows of coordinates in |sizes|. */
static hlo_val coordinates(low *l, hlo_val places, int rank, const int64_t *sizes) {
    int64_t n = numel_of(l, places), column[2] = {n, 1};
    hlo_val parts[TP_MAX_RANK];
    if (rank == 0 || n == 0) return full(l, TP_I64, 2, (int64_t[]){n, rank}, 0);
    hlo_val rest = places;
    for (int d = rank - 1; d >= 0; d--) {
        hlo_val size = hlo_const_int(l->g, dt(l, rest), sizes[d] ? sizes[d] : 1);
        parts[d] = reshape(l, cast(l, d ? bin(l, HLO_REM, rest, size) : rest, TP_I64), 2, column);
        rest = quo(l, rest, size);
    }
    return hlo_concat(l->g, rank, parts, 1);
}

void count_nonzero_places(low *l) { out(l, 0, count_true(l, in_as(l, 0, TP_BOOL))); }

void low_nonzero(low *l) {
    int64_t sizes[TP_MAX_RANK], n = inum(l, 1);
    int rank = sizes_of(l, in(l, 0), sizes);
    out(l, 0, coordinates(l, true_places(l, in_as(l, 0, TP_BOOL), n, 0), rank, sizes));
}

void low_nonzero_static(low *l) {
    int64_t sizes[TP_MAX_RANK], n = inum(l, 1);
    int rank = sizes_of(l, in(l, 0), sizes);
    if (n < 0) fail(l, TP_RUNTIME, "nonzero_static: 'size' must be an non-negative integer");
    if (failed(l)) return;
    hlo_val places = true_places(l, in_as(l, 0, TP_BOOL), n, -1);
    hlo_val v = coordinates(l, places, rank, sizes), missing = reshape(l, cmp(l, HLO_LT, places, konst_like(l, places, 0)), 2, (int64_t[]){n, 1});
    out(l, 0, sel(l, missing, hlo_const_int(l->g, TP_I64, inum(l, 2)), v));
}

/* |v|: the mask and what it selects from, broadcast together. */
static bool selected(low *l, hlo_val v[2]) {
    v[0] = in(l, 1);
    v[1] = in(l, 0);
    if (!failed(l) && dt(l, v[0]) != TP_BOOL) fail(l, TP_RUNTIME, "masked_select: expected BoolTensor for mask");
    together(l, 2, v);
    return !failed(l);
}

void count_masked(low *l) {
    hlo_val v[2];
    if (selected(l, v)) out(l, 0, count_true(l, v[0]));
}

void low_masked_select(low *l) {
    hlo_val v[2];
    if (!selected(l, v)) return;
    out(l, 0, take_rows(l, flatten(l, v[1]), true_places(l, v[0], inum(l, 2), 0), 0));
}

void low_masked_scatter(low *l) {
    hlo_val x = in(l, 0), mask = in(l, 1), source = in(l, 2);
    if (failed(l)) return;
    tp_dtype t = dt(l, x);
    if (t != dt(l, source))
        fail(l, TP_RUNTIME, "masked_scatter: expected self and source to have same dtypes but got%s and %s", scalar_type_name(t),
             scalar_type_name(dt(l, source)));
    if (!failed(l) && dt(l, mask) != TP_BOOL)
        fail(l, TP_RUNTIME, "masked_scatter_ only supports boolean masks, but got mask with dtype %s", scalar_type_name(dt(l, mask)));
    hlo_val v[2] = {mask, x};
    together(l, 2, v);
    int64_t sizes[TP_MAX_RANK];
    int rank = sizes_of(l, v[0], sizes);
    if (failed(l)) return;
    hlo_val flat = flatten(l, v[0]);
    tp_dtype p = position_type(numel_of(l, flat));
    hlo_val nth = sub(l, scan(l, HLO_ADD, cast(l, flat, p), 0), konst(l, p, 1));
    check(l, cmp(l, HLO_GT, count_true(l, flat), hlo_const_int(l->g, TP_I64, numel_of(l, source))), TP_RUNTIME,
          "Number of elements of source < number of ones in mask");
    hlo_val taken = take_rows(l, flatten(l, source), bin(l, HLO_MAX, nth, konst(l, p, 0)), 0);
    out(l, 0, reshape(l, sel(l, flat, taken, flatten(l, v[1])), rank, sizes));
}
