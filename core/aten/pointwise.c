/* One operand, element by element. */
#include "aten/lower.h"

#include <math.h>

/* The dtype of a unary row's result, or TP_NO_DTYPE after an error. */
static tp_dtype unary_type(low *l, unsigned rule) {
    tp_dtype t = (tp_dtype)arg_type(l, 0)->dtype;
    bool refused = ((rule & NO_BOOL) && t == TP_BOOL) || ((rule & NO_COMPLEX) && tp_dtype_is_complex(t)) ||
                   ((rule & NO_FLOAT) && (tp_dtype_is_float(t) || tp_dtype_is_complex(t)));
    if (refused) refuse_dtype(l, t);
    return refused ? TP_NO_DTYPE : rule & INTS_TO_FLOAT ? floating(t) : t;
}

/* One HLO op in the computing type. */
void low_unary(low *l) {
    unsigned rule = l->row->rule;
    tp_dtype t = unary_type(l, rule);
    if (failed(l)) return;
    if ((rule & INTS_AS_THEY_ARE) && (t == TP_BOOL || tp_dtype_is_int(t))) {
        if (t == TP_BOOL) refuse_dtype(l, t);
        out(l, 0, in(l, 0));
        return;
    }
    out_as(l, 0, un(l, (hlo_op)l->row->op, in_op(l, 0, t)), t);
}

void low_neg(low *l) {
    if (arg_type(l, 0)->dtype == TP_BOOL)
        fail(l, TP_RUNTIME, "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, "
                            "use the `~` or `logical_not()` operator instead.");
    out(l, 0, un(l, HLO_NEG, in(l, 0)));
}

void low_abs(low *l) {
    hlo_val x = in(l, 0);
    tp_class c = tp_dtype_class(dt(l, x));
    if (c == TP_CLASS_BOOL) refuse_dtype(l, TP_BOOL);
    out(l, 0, c == TP_CLASS_UINT ? x : un(l, HLO_ABS, x));
}

static hlo_val truncated(low *l, hlo_val x) {
    return sel(l, cmp(l, HLO_LT, x, konst_like(l, x, 0)), un(l, HLO_CEIL, x), un(l, HLO_FLOOR, x));
}

void low_trunc(low *l) {
    tp_dtype t = unary_type(l, NO_BOOL | NO_COMPLEX);
    out_as(l, 0, tp_dtype_is_float(t) ? truncated(l, in_op(l, 0, t)) : in(l, 0), t);
}

void low_frac(low *l) {
    tp_dtype t = unary_type(l, NO_BOOL | NO_COMPLEX);
    hlo_val x = in_op(l, 0, t);
    if (!tp_dtype_is_float(t)) refuse_dtype(l, t);
    out_as(l, 0, sub(l, x, truncated(l, x)), t);
}

/* round(x * 10^d) / 10^d; d is static. */
void low_round_decimals(low *l) {
    tp_dtype t = unary_type(l, NO_BOOL | NO_COMPLEX);
    int64_t d = inum(l, 1);
    hlo_val x = in_op(l, 0, t);
    if (!tp_dtype_is_float(t)) {
        if (d) refuse_dtype(l, t);
        out(l, 0, x);
        return;
    }
    hlo_val ten = konst_like(l, x, pow(10, (double)(d < 0 ? -d : d)));
    hlo_val r = un(l, HLO_ROUND, d < 0 ? quo(l, x, ten) : mul(l, x, ten));
    out_as(l, 0, d == 0 ? un(l, HLO_ROUND, x) : d < 0 ? mul(l, r, ten) : quo(l, r, ten), t);
}

/* (0 < x) - (x < 0): NaN gives 0. */
static hlo_val sign_of(low *l, hlo_val x) {
    tp_dtype t = dt(l, x);
    hlo_val zero = konst(l, t, 0);
    if (t == TP_BOOL) return x;
    hlo_val positive = cast(l, cmp(l, HLO_GT, x, zero), t);
    return tp_dtype_class(t) == TP_CLASS_UINT ? positive : sub(l, positive, cast(l, cmp(l, HLO_LT, x, zero), t));
}

void low_sign(low *l) {
    tp_dtype t = unary_type(l, NO_COMPLEX);
    out_as(l, 0, sign_of(l, in_op(l, 0, t)), t);
}

void low_sgn(low *l) {
    hlo_val x = in(l, 0);
    if (!tp_dtype_is_complex(dt(l, x))) {
        low_sign(l);
        return;
    }
    hlo_val size = un(l, HLO_ABS, x), zero = cmp(l, HLO_EQ, size, konst_like(l, size, 0));
    out(l, 0, sel(l, zero, konst_like(l, x, 0), quo(l, x, cast(l, size, dt(l, x)))));
}

static hlo_val sign_bit(low *l, hlo_val x) {
    tp_dtype t = dt(l, x);
    if (tp_dtype_is_float(t)) {
        static const tp_dtype ints[9] = {[1] = TP_I8, [2] = TP_I16, [4] = TP_I32, [8] = TP_I64};
        x = hlo_bitcast(l->g, x, ints[tp_dtype_size(t)]);
    }
    if (tp_dtype_class(dt(l, x)) == TP_CLASS_SINT) return cmp(l, HLO_LT, x, konst_like(l, x, 0));
    return bcast_as(l, konst(l, TP_BOOL, 0), x);
}

void low_signbit(low *l) {
    unary_type(l, NO_COMPLEX);
    out(l, 0, sign_bit(l, in(l, 0)));
}

void low_reciprocal(low *l) {
    tp_dtype t = unary_type(l, INTS_TO_FLOAT);
    hlo_val x = in_op(l, 0, t);
    out_as(l, 0, quo(l, konst_like(l, x, 1), x), t);
}

/* ---- tests */
void low_isnan(low *l) { out(l, 0, is_nan(l, in(l, 0))); }

static hlo_val is_infinite(low *l, hlo_val x) {
    if (tp_dtype_is_complex(dt(l, x))) return bin(l, HLO_OR, is_infinite(l, un(l, HLO_REAL, x)), is_infinite(l, un(l, HLO_IMAG, x)));
    if (!tp_dtype_is_float(dt(l, x))) return bcast_as(l, konst(l, TP_BOOL, 0), x);
    return cmp(l, HLO_EQ, un(l, HLO_ABS, x), konst_like(l, x, INFINITY));
}

void low_isinf(low *l) { out(l, 0, is_infinite(l, in(l, 0))); }

/* isposinf, isneginf: |rule| REVERSED is the negative one. */
void low_is_one_inf(low *l) {
    tp_dtype t = (tp_dtype)arg_type(l, 0)->dtype;
    if (tp_dtype_is_complex(t)) fail(l, TP_RUNTIME, "%s does not support complex inputs.", l->row->name);
    hlo_val x = in(l, 0), never = bcast_as(l, konst(l, TP_BOOL, 0), x);
    out(l, 0, tp_dtype_is_float(t) ? cmp(l, HLO_EQ, x, konst(l, t, l->row->rule & REVERSED ? -INFINITY : INFINITY)) : never);
}

void low_logical_not(low *l) { out(l, 0, un(l, HLO_NOT, in_as(l, 0, TP_BOOL))); }

void low_nan_to_num(low *l) {
    tp_dtype t = unary_type(l, NO_COMPLEX);
    hlo_val x = in(l, 0);
    if (tp_dtype_is_float(t)) {
        tp_dtype bound = t == TP_F64 ? TP_F64 : TP_F32; /* the largest finite value is a constant of the type */
        double most = t == TP_F16 ? 65504 : t == TP_BF16 ? 0x1.fep127 : t == TP_F64 ? 0x1.fffffffffffffp1023 : 0x1.fffffep127;
        hlo_val nan = has(l, 1) ? num(l, 1, t) : konst(l, t, 0);
        hlo_val high = has(l, 2) ? num(l, 2, t) : cast(l, konst(l, bound, most), t);
        hlo_val low_end = has(l, 3) ? num(l, 3, t) : cast(l, konst(l, bound, -most), t);
        hlo_val r = sel(l, is_nan(l, x), nan, x);
        r = sel(l, cmp(l, HLO_EQ, x, konst(l, t, INFINITY)), high, r);
        x = sel(l, cmp(l, HLO_EQ, x, konst(l, t, -INFINITY)), low_end, r);
    }
    out(l, 0, x);
}

/* ---- functions HLO lacks.  Each is exact in its limits and keeps small arguments' digits. */
typedef hlo_val function(low *l, hlo_val x);

static void apply(low *l, function *f) {
    tp_dtype t = unary_type(l, INTS_TO_FLOAT | NO_COMPLEX);
    if (!failed(l)) out_as(l, 0, f(l, in_op(l, 0, t)), t);
}

static hlo_val exp2_of(low *l, hlo_val x) { return bin(l, HLO_POW, konst_like(l, x, 2), x); }
static hlo_val log_base(low *l, hlo_val x, double base) { return quo(l, un(l, HLO_LOG, x), konst_like(l, x, log(base))); }
static hlo_val log2_of(low *l, hlo_val x) { return log_base(l, x, 2); }
static hlo_val log10_of(low *l, hlo_val x) { return log_base(l, x, 10); }
static hlo_val atan_of(low *l, hlo_val x) { return bin(l, HLO_ATAN2, x, konst_like(l, x, 1)); }

static hlo_val cosine_leg(low *l, hlo_val x) { /* sqrt(1 - x^2) */
    hlo_val one = konst_like(l, x, 1);
    return un(l, HLO_SQRT, mul(l, sub(l, one, x), add(l, one, x)));
}
static hlo_val asin_of(low *l, hlo_val x) { return bin(l, HLO_ATAN2, x, cosine_leg(l, x)); }
static hlo_val acos_of(low *l, hlo_val x) { return bin(l, HLO_ATAN2, cosine_leg(l, x), x); }

static hlo_val half_exp(low *l, hlo_val x, bool minus) { /* exp(+-x) / 2, finite where the result is */
    return un(l, HLO_EXP, add(l, minus ? un(l, HLO_NEG, x) : x, konst_like(l, x, -0.69314718055994530942)));
}
static hlo_val cosh_of(low *l, hlo_val x) { return add(l, half_exp(l, x, false), half_exp(l, x, true)); }
static hlo_val sinh_of(low *l, hlo_val x) {
    hlo_val e = un(l, HLO_EXPM1, x), one = konst_like(l, x, 1), half = konst_like(l, x, 0.5);
    hlo_val small = mul(l, half, add(l, e, quo(l, e, add(l, e, one))));
    return sel(l, cmp(l, HLO_LT, un(l, HLO_ABS, x), one), small, sub(l, half_exp(l, x, false), half_exp(l, x, true)));
}

static hlo_val big_log(low *l, hlo_val a) { return add(l, un(l, HLO_LOG, a), konst_like(l, a, 0.69314718055994530942)); } /* log(2a) */
static double squares_overflow(tp_dtype t) { return t == TP_F64 ? 1e150 : 1e18; }

static hlo_val asinh_of(low *l, hlo_val x) {
    hlo_val a = un(l, HLO_ABS, x), one = konst_like(l, x, 1), a2 = mul(l, a, a);
    hlo_val small = un(l, HLO_LOG1P, add(l, a, quo(l, a2, add(l, one, un(l, HLO_SQRT, add(l, a2, one))))));
    hlo_val r = sel(l, cmp(l, HLO_GT, a, konst_like(l, a, squares_overflow(dt(l, a)))), big_log(l, a), small);
    return sel(l, sign_bit(l, x), un(l, HLO_NEG, r), r);
}
static hlo_val acosh_of(low *l, hlo_val x) {
    hlo_val one = konst_like(l, x, 1);
    hlo_val root = un(l, HLO_SQRT, mul(l, sub(l, x, one), add(l, x, one)));
    hlo_val small = un(l, HLO_LOG1P, add(l, sub(l, x, one), root));
    return sel(l, cmp(l, HLO_GT, x, konst_like(l, x, squares_overflow(dt(l, x)))), big_log(l, x), small);
}
static hlo_val atanh_of(low *l, hlo_val x) {
    return mul(l, konst_like(l, x, 0.5), sub(l, un(l, HLO_LOG1P, x), un(l, HLO_LOG1P, un(l, HLO_NEG, x))));
}
static hlo_val sinc_of(low *l, hlo_val x) {
    hlo_val y = mul(l, x, konst_like(l, x, 3.14159265358979323846));
    return sel(l, cmp(l, HLO_EQ, x, konst_like(l, x, 0)), konst_like(l, x, 1), quo(l, un(l, HLO_SIN, y), y));
}

void low_exp2(low *l) { apply(l, exp2_of); }
void low_log2(low *l) { apply(l, log2_of); }
void low_log10(low *l) { apply(l, log10_of); }
void low_atan(low *l) { apply(l, atan_of); }
void low_asin(low *l) { apply(l, asin_of); }
void low_acos(low *l) { apply(l, acos_of); }
void low_cosh(low *l) { apply(l, cosh_of); }
void low_sinh(low *l) { apply(l, sinh_of); }
void low_asinh(low *l) { apply(l, asinh_of); }
void low_acosh(low *l) { apply(l, acosh_of); }
void low_atanh(low *l) { apply(l, atanh_of); }
void low_sinc(low *l) { apply(l, sinc_of); }

void low_logit(low *l) {
    tp_dtype t = unary_type(l, INTS_TO_FLOAT | NO_COMPLEX);
    hlo_val x = in_op(l, 0, t), one = konst_like(l, x, 1);
    if (has(l, 1)) {
        hlo_val eps = num(l, 1, dt(l, x));
        x = sel(l, cmp(l, HLO_LT, x, eps), eps, sel(l, cmp(l, HLO_GT, x, sub(l, one, eps)), sub(l, one, eps), x));
    }
    out_as(l, 0, un(l, HLO_LOG, quo(l, x, sub(l, one, x))), t);
}

/* ---- complex numbers */
void low_conj(low *l) {
    hlo_val x = in(l, 0);
    if (tp_dtype_is_complex(dt(l, x))) x = hlo_complex(l->g, un(l, HLO_REAL, x), un(l, HLO_NEG, un(l, HLO_IMAG, x)));
    out(l, 0, x);
}

void low_angle(low *l) {
    hlo_val x = in(l, 0);
    tp_dtype t = dt(l, x);
    if (tp_dtype_is_complex(t)) {
        out(l, 0, bin(l, HLO_ATAN2, un(l, HLO_IMAG, x), un(l, HLO_REAL, x)));
        return;
    }
    x = in_as(l, 0, floating(t));
    hlo_val r = sel(l, cmp(l, HLO_LT, x, konst_like(l, x, 0)), konst_like(l, x, 3.14159265358979323846), konst_like(l, x, 0));
    out(l, 0, sel(l, is_nan(l, x), x, r));
}

/* The two real parts of a complex row, checked and broadcast. */
static void real_parts(low *l, hlo_val parts[2]) {
    parts[0] = in(l, 0);
    parts[1] = in(l, 1);
    tp_dtype a = dt(l, parts[0]), b = dt(l, parts[1]);
    bool float_a = a == TP_F16 || a == TP_F32 || a == TP_F64, float_b = b == TP_F16 || b == TP_F32 || b == TP_F64;
    if (!float_a || !float_b)
        fail(l, TP_RUNTIME, "Expected both inputs to be Half, Float or Double tensors but got %s and %s", scalar_type_name(a), scalar_type_name(b));
    if (a != b)
        fail(l, TP_RUNTIME, "Expected object of scalar type %s but got scalar type %s for second argument", scalar_type_name(a), scalar_type_name(b));
    if (a == TP_F16) refuse_dtype(l, a); /* complex32 does not exist here */
    together(l, 2, parts);
}

void low_complex(low *l) {
    hlo_val p[2];
    real_parts(l, p);
    out(l, 0, hlo_complex(l->g, p[0], p[1]));
}

void low_polar(low *l) {
    hlo_val p[2];
    real_parts(l, p);
    out(l, 0, hlo_complex(l->g, mul(l, p[0], un(l, HLO_COS, p[1])), mul(l, p[0], un(l, HLO_SIN, p[1]))));
}
