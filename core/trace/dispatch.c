/* tp_call: rows by kind - one kernel, sized by data, element by element of lists - and what precedes a kernel: default
 * generators, mask indices. */
#include "trace/call.h"

#include <stdio.h>
#include <stdlib.h>

static int device_of(const tp_arg *args, int n) {
    for (int i = 0; i < n; i++) {
        if (args[i].tag == TP_ARG_TENSOR) return args[i].view.cell->device->index;
        if (args[i].tag == TP_ARG_LIST) {
            int device = device_of(args[i].list, (int)args[i].n);
            if (device >= 0) return device;
        }
    }
    return -1;
}

static tp_status dispatch_one(int row, const call_request *q) {
    const row_info *info = row_info_get(row);
    call_request filled = *q;
    if (info->validate) TP_TRY(info->validate(q->args, q->nargs));
    tp_arg args[AT_MAX_ARGS];
    if (info->random) {
        memcpy(args, q->args, (size_t)q->nargs * sizeof *args);
        if (q->row->draws) args[filled.nargs++] = (tp_arg){.tag = TP_ARG_NONE};
        for (int i = 0; i < filled.nargs; i++)
            if (info->letters[i] == 'G') {
                if (args[i].tag == TP_ARG_NONE || !args[i].gen) args[i].gen = tp_default_generator(q->device);
                args[i].tag = TP_ARG_GENERATOR;
            }
        filled.args = args;
    }
    if (q->row->kind == AT_SIZED) return call_sized(&filled);
    return info->index ? call_indexed(&filled) : call_one(&filled);
}

/* ---- element by element */
static bool is_per_element(const tp_arg *a) { return a->tag == TP_ARG_LIST || a->tag == TP_ARG_FLOATS; }

static tp_status list_length(const at_row *r, const tp_arg *args, int nargs, uint32_t *out_n) {
    *out_n = UINT32_MAX;
    for (int i = 0; i < nargs; i++) {
        if (!is_per_element(&args[i]) || (args[i].n == 0 && *out_n != UINT32_MAX)) continue;
        if (*out_n != UINT32_MAX && args[i].n != *out_n)
            return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME,
                           "Tensor lists must have the same number of tensors, got %u and %u (aten::%s)", *out_n, args[i].n, r->name);
        *out_n = args[i].n;
    }
    if (*out_n == UINT32_MAX || *out_n == 0)
        return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME, "Tensor list must have at least one tensor. (aten::%s)", r->name);
    return NULL;
}

static tp_arg element(const tp_arg *a, uint32_t i) {
    if (!is_per_element(a)) return *a;
    if (i >= a->n) return (tp_arg){.tag = TP_ARG_NONE}; /* an empty list stands for "none of these" */
    return a->tag == TP_ARG_LIST ? a->list[i] : (tp_arg){.tag = TP_ARG_FLOAT, .f = a->floats[i]};
}

static tp_status dispatch_foreach(int row, int device, const tp_arg *args, int nargs, const int8_t *writes, tp_result *out_results) {
    const at_row *r = at_row_get(row);
    int target = row_info_get(row)->target;
    uint32_t n, i = 0;
    tp_status s = NULL;
    TP_TRY(list_length(r, args, nargs, &n));
    for (; i < n && !s; i++) {
        tp_arg one[AT_MAX_ARGS];
        for (int a = 0; a < nargs; a++) one[a] = element(&args[a], i);
        int at = device_of(one, nargs);
        s = dispatch_one(target, &(call_request){at_row_get(target), at >= 0 ? at : device, one, nargs, writes, out_results + i * r->nouts});
    }
    if (!s) return NULL;
    for (uint32_t k = 0; k + r->nouts < i * r->nouts; k++) { /* the failed one released its own */
        tp_cell_release(out_results[k].cell);
        out_results[k].cell = NULL;
    }
    return s;
}

tp_status tp_call(int row, int device, const tp_arg *args, int nargs, const int8_t *writes, tp_result *out_results) {
    const at_row *r = at_row_get(row);
    if (nargs >= AT_MAX_ARGS)
        return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME, "aten::%s must have fewer than %d arguments; got %d", r->name, AT_MAX_ARGS, nargs);
    if (r->kind == AT_FOREACH) return dispatch_foreach(row, device, args, nargs, writes, out_results);
    int at = device_of(args, nargs);
    return dispatch_one(row, &(call_request){r, at >= 0 ? at : device, args, nargs, writes, out_results});
}

/* ---- mask indices */
enum { MAX_INDICES = 2 * TP_MAX_RANK };

static bool is_mask(const tp_arg *a) {
    return a->tag == TP_ARG_TENSOR && (a->view.dtype == TP_BOOL || a->view.dtype == TP_U8);
}

static tp_status check_mask(const tp_view *self, const tp_view *mask, int at_dim, int position) {
    char a[256] = "", b[256] = "";
    bool fits = at_dim + mask->rank <= self->rank;
    for (int i = 0; i < mask->rank && fits; i++) fits = mask->sizes[i] == self->sizes[at_dim + i];
    if (fits) return NULL;
    if (at_dim + mask->rank > self->rank)
        return TP_FAIL(TP_OUT_OF_RANGE, TP_INDEX, "too many indices for tensor of dimension %d", self->rank);
    tp_type m, s;
    view_type(mask, &m);
    view_type(self, &s);
    for (int i = 0; i < mask->rank; i++) {
        if (mask->sizes[i] == self->sizes[at_dim + i]) continue;
        position = i;
        break;
    }
    return TP_FAIL(TP_OUT_OF_RANGE, TP_INDEX,
                   "The shape of the mask %s at index %d does not match the shape of the indexed tensor %s at index %d",
                   strchr(tp_type_format(&m, a, sizeof a), '['), position, strchr(tp_type_format(&s, b, sizeof b), '['), at_dim + position);
}

typedef struct expansion {
    tp_arg list[MAX_INDICES];
    uint32_t n;
    tp_result found[TP_MAX_RANK]; /* nonzero results the views below read */
    int nfound;
    int64_t size[TP_MAX_RANK], stride[TP_MAX_RANK];
} expansion;

/* One mask of k dims gives k integer index tensors: the columns of nonzero(mask). */
static tp_status expand_mask(expansion *e, int device, const tp_arg *mask) {
    const at_row *nonzero = at_row_get(tp_rows.nonzero);
    tp_result *r = &e->found[e->nfound];
    TP_TRY(call_sized(&(call_request){nonzero, device, mask, 1, NULL, r}));
    int at = e->nfound++;
    e->size[at] = r->sizes[0];
    e->stride[at] = r->sizes[1];
    for (int64_t k = 0; k < r->sizes[1]; k++) {
        if (e->n == MAX_INDICES) return TP_FAIL(TP_OUT_OF_RANGE, TP_INDEX, "too many indices: at most %d are possible", MAX_INDICES);
        e->list[e->n++] = (tp_arg){.tag = TP_ARG_TENSOR, .view = {.cell = r->cell, .dtype = r->dtype, .rank = 1, .offset = k,
                                                                 .sizes = &e->size[at], .strides = &e->stride[at]}};
    }
    return NULL;
}

static tp_status expand_indices(expansion *e, const call_request *q, const tp_arg *indices) {
    int dim = 0;
    const tp_view *self = &q->args[0].view;
    for (uint32_t i = 0; i < indices->n; i++) {
        const tp_arg *a = &indices->list[i];
        if (is_mask(a)) {
            TP_TRY(check_mask(self, &a->view, dim, (int)i));
            if (e->nfound == TP_MAX_RANK) return TP_FAIL(TP_OUT_OF_RANGE, TP_INDEX, "too many indices: at most %d masks are possible", TP_MAX_RANK);
            TP_TRY(expand_mask(e, q->device, a));
            dim += a->view.rank;
            continue;
        }
        if (e->n == MAX_INDICES) return TP_FAIL(TP_OUT_OF_RANGE, TP_INDEX, "too many indices: at most %d are possible", MAX_INDICES);
        e->list[e->n++] = *a;
        dim++;
    }
    return NULL;
}

tp_status call_indexed(const call_request *q) {
    int at = -1;
    bool masks = false;
    for (int i = 0; i < q->nargs && at < 0; i++)
        if (q->args[i].tag == TP_ARG_LIST) at = i;
    for (uint32_t i = 0; at >= 0 && i < q->args[at].n; i++) masks = masks || is_mask(&q->args[at].list[i]);
    if (!masks) return call_one(q);
    expansion *e = calloc(1, sizeof *e);
    if (!e) return TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "out of host memory for the indices of aten::%s", q->row->name);
    tp_arg args[AT_MAX_ARGS];
    memcpy(args, q->args, (size_t)q->nargs * sizeof *args);
    tp_status s = expand_indices(e, q, &q->args[at]);
    if (!s) {
        args[at].list = e->list;
        args[at].n = e->n;
        call_request plain = *q;
        plain.args = args;
        s = call_one(&plain);
    }
    for (int i = 0; i < e->nfound; i++) tp_cell_release(e->found[i].cell);
    free(e);
    return s;
}
