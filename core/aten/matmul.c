/* Products of matrices and vectors.  Half precision accumulates in float32 and rounds once, as PyTorch's CPU kernels do. */
#include "aten/shape.h"

static bool is_multiplied(tp_dtype t) {
    return t == TP_U8 || tp_dtype_class(t) == TP_CLASS_SINT || tp_dtype_is_float(t) || tp_dtype_is_complex(t);
}

/* Contracts dimension |ca| of |a| with |cb| of |b|; dimension 0 of both is a batch if |batched|.  Result in opmath. */
static hlo_val product(low *l, hlo_val a, hlo_val b, bool batched, int ca, int cb) {
    tp_dtype t = dt(l, a);
    hlo_dot_dims d = {.nbatch = batched, .ncontract = 1, .lhs_contract = {ca}, .rhs_contract = {cb}};
    bool coarse = t == TP_F32 || t == TP_C64;
    if (tp_dtype_size(t) == 1 && tp_dtype_is_float(t)) {
        a = cast(l, a, TP_F32);
        b = cast(l, b, TP_F32);
    }
    return hlo_dot(l->g, a, b, &d, opmath(t), coarse ? l->precision : HLO_DEFAULT);
}

/* beta * self + alpha * product, rounded to |t| once.  With beta == 0 what self holds does not count, NaN included. */
static hlo_val scaled_sum(low *l, hlo_val self, hlo_val prod, tp_dtype t, int beta, int alpha) {
    double b = sopt(l, beta, 1), a = sopt(l, alpha, 1);
    tp_dtype wide = opmath(t);
    for (int i = beta; i <= alpha; i++) {
        const tp_scalar *s = scalar_of(l, i);
        if (s && tp_dtype_is_complex((tp_dtype)s->dtype) && s->im != 0 && !tp_dtype_is_complex(t))
            fail(l, TP_RUNTIME, "value cannot be converted to type %s without overflow", cpp_type_name(t));
    }
    if (a != 1 || tp_dtype_is_complex(t)) prod = mul(l, prod, num(l, alpha, wide));
    if (b == 0 && !tp_dtype_is_complex(t)) return cast(l, prod, t);
    self = cast(l, self, wide);
    if (b != 1 || tp_dtype_is_complex(t)) self = mul(l, self, num(l, beta, wide));
    return cast(l, add(l, self, prod), t);
}

static bool check_matrix(low *l, hlo_val v, const char *fmt) {
    if (failed(l)) return false;
    if (rank_of(l, v) != 2) fail(l, TP_RUNTIME, fmt, rank_of(l, v));
    return !failed(l);
}

static bool check_inner(low *l, hlo_val a, hlo_val b) {
    if (failed(l)) return false;
    if (size_of(l, a, 1) != size_of(l, b, 0))
        fail(l, TP_RUNTIME, "mat1 and mat2 shapes cannot be multiplied (%lldx%lld and %lldx%lld)", (long long)size_of(l, a, 0),
             (long long)size_of(l, a, 1), (long long)size_of(l, b, 0), (long long)size_of(l, b, 1));
    return !failed(l);
}

static void check_multiplied(low *l, hlo_val v, const char *kernel, bool empty) {
    tp_dtype t = dt(l, v);
    if (!failed(l) && !empty && !is_multiplied(t)) unimplemented(l, kernel, t);
}

static hlo_val or_zeros(low *l, hlo_val a, hlo_val b, bool batched, bool *out_empty) {
    int64_t sizes[3] = {size_of(l, a, 0), size_of(l, a, batched), size_of(l, b, batched + 1)};
    if (!batched) sizes[1] = sizes[2];
    *out_empty = numel_of(l, a) == 0 || numel_of(l, b) == 0;
    return full(l, opmath(dt(l, a)), 2 + batched, sizes, 0);
}

/* a @ b of two matrices (or batches of them) whose shapes agree. */
static hlo_val matrix_product(low *l, hlo_val a, hlo_val b, bool batched, const char *kernel) {
    bool empty;
    hlo_val zeros = or_zeros(l, a, b, batched, &empty);
    check_multiplied(l, a, kernel, empty);
    return empty ? zeros : product(l, a, b, batched, batched + 1, batched);
}

void low_mm(low *l) {
    hlo_val a = in(l, 0), b = in(l, 1);
    if (!check_matrix(l, a, "self must be a matrix") || !check_matrix(l, b, "mat2 must be a matrix") || !check_inner(l, a, b)) return;
    tp_dtype t = dt(l, a), u = dt(l, b);
    if (t != u) {
        fail(l, TP_RUNTIME, "expected m1 and m2 to have the same dtype, but got: %s != %s", cpp_type_name(t), cpp_type_name(u));
        return;
    }
    out_as(l, 0, matrix_product(l, a, b, false, "addmm_impl_cpu_"), t);
}

static hlo_val addmm(low *l) {
    hlo_val self = in(l, 0), a = in(l, 1), b = in(l, 2);
    if (!check_matrix(l, a, "mat1 must be a matrix, got %d-D tensor") || !check_matrix(l, b, "mat2 must be a matrix, got %d-D tensor") ||
        !check_inner(l, a, b))
        return HLO_NONE;
    int64_t sizes[2] = {size_of(l, a, 0), size_of(l, b, 1)};
    self = expand(l, self, 2, sizes);
    tp_dtype t = dt(l, self), ta = dt(l, a), tb = dt(l, b);
    if (failed(l)) return HLO_NONE;
    for (int k = 0; k < 2; k++)
        if ((k ? ta : t) != tb)
            fail(l, TP_RUNTIME, "%s and mat2 must have the same dtype, but got %s and %s", k ? "mat1" : "self", scalar_type_name(k ? ta : t),
                 scalar_type_name(tb));
    if (failed(l)) return HLO_NONE;
    return scaled_sum(l, self, matrix_product(l, a, b, false, "addmm_impl_cpu_"), t, 3, 4);
}

void low_addmm(low *l) { out(l, 0, addmm(l)); }

void low_addmm_activation(low *l) {
    hlo_val v = addmm(l);
    if (failed(l)) return;
    tp_dtype t = dt(l, v);
    bool gelu = flag(l, 5);
    if (gelu && !tp_dtype_is_float(t)) unimplemented(l, "GeluKernelImpl", t);
    else if (tp_dtype_is_complex(t)) fail(l, TP_NOT_IMPLEMENTED, "clamp is not supported for complex types");
    if (failed(l)) return;
    if (!gelu) {
        out(l, 0, bin(l, HLO_MAX, v, konst(l, t, 0)));
        return;
    }
    hlo_val x = cast(l, v, opmath(t)), bell = un(l, HLO_ERF, mul(l, x, konst_like(l, x, 0.70710678118654752440)));
    out_as(l, 0, mul(l, mul(l, konst_like(l, x, 0.5), x), add(l, konst_like(l, x, 1), bell)), t);
}

/* ---- matrix and vector */
static bool check_mv(low *l, hlo_val self, hlo_val mat, hlo_val vec) {
    if (failed(l)) return false;
    int rs = hlo_is_none(self) ? 1 : rank_of(l, self);
    if (rank_of(l, mat) != 2 || rank_of(l, vec) != 1 || rs > 1) {
        fail(l, TP_RUNTIME, "vector + matrix @ vector expected, got %d, %d, %d", rs, rank_of(l, mat), rank_of(l, vec));
        return false;
    }
    int64_t rows = size_of(l, mat, 0), n = size_of(l, vec, 0), have = hlo_is_none(self) ? rows : rs ? size_of(l, self, 0) : 1;
    if (size_of(l, mat, 1) != n || (have != rows && have != 1))
        fail(l, TP_RUNTIME, "size mismatch, got input (%lld), mat (%lldx%lld), vec (%lld)", (long long)have, (long long)rows,
             (long long)size_of(l, mat, 1), (long long)n);
    tp_dtype tm = dt(l, mat), tv = dt(l, vec), ts = hlo_is_none(self) ? tv : dt(l, self);
    if (!failed(l) && (tm != tv || ts != tv))
        fail(l, TP_RUNTIME, "addmv input tensors must have the same dtype, but got %s, %s, and %s", scalar_type_name(ts), scalar_type_name(tm),
             scalar_type_name(tv));
    return !failed(l);
}

static hlo_val mv(low *l, hlo_val mat, hlo_val vec) {
    int64_t rows = size_of(l, mat, 0);
    bool empty = numel_of(l, mat) == 0;
    check_multiplied(l, mat, "addmv_impl_cpu", empty);
    return empty ? full(l, opmath(dt(l, vec)), 1, &rows, 0) : product(l, mat, vec, false, 1, 0);
}

void low_mv(low *l) {
    hlo_val mat = in(l, 0), vec = in(l, 1);
    if (check_mv(l, HLO_NONE, mat, vec)) out_as(l, 0, mv(l, mat, vec), dt(l, vec));
}

void low_addmv(low *l) {
    hlo_val self = in(l, 0), mat = in(l, 1), vec = in(l, 2);
    if (!check_mv(l, self, mat, vec)) return;
    int64_t rows = size_of(l, mat, 0);
    out(l, 0, scaled_sum(l, expand(l, self, 1, &rows), mv(l, mat, vec), dt(l, vec), 3, 4));
}

static void dot(low *l, const char *kernel, bool conjugate) {
    hlo_val a = in(l, 0), b = in(l, 1);
    if (failed(l)) return;
    if (rank_of(l, a) != 1 || rank_of(l, b) != 1) {
        fail(l, TP_RUNTIME, "1D tensors expected, but got %dD and %dD tensors", rank_of(l, a), rank_of(l, b));
        return;
    }
    tp_dtype t = dt(l, a), u = dt(l, b);
    long long n = (long long)size_of(l, a, 0), m = (long long)size_of(l, b, 0);
    if (t != u)
        fail(l, TP_RUNTIME, "dot : expected both vectors to have same dtype, but found %s and %s", scalar_type_name(t), scalar_type_name(u));
    if (!failed(l) && n != m)
        fail(l, TP_RUNTIME,
             "inconsistent tensor size, expected tensor [%lld] and src [%lld] to have the same number of elements, but got %lld and %lld "
             "elements respectively",
             n, m, n, m);
    check_multiplied(l, a, kernel, false);
    if (failed(l)) return;
    if (conjugate && tp_dtype_is_complex(t)) a = hlo_complex(l->g, un(l, HLO_REAL, a), un(l, HLO_NEG, un(l, HLO_IMAG, a)));
    out_as(l, 0, n ? product(l, a, b, false, 0, 0) : konst(l, t, 0), t);
}

void low_dot(low *l) { dot(l, "dot", false); }
void low_vdot(low *l) { dot(l, tp_dtype_is_complex(dt(l, in(l, 0))) ? "vdot" : "dot", true); }

/* ---- batches of matrices */
static bool check_batches(low *l, hlo_val a, hlo_val b) {
    if (failed(l)) return false;
    if (rank_of(l, a) != 3 || rank_of(l, b) != 3) {
        fail(l, TP_RUNTIME, "%s must be a 3D tensor", rank_of(l, a) != 3 ? "batch1" : "batch2");
        return false;
    }
    int64_t want[2] = {size_of(l, a, 0), size_of(l, a, 2)}, have[2] = {size_of(l, b, 0), size_of(l, b, 1)};
    if (want[0] != have[0] || want[1] != have[1])
        fail(l, TP_RUNTIME, "Expected size for first two dimensions of batch2 tensor to be: %s but got: %s.", sizes_text(l, 2, want),
             sizes_text(l, 2, have));
    return !failed(l);
}

void low_bmm(low *l) {
    hlo_val a = in(l, 0), b = in(l, 1);
    if (!check_batches(l, a, b)) return;
    tp_dtype t = dt(l, a), u = dt(l, b);
    if (t != u) {
        fail(l, TP_RUNTIME, "expected scalar type %s but found %s", scalar_type_name(t), scalar_type_name(u));
        return;
    }
    out_as(l, 0, matrix_product(l, a, b, true, "bmm"), t);
}

void low_baddbmm(low *l) {
    hlo_val self = in(l, 0), a = in(l, 1), b = in(l, 2);
    if (!check_batches(l, a, b)) return;
    int64_t sizes[3] = {size_of(l, a, 0), size_of(l, a, 1), size_of(l, b, 2)};
    self = expand(l, self, 3, sizes);
    if (failed(l)) return;
    tp_dtype t = dt(l, self), ta = dt(l, a), tb = dt(l, b);
    if (t != ta || t != tb) {
        fail(l, TP_RUNTIME, "Input dtypes must be the same, got: input %s, batch1: %s, batch2: %s", cpp_type_name(t), cpp_type_name(ta),
             cpp_type_name(tb));
        return;
    }
    out(l, 0, scaled_sum(l, self, matrix_product(l, a, b, true, "baddbmm"), t, 3, 4));
}

/* The sum over the batch is part of the contraction. */
void low_addbmm(low *l) {
    hlo_val self = in(l, 0), a = in(l, 1), b = in(l, 2);
    if (failed(l)) return;
    if (rank_of(l, a) != 3 || rank_of(l, b) != 3) {
        fail(l, TP_RUNTIME, "%s must be a 3D tensor", rank_of(l, a) != 3 ? "batch1" : "batch2");
        return;
    }
    int64_t n = size_of(l, a, 0), rows = size_of(l, a, 1), inner = size_of(l, a, 2), columns = size_of(l, b, 2);
    if (n != size_of(l, b, 0))
        fail(l, TP_RUNTIME, "batch1 and batch2 must have same number of batches, got %lld and %lld", (long long)n, (long long)size_of(l, b, 0));
    else if (inner != size_of(l, b, 1))
        fail(l, TP_RUNTIME, "Incompatible matrix sizes for bmm (%lldx%lld and %lldx%lld)", (long long)rows, (long long)inner,
             (long long)size_of(l, b, 1), (long long)columns);
    int64_t sizes[2] = {rows, columns};
    self = expand(l, self, 2, sizes);
    if (failed(l)) return;
    tp_dtype t = dt(l, self), u = dt(l, b);
    if (t != u || dt(l, a) != u) {
        fail(l, TP_RUNTIME, "%s and mat2 must have the same dtype, but got %s and %s", t != u ? "self" : "mat1",
             scalar_type_name(t != u ? t : dt(l, a)), scalar_type_name(u));
        return;
    }
    a = reshape(l, hlo_transpose(l->g, a, (int64_t[]){1, 0, 2}), 2, (int64_t[]){rows, n * inner});
    b = reshape(l, b, 2, (int64_t[]){n * inner, columns});
    out(l, 0, scaled_sum(l, self, matrix_product(l, a, b, false, "addmm_impl_cpu_"), t, 3, 4));
}

static bool is_float_number(low *l, int i) {
    const tp_scalar *s = scalar_of(l, i);
    return s && s->dtype == TP_F64;
}

void low_addr(low *l) {
    hlo_val self = in(l, 0), a = in(l, 1), b = in(l, 2);
    tp_dtype t = promote(l, 0, 3);
    for (int i = 1; i < 3 && !failed(l); i++)
        if (rank_of(l, in(l, i)) != 1) fail(l, TP_RUNTIME, "addr: Expected 1-D argument vec%d, but got %d-D", i, rank_of(l, in(l, i)));
    if (failed(l)) return;
    for (int i = 3; i < 5; i++)
        if (!tp_dtype_is_float(t) && !tp_dtype_is_complex(t) && is_float_number(l, i))
            fail(l, TP_RUNTIME, "For integral input tensors, argument %s must not be a floating point number.", i == 3 ? "beta" : "alpha");
    int64_t sizes[2] = {size_of(l, a, 0), size_of(l, b, 0)}, column[2] = {sizes[0], 1};
    self = expand(l, self, 2, sizes);
    if (failed(l)) return;
    tp_dtype wide = opmath(t);
    hlo_val outer = bcast(l, mul(l, reshape(l, cast(l, a, wide), 2, column), cast(l, b, wide)), 2, sizes);
    if (t == TP_BOOL) {
        hlo_val no = full(l, TP_BOOL, 2, sizes, 0);
        outer = sopt(l, 4, 1) != 0 ? outer : no;
        out(l, 0, bin(l, HLO_OR, sopt(l, 3, 1) != 0 ? cast(l, self, TP_BOOL) : no, outer));
        return;
    }
    out(l, 0, scaled_sum(l, cast(l, self, wide), outer, t, 3, 4));
}
