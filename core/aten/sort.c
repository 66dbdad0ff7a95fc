/* Sorting and order statistics. */
#include "aten/sort.h"

/* "a comes first", inside a region. */
static hlo_val precedes(hlo_graph *r, hlo_val a, hlo_val b, bool descending) {
    hlo_val first = hlo_compare(r, descending ? HLO_GT : HLO_LT, a, b);
    if (!tp_dtype_is_float((tp_dtype)hlo_type_of(r, a)->dtype)) return first;
    hlo_val greatest = descending ? a : b, other = descending ? b : a;
    hlo_val lone = hlo_bin(r, HLO_AND, hlo_compare(r, HLO_NE, greatest, greatest), hlo_compare(r, HLO_EQ, other, other));
    return hlo_bin(r, HLO_OR, first, lone);
}

/* A comparator of the first of two operands. */
static hlo_graph *before(low *l, tp_dtype t, tp_dtype place, bool descending) {
    hlo_graph *r = hlo_region(l->g);
    if (!r) return NULL;
    tp_type value = tp_type_make(t, 0, NULL), index = tp_type_make(place, 0, NULL);
    hlo_val a = hlo_param(r, &value), b = hlo_param(r, &value);
    hlo_param(r, &index);
    hlo_param(r, &index);
    hlo_val first = precedes(r, a, b, descending);
    hlo_return(r, 1, &first);
    return r;
}

void sorted_along(low *l, hlo_val x, int d, bool descending, hlo_val *out_values, hlo_val *out_places) {
    *out_values = *out_places = HLO_NONE;
    if (failed(l)) return;
    tp_dtype p = position_type(size_of(l, x, d));
    hlo_val operands[2] = {x, iota(l, p, x, d)}, results[2] = {x, operands[1]};
    if (rank_of(l, x) && numel_of(l, x) && size_of(l, x, d) > 1)
        hlo_sort(l->g, 2, operands, d, true, before(l, dt(l, x), p, descending), results);
    *out_values = results[0];
    *out_places = cast(l, results[1], TP_I64);
}

void low_sort(low *l) {
    hlo_val x = in(l, 0), values, places;
    int d = dim(l, 2, rank_of(l, x));
    if (!failed(l) && tp_dtype_is_complex(dt(l, x))) fail(l, TP_RUNTIME, " Sort does not support complex dtypes on CPU");
    sorted_along(l, x, d, flag(l, 3), &values, &places);
    out(l, 0, values);
    out(l, 1, places);
}

/* Of (value, place) pairs, the one that comes first; of equal values the lower place; a place of |n| is no element. */
static hlo_graph *first_of(low *l, tp_dtype t, tp_dtype p, int64_t n, bool descending) {
    hlo_graph *r = hlo_region(l->g);
    if (!r) return NULL;
    tp_type value = tp_type_make(t, 0, NULL), place = tp_type_make(p, 0, NULL);
    hlo_val a = hlo_param(r, &value), i = hlo_param(r, &place), b = hlo_param(r, &value), j = hlo_param(r, &place);
    hlo_val end = hlo_const_int(r, p, n);
    hlo_val ties = hlo_bin(r, HLO_AND, hlo_un(r, HLO_NOT, precedes(r, b, a, descending)), hlo_compare(r, HLO_LT, i, j));
    hlo_val wins = hlo_bin(r, HLO_OR, precedes(r, a, b, descending), ties);
    wins = hlo_bin(r, HLO_AND, hlo_compare(r, HLO_NE, i, end), hlo_bin(r, HLO_OR, hlo_compare(r, HLO_EQ, j, end), wins));
    hlo_return(r, 2, (hlo_val[]){hlo_select(r, wins, a, b), hlo_select(r, wins, i, j)});
    return r;
}

enum { AT_MOST = 16, MANY = 64 }; /* so few of so many elements are found faster than all are sorted */

/* The first |k| of each line, a pass each. */
static void pick_first(low *l, hlo_val x, int d, int64_t k, bool descending, hlo_val *out_values, hlo_val *out_places) {
    int64_t n = size_of(l, x, d), over = d;
    tp_dtype t = dt(l, x), p = position_type(n);
    hlo_val places = iota(l, p, x, d), count = places, end = hlo_const_int(l->g, p, n), values[AT_MOST], found[AT_MOST];
    for (int64_t i = 0; i < k && i < AT_MOST && !failed(l); i++) {
        hlo_val r[2];
        hlo_reduce_n(l->g, 2, (hlo_val[]){x, places}, (hlo_val[]){konst(l, t, 0), end}, 1, &over, first_of(l, t, p, n, descending), r);
        values[i] = unsqueeze_mask(l, r[0], 1u << d);
        found[i] = unsqueeze_mask(l, r[1], 1u << d);
        places = sel(l, cmp(l, HLO_EQ, count, found[i]), end, places);
    }
    *out_values = hlo_concat(l->g, (int)k, values, d);
    *out_places = cast(l, hlo_concat(l->g, (int)k, found, d), TP_I64);
}

void low_topk(low *l) {
    hlo_val x = in(l, 0), values, places;
    int rank = rank_of(l, x), d = dim(l, 2, rank);
    int64_t k = inum(l, 1), n = rank ? size_of(l, x, d) : 1;
    if (failed(l)) return;
    if (k < 0 || k > n) fail(l, TP_RUNTIME, "selected index k out of range");
    else if (dt(l, x) == TP_BOOL) fail(l, TP_RUNTIME, "topk does not support bool dtypes on CPU");
    else if (tp_dtype_is_complex(dt(l, x))) fail(l, TP_RUNTIME, " topk does not support complex dtypes on CPU");
    if (failed(l)) return;
    if (k > 0 && k <= AT_MOST && n > MANY && numel_of(l, x)) {
        pick_first(l, x, d, k, flag(l, 3), &values, &places);
    } else {
        sorted_along(l, x, d, flag(l, 3), &values, &places);
        values = narrow(l, values, d, 0, k);
        places = narrow(l, places, d, 0, k);
    }
    out(l, 0, values);
    out(l, 1, places);
}

/* ---- running extremes */
static void running_extreme(low *l, hlo_op op) {
    hlo_val x = in(l, 0);
    int d = dim(l, 1, rank_of(l, x));
    if (failed(l)) return;
    if (tp_dtype_is_complex(dt(l, x))) {
        unimplemented(l, op == HLO_MAX ? "cummax_cpu" : "cummin_cpu", dt(l, x));
        return;
    }
    tp_dtype t = dt(l, x), p = position_type(size_of(l, x, d));
    hlo_op combine = t != TP_BOOL ? op : op == HLO_MAX ? HLO_OR : HLO_AND;
    hlo_val values = scan(l, combine, x, d), hit = cmp(l, HLO_EQ, x, values);
    if (tp_dtype_is_float(t)) hit = bin(l, HLO_OR, hit, is_nan(l, x)); /* the last of equals, or the last NaN */
    out(l, 0, values);
    out_as(l, 1, scan(l, HLO_MAX, sel(l, hit, iota(l, p, x, d), konst(l, p, 0)), d), TP_I64);
}

void low_cummax(low *l) { running_extreme(l, HLO_MAX); }
void low_cummin(low *l) { running_extreme(l, HLO_MIN); }

/* ---- order statistics.  Outputs (values, indices) with dimension |d| dropped or kept as 1. */
static void pick_out(low *l, hlo_val values, hlo_val places, hlo_val k, int d, bool keep) {
    if (failed(l)) return;
    if (rank_of(l, values)) {
        values = take_along(l, values, k, d);
        places = take_along(l, places, k, d);
    }
    uint32_t mask = keep || !rank_of(l, values) ? 0 : 1u << d;
    out(l, 0, squeeze_mask(l, values, mask));
    out(l, 1, squeeze_mask(l, places, mask));
}

/* |places| has size 1 along d: a place per line. */
static hlo_val constant_place(low *l, hlo_val x, int d, int64_t k) {
    int64_t sizes[TP_MAX_RANK];
    int rank = sizes_of(l, x, sizes);
    if (rank) sizes[d] = 1;
    return bcast(l, hlo_const_int(l->g, TP_I64, k), rank, sizes);
}

static void check_line(low *l, const char *fn, const char *kernel, hlo_val x, int d) {
    if (failed(l)) return;
    tp_dtype t = dt(l, x);
    if (rank_of(l, x) && size_of(l, x, d) == 0) fail(l, TP_INDEX, "%s(): Expected reduction dim %d to have non-zero size.", fn, d);
    else if (t == TP_BOOL || tp_dtype_is_complex(t)) unimplemented(l, kernel, t);
}

void low_kthvalue(low *l) {
    hlo_val x = in(l, 0), values, places;
    int rank = rank_of(l, x), d = dim(l, 2, rank);
    int64_t k = inum(l, 1), n = rank ? size_of(l, x, d) : 1;
    check_line(l, "kthvalue", "kthvalue_cpu", x, d);
    if (!failed(l) && (k < 1 || k > n)) fail(l, TP_RUNTIME, "kthvalue(): selected number k out of range for dimension %d", d);
    sorted_along(l, x, d, false, &values, &places);
    if (!failed(l)) pick_out(l, values, places, constant_place(l, x, d, k - 1), d, flag(l, 3));
}

/* The place of the median in each sorted line: the lower middle one; of a line with NaN, its first NaN (or, if NaN does
 * not count, the middle of the others). */
static hlo_val median_place(low *l, hlo_val sorted, int d, bool skip_nan) {
    int64_t n = size_of(l, sorted, d);
    if (!tp_dtype_is_float(dt(l, sorted))) return constant_place(l, sorted, d, (n - 1) / 2);
    hlo_val numbers = reduce(l, HLO_ADD, cast(l, un(l, HLO_NOT, is_nan(l, sorted)), TP_I64), 0, 1u << d, true);
    hlo_val zero = konst(l, TP_I64, 0), one = konst(l, TP_I64, 1);
    if (skip_nan) return quo(l, bin(l, HLO_MAX, sub(l, numbers, one), zero), konst(l, TP_I64, 2));
    hlo_val all = hlo_const_int(l->g, TP_I64, n);
    return sel(l, cmp(l, HLO_LT, numbers, all), numbers, hlo_const_int(l->g, TP_I64, (n - 1) / 2));
}

static void median_along(low *l, const char *fn, bool skip_nan) {
    hlo_val x = in(l, 0), values, places;
    int d = dim(l, 1, rank_of(l, x));
    check_line(l, fn, "median_out", x, d);
    sorted_along(l, x, d, false, &values, &places);
    if (failed(l)) return;
    hlo_val k = rank_of(l, x) ? median_place(l, values, d, skip_nan) : HLO_NONE;
    pick_out(l, values, places, k, d, flag(l, 2));
}

static void median_of_all(low *l, bool skip_nan) {
    hlo_val x = in(l, 0), values, places;
    if (failed(l)) return;
    tp_dtype t = dt(l, x);
    if (t == TP_BOOL || tp_dtype_is_complex(t)) unimplemented(l, "median_cpu", t);
    if (failed(l)) return;
    x = flatten(l, x);
    if (numel_of(l, x) == 0) {
        out(l, 0, tp_dtype_is_float(t) ? konst(l, t, __builtin_nan("")) : konst_lowest(l, t));
        return;
    }
    sorted_along(l, x, 0, false, &values, &places);
    out(l, 0, reshape(l, take_along(l, values, median_place(l, values, 0, skip_nan), 0), 0, NULL));
}

void low_median(low *l) { median_of_all(l, false); }
void low_nanmedian(low *l) { median_of_all(l, true); }
void low_median_dim(low *l) { median_along(l, "median", false); }
void low_nanmedian_dim(low *l) { median_along(l, "nanmedian", true); }

/* ---- places in a sorted sequence */
typedef struct sequence {
    hlo_val values, sorter; /* sorted along the last dimension; sorter: HLO_NONE, or the places that sort it */
    bool right, own_line;   /* own_line: each line of the input has its own sequence */
} sequence;

/* Binary search, unrolled: as many steps as the sequence's length has bits. */
static hlo_val search(low *l, const sequence *s, hlo_val x) {
    int last = rank_of(l, s->values) - 1;
    int64_t n = size_of(l, s->values, last), sizes[TP_MAX_RANK];
    tp_dtype p = position_type(n);
    int rank = sizes_of(l, x, sizes);
    hlo_val lo = full(l, p, rank, sizes, 0), hi = bcast(l, hlo_const_int(l->g, p, n), rank, sizes);
    hlo_val one = konst(l, p, 1), two = konst(l, p, 2);
    for (int64_t width = n; width > 0 && !failed(l); width /= 2) {
        hlo_val mid = quo(l, add(l, lo, hi), two), at = bin(l, HLO_MIN, mid, hlo_const_int(l->g, p, n - 1));
        if (!hlo_is_none(s->sorter)) at = s->own_line ? take_along(l, s->sorter, at, last) : take_rows(l, s->sorter, at, 0);
        hlo_val v = s->own_line ? take_along(l, s->values, at, last) : take_rows(l, s->values, at, 0);
        hlo_val passed = un(l, HLO_NOT, cmp(l, s->right ? HLO_GT : HLO_GE, v, x)), open = cmp(l, HLO_LT, lo, hi);
        hlo_val up = bin(l, HLO_AND, open, passed), down = bin(l, HLO_AND, open, un(l, HLO_NOT, passed));
        lo = sel(l, up, add(l, mid, one), lo);
        hi = sel(l, down, mid, hi);
    }
    return lo;
}

static void check_sequence(low *l, int values, int x) {
    const tp_type *v = arg_type(l, values), *t = arg_type(l, x);
    bool fits = v->rank == 1 || v->rank == t->rank;
    for (int d = 0; d + 1 < v->rank && fits && v->rank > 1; d++) fits = v->dims[d] == t->dims[d];
    if (v->rank == 0) fail(l, TP_RUNTIME, "torch.searchsorted(): boundaries tensor should have positive dimension, but got 0 dimension");
    else if (!fits)
        fail(l, TP_RUNTIME,
             "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input value "
             "tensor must match, but we got boundaries tensor %s and input value tensor %s", sizes_text(l, v->rank, v->dims),
             sizes_text(l, t->rank, t->dims));
}

static void search_out(low *l, int values, int x, bool out_int32, bool right, int sorter) {
    if (failed(l)) return;
    tp_dtype t = promote_types((tp_dtype)arg_type(l, values)->dtype, (tp_dtype)arg_type(l, x)->dtype);
    if (is_slot(l, x)) t = (tp_dtype)arg_type(l, values)->dtype;
    sequence s = {.values = in_as(l, values, t), .sorter = in(l, sorter), .right = right, .own_line = arg_type(l, values)->rank > 1};
    out_as(l, 0, search(l, &s, in_as(l, x, t)), out_int32 ? TP_I32 : TP_I64);
}

void low_searchsorted(low *l) {
    const char *side = str(l, 4);
    bool right = has(l, 4) ? !strcmp(side, "right") : flag(l, 3);
    check_sequence(l, 0, 1);
    if (!failed(l) && has(l, 4) && strcmp(side, "left") && strcmp(side, "right"))
        fail(l, TP_RUNTIME, "torch.searchsorted(): side can only be 'left' or 'right' but got %s", side);
    else if (!failed(l) && flag(l, 3) && !right)
        fail(l, TP_RUNTIME, "torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True");
    search_out(l, 0, 1, flag(l, 2), right, 5);
}

void low_bucketize(low *l) {
    if (!failed(l) && arg_type(l, 1)->rank != 1)
        fail(l, TP_RUNTIME, "boundaries tensor must be 1 dimension, but got dim(%d)", arg_type(l, 1)->rank);
    search_out(l, 1, 0, flag(l, 2), flag(l, 3), -1);
}
