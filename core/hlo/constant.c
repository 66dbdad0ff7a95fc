/* Leaves with known elements.  A constant is its bits: kept, compared and printed at the width of its element. */
#include "hlo/node.h"

#include <stdlib.h>

/* A binary float format of one sign bit, |exponent| and |mantissa| bits. */
typedef struct format {
    int exponent, mantissa, bias;
    uint32_t largest;  /* bits of the largest finite number */
    uint32_t overflow; /* of what lies beyond it: infinity, or NaN where there is none */
    uint32_t nan;
    bool one_zero;     /* no negative zero: its bits are the NaN */
} format;

static const format *format_of(tp_dtype t) {
    static const format f16 = {5, 10, 15, 0x7bff, 0x7c00, 0x7e00, false}, bf16 = {8, 7, 127, 0x7f7f, 0x7f80, 0x7fc0, false},
                        e5m2 = {5, 2, 15, 0x7b, 0x7c, 0x7e, false}, e4m3fn = {4, 3, 7, 0x7e, 0x7f, 0x7f, false},
                        e5m2fnuz = {5, 2, 16, 0x7f, 0x80, 0x80, true}, e4m3fnuz = {4, 3, 8, 0x7f, 0x80, 0x80, true};
    switch (t) {
    case TP_F16: return &f16;
    case TP_BF16: return &bf16;
    case TP_F8E5M2: return &e5m2;
    case TP_F8E4M3FN: return &e4m3fn;
    case TP_F8E5M2FNUZ: return &e5m2fnuz;
    case TP_F8E4M3FNUZ: return &e4m3fnuz;
    default: return NULL;
    }
}

/* To nearest, ties to even, in integers: no rounding twice, whatever the rounding mode. */
static uint32_t round_to(const format *f, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t sign = f->one_zero ? 0 : (uint32_t)(bits >> 63) << (f->exponent + f->mantissa);
    int e = (int)(bits >> 52 & 0x7ff);
    uint64_t m = bits & ((UINT64_C(1) << 52) - 1);
    if (e == 0x7ff) return sign | (m ? f->nan : f->overflow);
    if (e == 0) return sign; /* a subnormal double is below half of any of these */
    m |= UINT64_C(1) << 52;
    int unit = e - 1023, least = 1 - f->bias; /* exponents of value and of the format's least normal number */
    int shift = 52 - f->mantissa + (unit < least ? least - unit : 0);
    if (shift > 54) return sign;
    uint64_t kept = m >> shift, rest = m & ((UINT64_C(1) << shift) - 1), half = UINT64_C(1) << (shift - 1);
    kept += rest > half || (rest == half && (kept & 1));
    uint64_t out = unit < least ? kept : kept + ((uint64_t)(unit - least) << f->mantissa);
    if (out == 0) return sign;
    if (f->one_zero && out <= f->largest) return (uint32_t)out | (uint32_t)(bits >> 63) << (f->exponent + f->mantissa);
    return sign | (out > f->largest ? f->overflow : (uint32_t)out);
}

/* The bits of |value| in a float |dtype|, low bytes first. */
static uint64_t float_bits(tp_dtype dtype, double value) {
    uint64_t bits = 0;
    const float single = (float)value;
    const format *f = format_of(dtype);
    if (f)
        bits = round_to(f, value);
    else if (dtype == TP_F32)
        memcpy(&bits, &single, sizeof single);
    else
        memcpy(&bits, &value, sizeof value);
    return bits;
}

static hlo_val scalar(hlo_graph *g, tp_dtype dtype, uint64_t bits) {
    const tp_type type = tp_type_make(dtype, 0, NULL);
    unsigned char data[16] = {0}; /* a complex number's imaginary part is 0 */
    memcpy(data, &bits, sizeof bits);
    return hlo_const_bits(g, &type, data);
}

/* Truncated, and moved to the nearest end of the integer |dtype|'s range; NaN is 0. */
static uint64_t saturate(tp_dtype dtype, double value) {
    int width = 8 * (int)tp_dtype_size(dtype);
    bool is_signed = tp_dtype_class(dtype) == TP_CLASS_SINT;
    double end = (double)(UINT64_C(1) << (width - 1)) * (is_signed ? 1 : 2); /* the first too large */
    uint64_t most = UINT64_MAX >> (64 - width + is_signed);
    if (value != value) return 0;
    if (value >= end) return most;
    if (is_signed) return value <= -end ? ~most : (uint64_t)(int64_t)value;
    return value <= 0 ? 0 : (uint64_t)value;
}

hlo_val hlo_const_float(hlo_graph *g, tp_dtype dtype, double value) {
    if (dtype == TP_BOOL) return scalar(g, dtype, value != 0);
    if (tp_dtype_is_int(dtype)) return scalar(g, dtype, saturate(dtype, value));
    return scalar(g, dtype, float_bits(tp_dtype_real(dtype), value));
}

/* |value| with at most 53 bits: the lowest also says whether others were lost, which the next rounding needs to know. */
static double sticky(int64_t value) {
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    if (size >> 53) size = (size >> 11 | ((size & 0x7ff) != 0)) << 11;
    return value < 0 ? -(double)size : (double)size;
}

hlo_val hlo_const_int(hlo_graph *g, tp_dtype dtype, int64_t value) {
    tp_dtype real = tp_dtype_real(dtype);
    if (dtype == TP_BOOL) return scalar(g, dtype, value != 0);
    if (real == TP_F64) return scalar(g, dtype, float_bits(real, (double)value));
    if (real == TP_F32) return scalar(g, dtype, float_bits(real, (float)value));
    if (tp_dtype_is_float(real)) return scalar(g, dtype, float_bits(real, sticky(value)));
    return scalar(g, dtype, (uint64_t)value); /* the low bytes: it wraps */
}

hlo_val hlo_const_bits(hlo_graph *g, const tp_type *type, const void *data) {
    const tp_type copy = *type;
    hlo_draft d = {.op = HLO_CONST, .data = data, .data_size = 0, .nresults = 1, .types = &copy};
    int64_t bytes = (int64_t)tp_dtype_size((tp_dtype)type->dtype);
    for (int i = 0; i < type->rank; i++)
        if (type->dims[i] < 0 || __builtin_mul_overflow(bytes, type->dims[i], &bytes))
            return hlo_refuse(g, HLO_CONST, "sizes must be those of an array in memory; got %s", HLO_TEXT(type));
    d.data_size = (uint64_t)bytes;
    if (type->dtype != TP_BOOL) return hlo_make(g, &d);
    unsigned char *bools = malloc((size_t)bytes + 1);
    if (!bools) return hlo_no_memory(g);
    for (int64_t i = 0; i < bytes; i++) bools[i] = ((const unsigned char *)data)[i] != 0;
    d.data = bools;
    hlo_val v = hlo_make(g, &d);
    free(bools);
    return v;
}

hlo_val hlo_iota(hlo_graph *g, const tp_type *type, int dim) {
    const int64_t attr = dim;
    if (!hlo_takes(HLO_IOTA, (tp_dtype)type->dtype)) return hlo_refuse(g, HLO_IOTA, "the dtype must be a number's; got %s", HLO_TEXT(type));
    if (dim < 0 || dim >= type->rank)
        return hlo_refuse(g, HLO_IOTA, "the dimension must be one of the result's (C1); got %d of %s", dim, HLO_TEXT(type));
    return hlo_make_one(g, HLO_IOTA, 0, NULL, 1, &attr, type);
}
