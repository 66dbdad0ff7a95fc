/* Reductions and scans.  Half precision is summed in float32 and rounded once. */
#include "aten/lower.h"

#include <math.h>

static tp_dtype self_type(const low *l) { return (tp_dtype)arg_type(l, 0)->dtype; }
static int self_rank(const low *l) { return arg_type(l, 0)->rank; }
static bool is_float_like(tp_dtype t) { return tp_dtype_is_float(t) || tp_dtype_is_complex(t); }
static const char *base_name(low *l) { return text(l, "%.*s", (int)strcspn(l->row->name, "."), l->row->name); }

static int64_t count_in(const tp_type *t, uint32_t mask) {
    int64_t n = 1;
    for (int d = 0; d < t->rank; d++)
        if (mask >> d & 1) n *= t->dims[d];
    return n;
}

/* |x| as the sums below want it: in the computing type of |t|. */
static hlo_val summand(low *l, tp_dtype t) { return cast(l, cast(l, in(l, 0), t), opmath(t)); }

/* Arguments of the plain and of the dim form: where |dims|, |keep| and |dtype| stand. */
typedef struct form {
    uint32_t mask;
    bool keep;
} form;

static form form_of(low *l, int dims, int keep) {
    return (form){dims_mask(l, dims, self_rank(l), true), keep > 0 && flag(l, keep)};
}

/* ---- sums and products */
static void sum_like(low *l, hlo_op op, form f, int dtype, double init) {
    tp_dtype t = dtype_opt(l, dtype, sum_type(self_type(l)));
    if (t == TP_BOOL) op = op == HLO_ADD ? HLO_OR : HLO_AND;
    out_as(l, 0, reduce(l, op, summand(l, t), init, f.mask, f.keep), t);
}

void low_sum(low *l) { sum_like(l, HLO_ADD, form_of(l, -1, -1), 1, 0); }
void low_sum_dim(low *l) { sum_like(l, HLO_ADD, form_of(l, 1, 2), 3, 0); }
void low_prod(low *l) { sum_like(l, HLO_MUL, form_of(l, -1, -1), 1, 1); }
void low_prod_dim(low *l) { sum_like(l, HLO_MUL, form_of(l, 1, 2), 3, 1); }

void low_nansum(low *l) {
    if (tp_dtype_is_complex(self_type(l))) fail(l, TP_RUNTIME, "nansum on CPU does not support complex inputs");
    form f = form_of(l, 1, 2);
    tp_dtype t = dtype_opt(l, 3, sum_type(self_type(l)));
    hlo_val x = summand(l, t);
    out_as(l, 0, reduce(l, HLO_ADD, sel(l, is_nan(l, x), konst_like(l, x, 0), x), 0, f.mask, f.keep), t);
}

static void mean_like(low *l, int dims, int keep, int dtype) {
    tp_dtype t = dtype_opt(l, dtype, self_type(l));
    if (!is_float_like(t))
        fail(l, TP_RUNTIME, "mean(): could not infer output dtype. %s dtype must be either a floating point or complex dtype. Got: %s",
             has(l, dtype) ? "Optional" : "Input", scalar_type_name(t));
    form f = form_of(l, dims, keep);
    if (failed(l)) return;
    hlo_val sum = reduce(l, HLO_ADD, summand(l, t), 0, f.mask, f.keep);
    out_as(l, 0, quo(l, sum, konst_like(l, sum, (double)count_in(arg_type(l, 0), f.mask))), t);
}

void low_mean(low *l) { mean_like(l, -1, -1, 1); }
void low_mean_dim(low *l) { mean_like(l, 1, 2, 3); }

void low_count_nonzero(low *l) {
    form f = form_of(l, 1, -1);
    out(l, 0, reduce(l, HLO_ADD, cast(l, in_as(l, 0, TP_BOOL), TP_I64), 0, f.mask, false));
}

/* ---- any and all: |op| OR and AND.  any.dims of no dimensions reduces nothing. */
static void truth(low *l, form f) {
    hlo_op op = (hlo_op)l->row->op;
    out_as(l, 0, reduce(l, op, in_as(l, 0, TP_BOOL), op == HLO_AND, f.mask, f.keep), self_type(l) == TP_U8 ? TP_U8 : TP_BOOL);
}

void low_truth(low *l) { truth(l, form_of(l, -1, -1)); }
void low_truth_dim(low *l) { truth(l, form_of(l, 1, 2)); }
void low_truth_dims(low *l) { truth(l, (form){dims_mask(l, 1, self_rank(l), !has(l, 1)), flag(l, 2)}); }

/* ---- extrema */
static hlo_val extreme(low *l, hlo_val x, bool most, uint32_t mask, bool keep) {
    tp_dtype t = dt(l, x);
    if (t == TP_BOOL) return reduce(l, most ? HLO_OR : HLO_AND, x, !most, mask, keep);
    return reduce_from(l, most ? HLO_MAX : HLO_MIN, x, most ? konst_lowest(l, t) : konst_highest(l, t), mask, keep);
}

/* An extremum of nothing is an error, in the words of |name|. */
static void check_some(low *l, const char *name, uint32_t mask, bool dims_given, tp_kind kind) {
    const tp_type *t = arg_type(l, 0);
    if (tp_type_numel(t) > 0) return;
    if (!dims_given)
        fail(l, kind, "%s(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.", name);
    for (int d = 0; d < t->rank; d++)
        if ((mask >> d & 1) && t->dims[d] == 0) fail(l, TP_INDEX, "%s(): Expected reduction dim %d to have non-zero size.", name, d);
}

static void check_ordered(low *l) {
    if (tp_dtype_is_complex(self_type(l))) refuse_dtype(l, self_type(l));
}

static void check_real(low *l) {
    if (tp_dtype_is_complex(self_type(l))) fail(l, TP_RUNTIME, "%s(): does not support complex input", base_name(l));
}

static bool is_most(const low *l) { return l->row->op == HLO_MAX; }

/* amax, amin */
void low_amax(low *l) {
    int n;
    form f = form_of(l, 1, 2);
    ints(l, 1, &n);
    check_ordered(l);
    check_some(l, base_name(l), f.mask, n > 0, TP_RUNTIME);
    out(l, 0, extreme(l, in(l, 0), is_most(l), f.mask, f.keep));
}

void low_aminmax(low *l) {
    form f = form_of(l, 1, 2);
    check_ordered(l);
    if (tp_type_numel(arg_type(l, 0)) == 0 && !has(l, 1))
        fail(l, TP_RUNTIME, "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.");
    const tp_type *t = arg_type(l, 0);
    for (int d = 0; d < t->rank; d++)
        if ((f.mask >> d & 1) && !t->dims[d]) fail(l, TP_INDEX, "aminmax: Expected reduction dim %d to have non-zero size.", d);
    out(l, 0, extreme(l, in(l, 0), false, f.mask, f.keep));
    out(l, 1, extreme(l, in(l, 0), true, f.mask, f.keep));
}

/* max, min of all elements */
void low_max(low *l) {
    check_ordered(l);
    check_some(l, base_name(l), UINT32_MAX, false, TP_RUNTIME);
    out(l, 0, extreme(l, in(l, 0), is_most(l), UINT32_MAX, false));
}

/* The index along |d| of the first element that equals the extremum (size 1 along |d|); NaN is the extremum where there
 * is one, and its first place counts. */
static hlo_val first_index(low *l, hlo_val x, hlo_val best, int d) {
    hlo_val hit = bin(l, HLO_OR, cmp(l, HLO_EQ, x, best), is_nan(l, x));
    hlo_val at = iota(l, TP_I64, x, d), none = konst(l, TP_I64, (double)size_of(l, x, d));
    return reduce_from(l, HLO_MIN, sel(l, hit, at, none), none, 1u << d, true);
}

void low_max_dim(low *l) {
    check_real(l);
    int rank = self_rank(l), d = dim(l, 1, rank);
    bool keep = flag(l, 2);
    check_some(l, base_name(l), 1u << d, true, TP_INDEX);
    hlo_val x = in(l, 0);
    if (failed(l)) return;
    if (rank == 0) {
        out(l, 0, x);
        out(l, 1, konst(l, TP_I64, 0));
        return;
    }
    hlo_val best = extreme(l, x, is_most(l), 1u << d, true), at = first_index(l, x, best, d);
    out(l, 0, keep ? best : squeeze_mask(l, best, 1u << d));
    out(l, 1, keep ? at : squeeze_mask(l, at, 1u << d));
}

/* argmax, argmin: without a dimension, of the elements in row-major order */
void low_argmax(low *l) {
    tp_type t = *arg_type(l, 0);
    if (t.dtype == TP_BOOL) fail(l, TP_RUNTIME, "%s(): does not support bool input", base_name(l));
    check_real(l);
    int d = has(l, 1) ? dim(l, 1, t.rank) : 0;
    bool keep = flag(l, 2);
    if (!has(l, 1) && tp_type_numel(&t) == 0)
        fail(l, TP_INDEX, "%s(): Expected reduction dim to be specified for input.numel() == 0.", base_name(l));
    check_some(l, base_name(l), 1u << d, true, TP_INDEX);
    if (failed(l)) return;
    hlo_val x = in(l, 0);
    if (t.rank == 0) {
        out(l, 0, konst(l, TP_I64, 0));
        return;
    }
    int64_t ones[TP_MAX_RANK], n = tp_type_numel(&t);
    for (int i = 0; i < TP_MAX_RANK; i++) ones[i] = 1;
    if (!has(l, 1)) x = hlo_reshape(l->g, x, 1, &n);
    hlo_val at = first_index(l, x, extreme(l, x, is_most(l), 1u << d, true), d);
    if (!has(l, 1))
        at = hlo_reshape(l->g, at, keep ? t.rank : 0, ones);
    else if (!keep)
        at = squeeze_mask(l, at, 1u << d);
    out(l, 0, at);
}

/* ---- moments */
/* Sum over |mask| of squared distances from |mean| (kept dimensions), real. */
static hlo_val squares(low *l, hlo_val x, hlo_val mean, form f) {
    hlo_val gap = sub(l, x, mean);
    if (!tp_dtype_is_complex(dt(l, gap))) return reduce(l, HLO_ADD, mul(l, gap, gap), 0, f.mask, f.keep);
    hlo_val re = un(l, HLO_REAL, gap), im = un(l, HLO_IMAG, gap);
    return reduce(l, HLO_ADD, add(l, mul(l, re, re), mul(l, im, im)), 0, f.mask, f.keep);
}

/* var, std, var_mean, std_mean: (self, dims, correction, keep) */
void low_var(low *l) {
    tp_dtype t = self_type(l), real = tp_dtype_real(t);
    if (!is_float_like(t))
        fail(l, TP_RUNTIME, "%s only support floating point and complex dtypes", l->row->rule & WITH_MEAN ? base_name(l) : "std and var");
    form f = form_of(l, 1, 3);
    if (failed(l)) return;
    hlo_val x = in_op(l, 0, t), n = konst_like(l, x, (double)count_in(arg_type(l, 0), f.mask));
    hlo_val mean = quo(l, reduce(l, HLO_ADD, x, 0, f.mask, true), n), sum = squares(l, x, mean, f);
    hlo_val one = konst_like(l, sum, 1), count = konst_like(l, sum, (double)count_in(arg_type(l, 0), f.mask));
    hlo_val freedom = sub(l, count, has(l, 2) ? num(l, 2, dt(l, sum)) : one);
    hlo_val v = quo(l, sum, bin(l, HLO_MAX, freedom, konst_like(l, sum, 0)));
    out_as(l, 0, l->row->rule & DEVIATION ? un(l, HLO_SQRT, v) : v, real);
    if (l->row->rule & WITH_MEAN) out_as(l, 1, f.keep ? mean : squeeze_mask(l, mean, f.mask), t);
}

/* ---- norms */
static hlo_val norm_of(low *l, hlo_val x, double p, form f) {
    tp_dtype t = dt(l, x);
    hlo_val a = un(l, HLO_ABS, x);
    if (p == INFINITY) return reduce(l, HLO_MAX, a, 0, f.mask, f.keep);
    if (p == -INFINITY) return reduce(l, HLO_MIN, a, INFINITY, f.mask, f.keep);
    if (p == 0) return reduce(l, HLO_ADD, cast(l, cast(l, x, TP_BOOL), dt(l, a)), 0, f.mask, f.keep);
    if (p == 1) return reduce(l, HLO_ADD, a, 0, f.mask, f.keep);
    if (p == 2) {
        hlo_val s = mul(l, a, a);
        if (tp_dtype_is_complex(t)) {
            hlo_val re = un(l, HLO_REAL, x), im = un(l, HLO_IMAG, x);
            s = add(l, mul(l, re, re), mul(l, im, im));
        }
        return un(l, HLO_SQRT, reduce(l, HLO_ADD, s, 0, f.mask, f.keep));
    }
    hlo_val s = reduce(l, HLO_ADD, bin(l, HLO_POW, a, konst_like(l, a, p)), 0, f.mask, f.keep);
    return bin(l, HLO_POW, s, konst_like(l, s, 1 / p));
}

static void check_norm(low *l, double p, form f, bool dims_given) {
    const tp_type *t = arg_type(l, 0);
    if (!is_float_like(self_type(l)) && !strncmp(l->row->name, "norm", 4))
        fail(l, TP_RUNTIME, "norm(): input dtype should be either floating point or complex. Got %s instead.", scalar_type_name(self_type(l)));
    if (!is_float_like(self_type(l)))
        fail(l, TP_RUNTIME, "linalg.vector_norm: Expected a floating point or complex tensor as input. Got %s", scalar_type_name(self_type(l)));
    if (tp_type_numel(t) || !(p < 0 || p == INFINITY)) return;
    const char *which = p == INFINITY ? "inf" : p == -INFINITY ? "-inf" : text(l, "%g", p);
    if (!dims_given)
        fail(l, TP_RUNTIME, "linalg.vector_norm cannot compute the %s norm on an empty tensor because the operation does not have an identity", which);
    for (int d = 0; d < t->rank; d++)
        if ((f.mask >> d & 1) && !t->dims[d])
            fail(l, TP_RUNTIME, "linalg.vector_norm cannot compute the %s norm on the dimension %dbecause this dimension is empty and the "
                                "operation does not have an identity", which, d);
}

static void check_norm_type(low *l, tp_dtype from, tp_dtype to) {
    if (!is_float_like(to))
        fail(l, TP_RUNTIME, "linalg.vector_norm: dtype should be floating point or complex, but got %s", scalar_type_name(to));
    if (tp_dtype_is_complex(from) != tp_dtype_is_complex(to))
        fail(l, TP_RUNTIME, "linalg.vector_norm: dtype should be %s for %s inputs, but got %s", tp_dtype_is_complex(from) ? "complex" : "real",
             tp_dtype_is_complex(from) ? "complex" : "real", scalar_type_name(to));
    if (promote_types(from, to) != to)
        fail(l, TP_RUNTIME, "linalg.vector_norm: the dtype of the input (%s) should be convertible without narrowing to the specified dtype (%s)",
             scalar_type_name(from), scalar_type_name(to));
}

static void norm_like(low *l, int dims, int keep, int dtype) {
    int n = 0;
    double p = sopt(l, 1, 2);
    tp_dtype t = dtype_opt(l, dtype, self_type(l));
    form f = form_of(l, dims, keep);
    ints(l, dims, &n);
    check_norm(l, p, f, n > 0);
    check_norm_type(l, self_type(l), t);
    if (!failed(l)) out_as(l, 0, norm_of(l, summand(l, t), p, f), tp_dtype_real(t));
}

void low_vector_norm(low *l) { norm_like(l, 2, 3, 4); }
void low_norm_all(low *l) { norm_like(l, -1, -1, 2); }

void low_logsumexp(low *l) {
    form f = form_of(l, 1, 2);
    tp_dtype t = floating(self_type(l));
    if (tp_dtype_is_complex(t)) refuse_dtype(l, t);
    hlo_val x = summand(l, t), most = extreme(l, x, true, f.mask, true), zero = konst_like(l, x, 0);
    hlo_val shift = sel(l, cmp(l, HLO_EQ, un(l, HLO_ABS, most), konst_like(l, x, INFINITY)), zero, most);
    hlo_val sum = reduce(l, HLO_ADD, un(l, HLO_EXP, sub(l, x, shift)), 0, f.mask, true);
    hlo_val r = add(l, un(l, HLO_LOG, sum), shift);
    out_as(l, 0, f.keep ? r : squeeze_mask(l, r, f.mask), t);
}

/* ---- scans: one window as long as the dimension.  |op| ADD or MUL. */
void low_scan(low *l) {
    int rank = self_rank(l), d = dim(l, 1, rank);
    hlo_op op = (hlo_op)l->row->op;
    tp_dtype t = dtype_opt(l, 2, sum_type(self_type(l)));
    hlo_val x = summand(l, t);
    if (failed(l)) return;
    if (rank == 0 || numel_of(l, x) == 0) {
        out_as(l, 0, x, t);
        return;
    }
    int64_t ones[TP_MAX_RANK], window[TP_MAX_RANK], low_pad[TP_MAX_RANK] = {0}, high_pad[TP_MAX_RANK] = {0}, n = size_of(l, x, d);
    for (int i = 0; i < rank; i++) window[i] = ones[i] = 1;
    window[d] = n;
    low_pad[d] = n - 1;
    if (t == TP_BOOL) op = op == HLO_ADD ? HLO_OR : HLO_AND;
    hlo_val init = konst_like(l, x, op == HLO_MUL || op == HLO_AND);
    out_as(l, 0, hlo_reduce_window(l->g, op, x, init, window, ones, NULL, NULL, low_pad, high_pad), t);
}
