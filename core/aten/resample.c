/* Resizing of spatial dimensions (nearest, linear, cubic) and padding by reflection or replication, with their gradients.
 * Each is done one dimension after the other: by places that are read, or by a small matrix of weights. */
#include "aten/index.h"

/* ---- arguments */
typedef enum { NEAREST, EXACT, LINEAR, CUBIC } method;

typedef struct resize {
    method how;
    int n, rank, scales; /* spatial dimensions; rank of the input; argument of the first scale */
    bool align, backward;
    int64_t in_sizes[TP_MAX_RANK], out_sizes[3];
} resize;

static const char *plane_words(low *l, int n, const int64_t *sizes) {
    static const char names[] = "DHW";
    const char *words = "";
    for (int k = 0; k < n; k++) words = text(l, "%s%s%c: %lld", words, k ? ", " : "", names[3 - n + k], (long long)sizes[k]);
    return words;
}

/* |sizes|: argument of the output size; |input|: of the input size, or -1 where argument 0 is the input. */
static bool read_resize(low *l, method how, int sizes, int input, resize *r) {
    int n, ni;
    const int64_t *out_sizes = ints(l, sizes, &n), *in_sizes = ints(l, input, &ni);
    if (failed(l)) return false;
    *r = (resize){.how = how, .backward = input >= 0};
    r->rank = sizes_of(l, in(l, 0), r->in_sizes);
    r->n = l->row->name[strcspn(l->row->name, "123")] - '0'; /* upsample_bilinear2d: the name says how many */
    if (n != r->n) fail(l, TP_RUNTIME, "It is expected output_size equals to %d, but got size %d", r->n, n);
    else if (r->rank != n + 2 || (input >= 0 && ni != r->rank))
        fail(l, TP_RUNTIME, "It is expected input_size equals to %d, but got size %d", n + 2, input >= 0 ? ni : r->rank);
    if (failed(l)) return false;
    if (input >= 0) memcpy(r->in_sizes, in_sizes, (size_t)ni * sizeof *in_sizes);
    memcpy(r->out_sizes, out_sizes, (size_t)n * sizeof *out_sizes);
    int at = (input >= 0 ? input : sizes) + 1;
    if (how >= LINEAR) r->align = flag(l, at++);
    r->scales = at;
    bool positive = true;
    for (int k = 0; k < n; k++) positive = positive && r->in_sizes[k + 2] > 0 && out_sizes[k] > 0;
    if (!positive)
        fail(l, TP_RUNTIME, n == 1 ? "Input and output sizes should be greater than 0, but got input (%s) and output (%s)"
                                   : "Input and output sizes should be greater than 0, but got input (%s) output (%s)",
             plane_words(l, n, r->in_sizes + 2), plane_words(l, n, out_sizes));
    for (int k = 0; k < n && input >= 0 && !failed(l); k++)
        if (size_of(l, in(l, 0), k + 2) != out_sizes[k])
            fail(l, TP_RUNTIME, "Expected grad_output to have the same shape as output; output.size(%d) = %lld but got grad_output.size(%d) = %lld",
                 k + 2, (long long)out_sizes[k], k + 2, (long long)size_of(l, in(l, 0), k + 2));
    return !failed(l);
}

/* Input steps per output step of spatial dimension |k|. */
static double step_of(low *l, const resize *r, int k) {
    double given = sopt(l, r->scales + k, 0), n_in = (double)r->in_sizes[k + 2], n_out = (double)r->out_sizes[k];
    if (r->align) return n_out > 1 ? (n_in - 1) / (n_out - 1) : 0;
    return given > 0 ? 1 / given : n_in / n_out;
}

/* ---- nearest */
/* PyTorch's 2-d kernels and all gradients take equal and doubled sizes for what they look like, whatever scale was given. */
static bool looks_like(low *l, const resize *r, int k, int64_t times) {
    return r->how == NEAREST && r->out_sizes[k] == times * r->in_sizes[k + 2] && (r->n == 2 || r->backward || sopt(l, r->scales + k, 0) <= 0);
}

static hlo_val nearest_places(low *l, const resize *r, int k) {
    int64_t n_in = r->in_sizes[k + 2], n_out = r->out_sizes[k];
    hlo_val o = count_up(l, TP_I32, n_out);
    if (looks_like(l, r, k, 1)) return o;
    if (looks_like(l, r, k, 2)) return quo(l, o, konst(l, TP_I32, 2));
    hlo_val at = cast(l, o, TP_F32);
    if (r->how == EXACT) at = add(l, at, konst(l, TP_F32, 0.5));
    at = cast(l, un(l, HLO_FLOOR, mul(l, at, konst(l, TP_F32, step_of(l, r, k)))), TP_I32);
    return bin(l, HLO_MIN, at, konst(l, TP_I32, (double)(n_in - 1)));
}

/* Every element |times| times, next to each other. */
static hlo_val spread(low *l, hlo_val v, int d, int64_t times) {
    int64_t sizes[TP_MAX_RANK], wide[TP_MAX_RANK], from[TP_MAX_RANK];
    int rank = sizes_of(l, v, sizes);
    for (int k = 0; k < rank; k++) {
        from[k] = k + (k > d);
        wide[from[k]] = sizes[k];
    }
    wide[d + 1] = times;
    sizes[d] *= times;
    return reshape(l, hlo_broadcast(l->g, v, rank + 1, wide, from), rank, sizes);
}

static void nearest(low *l, method how) {
    resize r;
    if (!read_resize(l, how, 1, -1, &r)) return;
    hlo_val v = in(l, 0);
    tp_dtype t = dt(l, v);
    if (!tp_dtype_is_float(t) && t != TP_U8) {
        unimplemented(l, r.n == 1 ? "upsample_nearest1d" : r.n == 2 ? "upsample_nearest2d_channels_last" : "upsample_nearest3d_channels_last", t);
        return;
    }
    for (int k = 0; k < r.n; k++)
        v = looks_like(l, &r, k, 2) ? spread(l, v, k + 2, 2) : take_rows(l, v, nearest_places(l, &r, k), k + 2);
    out(l, 0, v);
}

/* Adds the elements of |g| along |d| into the |n| places of zeros that |places| names. */
static hlo_val fold(low *l, hlo_val g, hlo_val places, int d, int64_t n) {
    int64_t sizes[TP_MAX_RANK];
    int rank = sizes_of(l, g, sizes);
    sizes[d] = n;
    return put_rows(l, HLO_ADD, full(l, dt(l, g), rank, sizes, 0), places, g, d);
}

static void nearest_backward(low *l, method how) {
    resize r;
    if (!read_resize(l, how, 1, 2, &r)) return;
    tp_dtype t = dt(l, in(l, 0));
    hlo_val g = in_as(l, 0, opmath(t));
    for (int k = 0; k < r.n; k++) {
        int64_t n_in = r.in_sizes[k + 2], sizes[TP_MAX_RANK];
        if (!looks_like(l, &r, k, 2)) {
            g = fold(l, g, nearest_places(l, &r, k), k + 2, n_in);
            continue;
        }
        int rank = sizes_of(l, g, sizes);
        for (int d = rank; d > k + 3; d--) sizes[d] = sizes[d - 1];
        sizes[k + 2] = n_in;
        sizes[k + 3] = 2;
        g = reduce(l, HLO_ADD, reshape(l, g, rank + 1, sizes), 0, 1u << (k + 3), false);
    }
    out_as(l, 0, g, t);
}

void low_upsample_nearest(low *l) { nearest(l, NEAREST); }
void low_upsample_nearest_exact(low *l) { nearest(l, EXACT); }
void low_upsample_nearest_backward(low *l) { nearest_backward(l, NEAREST); }
void low_upsample_nearest_exact_backward(low *l) { nearest_backward(l, EXACT); }

/* ---- linear and cubic: [out, in] matrices of weights */
/* |x| where column |i| is |place|, else 0. */
static hlo_val at_place(low *l, hlo_val i, hlo_val place, hlo_val x) { return sel(l, cmp(l, HLO_EQ, i, place), x, konst_like(l, x, 0)); }

/* Keys' cubic with a = -0.75 at distance |x|: the inner piece for |x| <= 1, the outer one for 1 < |x| < 2. */
static hlo_val cubic_weight(low *l, hlo_val x, bool inner) {
    const double a = -0.75;
    const double c[2][4] = {{a, -5 * a, 8 * a, -4 * a}, {a + 2, -(a + 3), 0, 1}};
    hlo_val v = konst_like(l, x, c[inner][0]);
    for (int k = 1; k < 4; k++) v = add(l, mul(l, v, x), konst_like(l, x, c[inner][k]));
    return v;
}

static hlo_val weights(low *l, const resize *r, int k, tp_dtype t) {
    int64_t n_in = r->in_sizes[k + 2], sizes[2] = {r->out_sizes[k], n_in};
    tp_type square = tp_type_make(TP_I32, 2, sizes);
    hlo_val i = hlo_iota(l->g, &square, 1), o = cast(l, hlo_iota(l->g, &square, 0), t);
    hlo_val step = konst(l, t, step_of(l, r, k)), half = konst(l, t, 0.5), zero = konst(l, t, 0), one = konst(l, t, 1);
    hlo_val x = r->align ? mul(l, o, step) : sub(l, mul(l, step, add(l, o, half)), half);
    if (r->how == LINEAR && !r->align) x = bin(l, HLO_MAX, x, zero);
    hlo_val last = konst(l, TP_I32, (double)(n_in - 1)), first = konst(l, TP_I32, 0);
    hlo_val base = bin(l, HLO_MIN, cast(l, un(l, HLO_FLOOR, x), TP_I32), last);
    hlo_val part = hlo_clamp(l->g, zero, sub(l, x, cast(l, base, t)), one);
    if (r->how == LINEAR) {
        hlo_val next = bin(l, HLO_MIN, add(l, base, konst(l, TP_I32, 1)), last);
        return add(l, at_place(l, i, base, sub(l, one, part)), at_place(l, i, next, part));
    }
    hlo_val rest = sub(l, one, part), sum = HLO_NONE;
    hlo_val taps[4] = {cubic_weight(l, add(l, part, one), false), cubic_weight(l, part, true), cubic_weight(l, rest, true),
                       cubic_weight(l, add(l, rest, one), false)};
    for (int tap = 0; tap < 4; tap++) {
        hlo_val place = hlo_clamp(l->g, first, add(l, base, konst(l, TP_I32, tap - 1)), last), part_sum = at_place(l, i, place, taps[tap]);
        sum = tap ? add(l, sum, part_sum) : part_sum;
    }
    return sum;
}

static void smooth(low *l, method how, bool backward) {
    resize r;
    if (!read_resize(l, how, 1, backward ? 2 : -1, &r)) return;
    tp_dtype t = dt(l, in(l, 0));
    if (!tp_dtype_is_float(t)) {
        unimplemented(l, how == CUBIC ? "upsample_bicubic2d" : r.n == 2 ? "upsample_bilinear2d_channels_last" : "upsample_linear", t);
        return;
    }
    hlo_val v = in_as(l, 0, opmath(t));
    for (int k = 0; k < r.n; k++)
        if (how == CUBIC || r.in_sizes[k + 2] != r.out_sizes[k]) v = contract(l, v, weights(l, &r, k, dt(l, v)), k + 2, !backward);
    out_as(l, 0, v, t);
}

void low_upsample_linear(low *l) { smooth(l, LINEAR, false); }
void low_upsample_linear_backward(low *l) { smooth(l, LINEAR, true); }
void low_upsample_cubic(low *l) { smooth(l, CUBIC, false); }
void low_upsample_cubic_backward(low *l) { smooth(l, CUBIC, true); }

/* ---- padding by what is there */
typedef struct edges {
    int n, rank;
    const int64_t *pad; /* (before, after) from the last dimension on */
} edges;

static bool read_edges(low *l, hlo_val x, int arg, int n, bool reflect, edges *e) {
    int given;
    *e = (edges){.n = n, .rank = rank_of(l, x), .pad = ints(l, arg, &given)};
    if (failed(l)) return false;
    int64_t sizes[TP_MAX_RANK];
    sizes_of(l, x, sizes);
    bool fits = e->rank == n + 1 || e->rank == n + 2;
    for (int d = e->rank == n + 2; d < e->rank && fits; d++) fits = sizes[d] != 0;
    const char *shape = sizes_text(l, e->rank, sizes);
    if (given != 2 * n) fail(l, TP_RUNTIME, "padding size is expected to be %d, but got: %d", 2 * n, given);
    else if (!fits)
        fail(l, TP_RUNTIME, "Expected %dD or %dD (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: %s",
             n + 1, n + 2, shape);
    for (int k = 0; k < n && !failed(l); k++) {
        int d = e->rank - 1 - k;
        int64_t before = e->pad[2 * k], after = e->pad[2 * k + 1];
        if (reflect && (before >= sizes[d] || after >= sizes[d]))
            fail(l, TP_RUNTIME,
                 "Argument #%d: Padding size should be less than the corresponding input dimension, but got: padding (%lld, %lld) at dimension %d "
                 "of input %s", 4 + 2 * k, (long long)before, (long long)after, d, shape);
        else if (sizes[d] + before + after < 1)
            fail(l, TP_RUNTIME, "input (%c: %lld) is too small. Calculated output %c: %lld", "WHD"[k], (long long)sizes[d], "WHD"[k],
                 (long long)(sizes[d] + before + after));
    }
    return !failed(l);
}

/* The place each element of the padded dimension is read from. */
static hlo_val edge_places(low *l, int64_t n, int64_t before, int64_t after, bool reflect) {
    hlo_val last = konst(l, TP_I32, (double)(n - 1)), zero = konst(l, TP_I32, 0);
    hlo_val i = sub(l, count_up(l, TP_I32, n + before + after), konst(l, TP_I32, (double)before));
    if (!reflect) return hlo_clamp(l->g, zero, i, last);
    i = un(l, HLO_ABS, i);
    return sel(l, cmp(l, HLO_GT, i, last), sub(l, konst(l, TP_I32, (double)(2 * (n - 1))), i), i);
}

static void pad_edges(low *l, int n, bool reflect) {
    hlo_val v = in(l, 0);
    edges e;
    if (!read_edges(l, v, 1, n, reflect, &e)) return;
    for (int k = 0; k < n; k++) {
        int d = e.rank - 1 - k;
        v = take_rows(l, v, edge_places(l, size_of(l, v, d), e.pad[2 * k], e.pad[2 * k + 1], reflect), d);
    }
    out(l, 0, v);
}

static void pad_edges_backward(low *l, int n, bool reflect) {
    hlo_val g = in(l, 0), x = in(l, 1);
    edges e;
    if (!read_edges(l, x, 2, n, reflect, &e)) return;
    tp_dtype t = dt(l, g);
    g = cast(l, g, opmath(t));
    for (int k = 0; k < n; k++) {
        int d = e.rank - 1 - k;
        int64_t size = size_of(l, x, d);
        g = fold(l, g, edge_places(l, size, e.pad[2 * k], e.pad[2 * k + 1], reflect), d, size);
    }
    out_as(l, 0, g, t);
}

void low_reflection_pad1d(low *l) { pad_edges(l, 1, true); }
void low_reflection_pad2d(low *l) { pad_edges(l, 2, true); }
void low_reflection_pad3d(low *l) { pad_edges(l, 3, true); }
void low_replication_pad1d(low *l) { pad_edges(l, 1, false); }
void low_replication_pad2d(low *l) { pad_edges(l, 2, false); }
void low_replication_pad3d(low *l) { pad_edges(l, 3, false); }
void low_reflection_pad1d_backward(low *l) { pad_edges_backward(l, 1, true); }
void low_reflection_pad2d_backward(low *l) { pad_edges_backward(l, 2, true); }
void low_reflection_pad3d_backward(low *l) { pad_edges_backward(l, 3, true); }
void low_replication_pad1d_backward(low *l) { pad_edges_backward(l, 1, false); }
void low_replication_pad2d_backward(low *l) { pad_edges_backward(l, 2, false); }
void low_replication_pad3d_backward(low *l) { pad_edges_backward(l, 3, false); }
