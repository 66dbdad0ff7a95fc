#include "aten/plan.h"

#include "aten/plan_step.h"

#include <stdio.h>

enum { MAX_VDIMS = 2 * TP_MAX_RANK };

/* A view dimension that addresses more than one element, largest stride first. */
typedef struct vdim {
    int64_t size;
    int64_t stride; /* in elements; once assigned to an axis, in its units */
    uint8_t dim;    /* of the view */
    bool joined;    /* continues the entry before it: one view dimension, cut where the base has a boundary */
} vdim;

/* A dimension of the array at hand, and the view dimensions that run along it. */
typedef struct axis {
    int64_t len, start;
    uint8_t first, n;
} axis;

typedef struct planner {
    at_plan *plan;
    bool slot_starts, overlap, wide;
    bool full; /* more words, slots or dimensions than there is room for */
    uint8_t dtype, rank, made_rank, nv, naxes;
    int64_t dims[TP_MAX_RANK]; /* the array at hand, as the next step wants it */
    int64_t made[TP_MAX_RANK]; /* and as the last step left it */
    uint8_t order[TP_MAX_RANK]; /* dimensions of |dims| from outermost to innermost in memory */
    vdim v[MAX_VDIMS];
    axis axes[TP_MAX_RANK];
} planner;

/* ---- words */

/* Room for |n| words that the caller fills, or NULL. */
static inline int64_t *put_words(planner *b, int n) {
    at_plan *p = b->plan;
    if (p->nwords + n > AT_PLAN_WORDS) {
        b->full = true;
        return NULL;
    }
    int64_t *w = &p->words[p->nwords];
    p->nwords = (uint16_t)(p->nwords + n);
    return w;
}

static inline void put(planner *b, int64_t w) {
    int64_t *at = put_words(b, 1);
    if (at) *at = w;
}

static inline void put_sizes(planner *b, int64_t step, int rank, const int64_t *sizes) {
    int64_t *w = put_words(b, 1 + rank);
    if (!w) return;
    w[0] = step;
    for (int i = 0; i < rank; i++) w[i + 1] = sizes[i];
}

static inline void put_slot(planner *b, int64_t start) {
    at_plan *p = b->plan;
    if (p->nslots == AT_PLAN_SLOTS)
        b->full = true;
    else
        p->starts[p->nslots++] = start;
}

static inline void made_dims(planner *b) {
    b->made_rank = b->rank;
    for (int i = 0; i < b->rank; i++) b->made[i] = b->dims[i];
}

static bool is_made(const planner *b, int rank, const int64_t *dims) {
    if (rank != b->made_rank) return false;
    for (int i = 0; i < rank; i++)
        if (dims[i] != b->made[i]) return false;
    return true;
}

static void put_reshape(planner *b) {
    if (is_made(b, b->rank, b->dims)) return;
    put_sizes(b, PLAN_STEP(PLAN_RESHAPE, b->rank, 0, 0), b->rank, b->dims);
    made_dims(b);
}

static void put_transpose(planner *b, const uint8_t *perm) {
    bool sorted = true;
    for (int i = 0; i < b->rank; i++) sorted &= perm[i] == i;
    if (sorted) return;
    put_reshape(b);
    uint64_t word = 0;
    for (int i = 0; i < b->rank; i++) {
        word |= (uint64_t)perm[i] << 4 * i;
        b->dims[i] = b->made[perm[i]];
    }
    put(b, PLAN_STEP(PLAN_TRANSPOSE, 0, 0, 0));
    put(b, (int64_t)word);
    made_dims(b);
}

static void append_dim(planner *b, int64_t size) {
    if (b->rank == TP_MAX_RANK) {
        b->full = true;
        return;
    }
    b->dims[b->rank] = size;
    b->order[b->rank] = b->rank;
    b->rank++;
}

static void put_cast(planner *b, tp_dtype dtype) {
    put(b, PLAN_STEP(PLAN_CAST, dtype, 0, 0));
    b->dtype = (uint8_t)dtype;
}

/* ---- the base */

static void take_base(planner *b, const tp_type *base, const int64_t *strides) {
    int64_t stride[TP_MAX_RANK];
    int n = 0;
    b->dtype = base->dtype;
    b->made_rank = base->rank;
    put_sizes(b, 0, base->rank, base->dims);
    for (int i = 0; i < base->rank; i++) {
        b->made[i] = base->dims[i];
        if (base->dims[i] == 1) continue;
        int k = n;
        for (; k > 0 && stride[b->order[k - 1]] < strides[i]; k--) b->order[k] = b->order[k - 1];
        b->order[k] = (uint8_t)n;
        b->dims[n] = base->dims[i];
        stride[n++] = strides[i];
    }
    b->rank = (uint8_t)n;
}

static void put_memory_order(planner *b) {
    put_transpose(b, b->order);
    for (int i = 0; i < b->rank; i++) b->order[i] = (uint8_t)i;
}

/* The innermost |k| elements become one. */
static void put_wider(planner *b, tp_dtype dtype, int64_t k) {
    put_memory_order(b);
    int i = b->rank;
    int64_t run = 1;
    while (i > 0 && run % k) run *= b->dims[--i];
    if (run % k) {
        b->rank = 0;
        append_dim(b, run);
        put_reshape(b);
        put(b, PLAN_STEP(PLAN_PAD, 0, 0, 0));
        put(b, k - run % k);
        run += k - run % k;
        b->made[0] = run;
    }
    b->rank = (uint8_t)i;
    if (run > k) append_dim(b, run / k);
    append_dim(b, k);
    put_reshape(b);
    put_cast(b, dtype);
    b->rank--;
    made_dims(b);
}

/* Brings the base to elements of the view's size; complex views count as two elements.  Only casts between dtypes of
 * different sizes happen here: the others come last, on the view's elements alone, so that a write to a view of
 * another dtype leaves the rest of the base as it is, even where the cast loses bits (bool). */
static void take_dtype(planner *b, tp_dtype view) {
    if (b->dtype == view) return;
    if (tp_dtype_is_complex((tp_dtype)b->dtype)) {
        put_reshape(b);
        put(b, PLAN_STEP(PLAN_UNPACK, 0, 0, 0));
        b->dtype = (uint8_t)tp_dtype_real((tp_dtype)b->dtype);
        append_dim(b, 2);
        made_dims(b);
    }
    int64_t have = (int64_t)tp_dtype_size((tp_dtype)b->dtype), want = (int64_t)tp_dtype_size(tp_dtype_real(view));
    tp_dtype unit = tp_dtype_uint((size_t)want);
    if (have > want) {
        put_reshape(b);
        put_cast(b, unit);
        append_dim(b, have / want);
        made_dims(b);
    } else if (have < want) {
        put_wider(b, unit, want / have);
    }
}

/* ---- the view */

static void add_vdim(planner *b, int64_t size, int64_t stride, int dim) {
    int k = b->nv++;
    for (; k > 0 && b->v[k - 1].stride < stride; k--) b->v[k] = b->v[k - 1];
    b->v[k] = (vdim){.size = size, .stride = stride, .dim = (uint8_t)dim};
}

static void take_view(planner *b, int rank, const int64_t *sizes, const int64_t *strides, bool pairs) {
    b->nv = 0;
    for (int i = 0; i < rank; i++) {
        if (sizes[i] == 1) continue;
        if (strides[i] == 0)
            b->overlap = true;
        else
            add_vdim(b, sizes[i], strides[i] << pairs, i);
    }
    if (pairs) add_vdim(b, 2, 1, rank);
}

/* ---- axes: minimal runs of base dimensions whose unit divides every stride and inside which every extent stays */

/* A run of base dimensions [from, to), what is left of the offset there, and its unit. */
typedef struct run {
    int from;
    int64_t rest, unit;
} run;

/* Cuts the view dimension that runs over the end of an axis, if it fills the axis evenly: its outer part then runs
 * along the axis before, and no dimensions of the base need to be merged. */
static bool cut_vdim(planner *b, int first, int n, int64_t unit, int64_t len, int64_t start) {
    if (n == 0 || b->nv == MAX_VDIMS) return false;
    vdim *v = &b->v[first];
    int64_t step = v->stride / unit, inner = 1;
    for (int i = 1; i < n; i++) inner += (v[i].size - 1) * (v[i].stride / unit);
    int64_t fill = len / step;
    if (fill < 2 || len % step || start + inner > step || v->size <= fill || v->size % fill) return false;
    for (int i = b->nv++; i > first; i--) b->v[i] = b->v[i - 1];
    v[0].stride = unit * len;
    v[0].size /= fill;
    v[1].size = fill;
    v[1].joined = true;
    return true;
}

/* View dimensions from |first| on whose stride is at least |unit|: their number and extent; -1 if one is no multiple. */
static int run_vdims(const planner *b, int first, int64_t unit, int64_t *out_span) {
    int64_t span = 1;
    int i = first;
    for (; i < b->nv && b->v[i].stride >= unit; i++) {
        const vdim *v = &b->v[i];
        if (v->stride == unit) {
            span += v->size - 1;
        } else {
            if (v->stride % unit) return -1;
            span += (v->size - 1) * (v->stride / unit);
        }
    }
    *out_span = span;
    return i - first;
}

static void set_units(planner *b, const run *runs) {
    for (int i = 0; i < b->naxes; i++) {
        vdim *v = &b->v[b->axes[i].first];
        for (int k = 0; k < b->axes[i].n; k++) v[k].stride = v[k].stride == runs[i].unit ? 1 : v[k].stride / runs[i].unit;
    }
}

/* Walks the base's dimensions from outermost to innermost.  A stride that is no multiple of the unit pulls the next
 * dimension into the run; an extent that runs over the end merges the run with the one before it. */
static void find_axes(planner *b, int64_t offset) {
    run runs[TP_MAX_RANK];
    int64_t unit[TP_MAX_RANK + 1]; /* of dimension i: unit[i + 1] */
    unit[b->rank] = 1;
    for (int i = b->rank; i > 0; i--) unit[i - 1] = unit[i] * b->dims[b->order[i - 1]];
    b->naxes = 0;
    int from = 0, to = 1, first = 0;
    int64_t rest = offset;
    while (to <= b->rank) {
        int64_t u = unit[to], len = to == from + 1 ? b->dims[b->order[from]] : unit[from] / u, span;
        int n = run_vdims(b, first, u, &span);
        if (n < 0) {
            to++;
            continue;
        }
        int64_t start = rest < u ? 0 : rest / u;
        if (start + span > len) {
            if (b->naxes == 0) {
                b->full = true;
                return;
            }
            bool cut = cut_vdim(b, first, n, u, len, start);
            if (cut) to = from;
            b->naxes--;
            from = runs[b->naxes].from;
            rest = runs[b->naxes].rest;
            first = b->axes[b->naxes].first;
            continue;
        }
        runs[b->naxes] = (run){from, rest, u};
        b->axes[b->naxes++] = (axis){len, start, (uint8_t)first, (uint8_t)n};
        rest -= start * u;
        first += n;
        from = to++;
    }
    set_units(b, runs);
}

/* Axes that are single base dimensions stay in the base's own order; merged ones need memory order. */
static void order_axes(planner *b) {
    bool merged = b->naxes != b->rank;
    for (int i = 0; i < b->nv; i++) merged |= b->v[i].joined;
    if (merged) {
        put_memory_order(b);
        return;
    }
    axis sorted[TP_MAX_RANK];
    bool same = true;
    for (int i = 0; i < b->naxes; i++) {
        same &= b->order[i] == i;
        sorted[b->order[i]] = b->axes[i];
    }
    if (!same) memcpy(b->axes, sorted, b->naxes * sizeof *sorted);
}

static void one_axis(planner *b, int64_t offset) {
    put_memory_order(b);
    b->naxes = 1;
    b->axes[0] = (axis){tp_numel(b->rank, b->dims), offset, 0, b->nv};
}

/* ---- steps: until each axis is one view dimension */

static int64_t inner_span(const planner *b, const axis *a) {
    int64_t span = 1;
    for (int i = a->first + 1; i < a->first + a->n; i++) span += (b->v[i].size - 1) * b->v[i].stride;
    return span;
}

static inline bool is_nested(const planner *b, const axis *a) { return a->n < 2 || inner_span(b, a) <= b->v[a->first].stride; }

static bool insert_axes(planner *b, int at, int n) {
    if (b->naxes + n > TP_MAX_RANK) {
        b->full = true;
        return false;
    }
    memmove(&b->axes[at + n], &b->axes[at], (size_t)(b->naxes - at) * sizeof(axis));
    b->naxes = (uint8_t)(b->naxes + n);
    return true;
}

/* [len] -> [len / t, t] where the outer view dimension's step t divides len and the inner ones stay inside t. */
static void split_axes(planner *b) {
    for (int i = 0; i < b->naxes; i++) {
        axis a = b->axes[i];
        if (a.n < 2) continue;
        int64_t t = b->v[a.first].stride;
        if (a.len % t || a.start % t + inner_span(b, &a) > t || !insert_axes(b, i, 1)) continue;
        b->axes[i] = (axis){a.len / t, a.start / t, a.first, 1};
        b->axes[i + 1] = (axis){t, a.start % t, (uint8_t)(a.first + 1), (uint8_t)(a.n - 1)};
        b->v[a.first].stride = 1;
    }
}

static void dims_of_axes(planner *b) {
    b->rank = b->naxes;
    for (int i = 0; i < b->naxes; i++) b->dims[i] = b->axes[i].len;
}

static void pad_axes(planner *b) {
    for (int i = 0; i < b->naxes; i++) {
        axis *a = &b->axes[i];
        if (a->n < 2 || !is_nested(b, a)) continue;
        int64_t need = b->v[a->first].size * b->v[a->first].stride;
        if (need <= a->len) continue;
        put_reshape(b);
        put(b, PLAN_STEP(PLAN_PAD, i, 0, 0));
        put(b, need - a->len);
        b->dims[i] = a->len = need;
        made_dims(b);
    }
}

/* The slice an axis needs: an element, the view dimension, or whole steps of the outermost of several; false: none.
 * What the slice leaves of the start goes to the inner view dimensions. */
static bool slice_axis(planner *b, axis *a, int64_t *out_start, int64_t *out_size, int64_t *out_step) {
    vdim *v = &b->v[a->first];
    int64_t size = 1, step = 1, start = a->start;
    if (a->n == 1) {
        size = v->size;
        step = v->stride;
    } else if (a->n > 1) {
        if (!is_nested(b, a)) return false;
        size = v->size * v->stride;
        if (start > a->len - size) start = a->len - size;
    }
    bool needed = size != a->len || (a->n == 1 && step != 1);
    if (a->n == 1) v->stride = 1;
    a->len = size;
    a->start -= start;
    *out_start = start;
    *out_size = size;
    *out_step = step;
    return needed;
}

static void slice_axes(planner *b) {
    int64_t start, size, step, *first = NULL;
    int n = 0, kept = 0;
    for (int i = 0; i < b->naxes; i++) {
        if (slice_axis(b, &b->axes[i], &start, &size, &step)) {
            if (n++ == 0) {
                put_reshape(b);
                first = put_words(b, 1);
            }
            bool slot = size == 1 || b->slot_starts;
            int64_t *w = put_words(b, PLAN_ENTRY_WORDS);
            if (!w) return;
            w[0] = i + (slot ? PLAN_SLOT : 0);
            w[1] = slot ? 0 : start;
            w[2] = size;
            w[3] = step;
            if (slot) put_slot(b, start);
            b->wide |= size > 1 && (slot || start > 0);
            b->dims[i] = b->made[i] = size;
        }
        if (b->axes[i].n == 0) continue;
        if (kept < i) b->axes[kept] = b->axes[i];
        kept++;
    }
    b->naxes = (uint8_t)kept;
    if (first) *first = PLAN_STEP(PLAN_SLICE, n, 0, 0);
}

/* Does no element of the axis have two indices?  Decided on a bitmap; axes longer than it count as "no". */
static bool takes_once(const planner *b, const axis *a) {
    enum { BITS = 1 << 15 };
    uint64_t seen[BITS / 64] = {0};
    int64_t at[TP_MAX_RANK] = {0}, pos = 0, numel = 1, span = 1;
    const vdim *v = &b->v[a->first];
    for (int i = 0; i < a->n; i++) {
        span += (v[i].size - 1) * v[i].stride;
        if (span > BITS) return false;
        numel *= v[i].size;
        if (numel > BITS) return false;
    }
    if (numel > span) return false;
    for (int64_t k = 0; k < numel; k++) {
        if (seen[pos / 64] >> (pos % 64) & 1) return false;
        seen[pos / 64] |= UINT64_C(1) << (pos % 64);
        for (int i = a->n - 1; i >= 0; i--) {
            pos += v[i].stride;
            if (++at[i] < v[i].size) break;
            pos -= v[i].size * v[i].stride;
            at[i] = 0;
        }
    }
    return true;
}

static void gather_axes(planner *b) {
    for (int i = 0; i < b->naxes; i++) {
        axis a = b->axes[i];
        if (is_nested(b, &a)) continue;
        bool once = a.n <= TP_MAX_RANK && takes_once(b, &a);
        b->overlap |= !once;
        put_reshape(b);
        put(b, PLAN_STEP(PLAN_GATHER, i, a.n, once));
        put_slot(b, a.start);
        if (!insert_axes(b, i, a.n - 1)) return;
        for (int k = 0; k < a.n; k++) {
            vdim *v = &b->v[a.first + k];
            put(b, v->size);
            put(b, v->stride);
            v->stride = 1;
            b->axes[i + k] = (axis){v->size, 0, (uint8_t)(a.first + k), 1};
        }
        dims_of_axes(b);
        made_dims(b);
        i += a.n - 1;
    }
}

static bool has_nest(const planner *b) {
    for (int i = 0; i < b->naxes; i++)
        if (b->axes[i].n > 1) return true;
    return false;
}

static void walk_axes(planner *b) {
    bool nest = has_nest(b);
    do {
        if (nest) split_axes(b);
        dims_of_axes(b);
        if (nest) pad_axes(b);
        slice_axes(b);
        dims_of_axes(b);
        if (nest) gather_axes(b);
        nest = nest && has_nest(b);
    } while (nest && !b->full);
}

/* ---- the view's own order, dtype and sizes */

/* Joins what was cut and transposes to the view's order; bit mask of the view dimensions present. */
static uint64_t put_view_order(planner *b) {
    uint8_t dim[TP_MAX_RANK], perm[TP_MAX_RANK];
    uint64_t own = 0;
    int n = 0;
    for (int i = 0; i < b->naxes; i++) {
        const vdim *v = &b->v[b->axes[i].first];
        if (v->joined) {
            b->dims[n - 1] *= v->size;
        } else {
            b->dims[n] = v->size;
            dim[n++] = v->dim;
            own |= UINT64_C(1) << v->dim;
        }
    }
    b->rank = (uint8_t)n;
    for (int i = 0; i < n; i++) {
        int k = 0;
        for (int j = 0; j < n; j++) k += dim[j] < dim[i];
        perm[k] = (uint8_t)i;
    }
    put_transpose(b, perm);
    return own;
}

static void put_view(planner *b, tp_dtype dtype, int rank, const int64_t *sizes) {
    uint64_t own = put_view_order(b);
    if (b->dtype != dtype && b->dtype != tp_dtype_real(dtype)) put_cast(b, tp_dtype_real(dtype));
    if (b->dtype != dtype) {
        put_reshape(b);
        put(b, PLAN_STEP(PLAN_PACK, 0, 0, 0));
        b->made_rank = --b->rank;
        own &= ~(UINT64_C(1) << rank);
    }
    bool spread = false;
    for (int i = 0; i < rank; i++) spread |= sizes[i] != 1 && !(own >> i & 1);
    if (spread) {
        put_reshape(b);
        put(b, PLAN_STEP(PLAN_BROADCAST, rank, 0, 0));
        put_sizes(b, (int64_t)own, rank, sizes);
        return;
    }
    if (!is_made(b, rank, sizes)) put_sizes(b, PLAN_STEP(PLAN_RESHAPE, rank, 0, 0), rank, sizes);
}

/* ---- entry */

static bool is_identity(const tp_type *base, const int64_t *base_strides, tp_dtype dtype, int rank, const int64_t *sizes,
                        const int64_t *strides, int64_t offset) {
    if (offset || base->dtype != dtype || base->rank != rank) return false;
    for (int i = 0; i < rank; i++)
        if (sizes[i] != base->dims[i] || (strides[i] != base_strides[i] && sizes[i] != 1)) return false;
    return true;
}

static tp_status __attribute__((cold, noinline)) outside(const tp_type *base, tp_dtype dtype, int rank, const int64_t *sizes,
                                                         const int64_t *strides, int64_t offset) {
    tp_type view = {.dtype = (uint8_t)dtype, .rank = (uint8_t)(rank < 0 || rank > TP_MAX_RANK ? 0 : rank)};
    char found[256], whole[256], text[256] = "";
    size_t len = 0;
    for (int i = 0; i < view.rank; i++) {
        view.dims[i] = sizes[i];
        if (len < sizeof text) len += (size_t)snprintf(text + len, sizeof text - len, i ? ", %lld" : "%lld", (long long)strides[i]);
    }
    if (view.rank != rank)
        return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME, "a view must have at most %d dimensions; found %d", TP_MAX_RANK, rank);
    return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME,
                   "a view must lie inside the bytes of its storage; found %s with strides [%s] and offset %lld in a storage of %s",
                   tp_type_format(&view, found, sizeof found), text, (long long)offset, tp_type_format(base, whole, sizeof whole));
}

/* The view's number of elements; -1 if it leaves the base's bytes or its geometry is no view's. */
static int64_t view_numel(int64_t room, int rank, const int64_t *sizes, const int64_t *strides, int64_t offset) {
    int64_t numel = 1, last = offset, extent;
    if (offset < 0 || rank < 0 || rank > TP_MAX_RANK) return -1;
    for (int i = 0; i < rank; i++) {
        if (sizes[i] < 0 || strides[i] < 0) return -1;
        if (sizes[i] == 0) numel = 0;
    }
    if (numel == 0) return 0;
    for (int i = 0; i < rank; i++)
        if (__builtin_mul_overflow(sizes[i] - 1, strides[i], &extent) || __builtin_add_overflow(last, extent, &last) ||
            __builtin_mul_overflow(numel, sizes[i], &numel))
            return -1;
    return last < room ? numel : -1;
}

static void start_plan(planner *b, at_plan *p, bool slot_starts) {
    p->nwords = 0; /* word 0, the header, comes last */
    p->nslots = 0;
    b->plan = p;
    b->slot_starts = slot_starts;
    b->overlap = b->wide = b->full = false;
}

static void plan_empty(planner *b, const tp_type *base, int rank, const int64_t *sizes) {
    put_sizes(b, 0, base->rank, base->dims);
    put_sizes(b, PLAN_STEP(PLAN_EMPTY, rank, 0, 0), rank, sizes);
}

tp_status at_plan_make(const tp_type *base, const int64_t *base_strides, tp_dtype dtype, int rank, const int64_t *sizes,
                       const int64_t *strides, int64_t offset, bool slot_starts, at_plan *p) {
    planner b;
    if (is_identity(base, base_strides, dtype, rank, sizes, strides, offset)) {
        p->kind = AT_PLAN_IDENTITY;
        p->nslots = 0;
        p->nwords = 0;
        return NULL;
    }
    int64_t room = tp_type_numel(base), bytes = 0, width = 0;
    if (base->dtype != dtype) {
        bytes = (int64_t)tp_type_bytes(base);
        width = (int64_t)tp_dtype_size(dtype);
        room = width ? bytes / width : 0;
    }
    int64_t numel = view_numel(room, rank, sizes, strides, offset);
    if (numel < 0) return outside(base, dtype, rank, sizes, strides, offset);
    bool pairs = base->dtype != dtype && tp_dtype_is_complex(dtype);
    for (int flat = 0; flat < 2; flat++) {
        start_plan(&b, p, slot_starts);
        if (numel == 0) {
            plan_empty(&b, base, rank, sizes);
            break;
        }
        take_base(&b, base, base_strides);
        take_dtype(&b, dtype);
        take_view(&b, rank, sizes, strides, pairs);
        if (flat) {
            one_axis(&b, offset << pairs);
        } else {
            find_axes(&b, offset << pairs);
            if (!b.full) order_axes(&b);
        }
        walk_axes(&b);
        if (!b.full) put_view(&b, dtype, rank, sizes);
        if (!b.full) break;
    }
    if (b.full)
        return TP_FAIL(TP_UNIMPLEMENTED, TP_RUNTIME, "a view of a view must come down to at most %d dimensions; found %s of rank %d in a storage of rank %d",
                       TP_MAX_RANK, tp_dtype_name(dtype), rank, base->rank);
    p->words[0] = PLAN_HEADER(base->dtype, base->rank, dtype, b.wide);
    p->kind = b.overlap ? AT_PLAN_OVERLAP : numel == room && numel * width == bytes ? AT_PLAN_WHOLE : AT_PLAN_PART;
    return NULL;
}

bool at_plan_has_wide_slices(const at_plan *p) { return p->nwords > 0 && PLAN_HEADER_WIDE(p->words[0]); }

bool at_view_self_overlaps(int rank, const int64_t *sizes, const int64_t *strides) {
    for (int i = 0; i < rank; i++)
        if (strides[i] == 0 && sizes[i] > 1) return true;
    return false;
}

bool at_strides_dense(int rank, const int64_t *sizes, const int64_t *strides) {
    int order[TP_MAX_RANK], n = 0;
    for (int i = 0; i < rank; i++) {
        if (sizes[i] < 2) continue;
        int k = n++;
        for (; k > 0 && strides[order[k - 1]] > strides[i]; k--) order[k] = order[k - 1];
        order[k] = i;
    }
    int64_t expected = 1;
    for (int i = 0; i < n; i++) {
        if (strides[order[i]] != expected) return false;
        expected *= sizes[order[i]];
    }
    return true;
}
