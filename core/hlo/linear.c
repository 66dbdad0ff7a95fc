/* Dot and convolution.  Constraints of dot_general are (C..) of that op, those of convolution likewise. */
#include "hlo/node.h"

/* |result| is |operand| or a wider dtype of its class.  (Narrower ones XLA refuses; another one as wide aborts it.) */
static bool accumulates(tp_dtype result, tp_dtype operand) {
    return result == operand || (tp_dtype_class(result) == tp_dtype_class(operand) && tp_dtype_size(result) > tp_dtype_size(operand));
}

static bool result_fits(hlo_graph *g, hlo_op op, const tp_type *a, const tp_type *b, tp_dtype result) {
    if (accumulates(result, (tp_dtype)a->dtype) && accumulates(result, (tp_dtype)b->dtype)) return true;
    hlo_refuse(g, op, "the result's dtype must be the operands' or a wider one of their kind; got %s and %s for %s", HLO_TEXT(a), HLO_TEXT(b),
               tp_dtype_name(result));
    return false;
}

/* ---- dot */
typedef struct side {
    const tp_type *type;
    const int64_t *batch, *contract;
    uint32_t used; /* bit mask of batch and contracted dimensions */
} side;

static bool take(side *s, int64_t d) {
    if (d < 0 || d >= s->type->rank || (s->used >> d & 1)) return false;
    s->used |= 1u << d;
    return true;
}

/* Appends the sizes that are neither batch nor contracted; false if there are too many. */
static bool append_free(tp_type *t, const side *s) {
    for (int i = 0; i < s->type->rank; i++) {
        if (s->used >> i & 1) continue;
        if (t->rank == TP_MAX_RANK) return false;
        t->dims[t->rank++] = s->type->dims[i];
    }
    return true;
}

static bool pairs_fit(hlo_graph *g, const hlo_dot_dims *d, side *l, side *r) {
    for (int i = 0; i < d->nbatch + d->ncontract; i++) {
        bool batch = i < d->nbatch;
        int64_t x = batch ? l->batch[i] : l->contract[i - d->nbatch], y = batch ? r->batch[i] : r->contract[i - d->nbatch];
        if (!take(l, x) || !take(r, y)) {
            hlo_refuse(g, HLO_DOT, "batch and contracting dimensions must be unique and in range (C3-C8); got %lld and %lld of %s and %s", (long long)x,
                       (long long)y, HLO_TEXT(l->type), HLO_TEXT(r->type));
            return false;
        }
        if (l->type->dims[x] != r->type->dims[y]) {
            hlo_refuse(g, HLO_DOT, "%s sizes must agree (%s); got dimensions %lld and %lld of %s and %s", batch ? "batch" : "contracting",
                       batch ? "C9" : "C10", (long long)x, (long long)y, HLO_TEXT(l->type), HLO_TEXT(r->type));
            return false;
        }
    }
    return true;
}

hlo_val hlo_dot(hlo_graph *g, hlo_val lhs, hlo_val rhs, const hlo_dot_dims *d, tp_dtype result, hlo_precision precision) {
    if (hlo_is_none(lhs) || hlo_is_none(rhs)) return HLO_NONE;
    side l = {hlo_type_of(g, lhs), d->lhs_batch, d->lhs_contract, 0}, r = {hlo_type_of(g, rhs), d->rhs_batch, d->rhs_contract, 0};
    if (!result_fits(g, HLO_DOT, l.type, r.type, result) || !pairs_fit(g, d, &l, &r)) return HLO_NONE;
    tp_type t = {.dtype = (uint8_t)result, .rank = (uint8_t)d->nbatch};
    for (int i = 0; i < d->nbatch; i++) t.dims[i] = l.type->dims[d->lhs_batch[i]];
    if (!append_free(&t, &l) || !append_free(&t, &r))
        return hlo_refuse(g, HLO_DOT, "the result must have at most %d dimensions (C12); got %s and %s", TP_MAX_RANK, HLO_TEXT(l.type), HLO_TEXT(r.type));
    int64_t attrs[3 + 4 * TP_MAX_RANK] = {d->nbatch, d->ncontract, precision}, *w = attrs + 3;
    w = hlo_put(w, d->lhs_batch, d->nbatch);
    w = hlo_put(w, d->rhs_batch, d->nbatch);
    w = hlo_put(w, d->lhs_contract, d->ncontract);
    w = hlo_put(w, d->rhs_contract, d->ncontract);
    const hlo_val ops[2] = {lhs, rhs};
    return hlo_make_one(g, HLO_DOT, 2, ops, (int)(w - attrs), attrs, &t);
}

/* ---- convolution */
/* |first|, |second| and the spatial dimensions name each of n + 2 dimensions once. */
static bool layout_fits(int n, int64_t first, int64_t second, const int64_t *spatial) {
    uint32_t seen = 0;
    for (int i = 0; i < n + 2; i++) {
        int64_t d = i == 0 ? first : i == 1 ? second : spatial[i - 2];
        if (d < 0 || d >= n + 2) return false;
        seen |= 1u << d;
    }
    return seen == (1u << (n + 2)) - 1;
}

static bool conv_layouts_fit(hlo_graph *g, const hlo_conv_dims *d, const tp_type *a, const tp_type *b) {
    int n = d->nspatial;
    const char *tag = NULL;
    if (n < 0 || n + 2 > TP_MAX_RANK || a->rank != n + 2 || b->rank != n + 2)
        tag = "C1";
    else if (!layout_fits(n, d->batch_in, d->feature_in, d->spatial_in))
        tag = "C13";
    else if (!layout_fits(n, d->feature_in_kernel, d->feature_out_kernel, d->spatial_kernel))
        tag = "C18";
    else if (!layout_fits(n, d->batch_out, d->feature_out, d->spatial_out))
        tag = "C20";
    if (tag)
        hlo_refuse(g, HLO_CONV, "batch, feature and %d spatial dimensions must be all of each array's (%s); got %s and %s", n, tag, HLO_TEXT(a),
                   HLO_TEXT(b));
    return !tag;
}

static bool conv_groups_fit(hlo_graph *g, const hlo_conv_dims *d, const tp_type *a, const tp_type *b) {
    int64_t groups = d->feature_groups, batches = d->batch_groups, in = a->dims[d->feature_in], out = b->dims[d->feature_out_kernel];
    const char *tag = NULL;
    if (groups < 1 || batches < 1)
        tag = "C21, C22";
    else if (groups > 1 && batches > 1)
        tag = "C23";
    else if (a->dims[d->batch_in] % batches)
        tag = "C10";
    else if (in % groups)
        tag = "C11";
    else if (b->dims[d->feature_in_kernel] != in / groups)
        tag = "C14";
    else if (out % batches)
        tag = "C15";
    else if (out % groups)
        tag = "C16";
    if (tag)
        hlo_refuse(g, HLO_CONV, "batch and features must divide into groups and agree (%s); got %s and %s with %lld feature and %lld batch groups", tag,
                   HLO_TEXT(a), HLO_TEXT(b), (long long)groups, (long long)batches);
    return !tag;
}

static bool conv_windows_fit(hlo_graph *g, const hlo_conv_dims *d, const tp_type *a, const tp_type *b, tp_type *t) {
    for (int i = 0; i < d->nspatial; i++) {
        if (d->stride[i] < 1 || d->lhs_dilation[i] < 1 || d->rhs_dilation[i] < 1) {
            hlo_refuse(g, HLO_CONV, "strides and dilations must be positive (C3, C6, C8); got %lld, %lld, %lld in spatial dimension %d of %s and %s",
                       (long long)d->stride[i], (long long)d->lhs_dilation[i], (long long)d->rhs_dilation[i], i, HLO_TEXT(a), HLO_TEXT(b));
            return false;
        }
        hlo_wide size = hlo_dilated(a->dims[d->spatial_in[i]], d->lhs_dilation[i]) + d->pad_low[i] + d->pad_high[i];
        hlo_wide count = hlo_windows(size, hlo_dilated(b->dims[d->spatial_kernel[i]], d->rhs_dilation[i]), d->stride[i]);
        t->dims[d->spatial_out[i]] = count > INT64_MAX ? -1 : (int64_t)count;
    }
    return true;
}

hlo_val hlo_conv(hlo_graph *g, hlo_val lhs, hlo_val rhs, const hlo_conv_dims *d, tp_dtype result, hlo_precision precision) {
    if (hlo_is_none(lhs) || hlo_is_none(rhs)) return HLO_NONE;
    const tp_type *a = hlo_type_of(g, lhs), *b = hlo_type_of(g, rhs);
    tp_type t = {.dtype = (uint8_t)result, .rank = a->rank};
    if (!result_fits(g, HLO_CONV, a, b, result) || !conv_layouts_fit(g, d, a, b) || !conv_groups_fit(g, d, a, b)) return HLO_NONE;
    if (!conv_windows_fit(g, d, a, b, &t)) return HLO_NONE;
    t.dims[d->batch_out] = a->dims[d->batch_in] / d->batch_groups;
    t.dims[d->feature_out] = b->dims[d->feature_out_kernel];
    int n = d->nspatial;
    int64_t attrs[10 + 9 * TP_MAX_RANK] = {n, precision, d->batch_in, d->feature_in, d->feature_in_kernel, d->feature_out_kernel,
                                           d->batch_out, d->feature_out, d->feature_groups, d->batch_groups};
    const int64_t *const lists[8] = {d->spatial_in, d->spatial_kernel, d->spatial_out, d->stride, d->pad_low, d->pad_high, d->lhs_dilation,
                                     d->rhs_dilation};
    int64_t *w = attrs + 10;
    for (int k = 0; k < 8; k++) w = hlo_put(w, lists[k], n);
    for (int i = 0; i < n; i++) *w++ = d->reverse[i];
    const hlo_val ops[2] = {lhs, rhs};
    return hlo_make_one(g, HLO_CONV, 2, ops, (int)(w - attrs), attrs, &t);
}
