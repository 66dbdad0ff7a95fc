/* Reductions, sort, and the regions they run. */
#include "hlo/node.h"

hlo_op hlo_combiner(hlo_graph *g, hlo_op user, hlo_op op, tp_dtype dtype) {
    bool known = op == HLO_ADD || op == HLO_MUL || op == HLO_MAX || op == HLO_MIN || op == HLO_AND || op == HLO_OR;
    if (!known || !hlo_takes(op, dtype)) {
        hlo_refuse(g, user, "the combining op must be add, multiply, maximum, minimum, and, or, defined for the dtype; got %s for %s", hlo_mnemonic(op),
                   tp_dtype_name(dtype));
        return HLO_OP_NONE;
    }
    if (dtype != TP_BOOL) return op;
    return op == HLO_ADD || op == HLO_MAX || op == HLO_OR ? HLO_OR : HLO_AND;
}

static bool init_fits(hlo_graph *g, hlo_op op, hlo_val a, hlo_val init) {
    const tp_type *t = hlo_type_of(g, a), *i = hlo_type_of(g, init);
    if (hlo_is_none(a) || hlo_is_none(init)) return false;
    if (i->rank == 0 && i->dtype == t->dtype) return true;
    hlo_refuse(g, op, "the initial value must be rank 0 of the operand's dtype (C2); got %s for %s", HLO_TEXT(i), HLO_TEXT(t));
    return false;
}

/* |from| without |dims|. */
static bool reduce_type(hlo_graph *g, const tp_type *from, int n, const int64_t *dims, tp_type *out) {
    uint32_t drop = 0;
    for (int i = 0; i < n; i++) {
        if (dims[i] < 0 || dims[i] >= from->rank || (drop >> dims[i] & 1)) {
            hlo_refuse(g, HLO_REDUCE, "dimensions must be unique and in range (C4, C5); got %lld for %s", (long long)dims[i], HLO_TEXT(from));
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
    if (!init_fits(g, HLO_REDUCE, a, init) || !reduce_type(g, hlo_type_of(g, a), n, dims, &t)) return HLO_NONE;
    int64_t attrs[1 + TP_MAX_RANK] = {hlo_combiner(g, HLO_REDUCE, op, (tp_dtype)t.dtype)};
    for (int i = 0; i < n; i++) attrs[1 + i] = dims[i];
    const hlo_val ops[2] = {a, init};
    if (hlo_failed(g)) return HLO_NONE;
    if (n == 0) return a;
    return hlo_make_one(g, HLO_REDUCE, 2, ops, 1 + n, attrs, &t);
}

/* ---- regions */
static bool is_scalar(const tp_type *t, uint8_t dtype) { return t->rank == 0 && t->dtype == dtype; }

static bool count_fits(hlo_graph *g, hlo_op op, const char *tag, const hlo_graph *region, int n, int nparams, int nresults) {
    if (hlo_failed(g)) return false;
    if (n < 1 || n > HLO_MAX_RESULTS) {
        hlo_refuse(g, op, "there must be 1 to %d operands; got %d", HLO_MAX_RESULTS, n);
        return false;
    }
    if (hlo_param_count(region) == nparams && hlo_output_count(region) == nresults) return true;
    hlo_refuse(g, op, "the region must take %d scalars and return %d (%s); it takes %d and returns %d", nparams, nresults, tag, hlo_param_count(region),
               hlo_output_count(region));
    return false;
}

static bool param_fits(hlo_graph *g, hlo_op op, const char *tag, const hlo_graph *region, int i, const tp_type *operand) {
    if (is_scalar(hlo_param_type(region, i), operand->dtype)) return true;
    hlo_refuse(g, op, "parameter %d of the region must be rank 0 of its operand's dtype (%s); got %s for %s", i, tag,
               HLO_TEXT(hlo_param_type(region, i)), HLO_TEXT(operand));
    return false;
}

static bool result_fits(hlo_graph *g, hlo_op op, const char *tag, const hlo_graph *region, int i, uint8_t dtype) {
    if (is_scalar(hlo_output_type(region, i), dtype)) return true;
    hlo_refuse(g, op, "result %d of the region must be rank 0 of %s (%s); got %s", i, tp_dtype_name((tp_dtype)dtype), tag,
               HLO_TEXT(hlo_output_type(region, i)));
    return false;
}

/* The shape of all operands must be the first one's. */
static bool shape_fits(hlo_graph *g, hlo_op op, const char *tag, const tp_type *first, const tp_type *t) {
    if (t->rank == first->rank && memcmp(t->dims, first->dims, t->rank * sizeof *t->dims) == 0) return true;
    hlo_refuse(g, op, "operands must have one shape (%s); got %s and %s", tag, HLO_TEXT(first), HLO_TEXT(t));
    return false;
}

void hlo_reduce_n(hlo_graph *g, int n, const hlo_val *operands, const hlo_val *inits, int ndims, const int64_t *dims,
                  hlo_graph *region, hlo_val *out_results) {
    hlo_val ops[2 * HLO_MAX_RESULTS];
    tp_type types[HLO_MAX_RESULTS];
    int64_t attrs[1 + TP_MAX_RANK] = {HLO_OP_NONE};
    hlo_results(g, HLO_NONE, n, out_results);
    if (!count_fits(g, HLO_REDUCE, "C6", region, n, 2 * n, n)) return;
    const tp_type *first = hlo_type_of(g, operands[0]);
    for (int i = 0; i < n; i++) {
        const tp_type *t = hlo_type_of(g, operands[i]);
        if (!init_fits(g, HLO_REDUCE, operands[i], inits[i]) || !shape_fits(g, HLO_REDUCE, "C1", first, t)) return;
        if (!param_fits(g, HLO_REDUCE, "C6", region, i, t) || !param_fits(g, HLO_REDUCE, "C6", region, n + i, t)) return;
        if (!result_fits(g, HLO_REDUCE, "C6", region, i, t->dtype) || !reduce_type(g, t, ndims, dims, &types[i])) return;
        ops[i] = operands[i];
        ops[n + i] = inits[i];
    }
    for (int i = 0; i < ndims; i++) attrs[1 + i] = dims[i];
    hlo_val node = hlo_make(g, &(hlo_draft){.op = HLO_REDUCE, .nops = 2 * n, .ops = ops, .nattrs = 1 + ndims, .attrs = attrs, .region = region,
                                            .nresults = n, .types = types});
    hlo_results(g, node, n, out_results);
}

void hlo_sort(hlo_graph *g, int n, const hlo_val *operands, int dim, bool stable, hlo_graph *region, hlo_val *out_results) {
    tp_type types[HLO_MAX_RESULTS];
    const int64_t attrs[2] = {dim, stable};
    hlo_results(g, HLO_NONE, n, out_results);
    if (!count_fits(g, HLO_SORT, "C5", region, n, 2 * n, 1)) return;
    for (int i = 0; i < n; i++) {
        if (hlo_is_none(operands[i])) return;
        types[i] = *hlo_type_of(g, operands[i]);
        if (!shape_fits(g, HLO_SORT, "C3", &types[0], &types[i])) return;
        if (!param_fits(g, HLO_SORT, "C5", region, 2 * i, &types[i]) || !param_fits(g, HLO_SORT, "C5", region, 2 * i + 1, &types[i])) return;
    }
    if (!result_fits(g, HLO_SORT, "C5", region, 0, TP_BOOL)) return;
    if (dim < 0 || dim >= types[0].rank) {
        hlo_refuse(g, HLO_SORT, "the dimension must be in range (C4); got %d of %s", dim, HLO_TEXT(&types[0]));
        return;
    }
    hlo_val node = hlo_make(g, &(hlo_draft){.op = HLO_SORT, .nops = n, .ops = operands, .nattrs = 2, .attrs = attrs, .region = region, .nresults = n,
                                            .types = types});
    hlo_results(g, node, n, out_results);
}

hlo_val hlo_reduce_window(hlo_graph *g, hlo_op op, hlo_val a, hlo_val init, const int64_t *window, const int64_t *strides,
                          const int64_t *base_dilation, const int64_t *window_dilation, const int64_t *pad_low, const int64_t *pad_high) {
    const tp_type *from = hlo_type_of(g, a);
    tp_type t = *from;
    if (!init_fits(g, HLO_REDWIN, a, init)) return HLO_NONE;
    int64_t attrs[1 + 6 * TP_MAX_RANK] = {hlo_combiner(g, HLO_REDWIN, op, (tp_dtype)t.dtype)};
    int n = t.rank;
    for (int i = 0; i < n; i++) {
        int64_t base = base_dilation ? base_dilation[i] : 1, holes = window_dilation ? window_dilation[i] : 1;
        const int64_t row[6] = {window[i], strides[i], base, holes, pad_low[i], pad_high[i]};
        if (window[i] < 1 || strides[i] < 1 || base < 1 || holes < 1)
            return hlo_refuse(g, HLO_REDWIN,
                              "window, stride and dilations must be positive (C5, C7, C9, C11); got %lld, %lld, %lld, %lld in dimension %d of %s",
                              (long long)window[i], (long long)strides[i], (long long)base, (long long)holes, i, HLO_TEXT(from));
        for (int k = 0; k < 6; k++) attrs[1 + k * n + i] = row[k];
        hlo_wide count = hlo_windows(hlo_dilated(t.dims[i], base) + pad_low[i] + pad_high[i], hlo_dilated(window[i], holes), strides[i]);
        t.dims[i] = count > INT64_MAX ? -1 : (int64_t)count;
    }
    const hlo_val ops[2] = {a, init};
    return hlo_make_one(g, HLO_REDWIN, 2, ops, 1 + 6 * n, attrs, &t);
}
