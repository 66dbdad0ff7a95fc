/* Random numbers: Philox4x32-10 in 32-bit integer HLO.
 *
 * The bits of an element depend on seed, offset and the element's row-major index only.  Elements come in groups of
 * 512: LANES columns of blocks, four words a block, so element e has word e % 512 / 128 of block e / 512 * 128 + e % 128.
 * A minor dimension of 128 is what TPUs tile by, and a short array computes one word of few blocks.  An element that needs
 * 64 bits takes words of two lanes, in groups of 256. */
#include "aten/lower.h"

enum { LANES = 128, WORDS = 4, ROUNDS = 10 };

uint64_t at_philox_steps(const at_row *row, int64_t numel) {
    (void)row; /* one bound for all rows: a block per element, in whole columns */
    return numel > 0 ? ((uint64_t)numel + LANES - 1) / LANES * LANES * 2 : 0;
}

/* ---- 32-bit arithmetic */
static hlo_val u32(low *l, uint32_t v) { return hlo_const_int(l->g, TP_U32, v); }
static hlo_val and_(low *l, hlo_val a, uint32_t mask) { return bin(l, HLO_AND, a, u32(l, mask)); }
static hlo_val shr(low *l, hlo_val a, int by) { return bin(l, HLO_SHRL, a, konst_like(l, a, by)); }
static hlo_val xor_(low *l, hlo_val a, hlo_val b) { return bin(l, HLO_XOR, a, b); }

/* The upper half of the 64-bit product, from 16-bit pieces. */
static hlo_val mul_high(low *l, hlo_val a, uint32_t m) {
    hlo_val al = and_(l, a, 0xffff), ah = shr(l, a, 16), ml = u32(l, m & 0xffff), mh = u32(l, m >> 16);
    hlo_val ll = mul(l, al, ml), lh = mul(l, al, mh), hl = mul(l, ah, ml), hh = mul(l, ah, mh);
    hlo_val middle = add(l, add(l, shr(l, ll, 16), and_(l, lh, 0xffff)), and_(l, hl, 0xffff));
    return add(l, add(l, hh, shr(l, lh, 16)), add(l, shr(l, hl, 16), shr(l, middle, 16)));
}

static void philox(low *l, hlo_val c[WORDS], hlo_val k0, hlo_val k1) {
    const uint32_t m0 = 0xd2511f53, m1 = 0xcd9e8d57, w0 = 0x9e3779b9, w1 = 0xbb67ae85;
    for (int round = 0; round < ROUNDS; round++) {
        hlo_val h0 = mul_high(l, c[0], m0), l0 = mul(l, c[0], u32(l, m0));
        hlo_val h1 = mul_high(l, c[2], m1), l1 = mul(l, c[2], u32(l, m1));
        c[0] = xor_(l, xor_(l, h1, c[1]), k0);
        c[1] = l1;
        c[2] = xor_(l, xor_(l, h0, c[3]), k1);
        c[3] = l0;
        k0 = add(l, k0, u32(l, w0));
        k1 = add(l, k1, u32(l, w1));
    }
}

/* Word |k| of the snapshot (seed, offset), split into 32-bit halves. */
static void halves(low *l, hlo_val snapshot, int64_t k, hlo_val *out_lo, hlo_val *out_hi) {
    int64_t start = k, limit = k + 1, step = 1;
    hlo_val w = hlo_reshape(l->g, hlo_slice(l->g, snapshot, &start, &limit, &step), 0, NULL);
    *out_lo = hlo_convert(l->g, bin(l, HLO_AND, w, hlo_const_int(l->g, TP_U64, 0xffffffff)), TP_U32);
    *out_hi = hlo_convert(l->g, shr(l, w, 32), TP_U32);
}

/* |per| arrays of n words each: arrays 0..per-1 are an element's words.  |per| is 1, 2 or 4. */
static void random_words(low *l, hlo_val snapshot, int64_t n, int per, hlo_val *out_words) {
    int64_t share = WORDS / per, group = LANES * share, groups = (n + group - 1) / group;
    int64_t columns = n < LANES ? n : LANES, dims[2] = {groups, columns}, flat = groups * columns * share;
    hlo_val k0, k1, lo, hi;
    halves(l, snapshot, 0, &k0, &k1);
    halves(l, snapshot, 1, &lo, &hi);
    tp_type t = tp_type_make(TP_U32, 2, dims);
    hlo_val index = add(l, mul(l, hlo_iota(l->g, &t, 0), u32(l, LANES)), hlo_iota(l->g, &t, 1));
    hlo_val c0 = add(l, lo, index), carry = cast(l, cmp(l, HLO_LT, c0, bcast_as(l, lo, c0)), TP_U32), zero = bcast_as(l, u32(l, 0), c0);
    hlo_val c[WORDS] = {c0, add(l, hi, carry), zero, zero};
    philox(l, c, k0, k1);
    for (int w = 0; w < per; w++) {
        hlo_val parts[WORDS];
        int64_t three[3] = {groups, 1, columns}, start = 0, step = 1, kept = n <= columns ? 1 : share;
        for (int64_t s = 0; s < kept; s++) parts[s] = hlo_reshape(l->g, c[s * per + w], 3, three);
        hlo_val all = hlo_concat(l->g, (int)kept, parts, 1);
        flat = groups * columns * kept;
        out_words[w] = hlo_slice(l->g, hlo_reshape(l->g, all, 1, &flat), &start, &n, &step);
    }
}

/* ---- from words to numbers in [0, 1), with as many bits as |t| holds; float32 but for float64 */
static hlo_val unit32(low *l, hlo_val w, int bits) {
    return mul(l, hlo_convert(l->g, shr(l, w, 32 - bits), TP_F32), konst(l, TP_F32, 1.0 / (double)(1u << bits)));
}

static hlo_val join64(low *l, hlo_val hi, hlo_val lo) {
    hlo_graph *g = l->g;
    hlo_val up = bin(l, HLO_SHL, hlo_convert(g, hi, TP_U64), hlo_const_int(g, TP_U64, 32));
    return bin(l, HLO_OR, up, hlo_convert(g, lo, TP_U64));
}

static hlo_val unit64(low *l, hlo_val hi, hlo_val lo) {
    return mul(l, hlo_convert(l->g, shr(l, join64(l, hi, lo), 11), TP_F64), konst(l, TP_F64, 0x1p-53));
}

static hlo_val empty_like(low *l, const tp_type *t) { return full(l, (tp_dtype)t->dtype, t->rank, t->dims, 0); }

/* Uniform numbers for |t|'s elements, in its computing type. */
static hlo_val uniform(low *l, hlo_val snapshot, const tp_type *t) {
    hlo_val w[WORDS];
    int64_t n = tp_type_numel(t);
    tp_dtype d = (tp_dtype)t->dtype;
    if (n == 0) return cast(l, empty_like(l, t), d == TP_F64 ? TP_F64 : TP_F32);
    random_words(l, snapshot, n, d == TP_F64 ? 2 : 1, w);
    hlo_val u = d == TP_F64 ? unit64(l, w[0], w[1]) : unit32(l, w[0], d == TP_F16 ? 11 : d == TP_BF16 ? 8 : 24);
    return hlo_reshape(l->g, u, t->rank, t->dims);
}

/* In (0, 1]: for logarithms. */
static hlo_val uniform_up(low *l, hlo_val snapshot, const tp_type *t) {
    hlo_val u = uniform(l, snapshot, t);
    return sub(l, konst_like(l, u, 1), u);
}

/* Box and Muller: an element has a radius and an angle of its own. */
static hlo_val normal_flat(low *l, hlo_val snapshot, int64_t n, bool wide) {
    hlo_val w[WORDS], u, v;
    random_words(l, snapshot, n, wide ? 4 : 2, w);
    u = wide ? unit64(l, w[0], w[1]) : unit32(l, w[0], 24);
    v = wide ? unit64(l, w[2], w[3]) : unit32(l, w[1], 24);
    hlo_val radius = un(l, HLO_SQRT, mul(l, konst_like(l, u, -2), un(l, HLO_LOG, sub(l, konst_like(l, u, 1), u))));
    return mul(l, radius, un(l, HLO_COS, mul(l, v, konst_like(l, v, 6.28318530717958647692))));
}

static hlo_val part(low *l, hlo_val flat, int64_t start, int64_t n, const tp_type *t) {
    int64_t limit = start + n, step = 1;
    return hlo_reshape(l->g, hlo_slice(l->g, flat, &start, &limit, &step), t->rank, t->dims);
}

/* Standard normal numbers of |t|, in its computing type; complex ones have variance 1/2 in each part. */
static hlo_val normal(low *l, hlo_val snapshot, const tp_type *t) {
    int64_t n = tp_type_numel(t);
    tp_dtype d = (tp_dtype)t->dtype;
    bool complex = tp_dtype_is_complex(d);
    if (n == 0) return cast(l, empty_like(l, t), opmath(d));
    hlo_val z = normal_flat(l, snapshot, complex ? 2 * n : n, tp_dtype_real(d) == TP_F64);
    if (!complex) return part(l, z, 0, n, t);
    z = mul(l, z, konst_like(l, z, 0.70710678118654752440));
    return hlo_complex(l->g, part(l, z, 0, n, t), part(l, z, n, n, t));
}

/* ---- rows that fill self */
static tp_dtype self_float(low *l) {
    tp_dtype t = (tp_dtype)arg_type(l, 0)->dtype;
    if (!tp_dtype_is_float(t)) refuse_dtype(l, t);
    return t;
}

void low_uniform(low *l) {
    tp_dtype t = self_float(l);
    if (failed(l)) return;
    hlo_val u = uniform(l, rng(l, 3), arg_type(l, 0)), from = num(l, 1, dt(l, u)), to = num(l, 2, dt(l, u));
    out_as(l, 0, add(l, mul(l, u, sub(l, to, from)), from), t);
}

void low_normal(low *l) {
    tp_dtype t = (tp_dtype)arg_type(l, 0)->dtype;
    if (!tp_dtype_is_float(t) && !tp_dtype_is_complex(t)) refuse_dtype(l, t);
    if (failed(l)) return;
    hlo_val z = normal(l, rng(l, 3), arg_type(l, 0));
    out_as(l, 0, add(l, mul(l, z, num(l, 2, dt(l, z))), num(l, 1, dt(l, z))), t);
}

/* (mean, std, generator): at least one is a tensor */
void low_normal_of(low *l) {
    hlo_val v[2] = {in(l, 0), in(l, 1)};
    tp_type t = broadcast_type(l, 2, v);
    tp_dtype d = (tp_dtype)arg_type(l, l->in[0].kind == AT_IN_TENSOR ? 0 : 1)->dtype;
    t.dtype = (uint8_t)d;
    if (!tp_dtype_is_float(d)) refuse_dtype(l, d);
    if (failed(l)) return;
    hlo_val z = normal(l, rng(l, 2), &t);
    if (l->in[1].kind == AT_IN_TENSOR)
        check(l, cmp(l, HLO_LT, v[1], konst_like(l, v[1], 0)), TP_RUNTIME, "normal expects all elements of std >= 0.0");
    out_as(l, 0, add(l, mul(l, z, cast(l, v[1], dt(l, z))), cast(l, v[0], dt(l, z))), d);
}

void low_log_normal(low *l) {
    tp_dtype t = self_float(l);
    if (failed(l)) return;
    hlo_val z = normal(l, rng(l, 3), arg_type(l, 0));
    out_as(l, 0, un(l, HLO_EXP, add(l, mul(l, z, num(l, 2, dt(l, z))), num(l, 1, dt(l, z)))), t);
}

void low_exponential(low *l) {
    tp_dtype t = self_float(l);
    if (failed(l)) return;
    hlo_val u = uniform_up(l, rng(l, 2), arg_type(l, 0));
    out_as(l, 0, quo(l, un(l, HLO_NEG, un(l, HLO_LOG, u)), num(l, 1, dt(l, u))), t);
}

void low_cauchy(low *l) {
    tp_dtype t = self_float(l);
    if (failed(l)) return;
    hlo_val u = uniform(l, rng(l, 3), arg_type(l, 0)), half = konst_like(l, u, 0.5), pi = konst_like(l, u, 3.14159265358979323846);
    hlo_val tangent = un(l, HLO_TAN, mul(l, pi, sub(l, u, half)));
    out_as(l, 0, add(l, num(l, 1, dt(l, u)), mul(l, num(l, 2, dt(l, u)), tangent)), t);
}

void low_geometric(low *l) {
    tp_type t = *arg_type(l, 0);
    tp_dtype d = (tp_dtype)t.dtype;
    if (d == TP_BOOL || tp_dtype_is_complex(d)) refuse_dtype(l, d);
    if (failed(l)) return;
    t.dtype = (uint8_t)(tp_dtype_is_float(d) && d != TP_F64 ? TP_F32 : TP_F64);
    hlo_val u = uniform_up(l, rng(l, 2), &t), p = num(l, 1, dt(l, u)), miss = un(l, HLO_LOG1P, un(l, HLO_NEG, p));
    hlo_val draws = un(l, HLO_CEIL, quo(l, un(l, HLO_LOG, u), miss));
    out_as(l, 0, bin(l, HLO_MAX, draws, konst_like(l, draws, 1)), d);
}

/* ---- coins.  |p| any float or number; an element is 1 where u < p. */
static hlo_val coin(low *l, hlo_val snapshot, const tp_type *like, hlo_val p) {
    tp_type t = *like;
    t.dtype = (uint8_t)(dt(l, p) == TP_F64 && rank_of(l, p) ? TP_F64 : TP_F32);
    hlo_val u = uniform(l, snapshot, &t);
    return cmp(l, HLO_LT, u, bcast(l, cast(l, p, dt(l, u)), t.rank, t.dims));
}

void low_bernoulli(low *l) { /* (p, generator) */
    tp_dtype t = self_float(l);
    if (!failed(l)) out_as(l, 0, coin(l, rng(l, 1), arg_type(l, 0), in(l, 0)), t);
}

void low_bernoulli_p(low *l) { /* (self, p, generator) */
    hlo_val p = in(l, 1);
    if (!tp_dtype_is_float(dt(l, p))) refuse_dtype(l, dt(l, p));
    if (!failed(l)) out_as(l, 0, coin(l, rng(l, 2), arg_type(l, 0), p), (tp_dtype)arg_type(l, 0)->dtype);
}

/* (input, p, train?, generator) -> (input / (1 - p) where kept, mask) */
void low_native_dropout(low *l) {
    const tp_type *t = arg_type(l, 0);
    tp_dtype d = (tp_dtype)t->dtype;
    if (has(l, 2) && !flag(l, 2)) {
        out(l, 0, in(l, 0));
        out(l, 1, full(l, TP_BOOL, t->rank, t->dims, 1));
        return;
    }
    if (!tp_dtype_is_float(d) && !tp_dtype_is_complex(d)) refuse_dtype(l, d);
    if (failed(l)) return;
    hlo_val x = in_op(l, 0, d), keep = sub(l, konst(l, TP_F64, 1), num(l, 1, TP_F64));
    hlo_val mask = coin(l, rng(l, 3), t, keep), zero = konst(l, TP_F64, 0);
    hlo_val scale = sel(l, cmp(l, HLO_EQ, keep, zero), zero, quo(l, konst(l, TP_F64, 1), keep));
    hlo_val kept = mul(l, x, cast(l, scale, dt(l, x)));
    out_as(l, 0, mul(l, kept, cast(l, mask, dt(l, x))), d);
    out(l, 1, mask);
}

void low_native_dropout_backward(low *l) { /* (grad, mask, scale) */
    tp_dtype d = floating((tp_dtype)arg_type(l, 0)->dtype);
    hlo_val g = in_op(l, 0, d);
    out_as(l, 0, mul(l, mul(l, g, in_as(l, 1, dt(l, g))), num(l, 2, dt(l, g))), d);
}

/* ---- integers */
static hlo_val bits64(low *l, hlo_val snapshot, const tp_type *t) {
    hlo_val w[WORDS];
    int64_t n = tp_type_numel(t);
    if (n == 0) return full(l, TP_U64, t->rank, t->dims, 0);
    random_words(l, snapshot, n, 2, w);
    return hlo_reshape(l->g, join64(l, w[0], w[1]), t->rank, t->dims);
}

/* How many values random_() draws from: all that a float counts to, or the non-negative integers. */
static uint64_t natural_range(tp_dtype t) {
    switch (t) {
    case TP_BOOL: return 2;
    case TP_F16: return (1u << 11) + 1;
    case TP_BF16: return (1u << 8) + 1;
    case TP_F32: return (1u << 24) + 1;
    case TP_F64: return (UINT64_C(1) << 53) + 1;
    case TP_U64: return 0; /* all 64 bits */
    default: break;
    }
    int bits = (int)tp_dtype_size(t) * 8;
    return UINT64_C(1) << (tp_dtype_class(t) == TP_CLASS_SINT ? bits - 1 : bits);
}

static void check_countable(low *l) {
    tp_dtype t = (tp_dtype)arg_type(l, 0)->dtype;
    if (tp_dtype_is_complex(t)) refuse_dtype(l, t);
}

/* from + bits % range, in |t|.  |range| 0: all bits. */
static void put_integers(low *l, hlo_val bits, hlo_val from, hlo_val range) {
    tp_dtype t = (tp_dtype)arg_type(l, 0)->dtype;
    hlo_val none = cmp(l, HLO_EQ, range, konst_like(l, range, 0)), divisor = sel(l, none, konst_like(l, range, 1), range);
    hlo_val r = sel(l, none, bits, bin(l, HLO_REM, bits, bcast_as(l, divisor, bits)));
    if (t == TP_U64)
        out(l, 0, add(l, r, hlo_convert(l->g, from, TP_U64)));
    else
        out_as(l, 0, add(l, hlo_convert(l->g, r, TP_I64), from), t);
}

void low_random(low *l) { /* (self, generator) */
    check_countable(l);
    const tp_type *t = arg_type(l, 0);
    hlo_val range = hlo_const_int(l->g, TP_U64, (int64_t)natural_range((tp_dtype)t->dtype));
    if (!failed(l)) put_integers(l, bits64(l, rng(l, 1), t), konst(l, TP_I64, 0), range);
}

void low_random_to(low *l) { /* (self, to, generator) */
    check_countable(l);
    if (!failed(l)) put_integers(l, bits64(l, rng(l, 2), arg_type(l, 0)), konst(l, TP_I64, 0), num(l, 1, TP_U64));
}

void low_random_from(low *l) { /* (self, from, to?, generator) */
    const tp_type *t = arg_type(l, 0);
    check_countable(l);
    if (failed(l)) return;
    hlo_val from = num(l, 1, TP_I64);
    hlo_val last = hlo_const_int(l->g, TP_U64, (int64_t)natural_range((tp_dtype)t->dtype));
    hlo_val to = has(l, 2) ? num(l, 2, TP_U64) : last;
    put_integers(l, bits64(l, rng(l, 3), t), from, sub(l, to, hlo_convert(l->g, from, TP_U64)));
}

/* (n, generator, dtype?): 0 .. n-1 in the order of random keys */
void low_randperm(low *l) {
    int64_t n = inum(l, 0);
    tp_dtype t = dtype_opt(l, 2, TP_I64);
    if (n < 0) fail(l, TP_RUNTIME, "n must be non-negative, got%lld", (long long)n);
    if (failed(l)) return;
    tp_type type = tp_type_make(TP_I64, 1, &n);
    hlo_val pair[2] = {bits64(l, rng(l, 1), &type), hlo_iota(l->g, &type, 0)}, sorted[2] = {HLO_NONE, HLO_NONE};
    if (n < 2) {
        out_as(l, 0, pair[1], t);
        return;
    }
    hlo_graph *before = hlo_region(l->g);
    hlo_val p[4];
    for (int i = 0; i < 4; i++) {
        tp_type scalar = tp_type_make(i < 2 ? TP_U64 : TP_I64, 0, NULL);
        p[i] = hlo_param(before, &scalar);
    }
    hlo_val less = hlo_compare(before, HLO_LT, p[0], p[1]);
    hlo_return(before, 1, &less);
    hlo_sort(l->g, 2, pair, 0, true, before, sorted);
    out_as(l, 0, sorted[1], t);
}
