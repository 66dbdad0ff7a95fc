/* Reductions, sort and their regions. */
#include "hlo/node.h"

static bool reducible(hlo_graph *g, hlo_op op, hlo_val a, hlo_val init) {
    const tp_type *t = hlo_type_of(g, a), *i = hlo_type_of(g, init);
    if (hlo_is_none(a) || hlo_is_none(init)) return false;
    if (i->rank == 0 && i->dtype == t->dtype) return true;
    hlo_refuse(g, op, "the initial value must be a scalar of the operand's dtype (C2); got %s for %s", TYPE_TEXT(i), TYPE_TEXT(t));
    return false;
}

static bool reduced_type(hlo_graph *g, const tp_type *from, int n, const int64_t *dims, tp_type *out) {
    uint32_t drop = 0;
    for (int i = 0; i < n; i++) {
        if (dims[i] < 0 || dims[i] >= from->rank || drop >> dims[i] & 1) {
            hlo_refuse(g, HLO_REDUCE, "dimensions must be in range and distinct (C4, C5); got %lld of %s", (long long)dims[i], TYPE_TEXT(from));
            return false;
        }
        drop |= 1u << dims[i];
    }
    *out = (tp_type){.dtype = from->dtype};
    for (int i = 0; i < from->rank; i++)
        if (!(drop >> i & 1)) out->dims[out->rank++] = from->dims[i];
    return true;
}

hlo_val hlo_reduce(hlo_graph *g, hlo_op op, hlo_val a, hlo_val init, int n, const int64_t *dims) {
    tp_type t;
    int64_t attrs[TP_MAX_RANK + 1];
    if (!reducible(g, HLO_REDUCE, a, init) || !reduced_type(g, hlo_type_of(g, a), n, dims, &t)) return HLO_NONE;
    if (n == 0) return a;
    attrs[0] = op;
    memcpy(attrs + 1, dims, (size_t)n * sizeof *dims);
    const hlo_val ops[2] = {a, init};
    return hlo_make(g, &(hlo_draft){.op = HLO_REDUCE, .nops = 2, .ops = ops, .nattrs = 1u + (uint32_t)n, .attrs = attrs, .nresults = 1, .types = &t});
}

static bool region_fits(hlo_graph *g, hlo_op op, hlo_graph *region, int nparams, int nresults) {
    if (region && region->error) hlo_set_error(g, tp_status_retain(region->error));
    if (!region || g->error) return false;
    if (hlo_param_count(region) == nparams && hlo_output_count(region) == nresults) return true;
    hlo_refuse(g, op, "the region must take %d scalars and return %d; it has %d and %d", nparams, nresults, hlo_param_count(region), hlo_output_count(region));
    return false;
}

enum { MAX_TOGETHER = 16 };

void hlo_reduce_n(hlo_graph *g, int n, const hlo_val *operands, const hlo_val *inits, int ndims, const int64_t *dims,
                  hlo_graph *region, hlo_val *out_results) {
    hlo_val ops[2 * MAX_TOGETHER];
    tp_type types[MAX_TOGETHER];
    int64_t attrs[TP_MAX_RANK + 1] = {HLO_OP_NONE};
    for (int i = 0; i < n; i++) out_results[i] = HLO_NONE;
    if (n > MAX_TOGETHER || !region_fits(g, HLO_REDUCE, region, 2 * n, n)) return;
    for (int i = 0; i < n; i++) {
        if (!reducible(g, HLO_REDUCE, operands[i], inits[i]) || !reduced_type(g, hlo_type_of(g, operands[i]), ndims, dims, &types[i])) return;
        ops[i] = operands[i];
        ops[n + i] = inits[i];
    }
    memcpy(attrs + 1, dims, (size_t)ndims * sizeof *dims);
    hlo_val node = hlo_make(g, &(hlo_draft){.op = HLO_REDUCE, .nops = 2u * (uint32_t)n, .ops = ops, .nattrs = 1u + (uint32_t)ndims, .attrs = attrs,
                                            .region = region, .nresults = (uint32_t)n, .types = types});
    for (int i = 0; i < n; i++) out_results[i] = hlo_result_of(g, node, (uint32_t)i);
}

void hlo_sort(hlo_graph *g, int n, const hlo_val *operands, int dim, bool stable, hlo_graph *region, hlo_val *out_results) {
    tp_type types[MAX_TOGETHER];
    for (int i = 0; i < n; i++) out_results[i] = HLO_NONE;
    if (n > MAX_TOGETHER || !region_fits(g, HLO_SORT, region, 2 * n, 1)) return;
    for (int i = 0; i < n; i++) {
        if (hlo_is_none(operands[i])) return;
        types[i] = *hlo_type_of(g, operands[i]);
        bool same = types[i].rank == types[0].rank && !memcmp(types[i].dims, types[0].dims, types[0].rank * sizeof(int64_t));
        if (!same || dim < 0 || dim >= types[0].rank) {
            hlo_refuse(g, HLO_SORT, "operands must agree in shape and have dimension %d (C3, C4); got %s and %s", dim, TYPE_TEXT(&types[0]), TYPE_TEXT(&types[i]));
            return;
        }
    }
    const int64_t attrs[2] = {dim, stable};
    hlo_val node = hlo_make(g, &(hlo_draft){.op = HLO_SORT, .nops = (uint32_t)n, .ops = operands, .nattrs = 2, .attrs = attrs, .region = region,
                                            .nresults = (uint32_t)n, .types = types});
    for (int i = 0; i < n; i++) out_results[i] = hlo_result_of(g, node, (uint32_t)i);
}

hlo_val hlo_reduce_window(hlo_graph *g, hlo_op op, hlo_val a, hlo_val init, const int64_t *window, const int64_t *strides,
                          const int64_t *base_dilation, const int64_t *window_dilation, const int64_t *pad_low, const int64_t *pad_high) {
    int64_t attrs[1 + 6 * TP_MAX_RANK];
    if (!reducible(g, HLO_REDWIN, a, init)) return HLO_NONE;
    tp_type t = *hlo_type_of(g, a);
    int n = t.rank;
    attrs[0] = op;
    for (int i = 0; i < n; i++) {
        int64_t bd = base_dilation ? base_dilation[i] : 1, wd = window_dilation ? window_dilation[i] : 1;
        const int64_t row[6] = {window[i], strides[i], bd, wd, pad_low[i], pad_high[i]};
        for (int k = 0; k < 6; k++) attrs[1 + k * n + i] = row[k];
        if (window[i] < 1 || strides[i] < 1 || bd < 1 || wd < 1) return hlo_refuse(g, HLO_REDWIN, "window, strides and dilations must be positive (C5-C10); dimension %d", i);
        int64_t size = (t.dims[i] ? (t.dims[i] - 1) * bd + 1 : 0) + pad_low[i] + pad_high[i], extent = (window[i] - 1) * wd + 1;
        t.dims[i] = size < extent ? 0 : (size - extent) / strides[i] + 1;
    }
    const hlo_val ops[2] = {a, init};
    return hlo_make(g, &(hlo_draft){.op = HLO_REDWIN, .nops = 2, .ops = ops, .nattrs = 1u + 6u * (uint32_t)n, .attrs = attrs, .nresults = 1, .types = &t});
}
