/* Rows that count equal or given things, with sizes that depend on data: bincount, unique, repeat_interleave. */
#include "aten/sort.h"

/* ---- bincount: (self, weights?, minlength), then the size */
static bool check_bincount(low *l) {
    const tp_type *x = arg_type(l, 0), *w = arg_type(l, 1);
    if (failed(l)) return false;
    if (x->rank != 1) fail(l, TP_RUNTIME, "bincount only supports 1-d non-negative integral inputs.");
    else if (!tp_dtype_is_int((tp_dtype)x->dtype)) unimplemented(l, "bincount_cpu", (tp_dtype)x->dtype);
    else if (inum(l, 2) < 0) fail(l, TP_RUNTIME, "minlength should be >= 0");
    else if (has(l, 1) && (w->rank != 1 || w->dims[0] != x->dims[0]))
        fail(l, TP_RUNTIME, "weights should be 1-d and have the same length as input");
    return !failed(l);
}

void count_bins(low *l) {
    if (!check_bincount(l)) return;
    hlo_val most = reduce(l, HLO_MAX, in_as(l, 0, TP_I64), -1, UINT32_MAX, false);
    out(l, 0, bin(l, HLO_MAX, add(l, most, konst(l, TP_I64, 1)), hlo_const_int(l->g, TP_I64, inum(l, 2))));
}

void low_bincount(low *l) {
    if (!check_bincount(l)) return;
    int64_t n = inum(l, 3), have = tp_type_numel(arg_type(l, 0));
    tp_dtype t = TP_I64, w = (tp_dtype)arg_type(l, 1)->dtype;
    if (has(l, 1)) t = w == TP_F32 ? TP_F32 : TP_F64;
    hlo_val x = in_as(l, 0, TP_I64), weight = has(l, 1) ? in_as(l, 1, t) : full(l, t, 1, &have, 1);
    check(l, cmp(l, HLO_LT, x, konst(l, TP_I64, 0)), TP_RUNTIME, "bincount only supports 1-d non-negative integral inputs.");
    out(l, 0, put_rows(l, HLO_ADD, full(l, t, 1, &n, 0), x, weight, 0));
}

/* ---- runs of equal neighbours */
typedef struct runs {
    hlo_val values, places, first, nth; /* places: HLO_NONE if not sorted; first: bool, a run begins; nth: the run's number */
} runs;

static runs find_runs(low *l, bool sorted) {
    runs r = {.values = flatten(l, in(l, 0))};
    if (failed(l)) return r;
    if (sorted) sorted_along(l, r.values, 0, false, &r.values, &r.places);
    int64_t n = numel_of(l, r.values), one = 1;
    tp_dtype p = position_type(n);
    r.first = full(l, TP_BOOL, 1, &n, 1);
    if (n > 1) r.first = join(l, full(l, TP_BOOL, 1, &one, 1), cmp(l, HLO_NE, narrow(l, r.values, 0, 1, n - 1), narrow(l, r.values, 0, 0, n - 1)), 0);
    r.nth = sub(l, scan(l, HLO_ADD, cast(l, r.first, p), 0), konst(l, p, 1));
    return r;
}

static void runs_out(low *l, const runs *r, int64_t n, bool inverse, bool counts) {
    int64_t sizes[TP_MAX_RANK], total = numel_of(l, r->values);
    int rank = sizes_of(l, in(l, 0), sizes);
    if (failed(l)) return;
    out(l, 0, take_rows(l, r->values, true_places(l, r->first, n, 0), 0));
    hlo_val nth = cast(l, r->nth, TP_I64), nothing = full(l, TP_I64, 1, &(int64_t){0}, 0);
    if (inverse && !hlo_is_none(r->places)) nth = put_rows(l, HLO_OP_NONE, full(l, TP_I64, 1, &total, 0), r->places, nth, 0);
    if (inverse) out(l, 1, reshape(l, nth, rank, sizes));
    else out(l, 1, nothing);
    if (counts) out(l, 2, put_rows(l, HLO_ADD, full(l, TP_I64, 1, &n, 0), r->nth, full(l, TP_I64, 1, &total, 1), 0));
    else out(l, 2, nothing);
}

static void check_unique(low *l) {
    if (!failed(l) && tp_dtype_is_complex(dt(l, in(l, 0)))) unimplemented(l, "unique", dt(l, in(l, 0)));
}

/* self, sorted, return_inverse, return_counts */
void count_unique(low *l) {
    check_unique(l);
    hlo_val first = find_runs(l, true).first;
    out(l, 0, reduce(l, HLO_ADD, cast(l, first, TP_I64), 0, UINT32_MAX, false));
}

void low_unique(low *l) {
    check_unique(l);
    runs r = find_runs(l, true);
    runs_out(l, &r, inum(l, 4), flag(l, 2), flag(l, 3));
}

/* self, return_inverse, return_counts, dim? */
static void check_unique_runs(low *l) {
    if (!failed(l) && has(l, 3) && rank_of(l, in(l, 0)) > 1)
        fail(l, TP_NOT_IMPLEMENTED, "unique_consecutive must be given no dim, or a tensor of one dimension; got %s and a dim",
             sizes_text(l, arg_type(l, 0)->rank, arg_type(l, 0)->dims));
}

void count_unique_runs(low *l) {
    check_unique_runs(l);
    out(l, 0, reduce(l, HLO_ADD, cast(l, find_runs(l, false).first, TP_I64), 0, UINT32_MAX, false));
}

void low_unique_consecutive(low *l) {
    check_unique_runs(l);
    runs r = find_runs(l, false);
    runs_out(l, &r, inum(l, 4), flag(l, 1), flag(l, 2));
}

/* ---- repeat_interleave: (repeats, output_size?), then the size */
static bool check_repeats(low *l) {
    if (failed(l)) return false;
    tp_dtype t = (tp_dtype)arg_type(l, 0)->dtype;
    if (arg_type(l, 0)->rank != 1) fail(l, TP_RUNTIME, "repeat_interleave only accept 1D vector as repeat");
    else if (t != TP_I64 && t != TP_I32) unimplemented(l, "repeat_interleave_cpu", t);
    return !failed(l);
}

void count_repeats(low *l) {
    if (!check_repeats(l)) return;
    hlo_val x = in_as(l, 0, TP_I64);
    out(l, 0, bin(l, HLO_MAX, reduce(l, HLO_ADD, x, 0, UINT32_MAX, false), konst(l, TP_I64, 0)));
}

/* Element j is the number of repeats whose running sum is at most j. */
void low_repeat_interleave(low *l) {
    if (!check_repeats(l)) return;
    int64_t n = inum(l, 2), have = tp_type_numel(arg_type(l, 0)), asked = iopt(l, 1, n);
    hlo_val x = in_as(l, 0, TP_I64);
    check(l, cmp(l, HLO_LT, x, konst(l, TP_I64, 0)), TP_RUNTIME, "repeats can not be negative");
    if (asked != n) fail(l, TP_RUNTIME, "allocated size does not match required size");
    hlo_val ends = scan(l, HLO_ADD, x, 0), marks = put_rows(l, HLO_ADD, full(l, TP_I64, 1, &n, 0), ends, full(l, TP_I64, 1, &have, 1), 0);
    out_as(l, 0, scan(l, HLO_ADD, marks, 0), dt(l, in(l, 0)));
}
