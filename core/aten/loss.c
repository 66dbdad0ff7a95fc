/* Losses and their gradients.  The reduction argument: 0 none, 1 mean, 2 sum. */
#include "aten/index.h"

enum { NONE = 0, MEAN = 1, SUM = 2 };

static hlo_val reduced(low *l, hlo_val v, int64_t reduction) {
    if (reduction == NONE || failed(l)) return v;
    int64_t n = numel_of(l, v);
    v = reduce(l, HLO_ADD, v, 0, UINT32_MAX, false);
    return reduction == MEAN ? quo(l, v, konst_like(l, v, (double)n)) : v;
}

/* Arguments 0 and 1 broadcast together, in the opmath of |t|. */
typedef struct pair {
    hlo_val x, y;
} pair;

static pair operands(low *l, int first, tp_dtype t) {
    hlo_val v[2] = {in_op(l, first, t), in_op(l, first + 1, t)};
    together(l, 2, v);
    return (pair){v[0], v[1]};
}

static tp_dtype loss_type(low *l, const char *kernel, bool promoted) {
    tp_dtype t = promoted ? promote(l, 0, 2) : dt(l, in(l, 0));
    if (!failed(l) && !tp_dtype_is_float(t)) unimplemented(l, kernel, t);
    return t;
}

/* grad_output as it reaches each element of |like|: divided by their number if the loss is a mean. */
static hlo_val upstream(low *l, int64_t reduction, hlo_val like) {
    hlo_val g = in_as(l, 0, dt(l, like));
    if (reduction == MEAN) g = quo(l, g, konst_like(l, like, (double)numel_of(l, like)));
    return g;
}

/* ---- of differences */
void low_mse_loss(low *l) {
    tp_dtype t = loss_type(l, "mse_cpu", true);
    pair p = operands(l, 0, t);
    hlo_val off = sub(l, p.x, p.y);
    out_as(l, 0, reduced(l, mul(l, off, off), inum(l, 2)), t);
}

void low_mse_loss_backward(low *l) {
    tp_dtype t = dt(l, in(l, 1));
    pair p = operands(l, 1, t);
    hlo_val off = sub(l, p.x, p.y);
    out_as(l, 0, mul(l, mul(l, konst_like(l, off, 2), off), upstream(l, inum(l, 3), off)), t);
}

void low_smooth_l1_loss(low *l) {
    double beta = snum(l, 3);
    if (beta < 0) fail(l, TP_RUNTIME, "smooth_l1_loss does not support negative values for beta.");
    tp_dtype t = loss_type(l, "smooth_l1_cpu", true);
    pair p = operands(l, 0, t);
    hlo_val z = un(l, HLO_ABS, sub(l, p.x, p.y)), half = konst_like(l, z, 0.5), b = konst_like(l, z, beta);
    hlo_val linear = sub(l, z, mul(l, half, b));
    if (beta > 0) linear = sel(l, cmp(l, HLO_LT, z, b), quo(l, mul(l, mul(l, half, z), z), b), linear);
    out_as(l, 0, reduced(l, linear, inum(l, 2)), t);
}

void low_smooth_l1_loss_backward(low *l) {
    tp_dtype t = dt(l, in(l, 1));
    pair p = operands(l, 1, t);
    hlo_val x = sub(l, p.x, p.y), b = konst_like(l, x, snum(l, 4));
    hlo_val sign = sel(l, cmp(l, HLO_GE, x, b), konst_like(l, x, 1), quo(l, x, b));
    sign = sel(l, cmp(l, HLO_LE, x, un(l, HLO_NEG, b)), konst_like(l, x, -1), sign);
    out_as(l, 0, mul(l, sign, upstream(l, inum(l, 3), x)), t);
}

void low_huber_loss(low *l) {
    double delta = snum(l, 3);
    if (!(delta > 0)) fail(l, TP_RUNTIME, "huber_loss does not support non-positive values for delta.");
    tp_dtype t = loss_type(l, "huber_cpu", false);
    pair p = operands(l, 0, t);
    hlo_val z = un(l, HLO_ABS, sub(l, p.x, p.y)), half = konst_like(l, z, 0.5), d = konst_like(l, z, delta);
    hlo_val linear = mul(l, d, sub(l, z, mul(l, half, d)));
    out_as(l, 0, reduced(l, sel(l, cmp(l, HLO_LT, z, d), mul(l, mul(l, half, z), z), linear), inum(l, 2)), t);
}

void low_huber_loss_backward(low *l) {
    tp_dtype t = dt(l, in(l, 1));
    pair p = operands(l, 1, t);
    hlo_val x = sub(l, p.x, p.y), d = konst_like(l, x, snum(l, 4));
    hlo_val slope = hlo_clamp(l->g, un(l, HLO_NEG, d), x, d);
    out_as(l, 0, mul(l, slope, upstream(l, inum(l, 3), x)), t);
}

/* ---- of probabilities */
static hlo_val weighted(low *l, hlo_val v, int weight) { return has(l, weight) ? mul(l, v, in_as(l, weight, dt(l, v))) : v; }

/* log_sigmoid(x) = min(x, 0) - log1p(exp(-|x|)) */
static hlo_val log_sigmoid(low *l, hlo_val x) {
    hlo_val buffer = un(l, HLO_EXP, un(l, HLO_NEG, un(l, HLO_ABS, x)));
    return sub(l, bin(l, HLO_MIN, x, konst_like(l, x, 0)), un(l, HLO_LOG1P, buffer));
}

static tp_dtype check_probability_types(low *l, int x, int target, const char *kernel) {
    tp_dtype t = dt(l, in(l, x)), u = dt(l, in(l, target));
    if (!failed(l) && !tp_dtype_is_float(t)) unimplemented(l, kernel, t);
    if (!failed(l) && t != u) fail(l, TP_RUNTIME, "Found dtype %s but expected %s", scalar_type_name(u), scalar_type_name(t));
    return t;
}

void low_binary_cross_entropy(low *l) {
    tp_dtype t = check_probability_types(l, 0, 1, "binary_cross_entropy");
    pair p = operands(l, 0, t);
    if (failed(l)) return;
    hlo_val zero = konst_like(l, p.x, 0), one = konst_like(l, p.x, 1), least = konst_like(l, p.x, -100);
    hlo_val inside = bin(l, HLO_AND, cmp(l, HLO_GE, p.x, zero), cmp(l, HLO_LE, p.x, one));
    check(l, un(l, HLO_NOT, inside), TP_RUNTIME, "all elements of input should be between 0 and 1");
    hlo_val no = bin(l, HLO_MAX, un(l, HLO_LOG1P, un(l, HLO_NEG, p.x)), least), yes = bin(l, HLO_MAX, un(l, HLO_LOG, p.x), least);
    hlo_val v = sub(l, mul(l, sub(l, p.y, one), no), mul(l, p.y, yes));
    out_as(l, 0, reduced(l, weighted(l, v, 2), inum(l, 3)), t);
}

void low_binary_cross_entropy_backward(low *l) {
    tp_dtype t = check_probability_types(l, 1, 2, "binary_cross_entropy_backward");
    pair p = operands(l, 1, t);
    if (failed(l)) return;
    hlo_val spread = mul(l, sub(l, konst_like(l, p.x, 1), p.x), p.x);
    hlo_val slope = quo(l, sub(l, p.x, p.y), bin(l, HLO_MAX, spread, konst_like(l, p.x, 1e-12)));
    out_as(l, 0, mul(l, weighted(l, slope, 3), upstream(l, inum(l, 4), slope)), t);
}

void low_bce_with_logits(low *l) {
    tp_dtype t = loss_type(l, "log_sigmoid_cpu", true);
    pair p = operands(l, 0, t);
    if (failed(l)) return;
    hlo_val one = konst_like(l, p.x, 1), ls = log_sigmoid(l, p.x);
    if (has(l, 3)) ls = mul(l, add(l, mul(l, sub(l, in_as(l, 3, dt(l, p.x)), one), p.y), one), ls);
    hlo_val v = sub(l, mul(l, sub(l, one, p.y), p.x), ls);
    out_as(l, 0, reduced(l, weighted(l, v, 2), inum(l, 4)), t);
}

/* ---- of classes.  |x| is [C], [N, C] or [N, C, H, W]; the target has its shape without the class dimension. */
typedef struct classes {
    hlo_val x, target, kept, weight; /* x opmath; target in range; kept: bool, not ignored; weight: of each target, 0 if ignored */
    tp_dtype t;
    int dim;
    int64_t reduction;
} classes;

static void check_classes(low *l, int x_arg, bool spatial) {
    const tp_type *x = arg_type(l, x_arg), *y = arg_type(l, x_arg + 1), *w = arg_type(l, x_arg + 2);
    tp_dtype target = (tp_dtype)y->dtype;
    const char *xs = sizes_text(l, x->rank, x->dims), *ys = sizes_text(l, y->rank, y->dims);
    bool fits = y->rank == 0 || x->dims[0] == y->dims[0];
    if (spatial) fits = fits && x->dims[2] == y->dims[1] && x->dims[3] == y->dims[2];
    if (spatial && y->rank != 3)
        fail(l, TP_RUNTIME, "only batches of spatial targets supported (3D tensors) but got targets of dimension: %d", y->rank);
    else if (spatial && x->rank != 4)
        fail(l, TP_RUNTIME, "only batches of spatial inputs supported (4D tensors), but got input of dimension: %d", x->rank);
    else if (!spatial && (x->rank < 1 || x->rank > 2))
        fail(l, TP_RUNTIME, "input tensor should be 1D or 2D");
    else if (!spatial && y->rank > 1)
        fail(l, TP_RUNTIME, "0D or 1D target tensor expected, multi-target not supported");
    else if (target != TP_I64 && target != TP_U8)
        fail(l, TP_RUNTIME, "expected target dtype to be Long or Byte, but got %s", scalar_type_name(target));
    else if (!(x->rank == 1 ? tp_type_numel(y) == 1 : fits && y->rank > 0))
        fail(l, TP_RUNTIME, spatial ? "size mismatch (got input: %s , target: %s" : "size mismatch (got input: %s, target: %s)", xs, ys);
    if (failed(l) || !has(l, x_arg + 2)) return;
    int64_t n = x->dims[x->rank == 1 ? 0 : 1];
    if (tp_type_numel(w) != n && spatial)
        fail(l, TP_RUNTIME, "weight tensor should be defined either for all or no classes");
    else if (w->rank != 1 || w->dims[0] != n)
        fail(l, TP_RUNTIME, "weight tensor should be defined either for all %lld classes or no classes but got weight tensor of shape: %s",
             (long long)n, sizes_text(l, w->rank, w->dims));
    else if (w->dtype != x->dtype)
        fail(l, TP_RUNTIME, "expected scalar type %s but found %s", scalar_type_name((tp_dtype)x->dtype), scalar_type_name((tp_dtype)w->dtype));
}

/* Arguments from |x_arg|: input, target, weight?, reduction, ignore_index. */
static bool read_classes(low *l, int x_arg, bool spatial, classes *c) {
    hlo_val x = in(l, x_arg), target = in(l, x_arg + 1);
    if (failed(l)) return false;
    check_classes(l, x_arg, spatial);
    *c = (classes){.t = dt(l, x), .dim = rank_of(l, x) > 1, .reduction = inum(l, x_arg + 3)};
    if (!failed(l) && !tp_dtype_is_float(c->t)) unimplemented(l, spatial ? "nll_loss2d_forward_out_frame" : "nll_loss_out_frame", c->t);
    if (failed(l)) return false;
    int64_t sizes[TP_MAX_RANK], n = size_of(l, x, c->dim);
    int rank = sizes_of(l, x, sizes);
    sizes[c->dim] = 1;
    tp_dtype wide = opmath(c->t);
    c->x = cast(l, x, wide);
    target = cast(l, reshape(l, target, rank, sizes), TP_I64);
    hlo_val zero = konst(l, TP_I64, 0);
    c->kept = cmp(l, HLO_NE, target, hlo_const_int(l->g, TP_I64, inum(l, x_arg + 4)));
    hlo_val outside = bin(l, HLO_OR, cmp(l, HLO_LT, target, zero), cmp(l, HLO_GE, target, konst(l, TP_I64, (double)n)));
    check(l, bin(l, HLO_AND, c->kept, outside), TP_INDEX, "Target is out of bounds.");
    c->target = sel(l, c->kept, target, zero);
    c->weight = bcast(l, konst(l, wide, 1), rank, sizes);
    if (has(l, x_arg + 2) && n) c->weight = reshape(l, take_rows(l, in_as(l, x_arg + 2, wide), flatten(l, c->target), 0), rank, sizes);
    c->weight = sel(l, c->kept, c->weight, konst(l, wide, 0));
    return !failed(l);
}

static void nll_forward(low *l, bool spatial) {
    classes c;
    if (!read_classes(l, 0, spatial, &c)) return;
    hlo_val zero = konst_like(l, c.x, 0), picked = take_along(l, c.x, c.target, c.dim);
    hlo_val v = sel(l, c.kept, un(l, HLO_NEG, mul(l, picked, c.weight)), zero);
    v = squeeze_mask(l, v, 1u << c.dim);
    hlo_val total = reduce(l, HLO_ADD, c.weight, 0, UINT32_MAX, false);
    if (c.reduction == NONE) {
        out_as(l, 0, v, c.t);
        out_as(l, 1, rank_of(l, c.x) > 1 ? zero : total, c.t);
        return;
    }
    hlo_val sum = reduce(l, HLO_ADD, v, 0, UINT32_MAX, false);
    out_as(l, 0, c.reduction == MEAN ? quo(l, sum, total) : sum, c.t);
    out_as(l, 1, total, c.t);
}

void low_nll_loss(low *l) { nll_forward(l, false); }
void low_nll_loss2d(low *l) { nll_forward(l, true); }

/* grad_output, input, target, weight?, reduction, ignore_index, total_weight */
static void nll_backward(low *l, bool spatial) {
    classes c;
    if (!read_classes(l, 1, spatial, &c)) return;
    const tp_type *g_type = arg_type(l, 0), *y_type = arg_type(l, 2);
    int rank = rank_of(l, c.x);
    if (c.reduction == NONE && rank == 2 && (g_type->rank != 1 || g_type->dims[0] != y_type->dims[0])) {
        fail(l, TP_RUNTIME, "Expected a tensor of dimension 1 and tensor.size[0] == %lld but got: dimension %d and tensor.size[0] = %lld",
             (long long)y_type->dims[0], g_type->rank, (long long)(g_type->rank ? g_type->dims[0] : 1));
        return;
    }
    if ((c.reduction != NONE || rank == 1) && tp_type_numel(g_type) != 1) {
        fail(l, TP_RUNTIME, "Expected a single element grad_output tensor, but got: %s", sizes_text(l, g_type->rank, g_type->dims));
        return;
    }
    hlo_val g = in_as(l, 0, dt(l, c.x));
    g = c.reduction == NONE && rank > 1 ? unsqueeze_mask(l, g, 1u << c.dim) : reshape(l, g, 0, NULL);
    if (c.reduction == MEAN) g = quo(l, g, reshape(l, in_as(l, 6, dt(l, c.x)), 0, NULL));
    hlo_val hit = cmp(l, HLO_EQ, iota(l, TP_I64, c.x, c.dim), c.target);
    hlo_val pull = un(l, HLO_NEG, mul(l, c.weight, g));
    out_as(l, 0, sel(l, bin(l, HLO_AND, hit, c.kept), pull, konst_like(l, c.x, 0)), c.t);
}

void low_nll_loss_backward(low *l) { nll_backward(l, false); }
void low_nll_loss2d_backward(low *l) { nll_backward(l, true); }
