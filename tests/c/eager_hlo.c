/* hlo/graph.h, evaluated at once on host arrays: the part of it that plans use.  A value is its elements, so a lowering
 * can be run thousands of times without a compiler.  Indices are checked instead of clamped: a plan must never rely on
 * clamping.  A parameter's elements are those last given to eager_next_param. */
#include "eager_hlo.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct node {
    tp_type type;
    unsigned char *data;
} node;

struct hlo_graph {
    tp_status error;
    uint32_t n, cap;
    node *nodes;
    const void *next;
};

hlo_graph *hlo_graph_create(void) {
    hlo_graph *g = calloc(1, sizeof *g);
    g->cap = 256;
    g->nodes = calloc(g->cap, sizeof *g->nodes);
    g->n = 1;
    return g;
}

void hlo_graph_destroy(hlo_graph *g) {
    if (!g) return;
    for (uint32_t i = 0; i < g->n; i++) free(g->nodes[i].data);
    tp_status_free(g->error);
    free(g->nodes);
    free(g);
}

tp_status hlo_error(const hlo_graph *g) { return g->error; }

void hlo_set_error(hlo_graph *g, tp_status s) {
    if (g->error)
        tp_status_free(s);
    else
        g->error = s;
}

const tp_type *hlo_type_of(const hlo_graph *g, hlo_val v) { return &g->nodes[v.ix].type; }
const void *eager_data(const hlo_graph *g, hlo_val v) { return g->nodes[v.ix].data; }
void eager_next_param(hlo_graph *g, const void *data) { g->next = data; }

static bool need(hlo_graph *g, bool ok, const char *what) {
    if (!ok) hlo_set_error(g, TP_FAIL(TP_INTERNAL, TP_RUNTIME, "eager: must hold: %s", what));
    return !g->error;
}
#define NEED(cond) \
    do { \
        if (!need(g, (cond), #cond)) return HLO_NONE; \
    } while (0)

static hlo_val add(hlo_graph *g, const tp_type *type) {
    if (g->n == g->cap) g->nodes = realloc(g->nodes, (size_t)(g->cap *= 2) * sizeof *g->nodes);
    g->nodes[g->n] = (node){*type, calloc(tp_type_bytes(type) + 16, 1)};
    return (hlo_val){g->n++};
}

static const tp_type *type(const hlo_graph *g, hlo_val v) { return &g->nodes[v.ix].type; }
static unsigned char *data(const hlo_graph *g, hlo_val v) { return g->nodes[v.ix].data; }
static size_t width(const hlo_graph *g, hlo_val v) { return tp_dtype_size((tp_dtype)type(g, v)->dtype); }

static int64_t get_int(const hlo_graph *g, hlo_val v, int64_t i) {
    int64_t x = 0;
    memcpy(&x, data(g, v) + (size_t)i * width(g, v), width(g, v));
    return width(g, v) == 4 ? (int32_t)x : x;
}

static void set_int(hlo_graph *g, hlo_val v, int64_t i, int64_t x) { memcpy(data(g, v) + (size_t)i * width(g, v), &x, width(g, v)); }

/* dst[sum i * dst_stride] = src[sum i * src_stride] for all i below |dims|. */
static void copy(int rank, const int64_t *dims, size_t bytes, unsigned char *dst, const int64_t *dst_stride, const unsigned char *src,
                 const int64_t *src_stride) {
    if (rank == 0) {
        memcpy(dst, src, bytes);
        return;
    }
    for (int64_t i = 0; i < dims[0]; i++)
        copy(rank - 1, dims + 1, bytes, dst + i * dst_stride[0] * (int64_t)bytes, dst_stride + 1, src + i * src_stride[0] * (int64_t)bytes,
             src_stride + 1);
}

static void row_major(const tp_type *t, int64_t *out) { tp_contiguous_strides(t->rank, t->dims, out); }

hlo_val hlo_param(hlo_graph *g, const tp_type *t) {
    hlo_val r = add(g, t);
    memcpy(data(g, r), g->next, tp_type_bytes(t));
    return r;
}

hlo_val hlo_const_bits(hlo_graph *g, const tp_type *t, const void *bytes) {
    hlo_val r = add(g, t);
    memcpy(data(g, r), bytes, tp_type_bytes(t));
    return r;
}

hlo_val hlo_const_int(hlo_graph *g, tp_dtype dtype, int64_t value) {
    tp_type t = {.dtype = (uint8_t)dtype};
    NEED(tp_dtype_is_int(dtype));
    hlo_val r = add(g, &t);
    set_int(g, r, 0, value);
    return r;
}

hlo_val hlo_iota(hlo_graph *g, const tp_type *t, int dim) {
    int64_t stride[TP_MAX_RANK];
    NEED(dim < t->rank);
    hlo_val r = add(g, t);
    row_major(t, stride);
    for (int64_t i = 0, n = tp_type_numel(t); i < n; i++) set_int(g, r, i, i / stride[dim] % t->dims[dim]);
    return r;
}

hlo_val hlo_reshape(hlo_graph *g, hlo_val a, int rank, const int64_t *dims) {
    tp_type t = tp_type_make((tp_dtype)type(g, a)->dtype, rank, dims);
    NEED(!hlo_is_none(a) && tp_type_numel(&t) == tp_type_numel(type(g, a)));
    return hlo_const_bits(g, &t, data(g, a));
}

hlo_val hlo_transpose(hlo_graph *g, hlo_val a, const int64_t *perm) {
    tp_type t = *type(g, a);
    int64_t from[TP_MAX_RANK], stride[TP_MAX_RANK], to[TP_MAX_RANK];
    NEED(!hlo_is_none(a));
    row_major(&t, from);
    for (int i = 0; i < t.rank; i++) {
        t.dims[i] = type(g, a)->dims[perm[i]];
        stride[i] = from[perm[i]];
    }
    row_major(&t, to);
    hlo_val r = add(g, &t);
    copy(t.rank, t.dims, width(g, a), data(g, r), to, data(g, a), stride);
    return r;
}

hlo_val hlo_broadcast(hlo_graph *g, hlo_val a, int rank, const int64_t *dims, const int64_t *bdims) {
    const tp_type *from = type(g, a);
    tp_type t = tp_type_make((tp_dtype)from->dtype, rank, dims);
    int64_t have[TP_MAX_RANK], stride[TP_MAX_RANK] = {0}, to[TP_MAX_RANK];
    row_major(from, have);
    for (int i = 0; i < from->rank; i++) {
        NEED(from->dims[i] == dims[bdims[i]] || from->dims[i] == 1);
        if (from->dims[i] != 1) stride[bdims[i]] = have[i];
    }
    row_major(&t, to);
    hlo_val r = add(g, &t);
    copy(rank, dims, width(g, a), data(g, r), to, data(g, a), stride);
    return r;
}

hlo_val hlo_slice(hlo_graph *g, hlo_val a, const int64_t *starts, const int64_t *limits, const int64_t *strides) {
    tp_type t = *type(g, a);
    int64_t from[TP_MAX_RANK], to[TP_MAX_RANK], offset = 0;
    NEED(!hlo_is_none(a));
    row_major(&t, from);
    for (int i = 0; i < t.rank; i++) {
        NEED(0 <= starts[i] && starts[i] <= limits[i] && limits[i] <= t.dims[i] && strides[i] >= 1);
        t.dims[i] = (limits[i] - starts[i] + strides[i] - 1) / strides[i];
        offset += starts[i] * from[i];
        from[i] *= strides[i];
    }
    row_major(&t, to);
    hlo_val r = add(g, &t);
    copy(t.rank, t.dims, width(g, a), data(g, r), to, data(g, a) + (size_t)offset * width(g, a), from);
    return r;
}

hlo_val hlo_dynamic_slice(hlo_graph *g, hlo_val a, const hlo_val *starts, const int64_t *sizes) {
    int64_t start[TP_MAX_RANK], limit[TP_MAX_RANK], one[TP_MAX_RANK];
    NEED(!hlo_is_none(a));
    for (int i = 0; i < type(g, a)->rank; i++) {
        NEED(!hlo_is_none(starts[i]));
        start[i] = get_int(g, starts[i], 0);
        limit[i] = start[i] + sizes[i];
        one[i] = 1;
    }
    return hlo_slice(g, a, start, limit, one);
}

hlo_val hlo_dynamic_update(hlo_graph *g, hlo_val a, hlo_val update, const hlo_val *starts) {
    int64_t to[TP_MAX_RANK], from[TP_MAX_RANK], offset = 0;
    NEED(!hlo_is_none(a) && !hlo_is_none(update) && type(g, a)->rank == type(g, update)->rank && type(g, a)->dtype == type(g, update)->dtype);
    hlo_val r = hlo_reshape(g, a, type(g, a)->rank, type(g, a)->dims);
    row_major(type(g, a), to);
    row_major(type(g, update), from);
    for (int i = 0; i < type(g, a)->rank; i++) {
        int64_t start = get_int(g, starts[i], 0);
        NEED(start >= 0 && start + type(g, update)->dims[i] <= type(g, a)->dims[i]);
        offset += start * to[i];
    }
    copy(type(g, update)->rank, type(g, update)->dims, width(g, a), data(g, r) + (size_t)offset * width(g, a), to, data(g, update), from);
    return r;
}

hlo_val hlo_pad(hlo_graph *g, hlo_val a, hlo_val value, const int64_t *low, const int64_t *high, const int64_t *interior) {
    tp_type t = *type(g, a);
    int64_t from[TP_MAX_RANK], to[TP_MAX_RANK], offset = 0;
    NEED(!hlo_is_none(a) && type(g, value)->dtype == t.dtype && type(g, value)->rank == 0);
    row_major(&t, from);
    for (int i = 0; i < t.rank; i++) {
        NEED(low[i] >= 0 && high[i] >= 0 && interior[i] >= 0);
        t.dims[i] = low[i] + high[i] + t.dims[i] + (t.dims[i] > 1 ? (t.dims[i] - 1) * interior[i] : 0);
    }
    row_major(&t, to);
    hlo_val r = add(g, &t);
    for (int64_t i = 0, n = tp_type_numel(&t); i < n; i++) memcpy(data(g, r) + (size_t)i * width(g, a), data(g, value), width(g, a));
    for (int i = 0; i < t.rank; i++) {
        offset += low[i] * to[i];
        to[i] *= interior[i] + 1;
    }
    copy(t.rank, type(g, a)->dims, width(g, a), data(g, r) + (size_t)offset * width(g, a), to, data(g, a), from);
    return r;
}

hlo_val hlo_concat(hlo_graph *g, int n, const hlo_val *parts, int dim) {
    tp_type t = *type(g, parts[0]);
    int64_t from[TP_MAX_RANK], to[TP_MAX_RANK], at = 0;
    t.dims[dim] = 0;
    for (int i = 0; i < n; i++) t.dims[dim] += type(g, parts[i])->dims[dim];
    row_major(&t, to);
    hlo_val r = add(g, &t);
    for (int i = 0; i < n; i++) {
        row_major(type(g, parts[i]), from);
        copy(t.rank, type(g, parts[i])->dims, width(g, r), data(g, r) + (size_t)(at * to[dim]) * width(g, r), to, data(g, parts[i]), from);
        at += type(g, parts[i])->dims[dim];
    }
    return r;
}

hlo_val hlo_un(hlo_graph *g, hlo_op op, hlo_val a) {
    tp_type t = *type(g, a);
    NEED((op == HLO_REAL || op == HLO_IMAG) && tp_dtype_is_complex((tp_dtype)t.dtype));
    t.dtype = (uint8_t)tp_dtype_real((tp_dtype)t.dtype);
    hlo_val r = add(g, &t);
    size_t w = width(g, r);
    for (size_t i = 0, n = (size_t)tp_type_numel(&t); i < n; i++) memcpy(data(g, r) + i * w, data(g, a) + (2 * i + (op == HLO_IMAG)) * w, w);
    return r;
}

hlo_val hlo_complex(hlo_graph *g, hlo_val re, hlo_val im) {
    tp_type t = *type(g, re);
    NEED(tp_type_equal(&t, type(g, im)) && (t.dtype == TP_F32 || t.dtype == TP_F64));
    t.dtype = t.dtype == TP_F32 ? TP_C64 : TP_C128;
    hlo_val r = add(g, &t);
    size_t w = width(g, re);
    for (size_t i = 0, n = (size_t)tp_type_numel(&t); i < n; i++) {
        memcpy(data(g, r) + 2 * i * w, data(g, re) + i * w, w);
        memcpy(data(g, r) + (2 * i + 1) * w, data(g, im) + i * w, w);
    }
    return r;
}

hlo_val hlo_bitcast(hlo_graph *g, hlo_val a, tp_dtype dtype) {
    tp_type t = *type(g, a);
    size_t have = width(g, a), want = tp_dtype_size(dtype);
    NEED(!hlo_is_none(a) && t.dtype != TP_BOOL && dtype != TP_BOOL && !tp_dtype_is_complex(dtype) && !tp_dtype_is_complex((tp_dtype)t.dtype));
    if (have > want) {
        NEED(t.rank < TP_MAX_RANK);
        t.dims[t.rank++] = (int64_t)(have / want);
    } else if (have < want) {
        NEED(t.rank > 0 && t.dims[t.rank - 1] == (int64_t)(want / have));
        t.rank--;
    }
    t.dtype = (uint8_t)dtype;
    return hlo_const_bits(g, &t, data(g, a));
}

hlo_val hlo_convert(hlo_graph *g, hlo_val a, tp_dtype dtype) {
    tp_type t = *type(g, a);
    NEED((t.dtype == TP_BOOL && dtype == TP_U8) || (t.dtype == TP_I64 && (dtype == TP_I32 || dtype == TP_I64)));
    t.dtype = (uint8_t)dtype;
    hlo_val r = add(g, &t);
    for (int64_t i = 0, n = tp_type_numel(&t); i < n; i++) set_int(g, r, i, get_int(g, a, i));
    return r;
}

static hlo_val as_shape(hlo_graph *g, hlo_val a, const tp_type *t) {
    return type(g, a)->rank == 0 && t->rank ? hlo_broadcast(g, a, t->rank, t->dims, NULL) : a;
}

hlo_val hlo_bin(hlo_graph *g, hlo_op op, hlo_val a, hlo_val b) {
    tp_type t = *type(g, type(g, a)->rank ? a : b);
    NEED(type(g, a)->dtype == type(g, b)->dtype);
    a = as_shape(g, a, &t);
    b = as_shape(g, b, &t);
    NEED(tp_type_equal(type(g, a), type(g, b)));
    hlo_val r = add(g, &t);
    for (int64_t i = 0, n = tp_type_numel(&t); i < n; i++) {
        int64_t x = get_int(g, a, i), y = get_int(g, b, i);
        NEED(op == HLO_ADD || op == HLO_MUL || op == HLO_AND || (op == HLO_REM && y));
        set_int(g, r, i, op == HLO_ADD ? x + y : op == HLO_MUL ? x * y : op == HLO_AND ? (x & y) : x % y);
    }
    return r;
}

hlo_val hlo_compare(hlo_graph *g, hlo_dir dir, hlo_val a, hlo_val b) {
    tp_type t = *type(g, a);
    NEED((dir == HLO_EQ || dir == HLO_NE) && tp_dtype_is_int((tp_dtype)t.dtype) && type(g, b)->dtype == t.dtype);
    b = as_shape(g, b, &t);
    t.dtype = TP_BOOL;
    hlo_val r = add(g, &t);
    for (int64_t i = 0, n = tp_type_numel(&t); i < n; i++) set_int(g, r, i, (get_int(g, a, i) == get_int(g, b, i)) == (dir == HLO_EQ));
    return r;
}

hlo_val hlo_select(hlo_graph *g, hlo_val pred, hlo_val on_true, hlo_val on_false) {
    tp_type t = *type(g, on_true);
    NEED(tp_type_equal(&t, type(g, on_false)) && type(g, pred)->dtype == TP_BOOL && tp_type_numel(type(g, pred)) == tp_type_numel(&t));
    hlo_val r = add(g, &t);
    for (int64_t i = 0, n = tp_type_numel(&t); i < n; i++)
        memcpy(data(g, r) + (size_t)i * width(g, r), data(g, get_int(g, pred, i) ? on_true : on_false) + (size_t)i * width(g, r), width(g, r));
    return r;
}

/* One collapsed or inserted dimension, indices without a vector dimension: pairs of (operand, result) element numbers. */
static bool pair_elements(hlo_graph *g, const tp_type *operand, hlo_val indices, const tp_type *result, const int64_t *window, int nwindow,
                          int64_t axis, int64_t **out_at) {
    int64_t ostride[TP_MAX_RANK], rstride[TP_MAX_RANK], istride[TP_MAX_RANK], n = tp_type_numel(result);
    row_major(operand, ostride);
    row_major(result, rstride);
    row_major(type(g, indices), istride);
    *out_at = malloc((size_t)(n + 1) * sizeof(int64_t));
    for (int64_t i = 0; i < n; i++) {
        int64_t at = 0, index = 0;
        for (int d = 0, w = 0, b = 0; d < result->rank; d++) {
            int64_t k = i / rstride[d] % result->dims[d];
            if (w < nwindow && window[w] == d) {
                at += k * ostride[w >= axis ? w + 1 : w];
                w++;
            } else {
                index += k * istride[b++];
            }
        }
        int64_t start = get_int(g, indices, index);
        if (!need(g, start >= 0 && start < operand->dims[axis], "index in range")) return false;
        (*out_at)[i] = at + start * ostride[axis];
    }
    return true;
}

hlo_val hlo_gather(hlo_graph *g, hlo_val operand, hlo_val indices, const hlo_gather_dims *dims) {
    tp_type t = *type(g, operand), from = t;
    int64_t *at, axis = dims->collapsed[0];
    NEED(dims->ncollapsed == 1 && dims->nmap == 1 && dims->map[0] == axis && dims->index_vector_dim == type(g, indices)->rank);
    NEED(dims->noffset == t.rank - 1);
    t.rank = (uint8_t)(dims->noffset + type(g, indices)->rank);
    for (int d = 0, w = 0, b = 0; d < t.rank; d++) {
        if (w < dims->noffset && dims->offset[w] == d) {
            int k = w >= axis ? w + 1 : w;
            NEED(dims->slice_sizes[k] == from.dims[k]);
            t.dims[d] = from.dims[k];
            w++;
        } else {
            t.dims[d] = type(g, indices)->dims[b++];
        }
    }
    hlo_val r = add(g, &t);
    bool ok = pair_elements(g, &from, indices, &t, dims->offset, dims->noffset, axis, &at);
    for (int64_t i = 0, n = tp_type_numel(&t); ok && i < n; i++)
        memcpy(data(g, r) + (size_t)i * width(g, r), data(g, operand) + (size_t)at[i] * width(g, r), width(g, r));
    free(at);
    return ok ? r : HLO_NONE;
}

hlo_val hlo_scatter(hlo_graph *g, hlo_op op, hlo_val operand, hlo_val indices, hlo_val updates, const hlo_scatter_dims *dims) {
    tp_type t = *type(g, updates);
    int64_t *at, axis = dims->inserted[0];
    NEED(op == HLO_OP_NONE && dims->ninserted == 1 && dims->nmap == 1 && dims->map[0] == axis);
    NEED(dims->index_vector_dim == type(g, indices)->rank && dims->nwindow + type(g, indices)->rank == t.rank);
    hlo_val r = hlo_reshape(g, operand, type(g, operand)->rank, type(g, operand)->dims);
    tp_type to = *type(g, operand);
    bool ok = pair_elements(g, &to, indices, &t, dims->window, dims->nwindow, axis, &at);
    for (int64_t i = 0, n = tp_type_numel(&t); ok && i < n; i++)
        memcpy(data(g, r) + (size_t)at[i] * width(g, r), data(g, updates) + (size_t)i * width(g, r), width(g, r));
    free(at);
    return ok ? r : HLO_NONE;
}
