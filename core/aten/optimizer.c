/* Fused optimisers, one parameter at a time. */
#include "aten/lower.h"

/* What the fused rows have in common: |found_inf| set keeps everything as it was. */
typedef struct step {
    hlo_val skip;   /* bool, rank 0; HLO_NONE if there is no found_inf */
} step;

static hlo_val one_number(low *l, int i, tp_dtype t) { return hlo_reshape(l->g, in_as(l, i, t), 0, NULL); }

static step step_init(low *l, int found_inf) {
    step s = {HLO_NONE};
    if (has(l, found_inf)) s.skip = cmp(l, HLO_EQ, one_number(l, found_inf, TP_F32), konst(l, TP_F32, 1));
    return s;
}

/* Output |k| replaces argument |i|. */
static void put(low *l, const step *s, int k, int i, hlo_val v) {
    hlo_val old = in(l, i);
    v = cast(l, v, dt(l, old));
    out(l, k, hlo_is_none(s->skip) ? v : sel(l, s->skip, old, v));
}

/* The gradient unscaled; it is written back so. */
static hlo_val gradient(low *l, const step *s, int grad_scale) {
    hlo_val g = in_op(l, 1, (tp_dtype)arg_type(l, 1)->dtype);
    if (!has(l, grad_scale)) {
        out_absent(l, 1);
        return g;
    }
    g = quo(l, g, one_number(l, grad_scale, dt(l, g)));
    put(l, s, 1, 1, g);
    return g;
}

/* (self, grad, exp_avg, exp_avg_sq, max_exp_avg_sq?, step, lr, beta1, beta2, weight_decay, eps, amsgrad, maximize,
 * grad_scale?, found_inf?) -> the first five.  Bias corrections are float64, as on CPU. */
static void adam(low *l, bool decoupled) {
    step s = step_init(l, 14);
    tp_dtype o = opmath((tp_dtype)arg_type(l, 0)->dtype);
    hlo_val p = in_as(l, 0, o), g = cast(l, gradient(l, &s, 13), o), m = in_as(l, 2, o), v = in_as(l, 3, o);
    hlo_val one = konst(l, TP_F64, 1), lr = one_number(l, 6, TP_F64), beta1 = num(l, 7, TP_F64), beta2 = num(l, 8, TP_F64);
    hlo_val decay = num(l, 9, TP_F64), t = one_number(l, 5, TP_F64);
    hlo_val correction1 = sub(l, one, bin(l, HLO_POW, beta1, t)), correction2 = sub(l, one, bin(l, HLO_POW, beta2, t));
    hlo_val step_size = cast(l, quo(l, lr, correction1), o), root2 = cast(l, un(l, HLO_SQRT, correction2), o);
    if (flag(l, 12)) g = un(l, HLO_NEG, g);
    if (decoupled)
        p = sub(l, p, mul(l, cast(l, mul(l, lr, decay), o), p));
    else
        g = add(l, g, mul(l, p, cast(l, decay, o)));
    m = add(l, m, mul(l, cast(l, sub(l, one, beta1), o), sub(l, g, m)));
    v = add(l, mul(l, cast(l, beta2, o), v), mul(l, mul(l, cast(l, sub(l, one, beta2), o), g), g));
    hlo_val second = v;
    if (flag(l, 11)) {
        second = bin(l, HLO_MAX, in_as(l, 4, o), v);
        put(l, &s, 4, 4, second);
    } else {
        out_absent(l, 4);
    }
    hlo_val width = add(l, quo(l, un(l, HLO_SQRT, second), root2), num(l, 10, o));
    put(l, &s, 0, 0, sub(l, p, quo(l, mul(l, step_size, m), width)));
    put(l, &s, 2, 2, m);
    put(l, &s, 3, 3, v);
}

void low_adam(low *l) { adam(l, false); }
void low_adamw(low *l) { adam(l, true); }

/* (self, grad, momentum_buffer?, weight_decay, momentum, lr, dampening, nesterov, maximize, is_first_step, grad_scale?,
 * found_inf?) -> the first three */
void low_sgd(low *l) {
    step s = step_init(l, 11);
    tp_dtype o = opmath((tp_dtype)arg_type(l, 0)->dtype);
    hlo_val p = in_as(l, 0, o), g = cast(l, gradient(l, &s, 10), o), momentum = num(l, 4, o);
    if (flag(l, 8)) g = un(l, HLO_NEG, g);
    g = add(l, g, mul(l, p, num(l, 3, o)));
    if (has(l, 2)) {
        hlo_val kept = sub(l, konst(l, o, 1), num(l, 6, o)), buffer = g;
        if (!flag(l, 9)) buffer = add(l, mul(l, momentum, in_as(l, 2, o)), mul(l, kept, g));
        put(l, &s, 2, 2, buffer);
        g = flag(l, 7) ? add(l, g, mul(l, momentum, buffer)) : buffer;
    } else {
        out_absent(l, 2);
    }
    put(l, &s, 0, 0, sub(l, p, mul(l, one_number(l, 5, o), g)));
}
