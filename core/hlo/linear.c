/* Dot, convolution, gather, scatter. */
#include "hlo/node.h"

static int64_t *append(int64_t *w, const int64_t *list, int n) {
    memcpy(w, list, (size_t)n * sizeof *list);
    return w + n;
}

static bool contains(const int64_t *list, int n, int64_t x) {
    for (int i = 0; i < n; i++)
        if (list[i] == x) return true;
    return false;
}

hlo_val hlo_dot(hlo_graph *g, hlo_val lhs, hlo_val rhs, const hlo_dot_dims *d, tp_dtype result, hlo_precision precision) {
    if (hlo_is_none(lhs) || hlo_is_none(rhs)) return HLO_NONE;
    const tp_type *a = hlo_type_of(g, lhs), *b = hlo_type_of(g, rhs);
    tp_type t = {.dtype = (uint8_t)result};
    for (int i = 0; i < d->nbatch + d->ncontract; i++) {
        bool batch = i < d->nbatch;
        int64_t x = batch ? d->lhs_batch[i] : d->lhs_contract[i - d->nbatch], y = batch ? d->rhs_batch[i] : d->rhs_contract[i - d->nbatch];
        if (x < 0 || y < 0 || x >= a->rank || y >= b->rank || a->dims[x] != b->dims[y])
            return hlo_refuse(g, HLO_DOT, "batching and contracting sizes must agree (C9, C10); got %s and %s", TYPE_TEXT(a), TYPE_TEXT(b));
        if (batch) t.dims[t.rank++] = a->dims[x];
    }
    if (a->rank + b->rank - d->nbatch - 2 * d->ncontract > TP_MAX_RANK) return hlo_refuse(g, HLO_DOT, "the result's rank must be at most %d", TP_MAX_RANK);
    for (int i = 0; i < a->rank; i++)
        if (!contains(d->lhs_batch, d->nbatch, i) && !contains(d->lhs_contract, d->ncontract, i)) t.dims[t.rank++] = a->dims[i];
    for (int i = 0; i < b->rank; i++)
        if (!contains(d->rhs_batch, d->nbatch, i) && !contains(d->rhs_contract, d->ncontract, i)) t.dims[t.rank++] = b->dims[i];
    int64_t attrs[3 + 4 * TP_MAX_RANK], *w = attrs;
    *w++ = d->nbatch;
    *w++ = d->ncontract;
    *w++ = precision;
    w = append(w, d->lhs_batch, d->nbatch);
    w = append(w, d->rhs_batch, d->nbatch);
    w = append(w, d->lhs_contract, d->ncontract);
    w = append(w, d->rhs_contract, d->ncontract);
    const hlo_val ops[2] = {lhs, rhs};
    return hlo_make(g, &(hlo_draft){.op = HLO_DOT, .nops = 2, .ops = ops, .nattrs = (uint32_t)(w - attrs), .attrs = attrs, .nresults = 1, .types = &t});
}

static int64_t dilated(int64_t size, int64_t by) { return size ? (size - 1) * by + 1 : 0; }

hlo_val hlo_conv(hlo_graph *g, hlo_val lhs, hlo_val rhs, const hlo_conv_dims *d, tp_dtype result, hlo_precision precision) {
    if (hlo_is_none(lhs) || hlo_is_none(rhs)) return HLO_NONE;
    const tp_type *a = hlo_type_of(g, lhs), *b = hlo_type_of(g, rhs);
    int n = d->nspatial;
    if (a->rank != n + 2 || b->rank != n + 2)
        return hlo_refuse(g, HLO_CONV, "operands must have %d spatial dimensions (C1); got %s and %s", n, TYPE_TEXT(a), TYPE_TEXT(b));
    if (a->dims[d->feature_in] != b->dims[d->feature_in_kernel] * d->feature_groups)
        return hlo_refuse(g, HLO_CONV, "features must agree (C14); got %s and %s", TYPE_TEXT(a), TYPE_TEXT(b));
    tp_type t = {.dtype = (uint8_t)result, .rank = a->rank};
    t.dims[d->batch_out] = a->dims[d->batch_in] / d->batch_groups;
    t.dims[d->feature_out] = b->dims[d->feature_out_kernel];
    for (int i = 0; i < n; i++) {
        int64_t size = dilated(a->dims[d->spatial_in[i]], d->lhs_dilation[i]) + d->pad_low[i] + d->pad_high[i];
        int64_t window = dilated(b->dims[d->spatial_kernel[i]], d->rhs_dilation[i]);
        t.dims[d->spatial_out[i]] = size < window || !size ? 0 : (size - window) / d->stride[i] + 1;
    }
    int64_t attrs[10 + 9 * TP_MAX_RANK], *w = attrs;
    const int64_t head[10] = {n, precision, d->batch_in, d->feature_in, d->feature_in_kernel, d->feature_out_kernel, d->batch_out, d->feature_out,
                              d->feature_groups, d->batch_groups};
    w = append(w, head, 10);
    w = append(w, d->spatial_in, n);
    w = append(w, d->spatial_kernel, n);
    w = append(w, d->spatial_out, n);
    w = append(w, d->stride, n);
    w = append(w, d->pad_low, n);
    w = append(w, d->pad_high, n);
    w = append(w, d->lhs_dilation, n);
    w = append(w, d->rhs_dilation, n);
    for (int i = 0; i < n; i++) *w++ = d->reverse[i];
    const hlo_val ops[2] = {lhs, rhs};
    return hlo_make(g, &(hlo_draft){.op = HLO_CONV, .nops = 2, .ops = ops, .nattrs = (uint32_t)(w - attrs), .attrs = attrs, .nresults = 1, .types = &t});
}

/* Sizes of the indices without the index vector, in order. */
static int batch_sizes(const tp_type *indices, int64_t vector_dim, int64_t *out) {
    int n = 0;
    for (int i = 0; i < indices->rank; i++)
        if (i != vector_dim) out[n++] = indices->dims[i];
    return n;
}

hlo_val hlo_gather(hlo_graph *g, hlo_val operand, hlo_val indices, const hlo_gather_dims *d) {
    if (hlo_is_none(operand) || hlo_is_none(indices)) return HLO_NONE;
    const tp_type *a = hlo_type_of(g, operand), *ix = hlo_type_of(g, indices);
    int64_t batch[TP_MAX_RANK];
    int nbatch = batch_sizes(ix, d->index_vector_dim, batch);
    if (d->noffset + d->ncollapsed != a->rank || nbatch + d->noffset > TP_MAX_RANK || d->index_vector_dim > ix->rank)
        return hlo_refuse(g, HLO_GATHER, "offset and collapsed dimensions must be the operand's (C1, C2); got %s and %s", TYPE_TEXT(a), TYPE_TEXT(ix));
    tp_type t = {.dtype = a->dtype, .rank = (uint8_t)(nbatch + d->noffset)};
    int from_batch = 0, from_offset = 0;
    for (int i = 0; i < t.rank; i++) {
        if (!contains(d->offset, d->noffset, i)) {
            t.dims[i] = batch[from_batch++];
            continue;
        }
        while (contains(d->collapsed, d->ncollapsed, from_offset)) from_offset++;
        t.dims[i] = d->slice_sizes[from_offset++];
    }
    for (int i = 0; i < a->rank; i++)
        if (d->slice_sizes[i] < 0 || d->slice_sizes[i] > a->dims[i])
            return hlo_refuse(g, HLO_GATHER, "slice sizes must be at most the operand's (C12); got %lld in dimension %d of %s", (long long)d->slice_sizes[i], i, TYPE_TEXT(a));
    int64_t attrs[5 + 4 * TP_MAX_RANK], *w = attrs;
    const int64_t head[5] = {d->noffset, d->ncollapsed, d->nmap, d->index_vector_dim, d->sorted};
    w = append(w, head, 5);
    w = append(w, d->offset, d->noffset);
    w = append(w, d->collapsed, d->ncollapsed);
    w = append(w, d->map, d->nmap);
    w = append(w, d->slice_sizes, a->rank);
    const hlo_val ops[2] = {operand, indices};
    return hlo_make(g, &(hlo_draft){.op = HLO_GATHER, .nops = 2, .ops = ops, .nattrs = (uint32_t)(w - attrs), .attrs = attrs, .nresults = 1, .types = &t});
}

hlo_val hlo_scatter(hlo_graph *g, hlo_op op, hlo_val operand, hlo_val indices, hlo_val updates, const hlo_scatter_dims *d) {
    if (hlo_is_none(operand) || hlo_is_none(indices) || hlo_is_none(updates)) return HLO_NONE;
    const tp_type *a = hlo_type_of(g, operand), *ix = hlo_type_of(g, indices), *u = hlo_type_of(g, updates);
    int64_t batch[TP_MAX_RANK];
    int nbatch = batch_sizes(ix, d->index_vector_dim, batch);
    bool fits = d->nwindow + d->ninserted == a->rank && u->rank == nbatch + d->nwindow && u->dtype == a->dtype;
    for (int i = 0, b = 0; fits && i < u->rank; i++)
        if (!contains(d->window, d->nwindow, i)) fits = u->dims[i] == batch[b++];
    if (!fits)
        return hlo_refuse(g, HLO_SCATTER, "updates must fit indices and operand (C2, C4, C6); got %s, %s into %s", TYPE_TEXT(ix), TYPE_TEXT(u), TYPE_TEXT(a));
    int64_t attrs[7 + 3 * TP_MAX_RANK], *w = attrs;
    const int64_t head[7] = {op, d->nwindow, d->ninserted, d->nmap, d->index_vector_dim, d->sorted, d->unique};
    w = append(w, head, 7);
    w = append(w, d->window, d->nwindow);
    w = append(w, d->inserted, d->ninserted);
    w = append(w, d->map, d->nmap);
    const hlo_val ops[3] = {operand, indices, updates};
    tp_type t = *a;
    return hlo_make(g, &(hlo_draft){.op = HLO_SCATTER, .nops = 3, .ops = ops, .nattrs = (uint32_t)(w - attrs), .attrs = attrs, .nresults = 1, .types = &t});
}
