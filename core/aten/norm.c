/* Normalisations over layers, batches and groups.  Statistics are computed in opmath and returned in the parameters' dtype. */
#include "aten/shape.h"

/* ---- one normalisation over the dimensions of |mask| */
typedef struct stats {
    hlo_val x, mean, var; /* opmath; mean and var with size 1 in the mask's dimensions; var is the biased one */
    int64_t n;
} stats;

static stats measure(low *l, hlo_val x, uint32_t mask) {
    stats s = {.x = cast(l, x, opmath(dt(l, x))), .n = 1};
    for (int d = 0; d < rank_of(l, s.x); d++)
        if (mask >> d & 1) s.n *= size_of(l, s.x, d);
    hlo_val n = konst_like(l, s.x, (double)s.n);
    s.mean = quo(l, reduce(l, HLO_ADD, s.x, 0, mask, true), n);
    hlo_val off = sub(l, s.x, s.mean);
    s.var = quo(l, reduce(l, HLO_ADD, mul(l, off, off), 0, mask, true), n);
    return s;
}

static hlo_val inverse_root(low *l, hlo_val var, int eps) { return un(l, HLO_RSQRT, add(l, var, num(l, eps, dt(l, var)))); }

static hlo_val affine(low *l, hlo_val y, hlo_val weight, hlo_val bias) {
    if (!hlo_is_none(weight)) y = mul(l, y, weight);
    return hlo_is_none(bias) ? y : add(l, y, bias);
}

/* The gradient of x -> (x - mean) * rstd over |mask|, given xhat and the gradient g of the result. */
static hlo_val normalised_gradient(low *l, hlo_val g, hlo_val xhat, hlo_val rstd, uint32_t mask, int64_t n) {
    hlo_val count = konst_like(l, g, (double)n);
    hlo_val mean_g = quo(l, reduce(l, HLO_ADD, g, 0, mask, true), count);
    hlo_val mean_gx = quo(l, reduce(l, HLO_ADD, mul(l, g, xhat), 0, mask, true), count);
    return mul(l, rstd, sub(l, sub(l, g, mean_g), mul(l, xhat, mean_gx)));
}

/* The dtype of statistics and parameters: the input's, or float32 parameters beside a half precision input. */
static tp_dtype param_type(low *l, hlo_val x, int weight, int bias, const char *kernel) {
    tp_dtype t = dt(l, x), p = t;
    if (failed(l)) return t;
    if (!tp_dtype_is_float(t)) unimplemented(l, kernel, t);
    for (int i = weight; i <= bias; i++)
        if (has(l, i)) p = (tp_dtype)arg_type(l, i)->dtype;
    bool mixed = p != t && !(p == TP_F32 && opmath(t) == TP_F32);
    for (int i = weight; i <= bias; i++)
        if (has(l, i) && (mixed || (tp_dtype)arg_type(l, i)->dtype != p))
            fail(l, TP_RUNTIME, "mixed dtype (CPU): expect parameter to have scalar type of Float");
    return p;
}

/* ---- layer norm */
static void check_layer_param(low *l, int i, const char *name, int n, const int64_t *shape) {
    const tp_type *t = arg_type(l, i);
    if (!has(l, i) || (t->rank == n && memcmp(t->dims, shape, (size_t)n * sizeof *shape) == 0)) return;
    fail(l, TP_RUNTIME, "Expected %s to be of same shape as normalized_shape, but got %s of shape %s and normalized_shape = %s", name, name,
         sizes_text(l, t->rank, t->dims), sizes_text(l, n, shape));
}

/* Bit mask of the trailing dimensions that normalized_shape names. */
static uint32_t layer_mask(low *l, hlo_val x, int shape_arg, int weight, int bias) {
    int n, rank = rank_of(l, x);
    const int64_t *shape = ints(l, shape_arg, &n);
    int64_t own[TP_MAX_RANK];
    if (failed(l)) return 0;
    sizes_of(l, x, own);
    if (n < 1)
        fail(l, TP_RUNTIME,
             "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got normalized_shape = []");
    else if (rank < n || memcmp(own + rank - n, shape, (size_t)n * sizeof *shape) != 0) {
        const char *wanted = sizes_text(l, n, shape);
        fail(l, TP_RUNTIME, "Given normalized_shape=%s, expected input with shape [*, %s, but got input of size%s", wanted, wanted + 1,
             sizes_text(l, rank, own));
    }
    check_layer_param(l, weight, "weight", n, shape);
    check_layer_param(l, bias, "bias", n, shape);
    return failed(l) ? 0 : ((1u << rank) - 1) & ~((1u << (rank - n)) - 1);
}

void low_layer_norm(low *l) {
    hlo_val x = in(l, 0);
    uint32_t mask = layer_mask(l, x, 1, 2, 3);
    tp_dtype p = param_type(l, x, 2, 3, "LayerNormKernelImpl");
    if (failed(l)) return;
    stats s = measure(l, x, mask);
    tp_dtype wide = dt(l, s.x);
    hlo_val rstd = inverse_root(l, s.var, 4);
    hlo_val y = affine(l, mul(l, sub(l, s.x, s.mean), rstd), in_as(l, 2, wide), in_as(l, 3, wide));
    out_as(l, 0, y, dt(l, x));
    out_as(l, 1, s.mean, p);
    out_as(l, 2, rstd, p);
}

void low_layer_norm_backward(low *l) {
    hlo_val x = in(l, 1);
    tp_dtype t = dt(l, x), wide = opmath(t);
    int n;
    const int64_t *wanted = ints(l, 7, &n);
    uint32_t mask = layer_mask(l, x, 2, 5, 6);
    if (failed(l) || n < 3) return;
    int64_t count = 1;
    for (int d = 0; d < rank_of(l, x); d++) count *= mask >> d & 1 ? size_of(l, x, d) : 1;
    uint32_t outer = ~mask;
    hlo_val g = in_as(l, 0, wide), rstd = in_as(l, 4, wide);
    hlo_val xhat = mul(l, sub(l, cast(l, x, wide), in_as(l, 3, wide)), rstd);
    hlo_val gw = has(l, 5) ? mul(l, g, in_as(l, 5, wide)) : g;
    if (wanted[0]) out_as(l, 0, normalised_gradient(l, gw, xhat, rstd, mask, count), t);
    else out_absent(l, 0);
    if (wanted[1] && has(l, 5)) out_as(l, 1, reduce(l, HLO_ADD, mul(l, g, xhat), 0, outer, false), (tp_dtype)arg_type(l, 5)->dtype);
    else out_absent(l, 1);
    if (wanted[2] && has(l, 6)) out_as(l, 2, reduce(l, HLO_ADD, g, 0, outer, false), (tp_dtype)arg_type(l, 6)->dtype);
    else out_absent(l, 2);
}

/* ---- batch norm: dimension 1 is kept */
/* Argument i of size C, laid along dimension 1; HLO_NONE if absent. */
static hlo_val channels(low *l, hlo_val v, hlo_val x) {
    if (hlo_is_none(v) || failed(l)) return HLO_NONE;
    int64_t sizes[TP_MAX_RANK];
    int rank = rank_of(l, x);
    for (int d = 0; d < rank; d++) sizes[d] = d == 1 ? numel_of(l, v) : 1;
    return reshape(l, cast(l, v, opmath(dt(l, x))), rank, sizes);
}

static void check_channels(low *l, int i, const char *name, int64_t c) {
    if (has(l, i) && tp_type_numel(arg_type(l, i)) != c)
        fail(l, TP_RUNTIME, "%s should contain %lld elements not %lld", name, (long long)c, (long long)tp_type_numel(arg_type(l, i)));
}

typedef struct batch_args {
    int mean, var, training, momentum, eps; /* argument positions; -1: absent (training: a constant then) */
    bool always, never;
} batch_args;

static void running(low *l, int k, hlo_val now, int old, int momentum) {
    if (failed(l)) return;
    tp_dtype t = (tp_dtype)arg_type(l, old)->dtype, wide = opmath(t);
    hlo_val m = num(l, momentum, wide), one = konst(l, wide, 1);
    out_as(l, k, add(l, mul(l, m, cast(l, now, wide)), mul(l, sub(l, one, m), in_as(l, old, wide))), t);
}

/* Statistics that stay: an output of the functional form, nothing to write for the others. */
static void keep_running(low *l, int k, int old, bool functional) {
    if (functional)
        out(l, k, in(l, old));
    else
        out_absent(l, k);
}

static void batch_norm(low *l, const batch_args *a, bool update, bool functional) {
    hlo_val x = in(l, 0);
    tp_dtype p = param_type(l, x, 1, 2, "batch_norm");
    if (!failed(l) && rank_of(l, x) < 2) fail(l, TP_RUNTIME, "batch_norm must be given at least 2 dimensions; got %d", rank_of(l, x));
    if (failed(l)) return;
    int64_t c = size_of(l, x, 1), nothing = 0;
    check_channels(l, 1, "weight", c);
    check_channels(l, 2, "bias", c);
    check_channels(l, a->mean, "running_mean", c);
    check_channels(l, a->var, "running_var", c);
    bool train = a->always || (!a->never && flag(l, a->training));
    if (!train && !(has(l, a->mean) && has(l, a->var)))
        fail(l, TP_RUNTIME, "batch_norm in evaluation must be given running_mean and running_var; at least one is missing");
    if (train && numel_of(l, x) == 0)
        fail(l, TP_RUNTIME, "input tensor must have at least one element, but got input_sizes = %s",
             sizes_text(l, rank_of(l, x), type_of(l, x)->dims));
    if (failed(l)) return;
    uint32_t mask = ~2u;
    hlo_val mean = channels(l, in(l, a->mean), x), var = channels(l, in(l, a->var), x), wide = cast(l, x, opmath(dt(l, x)));
    stats s = {.x = wide, .mean = mean, .var = var};
    if (train) s = measure(l, x, mask);
    hlo_val invstd = inverse_root(l, s.var, a->eps);
    hlo_val y = affine(l, mul(l, sub(l, s.x, s.mean), invstd), channels(l, in(l, 1), x), channels(l, in(l, 2), x));
    out_as(l, 0, y, dt(l, x));
    hlo_val none = full(l, p, 1, &nothing, 0);
    out_as(l, 1, train ? flatten(l, s.mean) : none, p);
    out_as(l, 2, train ? flatten(l, invstd) : none, p);
    if (!update) return;
    if (!train || !has(l, a->mean) || !has(l, a->var)) {
        keep_running(l, 3, a->mean, functional);
        keep_running(l, 4, a->var, functional);
        return;
    }
    hlo_val unbiased = mul(l, s.var, konst_like(l, s.var, (double)s.n / (double)(s.n - 1)));
    running(l, 3, flatten(l, s.mean), a->mean, a->momentum);
    running(l, 4, flatten(l, unbiased), a->var, a->momentum);
}

void low_batch_norm(low *l) { batch_norm(l, &(batch_args){3, 4, 5, 6, 7, false, false}, true, false); }
void low_batch_norm_no_stats(low *l) { batch_norm(l, &(batch_args){-1, -1, 3, 4, 5, true, false}, false, false); }
void low_batch_norm_functional(low *l) { batch_norm(l, &(batch_args){3, 4, 5, 6, 7, false, false}, true, true); }
void low_batch_norm_no_training(low *l) { batch_norm(l, &(batch_args){3, 4, -1, 5, 6, false, true}, false, false); }

void low_batch_norm_backward(low *l) {
    hlo_val x = in(l, 1), dy = in(l, 0);
    int n;
    const int64_t *wanted = ints(l, 9, &n);
    if (failed(l) || n < 3) return;
    tp_dtype t = dt(l, x), wide = opmath(t), p = has(l, 2) ? (tp_dtype)arg_type(l, 2)->dtype : t;
    bool train = flag(l, 7);
    uint32_t mask = ~2u;
    int64_t c = size_of(l, x, 1), count = c ? numel_of(l, x) / c : 0;
    dy = cast(l, dy, wide);
    hlo_val mean = channels(l, in(l, train ? 5 : 3), x);
    hlo_val invstd = train ? channels(l, in(l, 6), x) : inverse_root(l, channels(l, in(l, 4), x), 8);
    hlo_val xhat = mul(l, sub(l, cast(l, x, wide), mean), invstd), weight = channels(l, in(l, 2), x);
    hlo_val gw = hlo_is_none(weight) ? dy : mul(l, dy, weight);
    hlo_val dx = train ? normalised_gradient(l, gw, xhat, invstd, mask, count) : mul(l, gw, invstd);
    if (wanted[0]) out_as(l, 0, dx, t);
    else out_absent(l, 0);
    if (wanted[1]) out_as(l, 1, reduce(l, HLO_ADD, mul(l, dy, xhat), 0, mask, false), p);
    else out_absent(l, 1);
    if (wanted[2]) out_as(l, 2, reduce(l, HLO_ADD, dy, 0, mask, false), p);
    else out_absent(l, 2);
}

/* ---- group norm: (N, G, C/G, HxW), normalised over the last two */
typedef struct groups {
    int64_t n, c, hw, g;
    int64_t split[4], column[4], stat[4];
} groups;

static groups group_sizes(low *l, int first) {
    groups s = {.n = inum(l, first), .c = inum(l, first + 1), .hw = inum(l, first + 2), .g = inum(l, first + 3)};
    if (s.g <= 0 || s.c % s.g != 0) {
        if (!failed(l))
            fail(l, TP_RUNTIME, "Expected number of channels in input to be divisible by num_groups, but got input of shape %s and num_groups=%lld",
                 sizes_text(l, arg_type(l, 0)->rank, arg_type(l, 0)->dims), (long long)s.g);
        s.g = 1;
    }
    memcpy(s.split, (int64_t[]){s.n, s.g, s.c / s.g, s.hw}, sizeof s.split);
    memcpy(s.column, (int64_t[]){1, s.g, s.c / s.g, 1}, sizeof s.column);
    memcpy(s.stat, (int64_t[]){s.n, s.g, 1, 1}, sizeof s.stat);
    return s;
}

/* Argument i, of C elements, as a column; HLO_NONE if absent. */
static hlo_val group_column(low *l, int i, const groups *s, tp_dtype wide) {
    return has(l, i) ? reshape(l, in_as(l, i, wide), 4, s->column) : HLO_NONE;
}

static void check_group_param(low *l, int i, const char *name, const groups *s) {
    const tp_type *t = arg_type(l, i);
    if (has(l, i) && (t->rank != 1 || t->dims[0] != s->c))
        fail(l, TP_RUNTIME,
             "Expected %s to be a vector of size equal to the number of channels in input, but got %s of shape %s and input of shape %s", name,
             name, sizes_text(l, t->rank, t->dims), sizes_text(l, arg_type(l, 0)->rank, arg_type(l, 0)->dims));
}

void low_group_norm(low *l) {
    hlo_val x = in(l, 0);
    groups s = group_sizes(l, 3);
    check_group_param(l, 1, "weight", &s);
    check_group_param(l, 2, "bias", &s);
    tp_dtype p = param_type(l, x, 1, 2, "GroupNormKernelImpl");
    int64_t sizes[TP_MAX_RANK];
    int rank = sizes_of(l, x, sizes);
    if (failed(l)) return;
    stats m = measure(l, reshape(l, x, 4, s.split), 12);
    tp_dtype wide = dt(l, m.x);
    hlo_val rstd = inverse_root(l, m.var, 7);
    hlo_val y = affine(l, mul(l, sub(l, m.x, m.mean), rstd), group_column(l, 1, &s, wide), group_column(l, 2, &s, wide));
    out_as(l, 0, reshape(l, y, rank, sizes), dt(l, x));
    out_as(l, 1, reshape(l, m.mean, 2, s.split), p);
    out_as(l, 2, reshape(l, rstd, 2, s.split), p);
}

void low_group_norm_backward(low *l) {
    hlo_val x = in(l, 1);
    int n;
    const int64_t *wanted = ints(l, 9, &n);
    groups s = group_sizes(l, 5);
    int64_t sizes[TP_MAX_RANK];
    int rank = sizes_of(l, x, sizes);
    if (failed(l) || n < 3) return;
    tp_dtype t = dt(l, x), wide = opmath(t), p = has(l, 4) ? (tp_dtype)arg_type(l, 4)->dtype : t;
    hlo_val dy = reshape(l, in_as(l, 0, wide), 4, s.split), rstd = reshape(l, in_as(l, 3, wide), 4, s.stat);
    hlo_val xhat = mul(l, sub(l, reshape(l, cast(l, x, wide), 4, s.split), reshape(l, in_as(l, 2, wide), 4, s.stat)), rstd);
    hlo_val weight = group_column(l, 4, &s, wide), gw = hlo_is_none(weight) ? dy : mul(l, dy, weight);
    if (wanted[0]) out_as(l, 0, reshape(l, normalised_gradient(l, gw, xhat, rstd, 12, s.c / s.g * s.hw), rank, sizes), t);
    else out_absent(l, 0);
    if (wanted[1]) out_as(l, 1, flatten(l, reduce(l, HLO_ADD, mul(l, dy, xhat), 0, 9, false)), p);
    else out_absent(l, 1);
    if (wanted[2]) out_as(l, 2, flatten(l, reduce(l, HLO_ADD, dy, 0, 9, false)), p);
    else out_absent(l, 2);
}
