/* Constants: kept and compared by their bits at the element's width. */
#include "hlo/node.h"

#include <math.h>

/* Rounds |x| to a float format of |exponent| and |mantissa| bits, to nearest even.  |finite|: the format has no infinity
 * and one NaN (all ones); |fnuz|: no negative zero, NaN is the sign bit alone, bias one higher. */
static uint32_t round_float(double x, int exponent, int mantissa, bool finite, bool fnuz) {
    uint32_t sign = signbit(x) ? UINT32_C(1) << (exponent + mantissa) : 0;
    uint32_t top = (UINT32_C(1) << exponent) - 1, frac = (UINT32_C(1) << mantissa) - 1;
    uint32_t nan = fnuz ? UINT32_C(1) << (exponent + mantissa) : sign | top << mantissa | (finite ? frac : UINT32_C(1) << (mantissa - 1));
    uint32_t overflow = finite ? nan : sign | top << mantissa;
    if (isnan(x)) return nan;
    if (isinf(x)) return overflow;
    int bias = (1 << (exponent - 1)) - 1 + fnuz, e;
    double a = fabs(x);
    frexp(a, &e);
    int scale = e - 1 < 1 - bias ? 1 - bias : e - 1; /* exponent of the result's unit bit group */
    double units = nearbyint(ldexp(a, mantissa - scale));
    if (units == 0) return fnuz ? 0 : sign;
    if (units >= ldexp(1, mantissa + 1)) {
        units /= 2;
        scale++;
    }
    uint32_t bits;
    if (units < ldexp(1, mantissa))
        bits = (uint32_t)units; /* subnormal */
    else
        bits = (uint32_t)(scale + bias) << mantissa | ((uint32_t)units & frac);
    uint32_t largest = fnuz ? top << mantissa | frac : finite ? (top << mantissa | frac) - 1 : (top << mantissa) - 1;
    return scale + bias > (int)top || bits > largest ? overflow : sign | bits;
}

static void store_float(tp_dtype t, double x, unsigned char *out) {
    uint32_t w;
    float f = (float)x;
    switch (t) {
    case TP_F64: memcpy(out, &x, 8); return;
    case TP_F32: memcpy(out, &f, 4); return;
    case TP_F16: w = round_float(x, 5, 10, false, false); break;
    case TP_BF16: w = round_float(x, 8, 7, false, false); break;
    case TP_F8E5M2: w = round_float(x, 5, 2, false, false); break;
    case TP_F8E4M3FN: w = round_float(x, 4, 3, true, false); break;
    case TP_F8E5M2FNUZ: w = round_float(x, 5, 2, true, true); break;
    default: w = round_float(x, 4, 3, true, true); break;
    }
    memcpy(out, &w, tp_dtype_size(t)); /* little-endian */
}

hlo_val hlo_const_bits(hlo_graph *g, const tp_type *type, const void *data) {
    return hlo_make(g, &(hlo_draft){.op = HLO_CONST, .data = data, .data_size = tp_type_bytes(type), .nresults = 1, .types = type});
}

hlo_val hlo_const_float(hlo_graph *g, tp_dtype dtype, double value) {
    unsigned char bytes[16] = {0};
    tp_type t = tp_type_make(dtype, 0, NULL);
    if (!tp_dtype_is_float(dtype) && !tp_dtype_is_complex(dtype)) {
        if (isnan(value)) value = 0;
        double lo = -9223372036854775808.0, hi = 9223372036854774784.0;
        return hlo_const_int(g, dtype, dtype == TP_U64 && value > hi ? (int64_t)(uint64_t)value : (int64_t)(value < lo ? lo : value > hi ? hi : value));
    }
    store_float(tp_dtype_real(dtype), value, bytes);
    return hlo_const_bits(g, &t, bytes);
}

hlo_val hlo_const_int(hlo_graph *g, tp_dtype dtype, int64_t value) {
    tp_type t = tp_type_make(dtype, 0, NULL);
    if (tp_dtype_is_float(dtype) || tp_dtype_is_complex(dtype)) return hlo_const_float(g, dtype, (double)value);
    if (dtype == TP_BOOL) value = value != 0;
    return hlo_const_bits(g, &t, &value); /* little-endian: the low bytes wrap */
}
