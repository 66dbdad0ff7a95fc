/* Activation functions and their gradients.  Half precision is computed in float32 and rounded once. */
#include "aten/lower.h"


static const double sqrt_half = 0.70710678118654752440, two_over_sqrt_pi = 1.12837916709551257390;

static hlo_val k(low *l, hlo_val like, double v) { return konst_like(l, like, v); }
static hlo_val positive(low *l, hlo_val x) { return cmp(l, HLO_GT, x, k(l, x, 0)); }
static hlo_val logistic(low *l, hlo_val x) { return un(l, HLO_LOGISTIC, x); }
static hlo_val exp_of(low *l, hlo_val x) { return un(l, HLO_EXP, x); }
static hlo_val minus(low *l, hlo_val x) { return un(l, HLO_NEG, x); }

/* The input of a float-only function in its computing type. */
static hlo_val float_in(low *l, int i) {
    tp_dtype t = (tp_dtype)arg_type(l, i)->dtype;
    if (!tp_dtype_is_float(t)) refuse_dtype(l, t);
    return in_op(l, i, t);
}

/* (gradient, x or y) at arguments i and j, broadcast; their common dtype is returned. */
static tp_dtype gradient_in(low *l, int i, int j, hlo_val *grad, hlo_val *x) {
    tp_dtype t = promote_types((tp_dtype)arg_type(l, i)->dtype, (tp_dtype)arg_type(l, j)->dtype);
    if (!tp_dtype_is_float(t)) refuse_dtype(l, t);
    hlo_val v[2] = {in_op(l, i, t), in_op(l, j, t)};
    together(l, 2, v);
    *grad = v[0];
    *x = v[1];
    return t;
}

static tp_dtype self_type(const low *l) { return (tp_dtype)arg_type(l, 0)->dtype; }

void low_relu(low *l) {
    hlo_val x = in(l, 0);
    if (dt(l, x) == TP_BOOL) fail(l, TP_RUNTIME, "Boolean inputs not supported for relu");
    if (tp_dtype_is_complex(dt(l, x))) refuse_dtype(l, dt(l, x));
    out(l, 0, bin(l, HLO_MAX, x, k(l, x, 0)));
}

void low_threshold(low *l) {
    hlo_val x = in(l, 0);
    tp_dtype t = dt(l, x);
    out(l, 0, sel(l, cmp(l, HLO_LE, x, num(l, 1, t)), num(l, 2, t), x));
}

void low_threshold_backward(low *l) {
    tp_dtype t = promote(l, 0, 2);
    hlo_val v[2] = {in_as(l, 0, t), in_as(l, 1, t)};
    together(l, 2, v);
    out(l, 0, sel(l, cmp(l, HLO_LE, v[1], num(l, 2, t)), k(l, v[0], 0), v[0]));
}

void low_sigmoid_backward(low *l) {
    hlo_val g, y;
    tp_dtype t = gradient_in(l, 0, 1, &g, &y);
    out_as(l, 0, mul(l, mul(l, g, sub(l, k(l, y, 1), y)), y), t);
}

void low_tanh_backward(low *l) {
    hlo_val g, y;
    tp_dtype t = gradient_in(l, 0, 1, &g, &y);
    out_as(l, 0, mul(l, g, sub(l, k(l, y, 1), mul(l, y, y))), t);
}

void low_silu(low *l) {
    tp_dtype t = self_type(l);
    if (!tp_dtype_is_float(t) && !tp_dtype_is_complex(t)) refuse_dtype(l, t);
    hlo_val x = in_op(l, 0, t);
    out_as(l, 0, quo(l, x, add(l, k(l, x, 1), exp_of(l, minus(l, x)))), t);
}

void low_silu_backward(low *l) {
    hlo_val g, x;
    tp_dtype t = gradient_in(l, 0, 1, &g, &x);
    hlo_val s = logistic(l, x), one = k(l, x, 1);
    out_as(l, 0, mul(l, mul(l, g, s), add(l, one, mul(l, x, sub(l, one, s)))), t);
}

/* ---- gelu */
static bool tanh_form(low *l, int i) {
    const char *s = str(l, i);
    if (strcmp(s, "none") && strcmp(s, "tanh")) fail(l, TP_RUNTIME, "approximate argument must be either none or tanh.");
    return !strcmp(s, "tanh");
}

static hlo_val normal_cdf(low *l, hlo_val x) {
    return mul(l, k(l, x, 0.5), add(l, k(l, x, 1), un(l, HLO_ERF, mul(l, x, k(l, x, sqrt_half)))));
}

/* tanh(beta * (x + kappa * x^3)) */
static const double gelu_beta = 0.79788456080286535588, gelu_kappa = 0.044715;
static hlo_val gelu_tanh(low *l, hlo_val x) {
    hlo_val cube = mul(l, mul(l, x, x), x);
    return un(l, HLO_TANH, mul(l, k(l, x, gelu_beta), add(l, x, mul(l, k(l, x, gelu_kappa), cube))));
}

void low_gelu(low *l) {
    hlo_val x = float_in(l, 0), r;
    if (tanh_form(l, 1))
        r = mul(l, mul(l, k(l, x, 0.5), x), add(l, k(l, x, 1), gelu_tanh(l, x)));
    else
        r = mul(l, x, normal_cdf(l, x));
    out_as(l, 0, r, self_type(l));
}

void low_gelu_backward(low *l) {
    hlo_val g, x, d;
    tp_dtype t = gradient_in(l, 0, 1, &g, &x);
    hlo_val half = k(l, x, 0.5), one = k(l, x, 1), x2 = mul(l, x, x);
    if (tanh_form(l, 2)) {
        hlo_val th = gelu_tanh(l, x), left = mul(l, half, x), right = add(l, one, th);
        hlo_val inner = mul(l, k(l, x, gelu_beta), add(l, one, mul(l, k(l, x, 3 * gelu_kappa), x2)));
        d = add(l, mul(l, half, right), mul(l, mul(l, left, sub(l, one, mul(l, th, th))), inner));
    } else {
        hlo_val pdf = mul(l, exp_of(l, mul(l, x2, k(l, x, -0.5))), k(l, x, two_over_sqrt_pi * sqrt_half * 0.5));
        d = add(l, normal_cdf(l, x), mul(l, x, pdf));
    }
    out_as(l, 0, mul(l, g, d), t);
}

/* ---- bounded lines */
void low_hardtanh(low *l) {
    hlo_val x = in(l, 0);
    tp_dtype t = dt(l, x);
    if (t == TP_BOOL) fail(l, TP_RUNTIME, "Bool inputs not supported for hardtanh");
    if (tp_dtype_is_complex(t)) refuse_dtype(l, t);
    out(l, 0, bin(l, HLO_MIN, bin(l, HLO_MAX, x, num(l, 1, t)), num(l, 2, t)));
}

void low_hardtanh_backward(low *l) {
    hlo_val g, x;
    tp_dtype t = gradient_in(l, 0, 1, &g, &x), o = dt(l, x);
    hlo_val outside = bin(l, HLO_OR, cmp(l, HLO_LE, x, num(l, 2, o)), cmp(l, HLO_GE, x, num(l, 3, o)));
    out_as(l, 0, sel(l, outside, k(l, g, 0), g), t);
}

static hlo_val relu6_shifted(low *l, hlo_val x) { /* min(max(x + 3, 0), 6) */
    return bin(l, HLO_MIN, bin(l, HLO_MAX, add(l, x, k(l, x, 3)), k(l, x, 0)), k(l, x, 6));
}

void low_hardsigmoid(low *l) {
    hlo_val x = float_in(l, 0);
    out_as(l, 0, quo(l, relu6_shifted(l, x), k(l, x, 6)), self_type(l));
}

void low_hardsigmoid_backward(low *l) {
    hlo_val g, x;
    tp_dtype t = gradient_in(l, 0, 1, &g, &x);
    hlo_val inside = bin(l, HLO_AND, cmp(l, HLO_GT, x, k(l, x, -3)), cmp(l, HLO_LT, x, k(l, x, 3)));
    out_as(l, 0, sel(l, inside, mul(l, g, k(l, g, (double)(1.0f / 6))), k(l, g, 0)), t);
}

void low_hardswish(low *l) {
    hlo_val x = float_in(l, 0);
    out_as(l, 0, quo(l, mul(l, x, relu6_shifted(l, x)), k(l, x, 6)), self_type(l));
}

void low_hardswish_backward(low *l) {
    hlo_val g, x;
    tp_dtype t = gradient_in(l, 0, 1, &g, &x);
    hlo_val middle = mul(l, g, add(l, quo(l, x, k(l, x, 3)), k(l, x, 0.5)));
    hlo_val r = sel(l, cmp(l, HLO_LT, x, k(l, x, 3)), middle, g);
    out_as(l, 0, sel(l, cmp(l, HLO_LE, x, k(l, x, -3)), k(l, g, 0), r), t);
}

static hlo_val within(low *l, hlo_val x, hlo_val lambda) {
    return bin(l, HLO_AND, cmp(l, HLO_GE, x, minus(l, lambda)), cmp(l, HLO_LE, x, lambda));
}

void low_hardshrink(low *l) {
    hlo_val x = float_in(l, 0);
    out_as(l, 0, sel(l, within(l, x, num(l, 1, dt(l, x))), k(l, x, 0), x), self_type(l));
}

void low_softshrink(low *l) {
    hlo_val x = float_in(l, 0), lambda = num(l, 1, dt(l, x));
    if (!(snum(l, 1) >= 0))
        fail(l, TP_RUNTIME, "lambda must be greater or equal to 0, but found to be %g.", snum(l, 1));
    hlo_val low_part = sel(l, cmp(l, HLO_LT, x, minus(l, lambda)), add(l, x, lambda), mul(l, x, k(l, x, 0)));
    out_as(l, 0, sel(l, cmp(l, HLO_GT, x, lambda), sub(l, x, lambda), low_part), self_type(l));
}

/* hardshrink and softshrink alike */
void low_shrink_backward(low *l) {
    hlo_val g, x;
    tp_dtype t = gradient_in(l, 0, 1, &g, &x);
    out_as(l, 0, sel(l, within(l, x, num(l, 2, dt(l, x))), k(l, g, 0), g), t);
}

/* ---- slopes */
void low_leaky_relu(low *l) {
    hlo_val x = float_in(l, 0);
    out_as(l, 0, sel(l, positive(l, x), x, mul(l, x, num(l, 1, dt(l, x)))), self_type(l));
}

void low_leaky_relu_backward(low *l) {
    hlo_val g, x;
    tp_dtype t = gradient_in(l, 0, 1, &g, &x);
    out_as(l, 0, sel(l, positive(l, x), g, mul(l, g, num(l, 2, dt(l, x)))), t);
}

void low_prelu(low *l) {
    hlo_val x, w;
    if (arg_type(l, 1)->dtype != arg_type(l, 0)->dtype)
        fail(l, TP_RUNTIME, "Found dtype %s but expected %s", scalar_type_name((tp_dtype)arg_type(l, 1)->dtype), scalar_type_name(self_type(l)));
    tp_dtype t = gradient_in(l, 0, 1, &x, &w);
    out_as(l, 0, sel(l, positive(l, x), x, mul(l, w, x)), t);
}

/* (grad, self, weight) -> (grad of self, grad of weight) */
void low_prelu_backward(low *l) {
    tp_dtype t = promote(l, 0, 3);
    hlo_val v[3] = {in_op(l, 0, t), in_op(l, 1, t), in_op(l, 2, t)};
    together(l, 3, v);
    hlo_val above = positive(l, v[1]);
    out_as(l, 0, sel(l, above, v[0], mul(l, v[2], v[0])), t);
    out_as(l, 1, sel(l, above, k(l, v[0], 0), mul(l, v[1], v[0])), t);
}

void low_elu(low *l) {
    hlo_val x = float_in(l, 0);
    tp_dtype o = dt(l, x);
    hlo_val scale = num(l, 2, o), below = mul(l, un(l, HLO_EXPM1, mul(l, x, num(l, 3, o))), mul(l, num(l, 1, o), scale));
    out_as(l, 0, sel(l, cmp(l, HLO_LE, x, k(l, x, 0)), below, mul(l, x, scale)), self_type(l));
}

void low_elu_backward(low *l) {
    hlo_val g, x;
    tp_dtype t = gradient_in(l, 0, 5, &g, &x), o = dt(l, x);
    hlo_val scale = num(l, 2, o), slope = num(l, 3, o), factor = mul(l, num(l, 1, o), scale);
    hlo_val below = flag(l, 4) ? mul(l, mul(l, g, slope), add(l, x, factor))
                               : mul(l, mul(l, mul(l, g, slope), factor), exp_of(l, mul(l, x, slope)));
    out_as(l, 0, sel(l, cmp(l, HLO_LE, x, k(l, x, 0)), below, mul(l, g, scale)), t);
}

/* ---- soft ones */
void low_softplus(low *l) {
    hlo_val x = float_in(l, 0), beta = num(l, 1, dt(l, x)), z = mul(l, x, beta);
    hlo_val soft = quo(l, un(l, HLO_LOG1P, exp_of(l, z)), beta);
    out_as(l, 0, sel(l, cmp(l, HLO_GT, z, num(l, 2, dt(l, x))), x, soft), self_type(l));
}

void low_softplus_backward(low *l) {
    hlo_val g, x;
    tp_dtype t = gradient_in(l, 0, 1, &g, &x), o = dt(l, x);
    hlo_val z = mul(l, x, num(l, 2, o)), e = exp_of(l, z);
    hlo_val soft = quo(l, mul(l, g, e), add(l, e, k(l, e, 1)));
    out_as(l, 0, sel(l, cmp(l, HLO_GT, z, num(l, 3, o)), g, soft), t);
}

static hlo_val mish_tanh(low *l, hlo_val x) { return un(l, HLO_TANH, un(l, HLO_LOG1P, exp_of(l, x))); }

void low_mish(low *l) {
    hlo_val x = float_in(l, 0);
    out_as(l, 0, mul(l, x, mish_tanh(l, x)), self_type(l));
}

void low_mish_backward(low *l) {
    hlo_val g, x;
    tp_dtype t = gradient_in(l, 0, 1, &g, &x);
    hlo_val th = mish_tanh(l, x), slope = sub(l, k(l, x, 1), mul(l, th, th));
    out_as(l, 0, mul(l, g, add(l, th, mul(l, mul(l, x, logistic(l, x)), slope))), t);
}

/* ---- glu: the halves of dimension |d| */
static hlo_val half_of(low *l, hlo_val x, int d, bool second) {
    int64_t starts[TP_MAX_RANK] = {0}, limits[TP_MAX_RANK], steps[TP_MAX_RANK];
    tp_type t = *type_of(l, x);
    for (int i = 0; i < t.rank; i++) {
        limits[i] = t.dims[i];
        steps[i] = 1;
    }
    limits[d] = second ? t.dims[d] : t.dims[d] / 2;
    starts[d] = second ? t.dims[d] / 2 : 0;
    return hlo_slice(l->g, x, starts, limits, steps);
}

static int glu_dim(low *l, int self, int i) {
    const tp_type *t = arg_type(l, self);
    if (!t->rank) fail(l, TP_RUNTIME, "glu does not support 0-dimensional tensors");
    int d = dim(l, i, t->rank);
    if (!failed(l) && t->dims[d] % 2)
        fail(l, TP_RUNTIME, "Halving dimension must be even, but dimension %d is size %lld", d, (long long)t->dims[d]);
    return d;
}

void low_glu(low *l) {
    int d = glu_dim(l, 0, 1);
    hlo_val x = float_in(l, 0);
    if (failed(l)) return;
    out_as(l, 0, mul(l, half_of(l, x, d, false), logistic(l, half_of(l, x, d, true))), self_type(l));
}

void low_glu_backward(low *l) {
    int d = glu_dim(l, 1, 2);
    hlo_val g = float_in(l, 0), x = float_in(l, 1);
    if (failed(l)) return;
    hlo_val a = half_of(l, x, d, false), s = logistic(l, half_of(l, x, d, true));
    hlo_val parts[2] = {mul(l, g, s), mul(l, mul(l, mul(l, sub(l, k(l, s, 1), s), s), g), a)};
    out_as(l, 0, hlo_concat(l->g, 2, parts, d), (tp_dtype)arg_type(l, 1)->dtype);
}
