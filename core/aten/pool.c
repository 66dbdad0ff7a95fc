/* Pooling over windows of the last two or three dimensions, and its gradients. */
#include "aten/index.h"

typedef struct axis {
    int d; /* dimension of the input */
    int64_t in, out, kernel, stride, pad, dilation;
} axis;

typedef struct windows {
    int n, rank;
    axis axes[3];
    int64_t out_sizes[TP_MAX_RANK];
} windows;

/* ---- arguments */
static int64_t pooled_size(const axis *a, bool ceil_mode) {
    int64_t room = a->in + 2 * a->pad - a->dilation * (a->kernel - 1) - 1 + (ceil_mode ? a->stride - 1 : 0);
    int64_t n = (room >= 0 ? room / a->stride : -((-room + a->stride - 1) / a->stride)) + 1;
    return ceil_mode && (n - 1) * a->stride >= a->in + a->pad ? n - 1 : n;
}

static int64_t list_item(const int64_t *list, int n, int k, int64_t absent) { return !n ? absent : list[n == 1 ? 0 : k]; }

static const char *plane_text(low *l, const windows *w, bool out_plane) {
    int64_t sizes[4] = {0};
    int at = w->rank - w->n - 1;
    sizes[0] = w->out_sizes[at];
    for (int k = 0; k < w->n; k++) sizes[k + 1] = out_plane ? w->axes[k].out : w->axes[k].in;
    return sizes_by_x(l, w->n + 1, sizes);
}

static void check_axes(low *l, const windows *w) {
    for (int k = 0; k < w->n && !failed(l); k++) {
        const axis *a = &w->axes[k];
        if (a->stride <= 0) fail(l, TP_RUNTIME, "stride should not be zero");
        else if (a->kernel <= 0) fail(l, TP_RUNTIME, "kernel size should be greater than zero, but got %lld", (long long)a->kernel);
        else if (a->dilation <= 0) fail(l, TP_RUNTIME, "dilation should be greater than zero, but got %lld", (long long)a->dilation);
        else if (a->pad < 0 || a->pad > (a->dilation * (a->kernel - 1) + 1) / 2)
            fail(l, TP_RUNTIME, "pad should be at most half of effective kernel size, but got pad=%lld, kernel_size=%lld and dilation=%lld",
                 (long long)a->pad, (long long)a->kernel, (long long)a->dilation);
    }
}

/* |x|, kernel_size, stride, padding, dilation (-1: none), ceil_mode: argument positions. */
static bool read_windows(low *l, hlo_val x, int n, int kernel, int stride, int pad, int dilation, int ceil_mode, windows *w) {
    int nk, ns, np, nd;
    const int64_t *ks = ints(l, kernel, &nk), *ss = ints(l, stride, &ns), *ps = ints(l, pad, &np), *ds = ints(l, dilation, &nd);
    if (failed(l)) return false;
    *w = (windows){.n = n};
    w->rank = sizes_of(l, x, w->out_sizes);
    bool fits = w->rank == n + 1 || w->rank == n + 2;
    if (!fits) fail(l, TP_RUNTIME, "non-empty %dD or %dD (batch mode) tensor expected for input", n + 1, n + 2);
    for (int d = w->rank == n + 2; d < w->rank && fits; d++) fits = w->out_sizes[d] != 0;
    if (!fits)
        fail(l, TP_RUNTIME, "Expected %dD or %dD (batch mode) tensor with optional 0 dim batch size for input, but got:%s", n + 1, n + 2,
             sizes_text(l, w->rank, w->out_sizes));
    if (nk != 1 && nk != n)
        fail(l, TP_RUNTIME, "%s: kernel_size must either be a single int, or a tuple of %s ints", n == 2 ? "max_pool2d" : "max_pool3d",
             n == 2 ? "two" : "three");
    if (failed(l)) return false;
    for (int k = 0; k < n; k++) {
        axis *a = &w->axes[k];
        a->d = w->rank - n + k;
        a->in = w->out_sizes[a->d];
        a->kernel = list_item(ks, nk, k, 1);
        a->stride = list_item(ss, ns, k, a->kernel);
        a->pad = list_item(ps, np, k, 0);
        a->dilation = list_item(ds, nd, k, 1);
    }
    check_axes(l, w);
    if (failed(l)) return false;
    bool small = false;
    for (int k = 0; k < n; k++) {
        w->axes[k].out = pooled_size(&w->axes[k], flag(l, ceil_mode));
        small = small || w->axes[k].out < 1;
    }
    if (small)
        fail(l, TP_RUNTIME, "Given input size: (%s). Calculated output size: (%s). Output size is too small", plane_text(l, w, false),
             plane_text(l, w, true));
    for (int k = 0; k < n; k++) w->out_sizes[w->axes[k].d] = w->axes[k].out;
    return !failed(l);
}

/* ---- maximum: along one axis after the other.  A candidate is a value and its flat place in the plane, -1 for none. */
typedef struct best {
    hlo_val value, place;
} best;

static best better(low *l, best a, best b) {
    hlo_val none = konst_like(l, a.place, 0), wins = cmp(l, HLO_GT, b.value, a.value);
    if (tp_dtype_is_float(dt(l, a.value))) wins = bin(l, HLO_OR, wins, is_nan(l, b.value));
    wins = bin(l, HLO_AND, cmp(l, HLO_GE, b.place, none), bin(l, HLO_OR, cmp(l, HLO_LT, a.place, none), wins));
    return (best){sel(l, wins, b.value, a.value), sel(l, wins, b.place, a.place)};
}

/* The places of |x|'s elements in the plane of its last |n| dimensions. */
static hlo_val plane_places(low *l, hlo_val x, int n) {
    int rank = rank_of(l, x);
    hlo_val places = HLO_NONE;
    for (int d = rank - n; d < rank; d++) {
        hlo_val along_d = iota(l, TP_I32, x, d);
        places = hlo_is_none(places) ? along_d : add(l, mul(l, places, konst(l, TP_I32, (double)size_of(l, x, d))), along_d);
    }
    return places;
}

static best best_along(low *l, best all, const axis *a) {
    int64_t span = (a->out - 1) * a->stride + 1, reach = span + (a->kernel - 1) * a->dilation;
    int64_t after = reach > a->in + a->pad ? reach - a->in - a->pad : 0;
    hlo_val value = pad_dim(l, all.value, a->d, a->pad, after, konst(l, dt(l, all.value), 0));
    hlo_val place = pad_dim(l, all.place, a->d, a->pad, after, konst(l, TP_I32, -1));
    best r = {HLO_NONE, HLO_NONE};
    for (int64_t k = 0; k < a->kernel && !failed(l); k++) {
        int64_t start = k * a->dilation;
        best tap = {stride_dim(l, value, a->d, start, start + span, a->stride), stride_dim(l, place, a->d, start, start + span, a->stride)};
        r = k ? better(l, r, tap) : tap;
    }
    return r;
}

static void max_pool(low *l, int n) {
    hlo_val x = in(l, 0);
    windows w;
    if (!read_windows(l, x, n, 1, 2, 3, 4, 5, &w)) return;
    tp_dtype t = dt(l, x);
    if (t == TP_BOOL || tp_dtype_is_complex(t)) unimplemented(l, n == 2 ? "max_pool2d" : "max_pool3d", t);
    if (failed(l)) return;
    if (numel_of(l, x) == 0) {
        out(l, 0, full(l, t, w.rank, w.out_sizes, 0));
        out(l, 1, full(l, TP_I64, w.rank, w.out_sizes, 0));
        return;
    }
    best r = {x, plane_places(l, x, n)};
    for (int k = n - 1; k >= 0; k--) r = best_along(l, r, &w.axes[k]);
    out(l, 0, r.value);
    out_as(l, 1, r.place, TP_I64);
}

void low_max_pool2d(low *l) { max_pool(l, 2); }
void low_max_pool3d(low *l) { max_pool(l, 3); }

/* Adds |g| into zeros of x's sizes at the flat places |index| of each plane. */
static hlo_val into_planes(low *l, hlo_val g, hlo_val x, hlo_val index, int n) {
    int64_t sizes[TP_MAX_RANK];
    int rank = sizes_of(l, x, sizes);
    tp_dtype wide = opmath(dt(l, x));
    int64_t plane = tp_numel(n, sizes + rank - n), outer = tp_numel(rank - n, sizes), flat[2] = {outer, plane};
    if (failed(l) || numel_of(l, g) == 0) return full(l, dt(l, x), rank, sizes, 0);
    int64_t reduced[2] = {outer, numel_of(l, g) / outer};
    hlo_val v = put_along(l, HLO_ADD, full(l, wide, 2, flat, 0), reshape(l, index, 2, reduced), reshape(l, cast(l, g, wide), 2, reduced), 1);
    return cast(l, reshape(l, v, rank, sizes), dt(l, x));
}

enum { MAX_TAPS = 49 }; /* beyond it one scatter is shorter than a sum of taps */

/* Coordinate of the input that tap |k| of output |iota| reads along an axis, over the output's sizes. */
static hlo_val tap_coordinate(low *l, hlo_val like, const axis *a, int64_t k) {
    hlo_val o = mul(l, iota(l, TP_I32, like, a->d), konst(l, TP_I32, (double)a->stride));
    return add(l, o, konst(l, TP_I32, (double)(k * a->dilation - a->pad)));
}

/* Where an output's maximum is the input element that the tap reads, its gradient goes there. */
static hlo_val tap_gradient(low *l, hlo_val g, hlo_val index, const windows *w, int64_t tap) {
    int64_t low_edge[TP_MAX_RANK] = {0}, high_edge[TP_MAX_RANK] = {0}, inner[TP_MAX_RANK] = {0}, at[3];
    for (int k = w->n - 1; k >= 0; k--) {
        at[k] = tap % w->axes[k].kernel;
        tap /= w->axes[k].kernel;
    }
    hlo_val place = HLO_NONE;
    for (int k = 0; k < w->n; k++) {
        const axis *a = &w->axes[k];
        hlo_val c = tap_coordinate(l, g, a, at[k]);
        place = k ? add(l, mul(l, place, konst(l, TP_I32, (double)a->in)), c) : c;
        inner[a->d] = a->stride - 1;
        low_edge[a->d] = at[k] * a->dilation - a->pad;
        high_edge[a->d] = a->in - ((a->out - 1) * a->stride + 1) - low_edge[a->d];
    }
    hlo_val zero = konst_like(l, g, 0), mine = sel(l, cmp(l, HLO_EQ, index, place), g, zero);
    return hlo_pad(l->g, mine, zero, low_edge, high_edge, inner);
}

static void max_pool_backward(low *l, int n) {
    hlo_val g = in(l, 0), x = in(l, 1), index = in(l, 7);
    windows w;
    if (!read_windows(l, x, n, 2, 3, 4, 5, 6, &w)) return;
    int64_t taps = 1;
    for (int k = 0; k < n; k++) taps = taps > MAX_TAPS ? taps : taps * w.axes[k].kernel;
    if (taps > MAX_TAPS || numel_of(l, g) == 0) {
        out(l, 0, into_planes(l, g, x, index, n));
        return;
    }
    hlo_val sum = HLO_NONE;
    g = cast(l, g, opmath(dt(l, x)));
    index = cast(l, index, TP_I32);
    for (int64_t tap = 0; tap < taps && !failed(l); tap++) {
        hlo_val part = tap_gradient(l, g, index, &w, tap);
        sum = tap ? add(l, sum, part) : part;
    }
    out_as(l, 0, sum, dt(l, x));
}

void low_max_pool2d_backward(low *l) { max_pool_backward(l, 2); }
void low_max_pool3d_backward(low *l) { max_pool_backward(l, 3); }

/* ---- mean */
/* Elements each window averages along one axis, as a rank-1 array. */
static hlo_val window_lengths(low *l, const axis *a, bool count_pad, tp_dtype t) {
    hlo_val start = sub(l, mul(l, count_up(l, TP_I32, a->out), konst(l, TP_I32, (double)a->stride)), konst(l, TP_I32, (double)a->pad));
    hlo_val end = bin(l, HLO_MIN, add(l, start, konst(l, TP_I32, (double)a->kernel)), konst(l, TP_I32, (double)(a->in + a->pad)));
    if (!count_pad) {
        start = bin(l, HLO_MAX, start, konst(l, TP_I32, 0));
        end = bin(l, HLO_MIN, end, konst(l, TP_I32, (double)a->in));
    }
    return cast(l, sub(l, end, start), t);
}

static hlo_val divided(low *l, hlo_val v, const windows *w, int count_pad, int divisor) {
    tp_dtype t = dt(l, v);
    if (has(l, divisor)) return quo(l, v, konst(l, t, (double)inum(l, divisor)));
    hlo_val n = HLO_NONE;
    for (int k = 0; k < w->n; k++) {
        hlo_val lengths = along(l, window_lengths(l, &w->axes[k], flag(l, count_pad), t), w->rank, w->out_sizes, w->axes[k].d);
        n = k ? mul(l, n, lengths) : lengths;
    }
    return quo(l, v, n);
}

static void check_divisor(low *l, int divisor) {
    if (!failed(l) && has(l, divisor) && inum(l, divisor) == 0) fail(l, TP_RUNTIME, "divisor must be not zero");
}

/* self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override? */
static void avg_pool(low *l, int n) {
    hlo_val x = in(l, 0);
    windows w;
    check_divisor(l, 6);
    if (!read_windows(l, x, n, 1, 2, 3, -1, 4, &w)) return;
    tp_dtype t = dt(l, x);
    int64_t size[TP_MAX_RANK], step[TP_MAX_RANK], before[TP_MAX_RANK] = {0}, after[TP_MAX_RANK] = {0};
    if (numel_of(l, x) == 0) {
        out(l, 0, full(l, t, w.rank, w.out_sizes, 0));
        return;
    }
    for (int d = 0; d < w.rank; d++) size[d] = step[d] = 1;
    hlo_val v = cast(l, x, opmath(t));
    for (int k = 0; k < n; k++) {
        const axis *a = &w.axes[k];
        int64_t reach = (a->out - 1) * a->stride + a->kernel - a->pad;
        if (reach < a->in) v = narrow(l, v, a->d, 0, reach);
        size[a->d] = a->kernel;
        step[a->d] = a->stride;
        before[a->d] = a->pad;
        after[a->d] = reach > a->in ? reach - a->in : 0;
    }
    v = hlo_reduce_window(l->g, HLO_ADD, v, konst_like(l, v, 0), size, step, NULL, NULL, before, after);
    out_as(l, 0, divided(l, v, &w, 5, 6), t);
}

void low_avg_pool2d(low *l) { avg_pool(l, 2); }
void low_avg_pool3d(low *l) { avg_pool(l, 3); }

/* grad_output, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override? */
static void avg_pool_backward(low *l, int n) {
    hlo_val g = in(l, 0), x = in(l, 1);
    windows w;
    check_divisor(l, 7);
    if (!read_windows(l, x, n, 2, 3, 4, -1, 5, &w)) return;
    tp_dtype t = dt(l, x);
    int64_t size[TP_MAX_RANK], one[TP_MAX_RANK], spread[TP_MAX_RANK], before[TP_MAX_RANK] = {0}, after[TP_MAX_RANK] = {0};
    if (numel_of(l, x) == 0) {
        out(l, 0, x);
        return;
    }
    for (int d = 0; d < w.rank; d++) size[d] = one[d] = spread[d] = 1;
    for (int k = 0; k < n; k++) {
        const axis *a = &w.axes[k];
        size[a->d] = a->kernel;
        spread[a->d] = a->stride;
        before[a->d] = a->kernel - 1 - a->pad;
        after[a->d] = a->in - ((a->out - 1) * a->stride + 1) + a->pad;
    }
    g = divided(l, cast(l, g, opmath(t)), &w, 6, 7);
    out_as(l, 0, hlo_reduce_window(l->g, HLO_ADD, g, konst_like(l, g, 0), size, one, spread, NULL, before, after), t);
}

void low_avg_pool2d_backward(low *l) { avg_pool_backward(l, 2); }
void low_avg_pool3d_backward(low *l) { avg_pool_backward(l, 3); }

/* ---- adaptive */
static bool check_adaptive(low *l, const char *fn, hlo_val x, int n) {
    int rank = rank_of(l, x);
    if (failed(l)) return false;
    const char *sizes = sizes_text(l, rank, type_of(l, x)->dims);
    if (rank != n + 1 && rank != n + 2) fail(l, TP_RUNTIME, "%s(): Expected %dD or %dD tensor, but got %s", fn, n + 1, n + 2, sizes);
    for (int d = rank - n; d < rank && !failed(l); d++)
        if (size_of(l, x, d) == 0)
            fail(l, TP_RUNTIME,
                 "%s(): Expected input to have non-zero size for non-batch dimensions, but input has sizes %s with dimension %d being empty", fn,
                 sizes, d);
    return !failed(l);
}

/* First place of window o, and the place after its last: floor(o * in / out), ceil((o + 1) * in / out). */
static hlo_val window_edge(low *l, hlo_val o, int64_t n_in, int64_t n_out, bool end) {
    hlo_val size = hlo_const_int(l->g, TP_I64, n_in), count = hlo_const_int(l->g, TP_I64, n_out);
    if (!end) return quo(l, mul(l, o, size), count);
    return quo(l, add(l, mul(l, add(l, o, konst(l, TP_I64, 1)), size), hlo_const_int(l->g, TP_I64, n_out - 1)), count);
}

/* [n_out, n_in] weights of the mean over uneven windows. */
static hlo_val mean_matrix(low *l, tp_dtype t, int64_t n_in, int64_t n_out) {
    int64_t sizes[2] = {n_out, n_in};
    tp_type square = tp_type_make(TP_I64, 2, sizes);
    hlo_val o = hlo_iota(l->g, &square, 0), i = hlo_iota(l->g, &square, 1);
    hlo_val start = window_edge(l, o, n_in, n_out, false), end = window_edge(l, o, n_in, n_out, true);
    hlo_val inside = bin(l, HLO_AND, cmp(l, HLO_GE, i, start), cmp(l, HLO_LT, i, end));
    return sel(l, inside, quo(l, konst(l, t, 1), cast(l, sub(l, end, start), t)), konst(l, t, 0));
}

static hlo_val mean_along(low *l, hlo_val v, int d, int64_t n_out) {
    int64_t sizes[TP_MAX_RANK], n_in = size_of(l, v, d), part = n_out ? n_in / n_out : 0;
    int rank = sizes_of(l, v, sizes);
    if (n_out == n_in || failed(l)) return v;
    if (n_out == 0 || numel_of(l, v) == 0 || n_in % n_out != 0 || rank + 1 > TP_MAX_RANK)
        return contract(l, v, mean_matrix(l, dt(l, v), n_in, n_out), d, 1);
    for (int k = rank; k > d + 1; k--) sizes[k] = sizes[k - 1];
    sizes[d] = n_out;
    sizes[d + 1] = part;
    v = reduce(l, HLO_ADD, reshape(l, v, rank + 1, sizes), 0, 2u << d, false);
    return quo(l, v, konst_like(l, v, (double)part));
}

static void adaptive_avg_pool(low *l, int n) {
    int given;
    const int64_t *sizes = ints(l, 1, &given);
    hlo_val x = in(l, 0), v = cast(l, x, opmath(dt(l, x)));
    const char *fn = n == 2 ? "adaptive_avg_pool2d" : "adaptive_avg_pool3d";
    if (!check_adaptive(l, fn, x, n)) return;
    if (given != n) fail(l, TP_RUNTIME, "%s: output_size must be %d", fn, n);
    else if (!tp_dtype_is_float(dt(l, x))) unimplemented(l, fn, dt(l, x));
    if (failed(l)) return;
    for (int k = 0; k < n; k++) v = mean_along(l, v, rank_of(l, x) - n + k, sizes[k]);
    out_as(l, 0, v, dt(l, x));
}

void low_adaptive_avg_pool2d(low *l) { adaptive_avg_pool(l, 2); }
void low_adaptive_avg_pool3d(low *l) { adaptive_avg_pool(l, 3); }

static void adaptive_avg_pool_backward(low *l, int n) {
    hlo_val g = in(l, 0), x = in(l, 1);
    tp_dtype t = dt(l, x);
    if (!check_adaptive(l, n == 2 ? "adaptive_avg_pool2d_backward" : "adaptive_avg_pool3d_backward", x, n)) return;
    g = cast(l, g, opmath(t));
    for (int d = rank_of(l, x) - n; d < rank_of(l, x); d++)
        if (size_of(l, g, d) != size_of(l, x, d)) g = contract(l, g, mean_matrix(l, dt(l, g), size_of(l, x, d), size_of(l, g, d)), d, 0);
    out_as(l, 0, g, t);
}

void low_adaptive_avg_pool2d_backward(low *l) { adaptive_avg_pool_backward(l, 2); }
void low_adaptive_avg_pool3d_backward(low *l) { adaptive_avg_pool_backward(l, 3); }

static best adaptive_best_along(low *l, best all, int d, int64_t n_out) {
    int64_t n_in = size_of(l, all.value, d), longest = 1;
    for (int64_t o = 0; o < n_out; o++) {
        int64_t length = ((o + 1) * n_in + n_out - 1) / n_out - o * n_in / n_out;
        longest = length > longest ? length : longest;
    }
    hlo_val o = count_up(l, TP_I64, n_out), start = window_edge(l, o, n_in, n_out, false), end = window_edge(l, o, n_in, n_out, true);
    best r = {HLO_NONE, HLO_NONE};
    for (int64_t k = 0; k < longest && !failed(l); k++) {
        hlo_val at = add(l, start, hlo_const_int(l->g, TP_I64, k));
        hlo_val from = bin(l, HLO_MIN, at, hlo_const_int(l->g, TP_I64, n_in - 1));
        best tap = {take_rows(l, all.value, from, d), take_rows(l, all.place, from, d)};
        int64_t sizes[TP_MAX_RANK];
        int rank = sizes_of(l, tap.place, sizes);
        tap.place = sel(l, along(l, cmp(l, HLO_LT, at, end), rank, sizes, d), tap.place, konst(l, TP_I32, -1));
        r = k ? better(l, r, tap) : tap;
    }
    return r;
}

static void adaptive_max_pool(low *l, int n) {
    int given;
    const int64_t *sizes = ints(l, 1, &given);
    hlo_val x = in(l, 0);
    if (!check_adaptive(l, n == 2 ? "adaptive_max_pool2d" : "adaptive_max_pool3d", x, n)) return;
    int rank = rank_of(l, x);
    if (given != n) fail(l, TP_RUNTIME, "adaptive_max_pool%dd(): internal error: output_size.size() must be %d", n, n);
    if (failed(l)) return;
    best r = {x, plane_places(l, x, n)};
    for (int k = n - 1; k >= 0 && !failed(l); k--) {
        int d = rank - n + k;
        if (sizes[k] > 0 && numel_of(l, r.value)) {
            r = adaptive_best_along(l, r, d, sizes[k]);
        } else {
            int64_t s[TP_MAX_RANK];
            sizes_of(l, r.value, s);
            s[d] = sizes[k];
            r = (best){full(l, dt(l, x), rank, s, 0), full(l, TP_I32, rank, s, 0)};
        }
    }
    out(l, 0, r.value);
    out_as(l, 1, r.place, TP_I64);
}

void low_adaptive_max_pool2d(low *l) { adaptive_max_pool(l, 2); }
void low_adaptive_max_pool3d(low *l) { adaptive_max_pool(l, 3); }
void low_adaptive_max_pool2d_backward(low *l) { out(l, 0, into_planes(l, in(l, 0), in(l, 1), in(l, 2), 2)); }
void low_adaptive_max_pool3d_backward(low *l) { out(l, 0, into_planes(l, in(l, 0), in(l, 1), in(l, 2), 3)); }
