/* Strides of results, as PyTorch's TensorIterator and empty_like give them. */
#include "aten/op.h"
#include "aten/plan.h"

static bool is_contiguous(int rank, const int64_t *sizes, const int64_t *strides) {
    int64_t next = 1;
    if (tp_numel(rank, sizes) == 0) return true;
    for (int i = rank - 1; i >= 0; i--) {
        if (sizes[i] != 1 && strides[i] != next) return false;
        next *= sizes[i];
    }
    return true;
}

static bool is_channels_last(int rank, const int64_t *sizes, const int64_t *strides) {
    static const int order[4] = {1, 3, 2, 0};
    int64_t next = 1;
    if (rank != 4) return false;
    for (int k = 0; k < 4; k++) {
        int i = order[k];
        if (sizes[i] != 1 && strides[i] != next) return false;
        next *= sizes[i];
    }
    return true;
}

static bool is_dense(int rank, const int64_t *sizes, const int64_t *strides) {
    return is_contiguous(rank, sizes, strides) || is_channels_last(rank, sizes, strides) || at_strides_dense(rank, sizes, strides);
}

static bool same_sizes(const tp_view *v, const tp_type *t) {
    return v->rank == t->rank && memcmp(v->sizes, t->dims, t->rank * sizeof(int64_t)) == 0;
}

static void channels_last_strides(const tp_type *t, int64_t *out) {
    out[1] = 1;
    out[3] = t->dims[1];
    out[2] = out[3] * t->dims[3];
    out[0] = out[2] * t->dims[2];
}

/* ---- empty_like with preserve_format */
/* The strides themselves if they are dense, else their order without gaps (at::infer_dense_strides). */
static void dense_strides(const tp_view *v, int64_t *out_strides) {
    int perm[TP_MAX_RANK], rank = v->rank;
    if (is_dense(rank, v->sizes, v->strides)) {
        memcpy(out_strides, v->strides, (size_t)rank * sizeof(int64_t));
        return;
    }
    for (int i = 0; i < rank; i++) perm[i] = rank - 1 - i;
    for (int i = 1; i < rank; i++) {
        for (int hi = i, lo = i - 1; lo >= 0; lo--) {
            int64_t x = v->strides[perm[lo]], y = v->strides[perm[hi]];
            if (x == 0 || y == 0) continue;
            if (x < y) break;
            if (x == y && v->sizes[perm[lo]] <= v->sizes[perm[hi]]) continue;
            int t = perm[lo];
            perm[lo] = perm[hi];
            perm[hi] = t;
            hi = lo;
        }
    }
    int64_t next = 1;
    for (int i = 0; i < rank; i++) {
        out_strides[perm[i]] = next;
        if (v->sizes[perm[i]] > 1) next *= v->sizes[perm[i]];
    }
}

/* ---- TensorIterator */
enum { MAX_OPERANDS = 8 };

typedef struct operand {
    int64_t own[TP_MAX_RANK];        /* strides of its own dimensions */
    int64_t stride[TP_MAX_RANK];     /* 0 where broadcast, in the result's dimensions */
} operand;

static void put_operand(operand *o, const tp_view *v, const tp_type *out) {
    int shift = out->rank - v->rank;
    *o = (operand){{0}, {0}};
    /* On CPU an operand that is not of the common dtype is converted first, which makes it dense.  (bool: a condition.) */
    if (v->dtype != out->dtype && v->dtype != TP_BOOL && out->dtype != TP_BOOL)
        dense_strides(v, o->own);
    else
        memcpy(o->own, v->strides, v->rank * sizeof(int64_t));
    for (int i = 0; i < v->rank; i++)
        if (v->sizes[i] != 1 || out->dims[i + shift] == 1) o->stride[i + shift] = o->own[i];
}

/* False if an operand has another shape: then there is no short cut. */
static bool collect(const tp_arg *args, int nargs, const tp_type *out, operand *ops, int *io_n) {
    bool same = true;
    for (int i = 0; i < nargs; i++) {
        if (args[i].tag == TP_ARG_LIST) same = collect(args[i].list, (int)args[i].n, out, ops, io_n) && same;
        if (args[i].tag == TP_ARG_SCALAR) same = same && out->rank == 0;
        if (args[i].tag != TP_ARG_TENSOR || *io_n == MAX_OPERANDS || args[i].view.rank > out->rank) continue;
        same = same && same_sizes(&args[i].view, out);
        put_operand(&ops[(*io_n)++], &args[i].view, out);
    }
    return same;
}

/* All operands contiguous, or all channels_last, or all dense with the same strides. */
static bool short_cut(const operand *ops, int n, const tp_type *out, int64_t *out_strides) {
    bool contiguous = true, last = true, dense = true, same = true;
    for (int i = 0; i < n; i++) {
        const int64_t *own = ops[i].own;
        contiguous = contiguous && is_contiguous(out->rank, out->dims, own);
        last = last && is_channels_last(out->rank, out->dims, own);
        dense = dense && is_dense(out->rank, out->dims, own);
        same = same && memcmp(own, ops[0].own, out->rank * sizeof(int64_t)) == 0;
    }
    if (contiguous)
        tp_contiguous_strides(out->rank, out->dims, out_strides);
    else if (last)
        channels_last_strides(out, out_strides);
    else if (dense && same)
        memcpy(out_strides, ops[0].own, out->rank * sizeof(int64_t));
    else
        return false;
    return true;
}

/* 1: |a| must come after |b| (it is the slower one), -1: before, 0: the operands do not say. */
static int compare_dims(const operand *ops, int n, const tp_type *out, int a, int b) {
    for (int i = 0; i < n; i++) {
        int64_t x = ops[i].stride[a], y = ops[i].stride[b];
        if (x == 0 || y == 0) continue;
        if (x != y) return x < y ? -1 : 1;
        if (out->dims[a] > out->dims[b]) return 1;
    }
    return 0;
}

static void iterator_strides(const tp_arg *args, int nargs, const tp_type *out, int64_t *out_strides) {
    operand ops[MAX_OPERANDS];
    int n = 0, perm[TP_MAX_RANK];
    bool same = collect(args, nargs, out, ops, &n);
    if (n == 0 || out->rank == 0) {
        tp_contiguous_strides(out->rank, out->dims, out_strides);
        return;
    }
    if (same && short_cut(ops, n, out, out_strides)) return;
    for (int i = 0; i < out->rank; i++) perm[i] = out->rank - 1 - i;
    for (int i = 1; i < out->rank; i++) { /* an insertion sort that steps over pairs the operands do not order */
        for (int hi = i, lo = i - 1; lo >= 0; lo--) {
            int order = compare_dims(ops, n, out, perm[lo], perm[hi]);
            if (order < 0) break;
            if (order == 0) continue;
            int t = perm[lo];
            perm[lo] = perm[hi];
            perm[hi] = t;
            hi = lo;
        }
    }
    bool reversed = true;
    for (int i = 0; i < out->rank; i++) reversed = reversed && perm[i] == out->rank - 1 - i;
    if (reversed) {
        tp_contiguous_strides(out->rank, out->dims, out_strides);
        return;
    }
    int64_t next = 1;
    for (int i = 0; i < out->rank; i++) {
        out_strides[perm[i]] = next;
        next *= out->dims[perm[i]];
    }
}

static void like_first(const tp_arg *args, int nargs, const tp_type *out, int64_t *out_strides) {
    const tp_view *v = NULL;
    for (int i = 0; i < nargs && !v; i++)
        if (args[i].tag == TP_ARG_TENSOR) v = &args[i].view;
    if (!v || !same_sizes(v, out))
        tp_contiguous_strides(out->rank, out->dims, out_strides);
    else
        dense_strides(v, out_strides);
}

void at_out_strides(const at_row *row, const tp_arg *args, int nargs, int k, const tp_type *out, int64_t *out_strides) {
    (void)k; /* the outputs of a row that is not contiguous are alike */
    switch (row->strides) {
    case AT_ITERATOR: iterator_strides(args, nargs, out, out_strides); break;
    case AT_LIKE_FIRST: like_first(args, nargs, out, out_strides); break;
    default: tp_contiguous_strides(out->rank, out->dims, out_strides);
    }
}
