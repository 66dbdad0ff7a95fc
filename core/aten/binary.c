/* Two operands or more, element by element. */
#include "aten/lower.h"

#include <math.h>

/* The operands in the type the op computes in, broadcast; the common dtype is returned. */
typedef struct pair {
    tp_dtype type;
    hlo_val a, b;
} pair;

static pair operands(low *l, bool to_float) {
    pair p = {.type = promote(l, 0, 2)};
    int first = l->row->rule & REVERSED ? 1 : 0;
    if (to_float) p.type = floating(p.type);
    hlo_val v[2] = {in_op(l, first, p.type), in_op(l, 1 - first, p.type)};
    together(l, 2, v);
    p.a = v[0];
    p.b = v[1];
    return p;
}

/* As operands(), for the ops that round a number to the common dtype first. */
static pair rounded_operands(low *l, bool to_float) {
    pair p = {.type = promote(l, 0, 2)};
    if (to_float) p.type = floating(p.type);
    hlo_val v[2] = {cast(l, in_as(l, 0, p.type), opmath(p.type)), cast(l, in_as(l, 1, p.type), opmath(p.type))};
    together(l, 2, v);
    p.a = v[0];
    p.b = v[1];
    return p;
}

/* The operands rounded to the common dtype, for comparisons. */
static pair exact_operands(low *l) {
    pair p = {.type = promote(l, 0, 2)};
    hlo_val v[2] = {in_as(l, 0, p.type), in_as(l, 1, p.type)};
    together(l, 2, v);
    p.a = v[0];
    p.b = v[1];
    return p;
}

/* ---- arithmetic */
static void check_alpha(low *l, tp_dtype t) {
    tp_dtype alpha = (tp_dtype)(is_slot(l, 2) ? arg_type(l, 2)->dtype : scalar_of(l, 2)->dtype);
    if (alpha == TP_BOOL && t != TP_BOOL) fail(l, TP_RUNTIME, "Boolean alpha only supported for Boolean results.");
    if (!tp_dtype_is_float(t) && !tp_dtype_is_complex(t) && (tp_dtype_is_float(alpha) || tp_dtype_is_complex(alpha)))
        fail(l, TP_RUNTIME, "For integral input tensors, argument alpha must not be a floating point number.");
    if (!tp_dtype_is_complex(t) && tp_dtype_is_complex(alpha))
        fail(l, TP_RUNTIME, "For non-complex input tensors, argument alpha must not be a complex number.");
}

/* add, sub, rsub: a +- alpha * b. */
void low_add(low *l) {
    pair p = operands(l, false);
    hlo_op op = (hlo_op)l->row->op;
    if (op == HLO_SUB) {
        bool first = arg_type(l, 0)->dtype == TP_BOOL, second = arg_type(l, 1)->dtype == TP_BOOL;
        if (first && second)
            fail(l, TP_RUNTIME, "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
                                "operator instead.");
        if (first || second)
            fail(l, TP_RUNTIME, "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, "
                                "use the `~` or `logical_not()` operator instead.");
    }
    if (has(l, 2) && !failed(l)) {
        check_alpha(l, p.type);
        if (is_slot(l, 2)) p.b = bin(l, p.type == TP_BOOL ? HLO_AND : HLO_MUL, p.b, num(l, 2, opmath(p.type)));
    }
    out_as(l, 0, bin(l, p.type == TP_BOOL ? HLO_OR : op, p.a, p.b), p.type);
}

void low_mul(low *l) {
    pair p = operands(l, false);
    out_as(l, 0, bin(l, p.type == TP_BOOL ? HLO_AND : HLO_MUL, p.a, p.b), p.type);
}

/* One HLO op on both operands; |rule| says which dtypes it takes. */
void low_binary(low *l) {
    unsigned rule = l->row->rule;
    pair p = rounded_operands(l, rule & INTS_TO_FLOAT);
    bool refused = ((rule & NO_BOOL) && p.type == TP_BOOL) || ((rule & NO_COMPLEX) && tp_dtype_is_complex(p.type)) ||
                   ((rule & NO_FLOAT) && (tp_dtype_is_float(p.type) || tp_dtype_is_complex(p.type)));
    if (refused) refuse_dtype(l, p.type);
    out_as(l, 0, bin(l, (hlo_op)l->row->op, p.a, p.b), p.type);
}

/* ---- division */
static void check_divisor(low *l, hlo_val b) {
    if (tp_dtype_is_int(dt(l, b))) check(l, cmp(l, HLO_EQ, b, konst_like(l, b, 0)), TP_RUNTIME, "ZeroDivisionError");
}

static hlo_val other_sign(low *l, hlo_val r, hlo_val b) { /* r != 0 and the signs of r and b differ */
    hlo_val zero = konst_like(l, b, 0);
    hlo_val differ = bin(l, HLO_XOR, cmp(l, HLO_LT, r, zero), cmp(l, HLO_LT, b, zero));
    return bin(l, HLO_AND, cmp(l, HLO_NE, r, zero), differ);
}

static hlo_val floor_int(low *l, hlo_val a, hlo_val b) {
    hlo_val q = quo(l, a, b);
    if (tp_dtype_class(dt(l, a)) == TP_CLASS_UINT) return q;
    return sel(l, other_sign(l, bin(l, HLO_REM, a, b), b), sub(l, q, konst_like(l, q, 1)), q);
}

/* Python's floor division: the quotient of what remains once the remainder is taken off, rounded to an integer. */
static hlo_val floor_float(low *l, hlo_val a, hlo_val b) {
    hlo_val zero = konst_like(l, b, 0), one = konst_like(l, b, 1), rem = bin(l, HLO_REM, a, b), plain = quo(l, a, b);
    hlo_val q = quo(l, sub(l, a, rem), b);
    q = sel(l, other_sign(l, rem, b), sub(l, q, one), q);
    hlo_val down = un(l, HLO_FLOOR, q);
    down = sel(l, cmp(l, HLO_GT, sub(l, q, down), konst_like(l, q, 0.5)), add(l, down, one), down);
    hlo_val signed_zero = mul(l, zero, plain);
    hlo_val r = sel(l, cmp(l, HLO_NE, q, zero), down, sel(l, un(l, HLO_ISFINITE, plain), signed_zero, zero));
    return sel(l, cmp(l, HLO_EQ, b, zero), plain, r);
}

static hlo_val trunc_float(low *l, hlo_val q) {
    return sel(l, cmp(l, HLO_LT, q, konst_like(l, q, 0)), un(l, HLO_CEIL, q), un(l, HLO_FLOOR, q));
}

static void divide(low *l, const char *mode) {
    bool exact = !mode[0], floor_mode = !strcmp(mode, "floor");
    if (!exact && !floor_mode && strcmp(mode, "trunc"))
        fail(l, TP_RUNTIME, "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '%s'", mode);
    pair p = operands(l, exact);
    if (!exact && (tp_dtype_is_complex(p.type) || p.type == TP_BOOL)) refuse_dtype(l, p.type);
    if (failed(l)) return;
    if (exact) {
        out_as(l, 0, quo(l, p.a, p.b), p.type);
    } else if (tp_dtype_is_int(p.type)) {
        check_divisor(l, p.b);
        out(l, 0, floor_mode ? floor_int(l, p.a, p.b) : quo(l, p.a, p.b));
    } else {
        out_as(l, 0, floor_mode ? floor_float(l, p.a, p.b) : trunc_float(l, quo(l, p.a, p.b)), p.type);
    }
}

void low_div(low *l) { divide(l, ""); }
void low_div_mode(low *l) { divide(l, str(l, 2)); }
void low_floor_divide(low *l) { divide(l, "floor"); }

/* remainder has the sign of the divisor, fmod (|rule| INTS_AS_THEY_ARE) that of the dividend. */
void low_remainder(low *l) {
    pair p = rounded_operands(l, false);
    if (tp_dtype_is_complex(p.type) || p.type == TP_BOOL) refuse_dtype(l, p.type);
    check_divisor(l, p.b);
    hlo_val r = bin(l, HLO_REM, p.a, p.b);
    if (!(l->row->rule & INTS_AS_THEY_ARE) && tp_dtype_class(p.type) != TP_CLASS_UINT)
        r = sel(l, other_sign(l, r, p.b), add(l, r, p.b), r);
    out_as(l, 0, r, p.type);
}

/* ---- powers */
static hlo_val power(low *l, hlo_val a, hlo_val b, tp_dtype t) {
    if (t == TP_BOOL) refuse_dtype(l, t);
    /* XLA takes the exponent for a signed number; powers of a wider type wrap to the same bits. */
    if (tp_dtype_class(t) == TP_CLASS_UINT && t != TP_U64) return cast(l, bin(l, HLO_POW, cast(l, a, TP_I64), cast(l, b, TP_I64)), t);
    return bin(l, HLO_POW, a, b);
}

void low_pow(low *l) {
    pair p = rounded_operands(l, false);
    out_as(l, 0, power(l, p.a, p.b, p.type), p.type);
}

/* The exponents PyTorch computes without pow. */
static hlo_val simple_power(low *l, hlo_val x, double e) {
    hlo_val one = konst_like(l, x, 1);
    if (e == 1) return x;
    if (e == 2) return mul(l, x, x);
    if (e == 3) return mul(l, mul(l, x, x), x);
    if (tp_dtype_is_int(dt(l, x))) return HLO_NONE;
    if (e == 0.5) return un(l, HLO_SQRT, x);
    if (e == -0.5) return quo(l, one, un(l, HLO_SQRT, x));
    if (e == -1) return quo(l, one, x);
    return e == -2 ? quo(l, one, mul(l, x, x)) : HLO_NONE;
}

void low_pow_scalar(low *l) {
    tp_dtype t = promote(l, 0, 2);
    const tp_scalar *s = scalar_of(l, 1);
    hlo_val x = in_op(l, 0, t);
    double e = snum(l, 1);
    if (s && !tp_dtype_is_float(t) && !tp_dtype_is_complex(t) && e < 0) fail(l, TP_RUNTIME, "Integers to negative integer powers are not allowed.");
    if (failed(l)) return;
    if (s && s->im == 0 && e == 0) {
        out(l, 0, bcast_as(l, konst(l, t, 1), x));
        return;
    }
    hlo_val r = s && s->im == 0 && t != TP_BOOL ? simple_power(l, x, e) : HLO_NONE;
    if (hlo_is_none(r)) r = power(l, x, num(l, 1, opmath(t)), t);
    out_as(l, 0, r, t);
}

/* ---- bits */
void low_shift(low *l) {
    pair p = operands(l, false);
    if (!tp_dtype_is_int(p.type)) {
        refuse_dtype(l, p.type);
        return;
    }
    hlo_op op = (hlo_op)l->row->op;
    if (op == HLO_SHR && tp_dtype_class(p.type) == TP_CLASS_UINT) op = HLO_SHRL;
    out(l, 0, bin(l, op, p.a, p.b)); /* an amount out of range shifts everything out, in HLO as in PyTorch */
}

void low_logical(low *l) {
    hlo_val v[2] = {in_as(l, 0, TP_BOOL), in_as(l, 1, TP_BOOL)};
    together(l, 2, v);
    out(l, 0, bin(l, (hlo_op)l->row->op, v[0], v[1]));
}

/* ---- comparisons: |op| is the hlo_dir */
void low_compare(low *l) {
    pair p = exact_operands(l);
    hlo_dir dir = (hlo_dir)l->row->op;
    if (tp_dtype_is_complex(p.type) && dir != HLO_EQ && dir != HLO_NE) refuse_dtype(l, p.type);
    out(l, 0, cmp(l, dir, p.a, p.b));
}

/* maximum and minimum hand NaN on; fmax and fmin (|rule| INTS_AS_THEY_ARE) prefer a number. */
void low_extremum(low *l) {
    pair p = exact_operands(l);
    if (tp_dtype_is_complex(p.type)) fail(l, TP_RUNTIME, "%s not implemented for complex tensors.", l->row->name);
    hlo_val r = bin(l, (hlo_op)l->row->op, p.a, p.b);
    if ((l->row->rule & INTS_AS_THEY_ARE) && tp_dtype_is_float(p.type))
        r = sel(l, is_nan(l, p.a), p.b, sel(l, is_nan(l, p.b), p.a, r));
    out(l, 0, r);
}

/* ---- functions of two */
void low_copysign(low *l) {
    pair p = rounded_operands(l, true);
    if (tp_dtype_is_complex(p.type)) refuse_dtype(l, p.type);
    if (failed(l)) return;
    hlo_val a = un(l, HLO_ABS, p.a), bits = hlo_bitcast(l->g, p.b, dt(l, p.b) == TP_F64 ? TP_I64 : TP_I32);
    out_as(l, 0, sel(l, cmp(l, HLO_LT, bits, konst_like(l, bits, 0)), un(l, HLO_NEG, a), a), p.type);
}

void low_hypot(low *l) {
    pair p = rounded_operands(l, false);
    if (!tp_dtype_is_float(p.type)) refuse_dtype(l, p.type);
    if (failed(l)) return;
    hlo_val a = un(l, HLO_ABS, p.a), b = un(l, HLO_ABS, p.b);
    hlo_val big = bin(l, HLO_MAX, a, b), small = bin(l, HLO_MIN, a, b), r = quo(l, small, big), one = konst_like(l, a, 1);
    hlo_val scaled = mul(l, big, un(l, HLO_SQRT, add(l, one, mul(l, r, r))));
    hlo_val zero_or_inf = bin(l, HLO_OR, cmp(l, HLO_EQ, big, konst_like(l, a, 0)), cmp(l, HLO_EQ, big, konst_like(l, a, INFINITY)));
    out_as(l, 0, sel(l, zero_or_inf, big, scaled), p.type);
}

void low_xlogy(low *l) {
    pair p = rounded_operands(l, true);
    if (tp_dtype_is_complex(p.type)) refuse_dtype(l, p.type);
    hlo_val r = sel(l, cmp(l, HLO_EQ, p.a, konst_like(l, p.a, 0)), konst_like(l, p.a, 0), mul(l, p.a, un(l, HLO_LOG, p.b)));
    out_as(l, 0, sel(l, is_nan(l, p.b), p.b, r), p.type);
}

void low_logaddexp(low *l) {
    pair p = rounded_operands(l, false);
    if (!tp_dtype_is_float(p.type)) refuse_dtype(l, p.type);
    hlo_val m = bin(l, HLO_MAX, p.a, p.b), gap = un(l, HLO_ABS, sub(l, p.a, p.b));
    hlo_val r = add(l, m, un(l, HLO_LOG1P, un(l, HLO_EXP, un(l, HLO_NEG, gap))));
    hlo_val both = bin(l, HLO_AND, cmp(l, HLO_EQ, p.a, p.b), cmp(l, HLO_EQ, un(l, HLO_ABS, p.a), konst_like(l, p.a, INFINITY)));
    out_as(l, 0, sel(l, both, p.a, r), p.type);
}

void low_heaviside(low *l) {
    hlo_val v[2] = {in(l, 0), in(l, 1)};
    if (tp_dtype_is_complex(dt(l, v[0])) || tp_dtype_is_complex(dt(l, v[1]))) fail(l, TP_RUNTIME, "heaviside is not yet implemented for complex tensors.");
    if (dt(l, v[0]) != dt(l, v[1])) fail(l, TP_RUNTIME, "heaviside is not yet implemented for tensors with different dtypes.");
    if (failed(l)) return;
    together(l, 2, v);
    hlo_val zero = konst_like(l, v[0], 0);
    out(l, 0, sel(l, cmp(l, HLO_EQ, v[0], zero), v[1], cast(l, cmp(l, HLO_GT, v[0], zero), dt(l, v[0]))));
}

/* ---- three operands */
void low_where(low *l) {
    tp_dtype t = promote(l, 1, 2), c = (tp_dtype)arg_type(l, 0)->dtype;
    if (c != TP_BOOL && c != TP_U8)
        fail(l, TP_RUNTIME, "where expected condition to be a boolean tensor, but got a tensor with dtype %s", scalar_type_name(c));
    out(l, 0, sel(l, in_as(l, 0, TP_BOOL), in_as(l, 1, t), in_as(l, 2, t)));
}

/* clamp, clamp_min (|op| MAX) and clamp_max (|op| MIN), bounds numbers or tensors. */
void low_clamp(low *l) {
    hlo_op op = (hlo_op)l->row->op;
    int lo = op == HLO_MIN ? -1 : 1, hi = op == HLO_MIN ? 1 : op == HLO_MAX ? -1 : 2;
    if (!has(l, lo) && !has(l, hi)) fail(l, TP_RUNTIME, "torch.clamp: At least one of 'min' or 'max' must not be None");
    tp_dtype t = promote(l, 0, 3);
    if (tp_dtype_is_complex(t)) fail(l, TP_RUNTIME, "clamp is not supported for complex types");
    bool is_minimum_or_maximum = op != HLO_OP_NONE && l->in[1].letter == 'T'; /* what PyTorch makes of them, bool included */
    if (t == TP_BOOL && !is_minimum_or_maximum) refuse_dtype(l, t);
    if (failed(l)) return;
    hlo_val x = in_as(l, 0, t);
    if (has(l, lo)) {
        hlo_val v[2] = {x, in_as(l, lo, t)};
        together(l, 2, v);
        x = bin(l, HLO_MAX, v[0], v[1]);
    }
    if (has(l, hi)) {
        hlo_val v[2] = {x, in_as(l, hi, t)};
        together(l, 2, v);
        x = bin(l, HLO_MIN, v[0], v[1]);
    }
    out(l, 0, x);
}

void low_masked_fill(low *l) {
    tp_dtype t = (tp_dtype)arg_type(l, 0)->dtype, mask = (tp_dtype)arg_type(l, 1)->dtype;
    if (mask != TP_BOOL)
        fail(l, TP_RUNTIME, "masked_fill_ only supports boolean masks, but got mask with dtype %s", cpp_type_name(mask));
    if (arg_type(l, 2)->rank)
        fail(l, TP_RUNTIME, "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with %d dimension(s).", arg_type(l, 2)->rank);
    if (!tp_dtype_is_complex(t) && tp_dtype_is_complex((tp_dtype)arg_type(l, 2)->dtype))
        fail(l, TP_RUNTIME, "value cannot be converted to type %s without overflow", cpp_type_name(t));
    out(l, 0, sel(l, in(l, 1), in_as(l, 2, t), in(l, 0)));
}

static void check_same(low *l, int i, const char *name) {
    tp_dtype a = (tp_dtype)arg_type(l, 0)->dtype, b = (tp_dtype)arg_type(l, i)->dtype;
    if (a != b) fail(l, TP_RUNTIME, "expected dtype %s for `%s` but got dtype %s", cpp_type_name(a), name, cpp_type_name(b));
}

void low_lerp(low *l) {
    tp_dtype t = (tp_dtype)arg_type(l, 0)->dtype, o = opmath(t);
    check_same(l, 1, "end");
    if (l->n > 2 && l->in[2].letter == 'T') check_same(l, 2, "weight");
    if (t == TP_BOOL || tp_dtype_is_int(t)) refuse_dtype(l, t);
    hlo_val v[3] = {in_as(l, 0, o), in_as(l, 1, o), in_as(l, 2, o)};
    together(l, 3, v);
    hlo_val span = sub(l, v[1], v[0]), one = konst(l, o, 1), size = un(l, HLO_ABS, v[2]);
    hlo_val near = add(l, v[0], mul(l, v[2], span)), far = sub(l, v[1], mul(l, span, sub(l, one, v[2])));
    out_as(l, 0, sel(l, cmp(l, HLO_LT, size, konst_like(l, size, 0.5)), near, far), t);
}

/* addcmul and addcdiv: self + value * t1 (* or /) t2. */
void low_addc(low *l) {
    tp_dtype t = promote(l, 0, 3), o = opmath(t);
    hlo_op op = (hlo_op)l->row->op;
    if (op == HLO_DIV && !tp_dtype_is_float(t) && !tp_dtype_is_complex(t))
        fail(l, TP_RUNTIME, "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true division "
                            "of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * torch.trunc(tensor1 / "
                            "tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The future "
                            "addcdiv behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all dtypes.");
    if (t == TP_BOOL) refuse_dtype(l, t);
    hlo_val v[3] = {in_op(l, 0, t), in_op(l, 1, t), in_op(l, 2, t)};
    together(l, 3, v);
    if (has(l, 3)) v[1] = mul(l, num(l, 3, o), v[1]);
    out_as(l, 0, add(l, v[0], bin(l, op, v[1], v[2])), t);
}
