/* PyTorch's type promotion and its names of types. */
#include "aten/lower.h"

static bool is_float8(tp_dtype t) { return t >= TP_F8E5M2 && t <= TP_F8E4M3FNUZ; }
static bool is_wide_unsigned(tp_dtype t) { return t == TP_U16 || t == TP_U32 || t == TP_U64; }

tp_dtype promote_types(tp_dtype a, tp_dtype b) {
    if (a == b || b == TP_NO_DTYPE) return a;
    if (a == TP_NO_DTYPE) return b;
    if (is_float8(a) || is_float8(b)) return TP_NO_DTYPE;
    if (a > b) { /* so that class(a) <= class(b) but for bool, and inside a class a is the smaller */
        tp_dtype t = a;
        a = b;
        b = t;
    }
    tp_class ca = tp_dtype_class(a), cb = tp_dtype_class(b);
    if (cb == TP_CLASS_FLOAT) return a == TP_F16 && b == TP_BF16 ? TP_F32 : b;
    if (is_wide_unsigned(a) || is_wide_unsigned(b)) return TP_NO_DTYPE;
    if (cb == TP_CLASS_COMPLEX) return a == TP_F64 ? TP_C128 : b;
    if (ca == TP_CLASS_BOOL) return b;
    return a == TP_U8 && b == TP_I8 ? TP_I16 : b;
}

/* One of two priorities: |higher| decides unless |lower| is of a higher class. */
static tp_dtype combine(tp_dtype higher, tp_dtype lower) {
    if (tp_dtype_is_complex(higher)) return higher;
    if (tp_dtype_is_float(higher)) {
        if (!tp_dtype_is_complex(lower)) return higher;
        return higher == TP_F64 ? TP_C128 : TP_C64;
    }
    if (higher == TP_BOOL || tp_dtype_is_float(lower) || tp_dtype_is_complex(lower)) return promote_types(higher, lower);
    return higher != TP_NO_DTYPE ? higher : lower;
}

static tp_dtype number_type(tp_dtype t) { return tp_dtype_is_complex(t) ? TP_C64 : tp_dtype_is_float(t) ? TP_F32 : t == TP_U64 ? TP_I64 : t; }

static void join(low *l, tp_dtype *io, tp_dtype t) {
    tp_dtype both = promote_types(*io, t);
    if (both == TP_NO_DTYPE && !failed(l)) {
        if (is_float8(*io) || is_float8(t))
            fail(l, TP_RUNTIME, "Promotion for Float8 Types is not supported, attempted to promote %s and %s", scalar_type_name(*io),
                 scalar_type_name(t));
        else
            fail(l, TP_RUNTIME, "Promotion for uint16, uint32, uint64 types is not supported, attempted to promote %s and %s",
                 scalar_type_name(*io), scalar_type_name(t));
    }
    *io = both;
}

static void join_input(low *l, const at_in *a, tp_dtype by_priority[3]) {
    tp_dtype t = (tp_dtype)a->type.dtype;
    if (a->kind == AT_IN_TENSOR)
        join(l, &by_priority[a->type.rank ? 0 : 1], t);
    else if (a->kind == AT_IN_SLOT && a->scalar_rank == TP_ZERO_DIM)
        join(l, &by_priority[1], t);
    else if (a->kind == AT_IN_SLOT)
        join(l, &by_priority[2], number_type(t));
    else if (a->kind == AT_IN_STATIC && a->arg && a->arg->tag == TP_ARG_SCALAR)
        join(l, &by_priority[2], number_type((tp_dtype)a->arg->scalar.dtype));
}

tp_dtype promote(low *l, int first, int count) {
    tp_dtype by_priority[3] = {TP_NO_DTYPE, TP_NO_DTYPE, TP_NO_DTYPE}; /* tensors with dimensions, 0-dim tensors, numbers */
    for (int i = first; i < first + count && i < l->n; i++) {
        const at_in *a = &l->in[i];
        if (a->kind != AT_IN_LIST) join_input(l, a, by_priority);
        for (uint32_t k = 0; a->kind == AT_IN_LIST && k < a->nelems; k++) join_input(l, &a->elems[k], by_priority);
    }
    tp_dtype t = combine(by_priority[0], combine(by_priority[1], by_priority[2]));
    if (t == TP_NO_DTYPE) fail(l, TP_RUNTIME, "aten::%s must be given inputs of types that promote to one; got none or a mixture", l->row->name);
    return t;
}

tp_dtype opmath(tp_dtype t) { return t == TP_F16 || t == TP_BF16 || is_float8(t) ? TP_F32 : t; }
tp_dtype floating(tp_dtype t) { return t == TP_BOOL || tp_dtype_is_int(t) ? TP_F32 : t; }
tp_dtype sum_type(tp_dtype t) { return t == TP_BOOL || tp_dtype_is_int(t) ? TP_I64 : t; }

static const struct {
    const char *torch, *cpp;
} names[TP_DTYPE_COUNT] = {
    [TP_NO_DTYPE] = {"Undefined", "undefined"},
    [TP_BOOL] = {"Bool", "bool"},
    [TP_U8] = {"Byte", "unsigned char"},
    [TP_U16] = {"UInt16", "unsigned short"},
    [TP_U32] = {"UInt32", "unsigned int"},
    [TP_U64] = {"UInt64", "unsigned long"},
    [TP_I8] = {"Char", "signed char"},
    [TP_I16] = {"Short", "short"},
    [TP_I32] = {"Int", "int"},
    [TP_I64] = {"Long", "long int"},
    [TP_F8E5M2] = {"Float8_e5m2", "c10::Float8_e5m2"},
    [TP_F8E4M3FN] = {"Float8_e4m3fn", "c10::Float8_e4m3fn"},
    [TP_F8E5M2FNUZ] = {"Float8_e5m2fnuz", "c10::Float8_e5m2fnuz"},
    [TP_F8E4M3FNUZ] = {"Float8_e4m3fnuz", "c10::Float8_e4m3fnuz"},
    [TP_F16] = {"Half", "c10::Half"},
    [TP_BF16] = {"BFloat16", "c10::BFloat16"},
    [TP_F32] = {"Float", "float"},
    [TP_F64] = {"Double", "double"},
    [TP_C64] = {"ComplexFloat", "c10::complex<float>"},
    [TP_C128] = {"ComplexDouble", "c10::complex<double>"},
};

const char *scalar_type_name(tp_dtype t) { return t < TP_DTYPE_COUNT ? names[t].torch : "Undefined"; }
const char *cpp_type_name(tp_dtype t) { return t < TP_DTYPE_COUNT ? names[t].cpp : "undefined"; }
