/* Gathers and scatters, and the rows of advanced indexing. */
#include "aten/index.h"

/* ---- one gather, one scatter */
tp_type indexed_type(const low *l, hlo_val x, const index_set *s) {
    const tp_type *t = type_of(l, x);
    tp_type r = {.dtype = t->dtype};
    uint32_t taken = 0;
    for (int k = 0; k < s->n; k++) taken |= 1u << s->dims[k];
    for (int d = 0, left = 0; d <= t->rank; d++) {
        if (left == s->at && (d == t->rank || !(taken >> d & 1))) {
            memcpy(r.dims + r.rank, s->sizes, (size_t)s->rank * sizeof *s->sizes);
            r.rank = (uint8_t)(r.rank + s->rank);
            left = -TP_MAX_RANK;
        }
        if (d == t->rank || (taken >> d & 1)) continue;
        r.dims[r.rank++] = t->dims[d];
        left++;
    }
    return r;
}

static int64_t longest(low *l, hlo_val x) {
    int64_t n = 1;
    for (int d = 0; d < rank_of(l, x); d++) n = size_of(l, x, d) > n ? size_of(l, x, d) : n;
    return n;
}

/* The index arrays as vectors along a last dimension; one alone stands for itself. */
static hlo_val index_vectors(low *l, hlo_val x, const index_set *s) {
    tp_dtype t = position_type(longest(l, x));
    int64_t sizes[TP_MAX_RANK];
    hlo_val parts[TP_MAX_RANK];
    memcpy(sizes, s->sizes, (size_t)s->rank * sizeof *sizes);
    if (s->n == 1) return bcast(l, cast(l, s->index[0], t), s->rank, sizes);
    if (s->rank == TP_MAX_RANK) {
        fail(l, TP_RUNTIME, "aten::%s must be given indices of fewer than %d dimensions; got %d", l->row->name, TP_MAX_RANK, s->rank);
        return HLO_NONE;
    }
    for (int k = 0; k < s->n; k++) {
        sizes[s->rank] = 1;
        parts[k] = reshape(l, bcast(l, cast(l, s->index[k], t), s->rank, sizes), s->rank + 1, sizes);
    }
    return hlo_concat(l->g, s->n, parts, s->rank);
}

/* Result dimensions that are not the indices' own. */
static int left_dims(const index_set *s, int result_rank, int64_t *out_dims) {
    int n = 0;
    for (int d = 0; d < result_rank; d++)
        if (d < s->at || d >= s->at + s->rank) out_dims[n++] = d;
    return n;
}

static int sorted_dims(const index_set *s, int rank, int64_t *out_dims) {
    int n = 0;
    for (int d = 0; d < rank; d++)
        for (int k = 0; k < s->n; k++)
            if (s->dims[k] == d) out_dims[n++] = d;
    return n;
}

hlo_val take_at(low *l, hlo_val x, const index_set *s) {
    if (failed(l)) return HLO_NONE;
    tp_type r = indexed_type(l, x, s);
    if (tp_type_numel(&r) == 0 || numel_of(l, x) == 0) return full(l, dt(l, x), r.rank, r.dims, 0);
    hlo_gather_dims d = {.nmap = s->n, .index_vector_dim = s->rank};
    sizes_of(l, x, d.slice_sizes);
    for (int k = 0; k < s->n; k++) {
        d.map[k] = s->dims[k];
        d.slice_sizes[s->dims[k]] = 1;
    }
    d.ncollapsed = sorted_dims(s, rank_of(l, x), d.collapsed);
    d.noffset = left_dims(s, r.rank, d.offset);
    return hlo_gather(l->g, x, index_vectors(l, x, s), &d);
}

static hlo_op logical(hlo_op op, tp_dtype t) {
    if (t != TP_BOOL || op == HLO_OP_NONE) return op;
    return op == HLO_ADD || op == HLO_MAX ? HLO_OR : HLO_AND;
}

hlo_val put_at(low *l, hlo_op op, hlo_val x, const index_set *s, hlo_val updates) {
    if (failed(l) || numel_of(l, updates) == 0 || numel_of(l, x) == 0) return x;
    hlo_scatter_dims d = {.nmap = s->n, .index_vector_dim = s->rank};
    for (int k = 0; k < s->n; k++) d.map[k] = s->dims[k];
    d.ninserted = sorted_dims(s, rank_of(l, x), d.inserted);
    d.nwindow = left_dims(s, rank_of(l, updates), d.window);
    return hlo_scatter(l->g, logical(op, dt(l, x)), x, index_vectors(l, x, s), updates, &d);
}

static index_set one_index(low *l, hlo_val index, int d) {
    index_set s = {.n = 1, .at = d, .dims = {d}, .index = {index}};
    s.rank = sizes_of(l, index, s.sizes);
    return s;
}

hlo_val take_rows(low *l, hlo_val x, hlo_val index, int d) {
    index_set s = one_index(l, index, d);
    return take_at(l, x, &s);
}

hlo_val put_rows(low *l, hlo_op op, hlo_val x, hlo_val index, hlo_val updates, int d) {
    index_set s = one_index(l, index, d);
    return put_at(l, op, x, &s, updates);
}

/* Dimensions that have one place in both arrays need no index. */
static uint32_t trivial_dims(low *l, hlo_val x, hlo_val index, int d) {
    uint32_t mask = 0;
    for (int k = 0; k < rank_of(l, x); k++)
        if (k != d && size_of(l, x, k) == 1 && size_of(l, index, k) == 1) mask |= 1u << k;
    return mask;
}

static index_set full_index(low *l, hlo_val x, hlo_val index, int d) {
    index_set s = {.n = rank_of(l, index)};
    s.rank = sizes_of(l, index, s.sizes);
    tp_dtype t = position_type(longest(l, x));
    for (int k = 0; k < s.n; k++) {
        s.dims[k] = k;
        s.index[k] = k == d ? index : iota(l, t, index, k);
    }
    return s;
}

static int below(uint32_t mask, int d) { return __builtin_popcount(mask & ((1u << d) - 1)); }

hlo_val take_along(low *l, hlo_val x, hlo_val index, int d) {
    if (failed(l)) return HLO_NONE;
    int64_t sizes[TP_MAX_RANK];
    int rank = sizes_of(l, index, sizes);
    uint32_t drop = trivial_dims(l, x, index, d);
    x = squeeze_mask(l, x, drop);
    index = squeeze_mask(l, index, drop);
    index_set s = full_index(l, x, index, d - below(drop, d));
    return reshape(l, take_at(l, x, &s), rank, sizes);
}

hlo_val put_along(low *l, hlo_op op, hlo_val x, hlo_val index, hlo_val updates, int d) {
    if (failed(l)) return HLO_NONE;
    int64_t sizes[TP_MAX_RANK];
    int rank = sizes_of(l, x, sizes);
    uint32_t drop = trivial_dims(l, x, index, d);
    x = squeeze_mask(l, x, drop);
    index = squeeze_mask(l, index, drop);
    index_set s = full_index(l, x, index, d - below(drop, d));
    return reshape(l, put_at(l, op, x, &s, squeeze_mask(l, updates, drop)), rank, sizes);
}

hlo_val wrapped(low *l, hlo_val index, int64_t size) {
    index = cast(l, index, TP_I64);
    return sel(l, cmp(l, HLO_LT, index, konst(l, TP_I64, 0)), add(l, index, hlo_const_int(l->g, TP_I64, size)), index);
}

hlo_val outside(low *l, hlo_val index, int64_t least, int64_t size) {
    index = cast(l, index, TP_I64);
    return bin(l, HLO_OR, cmp(l, HLO_LT, index, hlo_const_int(l->g, TP_I64, least)), cmp(l, HLO_GE, index, hlo_const_int(l->g, TP_I64, size)));
}

hlo_val true_places(low *l, hlo_val mask, int64_t n, int64_t fill) {
    hlo_val flat = flatten(l, mask);
    if (failed(l)) return HLO_NONE;
    int64_t total = numel_of(l, flat);
    tp_dtype t = position_type(total > n ? total : n);
    hlo_val rank_in = sub(l, scan(l, HLO_ADD, cast(l, flat, t), 0), konst(l, t, 1));
    hlo_val target = sel(l, flat, rank_in, hlo_const_int(l->g, t, n)); /* n is out of range: not written */
    hlo_val start = bcast(l, hlo_const_int(l->g, t, fill), 1, &n);
    return put_rows(l, HLO_OP_NONE, start, target, count_up(l, t, total), 0);
}

hlo_val at_least_1d(low *l, hlo_val a) { return rank_of(l, a) ? a : flatten(l, a); }

/* ---- x[i, :, j] */
static bool is_index_type(tp_dtype t) { return t == TP_I64 || t == TP_I32; }

static void broadcast_indices(low *l, index_set *s) {
    tp_type r = {0};
    bool fits = true;
    for (int k = 0; k < s->n; k++) {
        const tp_type *t = type_of(l, s->index[k]);
        tp_type both = *t;
        both.rank = r.rank > t->rank ? r.rank : t->rank;
        for (int d = 1; d <= both.rank; d++) {
            int64_t a = d <= r.rank ? r.dims[r.rank - d] : 1, b = d <= t->rank ? t->dims[t->rank - d] : 1;
            fits = fits && (a == b || a == 1 || b == 1);
            both.dims[both.rank - d] = a == 1 ? b : a;
        }
        r = both;
    }
    if (!fits) {
        const char *shapes = "";
        for (int k = 0; k < s->n; k++) {
            const tp_type *t = type_of(l, s->index[k]);
            shapes = text(l, "%s%s%s", shapes, k ? ", " : "", sizes_text(l, t->rank, t->dims));
        }
        fail(l, TP_INDEX, "shape mismatch: indexing tensors could not be broadcast together with shapes %s", shapes);
    }
    s->rank = r.rank;
    memcpy(s->sizes, r.dims, r.rank * sizeof *s->sizes);
}

/* The indices of list argument |list| for |x|: checked, broadcast, wrapped.  None of them given: n is 0. */
static void read_indices(low *l, hlo_val x, int list, index_set *s) {
    *s = (index_set){0};
    if (failed(l)) return;
    int n = nelems(l, list), last = -1;
    bool together_ = true, no_places = false;
    if (n > rank_of(l, x)) fail(l, TP_INDEX, "too many indices for tensor of dimension %d (got %d)", rank_of(l, x), n);
    for (int k = 0; k < n && !failed(l); k++) {
        hlo_val v = elem(l, list, k);
        if (hlo_is_none(v)) continue;
        if (!is_index_type(dt(l, v))) fail(l, TP_INDEX, "tensors used as indices must be long, int, byte or bool tensors");
        together_ = together_ && (last < 0 || last == k - 1);
        no_places = no_places || size_of(l, x, k) == 0;
        s->dims[s->n] = last = k;
        s->index[s->n++] = v;
    }
    if (failed(l) || !s->n) return;
    broadcast_indices(l, s);
    s->at = together_ ? s->dims[0] : 0;
    if (no_places && tp_numel(s->rank, s->sizes) != 0) fail(l, TP_INDEX, "index is out of bounds for dimension with size 0");
}

static void check_indices(low *l, hlo_val x, index_set *s) {
    if (failed(l)) return;
    tp_type r = indexed_type(l, x, s);
    hlo_val rest = HLO_NONE;
    for (int k = 0; k < s->n; k++) {
        int64_t size = size_of(l, x, s->dims[k]);
        hlo_val bad = reduce(l, HLO_OR, outside(l, s->index[k], -size, size), 0, UINT32_MAX, false);
        s->index[k] = wrapped(l, s->index[k], size);
        if (tp_type_numel(&r) == 0) continue;
        if (k == 0)
            check(l, bad, TP_INDEX, text(l, "index is out of bounds for dimension %d with size %lld", k, (long long)size));
        else
            rest = hlo_is_none(rest) ? bad : bin(l, HLO_OR, rest, bad);
    }
    if (hlo_is_none(rest)) return;
    if (s->n == 2)
        check(l, rest, TP_INDEX, text(l, "index is out of bounds for dimension 1 with size %lld", (long long)size_of(l, x, s->dims[1])));
    else
        check(l, rest, TP_INDEX, "index is out of bounds for a dimension after the first indexed one");
}

void low_index(low *l) {
    hlo_val x = in(l, 0);
    index_set s;
    if (!failed(l) && nelems(l, 1) == 0) fail(l, TP_INDEX, "at least one index must be provided");
    read_indices(l, x, 1, &s);
    if (failed(l)) return;
    if (!s.n) {
        out(l, 0, x);
        return;
    }
    check_indices(l, x, &s);
    out(l, 0, take_at(l, x, &s));
}

static hlo_val fit_values(low *l, hlo_val x, const tp_type *r) {
    hlo_val v = in(l, 2);
    tp_type t = *type_of(l, v);
    if (failed(l)) return HLO_NONE;
    bool fits = t.rank <= r->rank;
    for (int d = 1; d <= t.rank && fits; d++) fits = t.dims[t.rank - d] == 1 || t.dims[t.rank - d] == r->dims[r->rank - d];
    if (!fits)
        fail(l, TP_RUNTIME, "shape mismatch: value tensor of shape %s cannot be broadcast to indexing result of shape %s",
             sizes_text(l, t.rank, t.dims), sizes_text(l, r->rank, r->dims));
    else if (dt(l, v) != dt(l, x) && !(is_slot(l, 2) && l->in[2].scalar_rank == TP_NUMBER))
        fail(l, TP_RUNTIME, "Index put requires the source and destination dtypes match, got %s for the destination and %s for the source.",
             scalar_type_name(dt(l, x)), scalar_type_name(dt(l, v)));
    return failed(l) ? HLO_NONE : bcast(l, cast(l, v, dt(l, x)), r->rank, r->dims);
}

void low_index_put(low *l) {
    hlo_val x = in(l, 0);
    index_set s;
    read_indices(l, x, 1, &s);
    if (failed(l)) return;
    tp_type r = s.n ? indexed_type(l, x, &s) : *type_of(l, x);
    hlo_val v = fit_values(l, x, &r);
    bool accumulate = flag(l, 3);
    if (failed(l)) return;
    if (!s.n) {
        out(l, 0, accumulate ? bin(l, logical(HLO_ADD, dt(l, x)), x, v) : v);
        return;
    }
    check_indices(l, x, &s);
    out(l, 0, put_at(l, accumulate ? HLO_ADD : HLO_OP_NONE, x, &s, v));
}

/* ---- by flat place */
static void check_long(low *l, int i, const char *fn) {
    if (!failed(l) && arg_type(l, i)->dtype != TP_I64)
        fail(l, TP_RUNTIME, "%s(): Expected a long tensor for index, but got %s", fn, scalar_type_name((tp_dtype)arg_type(l, i)->dtype));
}

static hlo_val flat_places(low *l, hlo_val index, int64_t n) {
    check(l, outside(l, index, -n, n), TP_INDEX, text(l, "out of range: tried to access an index on a tensor of %lld elements.", (long long)n));
    return wrapped(l, index, n);
}

void low_take(low *l) {
    hlo_val x = in(l, 0), index = in(l, 1);
    check_long(l, 1, "take");
    if (failed(l)) return;
    int64_t n = numel_of(l, x);
    if (n == 0 && numel_of(l, index) != 0) fail(l, TP_INDEX, "take(): tried to take from an empty tensor");
    out(l, 0, take_rows(l, flatten(l, x), flat_places(l, index, n), 0));
}

void low_put(low *l) {
    hlo_val x = in(l, 0), index = in(l, 1), source = in(l, 2);
    check_long(l, 1, "put_");
    if (failed(l)) return;
    tp_dtype t = dt(l, x);
    if (t != dt(l, source))
        fail(l, TP_RUNTIME, "put_(): self and source expected to have the same dtype, but got self.dtype = %s and source.dtype = %s",
             scalar_type_name(t), scalar_type_name(dt(l, source)));
    else if (numel_of(l, index) != numel_of(l, source))
        fail(l, TP_INDEX,
             "put_(): Expected source and index to have the same number of elements, but got source.numel() = %lld, index.numel() = %lld",
             (long long)numel_of(l, source), (long long)numel_of(l, index));
    else if (numel_of(l, x) == 0 && numel_of(l, index) != 0)
        fail(l, TP_INDEX, "put_(): Tried to put elements into an empty tensor");
    if (failed(l)) return;
    int64_t sizes[TP_MAX_RANK];
    int rank = sizes_of(l, x, sizes);
    hlo_val places = flat_places(l, flatten(l, index), numel_of(l, x));
    out(l, 0, reshape(l, put_rows(l, flag(l, 3) ? HLO_ADD : HLO_OP_NONE, flatten(l, x), places, flatten(l, source), 0), rank, sizes));
}
