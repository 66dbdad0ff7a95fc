/* Rows that read or write along one dimension: gather, scatter and their reductions, index_select and its kin. */
#include "aten/index.h"

static const char *shape_text(low *l, hlo_val v) { return sizes_text(l, rank_of(l, v), type_of(l, v)->dims); }
static const char *out_of_bounds(low *l, const char *prefix, int d, int64_t size) {
    return text(l, "%sindex is out of bounds for dimension %d with size %lld", prefix, d, (long long)size);
}

/* ---- gather and scatter: (self, dim, index, ..) */
typedef struct along {
    hlo_val x, index; /* rank at least 1; index int64 or int32 */
    int d, rank;      /* rank of self as it was given */
} along_args;

static bool read_along(low *l, const char *name, along_args *a) {
    hlo_val x = in(l, 0), index = in(l, 2);
    tp_dtype t = dt(l, index);
    if (failed(l)) return false;
    int rank = rank_of(l, x) ? rank_of(l, x) : 1, index_rank = rank_of(l, index) ? rank_of(l, index) : 1;
    *a = (along_args){.x = at_least_1d(l, x), .index = at_least_1d(l, index), .rank = rank_of(l, x), .d = dim(l, 1, rank_of(l, x))};
    if (!failed(l) && numel_of(l, index) && t != TP_I64 && t != TP_I32) fail(l, TP_RUNTIME, "%s(): Expected dtype int32/int64 for index", name);
    if (!failed(l) && numel_of(l, index) && rank != index_rank)
        fail(l, TP_RUNTIME, "Index tensor must have the same number of dimensions as %s tensor", strcmp(name, "gather") ? "self" : "input");
    return !failed(l);
}

static void check_along(low *l, const along_args *a) {
    int64_t n = size_of(l, a->x, a->d);
    check(l, outside(l, a->index, 0, n), TP_RUNTIME, out_of_bounds(l, "", a->d, n));
}

void low_gather(low *l) {
    along_args a;
    if (!read_along(l, "gather", &a)) return;
    int64_t sizes[TP_MAX_RANK];
    int rank = sizes_of(l, in(l, 2), sizes);
    if (numel_of(l, a.index) == 0) {
        out(l, 0, full(l, dt(l, a.x), rank, sizes, 0));
        return;
    }
    for (int k = 0; k < rank_of(l, a.x) && !failed(l); k++)
        if (k != a.d && size_of(l, a.index, k) > size_of(l, a.x, k))
            fail(l, TP_RUNTIME, "Size does not match at dimension %d expected index %s to be no larger than self %s apart from dimension %d", k,
                 shape_text(l, a.index), shape_text(l, a.x), a.d);
    if (failed(l)) return;
    check_along(l, &a);
    out(l, 0, reshape(l, take_along(l, a.x, a.index, a.d), rank, sizes));
}

/* The part of src (argument 3) that the index reaches; HLO_NONE after an error. */
static hlo_val reached(low *l, const along_args *a) {
    hlo_val src = in(l, 3);
    if (failed(l)) return HLO_NONE;
    if (is_slot(l, 3) && l->in[3].letter != 'T') return bcast_as(l, num(l, 3, dt(l, a->x)), a->index);
    if (dt(l, src) != dt(l, a->x)) {
        fail(l, TP_RUNTIME, "scatter(): Expected self.dtype to be equal to src.dtype");
        return HLO_NONE;
    }
    src = at_least_1d(l, src);
    if (rank_of(l, src) != rank_of(l, a->x)) {
        fail(l, TP_RUNTIME, "Index tensor must have the same number of dimensions as src tensor");
        return HLO_NONE;
    }
    for (int k = 0; k < rank_of(l, src); k++) {
        int64_t n = size_of(l, a->index, k);
        if (n > size_of(l, src, k) || (k != a->d && n > size_of(l, a->x, k))) {
            fail(l, TP_RUNTIME, "Expected index %s to be no larger than self %s apart from dimension %d and to be no larger size than src %s",
                 shape_text(l, a->index), shape_text(l, a->x), a->d, shape_text(l, src));
            return HLO_NONE;
        }
        src = narrow(l, src, k, 0, n);
    }
    return src;
}

static void put_out(low *l, const along_args *a, hlo_val v) { out(l, 0, a->rank ? v : reshape(l, v, 0, NULL)); }

static void scatter(low *l, hlo_op op) {
    along_args a;
    if (!read_along(l, "scatter", &a)) return;
    if (numel_of(l, a.index) == 0) {
        put_out(l, &a, a.x);
        return;
    }
    hlo_val src = reached(l, &a);
    check_along(l, &a);
    put_out(l, &a, put_along(l, op, a.x, a.index, src, a.d));
}

void low_scatter(low *l) { scatter(l, HLO_OP_NONE); }
void low_scatter_add(low *l) { scatter(l, HLO_ADD); }

void low_scatter_named(low *l) {
    const char *name = str(l, 4);
    if (strcmp(name, "add") && strcmp(name, "multiply")) fail(l, TP_RUNTIME, "reduce argument must be either add or multiply.");
    scatter(l, !strcmp(name, "add") ? HLO_ADD : HLO_MUL);
}

/* ---- reductions by name */
typedef struct reducer {
    hlo_op op;
    bool mean, ok;
} reducer;

static reducer reducer_named(const char *name) {
    if (!strcmp(name, "sum")) return (reducer){HLO_ADD, false, true};
    if (!strcmp(name, "mean")) return (reducer){HLO_ADD, true, true};
    if (!strcmp(name, "prod")) return (reducer){HLO_MUL, false, true};
    if (!strcmp(name, "amax")) return (reducer){HLO_MAX, false, true};
    if (!strcmp(name, "amin")) return (reducer){HLO_MIN, false, true};
    return (reducer){HLO_ADD, false, false};
}

static hlo_val identity(low *l, reducer r, tp_dtype t) {
    if (r.op == HLO_MAX) return konst_lowest(l, t);
    if (r.op == HLO_MIN) return konst_highest(l, t);
    return konst(l, t, r.op == HLO_MUL);
}

/* total / max(count, 1); integers round down. */
static hlo_val averaged(low *l, hlo_val total, hlo_val count) {
    tp_dtype t = dt(l, total), wide = opmath(t);
    count = bin(l, HLO_MAX, count, konst_like(l, count, 1));
    if (tp_dtype_is_float(t) || tp_dtype_is_complex(t)) return cast(l, quo(l, cast(l, total, wide), cast(l, count, wide)), t);
    hlo_val n = cast(l, count, t), q = quo(l, total, n), zero = konst_like(l, total, 0);
    hlo_val inexact = bin(l, HLO_AND, cmp(l, HLO_NE, mul(l, q, n), total), cmp(l, HLO_LT, total, zero));
    return sel(l, inexact, sub(l, q, konst_like(l, q, 1)), q);
}

typedef hlo_val put_fn(low *l, hlo_op op, hlo_val x, hlo_val index, hlo_val updates, int d);

static hlo_val put_reduced(low *l, put_fn *put, reducer r, bool include_self, hlo_val x, hlo_val index, hlo_val src, int d) {
    if (failed(l)) return HLO_NONE;
    tp_dtype t = dt(l, x);
    hlo_val base = include_self ? x : put(l, HLO_OP_NONE, x, index, bcast_as(l, identity(l, r, t), src), d);
    hlo_val v = put(l, r.op, base, index, src, d);
    if (!r.mean || t == TP_BOOL) return v;
    hlo_val one = konst(l, TP_I32, 1), ones = bcast_as(l, one, src), count = bcast_as(l, one, x);
    if (!include_self) count = put(l, HLO_OP_NONE, count, index, bcast_as(l, konst(l, TP_I32, 0), src), d);
    return averaged(l, v, put(l, HLO_ADD, count, index, ones, d));
}

void low_scatter_reduce(low *l) {
    const char *name = str(l, 4);
    reducer r = reducer_named(name);
    along_args a;
    if (!failed(l) && !r.ok) fail(l, TP_RUNTIME, "reduce argument must be either sum, prod, mean, amax or amin, got %s", name);
    if (!read_along(l, "scatter", &a)) return;
    if (numel_of(l, a.index) == 0) {
        put_out(l, &a, a.x);
        return;
    }
    hlo_val src = reached(l, &a);
    check_along(l, &a);
    put_out(l, &a, put_reduced(l, put_along, r, flag(l, 5), a.x, a.index, src, a.d));
}

/* ---- index_select and its kin: the index is a vector */
void low_index_select(low *l) {
    hlo_val x = in(l, 0), index = in(l, 2);
    if (failed(l)) return;
    tp_dtype t = dt(l, index);
    int rank = rank_of(l, x), d = dim(l, 1, rank);
    int64_t n = numel_of(l, index);
    if (rank_of(l, index) > 1) fail(l, TP_INDEX, "index_select(): Index is supposed to be a vector");
    else if (t != TP_I64 && t != TP_I32) fail(l, TP_RUNTIME, "index_select(): Expected dtype int32 or int64 for index");
    else if (rank == 0 && n != 1) fail(l, TP_RUNTIME, "index_select(): Index to scalar can have only 1 value, got %lld value(s)", (long long)n);
    else if (rank && n && size_of(l, x, d) == 0) fail(l, TP_RUNTIME, "index_select(): self indexing axis dim should be positive");
    if (failed(l)) return;
    x = at_least_1d(l, x);
    check(l, outside(l, index, 0, size_of(l, x, d)), TP_INDEX, "index out of range in self");
    hlo_val v = take_rows(l, x, flatten(l, index), d);
    out(l, 0, rank ? v : reshape(l, v, 0, NULL));
}

/* self, dim, index, source of index_add and index_reduce. */
static bool check_source(low *l, const char *fn, along_args *a, hlo_val *out_source) {
    hlo_val x = in(l, 0), index = in(l, 2), source = in(l, 3);
    if (failed(l)) return false;
    tp_dtype t = dt(l, index);
    int d = dim(l, 1, rank_of(l, x));
    int64_t n = numel_of(l, index), have = rank_of(l, source) ? size_of(l, source, d) : 1;
    bool same = rank_of(l, x) == rank_of(l, source);
    for (int k = 0; k < rank_of(l, x) && same; k++) same = k == d || size_of(l, x, k) == size_of(l, source, k);
    if (rank_of(l, index) > 1)
        fail(l, TP_INDEX, "%s(): Index is supposed to be a vector, but got dim: %d with type: %s and size: %s", fn, rank_of(l, index),
             scalar_type_name(t), shape_text(l, index));
    else if (t != TP_I64 && t != TP_I32)
        fail(l, TP_RUNTIME, "%s(): Expected dtype int32/int64 for index but got: %s", fn, scalar_type_name(t));
    else if (dt(l, x) != dt(l, source))
        fail(l, TP_RUNTIME, "%s(): self (%s) and source (%s) must have the same scalar type", fn, scalar_type_name(dt(l, x)),
             scalar_type_name(dt(l, source)));
    else if (same && n != have)
        fail(l, TP_RUNTIME, "%s(): Number of indices (%lld) should be equal to source.size(dim): (%lld), for dim: %d", fn, (long long)n,
             (long long)have, d);
    else if (!same)
        fail(l, TP_RUNTIME,
             "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = %s source.shape = %s",
             shape_text(l, x), shape_text(l, source));
    if (failed(l)) return false;
    *a = (along_args){.x = at_least_1d(l, x), .index = flatten(l, index), .rank = rank_of(l, x), .d = d};
    *out_source = at_least_1d(l, source);
    int64_t size = size_of(l, a->x, d);
    if (a->rank > 1) check(l, outside(l, a->index, 0, size), TP_RUNTIME, out_of_bounds(l, "", 0, size));
    else check(l, outside(l, a->index, 0, size), TP_INDEX, "index out of range in self");
    return true;
}

void low_index_add(low *l) {
    along_args a;
    hlo_val source;
    if (!check_source(l, "index_add_", &a, &source)) return;
    tp_dtype t = dt(l, source), wide = opmath(t);
    source = t == TP_BOOL ? bin(l, HLO_AND, source, num(l, 4, t)) : cast(l, mul(l, cast(l, source, wide), num(l, 4, wide)), t);
    put_out(l, &a, put_rows(l, HLO_ADD, a.x, a.index, source, a.d));
}

void low_index_reduce(low *l) {
    const char *name = str(l, 4);
    reducer r = reducer_named(name);
    along_args a;
    hlo_val source;
    if (!failed(l) && (!r.ok || !strcmp(name, "sum")))
        fail(l, TP_RUNTIME, "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got %s.", name);
    if (!check_source(l, "index_reduce", &a, &source)) return;
    if (dt(l, a.x) == TP_BOOL && !flag(l, 5)) unimplemented(l, "index_reduce_func_exclude_input_init", TP_BOOL);
    put_out(l, &a, put_reduced(l, put_rows, r, flag(l, 5), a.x, a.index, source, a.d));
}

void low_index_fill(low *l) {
    hlo_val x = in(l, 0), index = in(l, 2), value = in(l, 3);
    if (failed(l)) return;
    int d = dim(l, 1, rank_of(l, x));
    if (dt(l, index) != TP_I64) fail(l, TP_INDEX, "index_fill_(): Expected dtype int64 for index.");
    else if (rank_of(l, value))
        fail(l, TP_RUNTIME, "index_fill_ only supports a 0-dimensional value tensor, but got tensor with %d dimension(s).", rank_of(l, value));
    else if (tp_dtype_is_complex(dt(l, value)) && !tp_dtype_is_complex(dt(l, x)))
        fail(l, TP_RUNTIME, "index_fill_(): Converting complex Scalar to non-complex type is not supported");
    else if (rank_of(l, index) > 1) fail(l, TP_RUNTIME, "Index has to be a vector/scalar");
    if (failed(l)) return;
    along_args a = {.x = at_least_1d(l, x), .index = flatten(l, index), .rank = rank_of(l, x), .d = d};
    int64_t size = size_of(l, a.x, d), sizes[TP_MAX_RANK];
    int rank = sizes_of(l, a.x, sizes);
    sizes[d] = numel_of(l, index);
    check(l, outside(l, a.index, -size, size), TP_INDEX, out_of_bounds(l, "", 0, size));
    hlo_val fill = bcast(l, cast(l, value, dt(l, x)), rank, sizes);
    put_out(l, &a, put_rows(l, HLO_OP_NONE, a.x, wrapped(l, a.index, size), fill, d));
}

/* "3 4" */
static const char *slice_text(low *l, int n, const int64_t *sizes) {
    const char *words = "";
    for (int k = 0; k < n; k++) words = text(l, "%s%s%lld", words, k ? " " : "", (long long)sizes[k]);
    return words;
}

static void check_index_copy(low *l, hlo_val x, hlo_val index, hlo_val source, int d) {
    int rx = rank_of(l, x), rs = rank_of(l, source);
    long long n = (long long)numel_of(l, index), have = rs > d ? (long long)size_of(l, source, d) : 1;
    int64_t want[TP_MAX_RANK] = {0}, got[TP_MAX_RANK] = {0};
    int nw = 0;
    for (int k = 0; k < rx && rs == rx; k++) {
        if (k == d) continue;
        want[nw] = size_of(l, x, k);
        got[nw++] = size_of(l, source, k);
    }
    if (rank_of(l, index) > 1) fail(l, TP_INDEX, "index_copy_(): Index should have dimension 1 or 0 (got %d)", rank_of(l, index));
    else if (rs == 0 && n != 1)
        fail(l, TP_INDEX, "index_copy_(): When source is scalar, index should have one element (got %lld)", n);
    else if (rs != rx && rs != 0 && rx != 0)
        fail(l, TP_INDEX,
             "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source dimensionality (%d), "
             "destination dimensionality (%d)", rs, rx);
    else if (dt(l, index) != TP_I64)
        fail(l, TP_RUNTIME, "index_copy_(): Expected a long tensor for index, but got %s", scalar_type_name(dt(l, index)));
    else if (dt(l, x) != dt(l, source))
        fail(l, TP_RUNTIME, "index_copy_(): self and source expected to have the same dtype, but got (self) %s and (source) %s",
             scalar_type_name(dt(l, x)), scalar_type_name(dt(l, source)));
    else if (memcmp(want, got, sizeof want) != 0)
        fail(l, TP_RUNTIME,
             "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: %s at dimension %d and source "
             "slice shape: %s at dimension 0.", slice_text(l, nw, want), d, slice_text(l, nw, got));
    else if (n != have)
        fail(l, TP_INDEX, "index_copy_(): Number of indices (%lld) should be equal to source.size(dim) (%lld)", n, have);
}

void low_index_copy(low *l) {
    hlo_val x = in(l, 0), index = in(l, 2), source = in(l, 3);
    if (failed(l)) return;
    int d = dim(l, 1, rank_of(l, x));
    check_index_copy(l, x, index, source, d);
    if (failed(l)) return;
    along_args a = {.x = at_least_1d(l, x), .index = flatten(l, index), .rank = rank_of(l, x), .d = d};
    int64_t size = size_of(l, a.x, d), sizes[TP_MAX_RANK];
    int rank = sizes_of(l, a.x, sizes);
    sizes[d] = numel_of(l, index);
    check(l, outside(l, a.index, 0, size), TP_INDEX, out_of_bounds(l, "index_copy_(): ", 0, size));
    put_out(l, &a, put_rows(l, HLO_OP_NONE, a.x, a.index, reshape(l, source, rank, sizes), d));
}
