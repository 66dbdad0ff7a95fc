/* Arrays made of numbers, conversions, fills. */
#include "aten/lower.h"

#include <math.h>

void low_convert(low *l) { out(l, 0, in_as(l, 0, dtype_of(l, 1))); }

static void check_number(low *l, int i, tp_dtype to) {
    if (!tp_dtype_is_complex(to) && tp_dtype_is_complex((tp_dtype)arg_type(l, i)->dtype))
        fail(l, TP_RUNTIME, "value cannot be converted to type %s without overflow", cpp_type_name(to));
}

/* (sizes, dtype, value) */
void low_fill_sizes(low *l) {
    int n;
    const int64_t *sizes = ints(l, 0, &n);
    check_number(l, 2, dtype_of(l, 1));
    out(l, 0, bcast(l, num(l, 2, dtype_of(l, 1)), n, sizes));
}

/* (sizes, value, dtype?): the dtype of the number if none is given */
void low_full(low *l) {
    int n;
    const int64_t *sizes = ints(l, 0, &n);
    tp_dtype number = (tp_dtype)arg_type(l, 1)->dtype;
    tp_dtype t = dtype_opt(l, 2, number == TP_F64 ? TP_F32 : number == TP_C128 ? TP_C64 : number);
    check_number(l, 1, t);
    out(l, 0, bcast(l, num(l, 1, t), n, sizes));
}

/* (self, value): the value in self's shape and dtype */
void low_fill(low *l) {
    const tp_type *t = arg_type(l, 0);
    check_number(l, 1, (tp_dtype)t->dtype);
    if (arg_type(l, 1)->rank)
        fail(l, TP_RUNTIME, "fill_ only supports 0-dimension value tensor but got tensor with %d dimensions.", arg_type(l, 1)->rank);
    out(l, 0, bcast(l, in_as(l, 1, (tp_dtype)t->dtype), t->rank, t->dims));
}

void low_zero(low *l) {
    const tp_type *t = arg_type(l, 0);
    out(l, 0, full(l, (tp_dtype)t->dtype, t->rank, t->dims, 0));
}

/* ---- sequences */
/* 0, 1, .. in |t|, exact beyond what a float counts to. */
static hlo_val counting(low *l, int64_t n, tp_dtype t) {
    tp_type type = tp_type_make(TP_I64, 1, &n);
    return cast(l, hlo_iota(l->g, &type, 0), t);
}

typedef struct range {
    double start, end, step;
    int64_t istart, istep;
    bool whole; /* all three are integers */
} range;

static bool is_whole(const tp_scalar *s) { return !tp_dtype_is_float((tp_dtype)s->dtype) && !tp_dtype_is_complex((tp_dtype)s->dtype); }

static void take(const tp_scalar *s, double *out_float, int64_t *out_int, bool *io_whole) {
    if (!s) return;
    *out_float = s->re;
    *out_int = is_whole(s) ? s->i : (int64_t)s->re;
    *io_whole = *io_whole && is_whole(s);
}

static int64_t range_count(low *l, const range *r, int64_t iend, tp_dtype t) {
    if (!isfinite(r->start) || !isfinite(r->end)) fail(l, TP_RUNTIME, "unsupported range: %g -> %g", r->start, r->end);
    bool ints_only = t == TP_I64 && r->whole; /* the others count in doubles */
    if (r->step == 0 || isnan(r->step)) fail(l, TP_RUNTIME, "step must be nonzero");
    if ((r->step > 0) != (r->end >= r->start) && r->end != r->start)
        fail(l, TP_RUNTIME, "upper bound and lower bound inconsistent with step sign");
    if (failed(l)) return 0;
    double n = ceil((r->end - r->start) / r->step);
    if (ints_only) {
        int64_t sign = r->istep > 0 ? 1 : -1;
        return (iend - r->istart + r->istep - sign) / r->istep;
    }
    if (!(n >= 0 && n < 0x1p62)) fail(l, TP_RUNTIME, "invalid size, possible overflow?");
    return failed(l) ? 0 : (int64_t)n;
}

/* |start|, |end|, |step|: argument positions, -1 if there is none; |dtype| that of the ScalarType. */
static void arange(low *l, int start, int end, int step, int dtype) {
    range r = {.step = 1, .istep = 1, .whole = true};
    int64_t iend = 0;
    take(scalar_of(l, start), &r.start, &r.istart, &r.whole);
    take(scalar_of(l, end), &r.end, &iend, &r.whole);
    take(scalar_of(l, step), &r.step, &r.istep, &r.whole);
    tp_dtype t = dtype_opt(l, dtype, r.whole ? TP_I64 : TP_F32);
    if (t == TP_BOOL || tp_dtype_is_complex(t)) refuse_dtype(l, t);
    int64_t n = range_count(l, &r, iend, t);
    if (failed(l)) return;
    bool whole = tp_dtype_is_int(t);
    tp_dtype c = whole ? TP_I64 : TP_F64; /* as on CPU, whose step is a double */
    hlo_val at = counting(l, n, c);
    hlo_val first = whole ? hlo_const_int(l->g, c, r.istart) : konst(l, c, r.start);
    hlo_val by = whole ? hlo_const_int(l->g, c, r.istep) : konst(l, c, r.step);
    out_as(l, 0, add(l, first, mul(l, at, by)), t);
}

void low_arange(low *l) { arange(l, -1, 0, -1, 1); }
void low_arange_start(low *l) { arange(l, 0, 1, -1, 2); }
void low_arange_step(low *l) { arange(l, 0, 1, 2, 3); }

/* (start, end, steps, dtype?): from both ends to the middle, as PyTorch does, so that both ends are exact */
void low_linspace(low *l) {
    int64_t n = inum(l, 2);
    tp_dtype t = dtype_opt(l, 3, TP_F32), c = tp_dtype_is_int(t) ? TP_F64 : opmath(t);
    if (n < 0) fail(l, TP_RUNTIME, "number of steps must be non-negative");
    if (t == TP_BOOL) refuse_dtype(l, t);
    if (failed(l)) return;
    bool whole = tp_dtype_is_int(t); /* then both ends are rounded first */
    hlo_val a = num(l, 0, whole ? t : c), b = num(l, 1, whole ? t : c);
    a = cast(l, a, c);
    b = cast(l, b, c);
    hlo_val i = counting(l, n, TP_I64);
    hlo_val gaps = konst(l, c, (double)(n > 1 ? n - 1 : 1)), step = quo(l, sub(l, b, a), gaps);
    hlo_val up = add(l, a, mul(l, step, cast(l, i, c)));
    hlo_val left = sub(l, konst(l, TP_I64, (double)(n - 1)), i), down = sub(l, b, mul(l, step, cast(l, left, c)));
    out_as(l, 0, sel(l, cmp(l, HLO_LT, i, konst(l, TP_I64, (double)(n / 2))), up, n == 1 ? bcast_as(l, a, down) : down), t);
}

/* ---- the identity matrix */
static void eye(low *l, int64_t rows, int64_t cols, int dtype) {
    tp_dtype t = dtype_opt(l, dtype, TP_F32);
    if (rows < 0 || cols < 0)
        fail(l, TP_RUNTIME, "%c must be greater or equal to 0, got %lld", rows < 0 ? 'n' : 'm', (long long)(rows < 0 ? rows : cols));
    if (failed(l)) return;
    int64_t dims[2] = {rows, cols};
    tp_type type = tp_type_make(TP_I32, 2, dims);
    out(l, 0, cast(l, cmp(l, HLO_EQ, hlo_iota(l->g, &type, 0), hlo_iota(l->g, &type, 1)), t));
}

void low_eye(low *l) { eye(l, inum(l, 0), inum(l, 0), 1); }
void low_eye_m(low *l) { eye(l, inum(l, 0), inum(l, 1), 2); }
