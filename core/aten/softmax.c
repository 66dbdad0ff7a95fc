/* Softmax, log-softmax and their gradients. */
#include "aten/shape.h"

/* The dtype of the result: float32 for a half input asked for in float32. */
static tp_dtype softmax_type(low *l, bool log) {
    tp_dtype t = dt(l, in(l, 0));
    int rank = rank_of(l, in(l, 0)), d = dim(l, 1, rank);
    if (failed(l)) return t;
    if (!tp_dtype_is_float(t) || tp_dtype_size(t) < 2)
        unimplemented(l, log ? d >= rank - 1 ? "log_softmax_lastdim_kernel_impl" : "log_softmax_kernel_impl"
                            : d >= rank - 1 ? "softmax_lastdim_kernel_impl" : "softmax_kernel_impl", t);
    if (!flag(l, 2)) return t;
    if (t != TP_F16 && t != TP_BF16) fail(l, TP_RUNTIME, "conversion is supported for Half type only");
    return TP_F32;
}

static void softmax(low *l, bool log) {
    tp_dtype t = softmax_type(l, log);
    if (failed(l)) return;
    hlo_val x = in(l, 0);
    x = cast(l, x, opmath(dt(l, x)));
    uint32_t mask = 1u << dim(l, 1, rank_of(l, x));
    hlo_val shifted = sub(l, x, reduce(l, HLO_MAX, x, lowest(dt(l, x)), mask, true));
    hlo_val e = un(l, HLO_EXP, shifted), total = reduce(l, HLO_ADD, e, 0, mask, true);
    out_as(l, 0, log ? sub(l, shifted, un(l, HLO_LOG, total)) : quo(l, e, total), t);
}

void low_softmax(low *l) { softmax(l, false); }
void low_log_softmax(low *l) { softmax(l, true); }

static void softmax_backward(low *l, bool log) {
    hlo_val g = in(l, 0), y = in(l, 1);
    if (failed(l)) return;
    tp_dtype wide = opmath(dt(l, y));
    g = cast(l, g, wide);
    y = cast(l, y, wide);
    uint32_t mask = 1u << dim(l, 2, rank_of(l, y));
    hlo_val weighted = log ? g : mul(l, g, y), total = reduce(l, HLO_ADD, weighted, 0, mask, true);
    hlo_val scaled = mul(l, log ? un(l, HLO_EXP, y) : y, total);
    out_as(l, 0, sub(l, weighted, scaled), dtype_of(l, 3));
}

void low_softmax_backward(low *l) { softmax_backward(l, false); }
void low_log_softmax_backward(low *l) { softmax_backward(l, true); }
