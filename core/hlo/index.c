/* Gather and scatter.  The arrays of both have three kinds of dimensions: batch (one per index vector), window (a slice
 * of the operand), and the operand's dimensions of which a slice has one element and that are dropped. */
#include "hlo/node.h"

/* Unique and, if |sorted|, increasing numbers in [0, end), as a bit mask. */
static bool dims_fit(int n, const int64_t *dims, int end, bool sorted, uint32_t *out_mask) {
    *out_mask = 0;
    if (n < 0 || n > TP_MAX_RANK) return false;
    for (int i = 0; i < n; i++) {
        if (dims[i] < 0 || dims[i] >= end || (*out_mask >> dims[i] & 1) || (sorted && i > 0 && dims[i] < dims[i - 1])) return false;
        *out_mask |= 1u << dims[i];
    }
    return true;
}

/* Sizes of |indices| but for the index vector's, and how many. */
static int batch_sizes(const tp_type *indices, int64_t vector_dim, int64_t *out) {
    int n = 0;
    for (int i = 0; i < indices->rank; i++)
        if (i != vector_dim) out[n++] = indices->dims[i];
    return n;
}

static bool map_fits(const tp_type *indices, int64_t vector_dim, int nmap, const int64_t *map, int rank) {
    uint32_t mask;
    int64_t length = vector_dim < indices->rank ? indices->dims[vector_dim] : 1;
    return length == nmap && dims_fit(nmap, map, rank, false, &mask);
}

/* The constraint that gather's dimension numbers break, or NULL. */
static const char *gather_broken(const hlo_gather_dims *d, const tp_type *a, const tp_type *indices) {
    uint32_t mask;
    if (!tp_dtype_is_int((tp_dtype)indices->dtype)) return "I2: integer indices";
    if (d->noffset + d->ncollapsed != a->rank) return "C1: offset and collapsed dimensions are all of the operand's";
    if (d->index_vector_dim < 0 || d->index_vector_dim > indices->rank) return "C2: index_vector_dim";
    int rank = indices->rank - (d->index_vector_dim < indices->rank) + d->noffset;
    if (rank > TP_MAX_RANK) return "C21: the result's rank";
    if (!dims_fit(d->noffset, d->offset, rank, true, &mask)) return "C4, C5: offset_dims";
    if (!dims_fit(d->ncollapsed, d->collapsed, a->rank, true, &mask)) return "C6-C8: collapsed_slice_dims";
    if (!map_fits(indices, d->index_vector_dim, d->nmap, d->map, a->rank)) return "C3, C17, C18: start_index_map";
    for (int i = 0; i < a->rank; i++) {
        if (d->slice_sizes[i] < 0 || d->slice_sizes[i] > a->dims[i]) return "C20: slice_sizes";
        if ((mask >> i & 1) && d->slice_sizes[i] > 1) return "C9: slice_sizes of collapsed dimensions";
    }
    return NULL;
}

hlo_val hlo_gather(hlo_graph *g, hlo_val operand, hlo_val indices, const hlo_gather_dims *d) {
    if (hlo_is_none(operand) || hlo_is_none(indices)) return HLO_NONE;
    const tp_type *a = hlo_type_of(g, operand), *ix = hlo_type_of(g, indices);
    const char *broken = gather_broken(d, a, ix);
    if (broken) return hlo_refuse(g, HLO_GATHER, "dimension numbers must fit the arrays (%s); got %s and %s", broken, HLO_TEXT(a), HLO_TEXT(ix));
    int64_t batch[TP_MAX_RANK];
    uint32_t offset, collapsed;
    int nbatch = batch_sizes(ix, d->index_vector_dim, batch), from_batch = 0, from_slice = 0;
    tp_type t = {.dtype = a->dtype, .rank = (uint8_t)(nbatch + d->noffset)};
    dims_fit(d->noffset, d->offset, t.rank, true, &offset);
    dims_fit(d->ncollapsed, d->collapsed, a->rank, true, &collapsed);
    for (int i = 0; i < t.rank; i++) {
        while (collapsed >> from_slice & 1) from_slice++;
        t.dims[i] = offset >> i & 1 ? d->slice_sizes[from_slice++] : batch[from_batch++];
    }
    int64_t attrs[5 + 4 * TP_MAX_RANK] = {d->noffset, d->ncollapsed, d->nmap, d->index_vector_dim, d->sorted}, *w = attrs + 5;
    w = hlo_put(w, d->offset, d->noffset);
    w = hlo_put(w, d->collapsed, d->ncollapsed);
    w = hlo_put(w, d->map, d->nmap);
    w = hlo_put(w, d->slice_sizes, a->rank);
    const hlo_val ops[2] = {operand, indices};
    return hlo_make_one(g, HLO_GATHER, 2, ops, (int)(w - attrs), attrs, &t);
}

/* (C4): the updates' sizes are the indices' at batch dimensions and at most the operand's at window dimensions. */
static bool updates_fit(const hlo_scatter_dims *d, const tp_type *a, const tp_type *indices, const tp_type *u, uint32_t window, uint32_t inserted) {
    int64_t batch[TP_MAX_RANK];
    int nbatch = batch_sizes(indices, d->index_vector_dim, batch), from_batch = 0, from_operand = 0;
    if (u->rank != nbatch + d->nwindow) return false;
    for (int i = 0; i < u->rank; i++) {
        while (inserted >> from_operand & 1) from_operand++;
        bool fits = window >> i & 1 ? u->dims[i] <= a->dims[from_operand++] : u->dims[i] == batch[from_batch++];
        if (!fits) return false;
    }
    return true;
}

static const char *scatter_broken(const hlo_scatter_dims *d, const tp_type *a, const tp_type *indices, const tp_type *u) {
    uint32_t window, inserted;
    if (!tp_dtype_is_int((tp_dtype)indices->dtype)) return "I2: integer indices";
    if (u->dtype != a->dtype) return "C6: one dtype of operand and updates";
    if (d->nwindow + d->ninserted != a->rank) return "C2: window and inserted dimensions are all of the operand's";
    if (d->index_vector_dim < 0 || d->index_vector_dim > indices->rank) return "C22: index_vector_dim";
    if (!dims_fit(d->nwindow, d->window, u->rank, true, &window)) return "C7, C8: update_window_dims";
    if (!dims_fit(d->ninserted, d->inserted, a->rank, true, &inserted)) return "C9-C11: inserted_window_dims";
    if (!map_fits(indices, d->index_vector_dim, d->nmap, d->map, a->rank)) return "C19-C21: scatter_dims_to_operand_dims";
    if (!updates_fit(d, a, indices, u, window, inserted)) return "C4: the updates' shape";
    return NULL;
}

hlo_val hlo_scatter(hlo_graph *g, hlo_op op, hlo_val operand, hlo_val indices, hlo_val updates, const hlo_scatter_dims *d) {
    if (hlo_is_none(operand) || hlo_is_none(indices) || hlo_is_none(updates)) return HLO_NONE;
    const tp_type *a = hlo_type_of(g, operand), *ix = hlo_type_of(g, indices), *u = hlo_type_of(g, updates);
    const char *broken = scatter_broken(d, a, ix, u);
    if (broken)
        return hlo_refuse(g, HLO_SCATTER, "dimension numbers must fit the arrays (%s); got %s, indices %s, updates %s", broken, HLO_TEXT(a), HLO_TEXT(ix),
                          HLO_TEXT(u));
    if (op != HLO_OP_NONE) op = hlo_combiner(g, HLO_SCATTER, op, (tp_dtype)a->dtype);
    int64_t attrs[7 + 3 * TP_MAX_RANK] = {op, d->nwindow, d->ninserted, d->nmap, d->index_vector_dim, d->sorted, d->unique}, *w = attrs + 7;
    w = hlo_put(w, d->window, d->nwindow);
    w = hlo_put(w, d->inserted, d->ninserted);
    w = hlo_put(w, d->map, d->nmap);
    const hlo_val ops[3] = {operand, indices, updates};
    return hlo_make_one(g, HLO_SCATTER, 3, ops, (int)(w - attrs), attrs, a);
}
