/* Convolution of any number of spatial dimensions, and its gradients.  Shapes are checked by PyTorch before it comes here.
 *
 * All four directions are one StableHLO convolution each: the transposed ones dilate their input and turn the kernel
 * round; the weight's gradient contracts over the batch.  Half precision accumulates in float32. */
#include "aten/shape.h"

typedef struct window {
    int n; /* spatial dimensions */
    int64_t stride[TP_MAX_RANK], pad[TP_MAX_RANK], dilation[TP_MAX_RANK], output_pad[TP_MAX_RANK];
    int64_t groups;
    bool transposed;
} window;

/* One number stands for all dimensions. */
static void read_list(low *l, int i, int n, int64_t absent, int64_t *out_list) {
    int have;
    const int64_t *list = ints(l, i, &have);
    for (int k = 0; k < n; k++) out_list[k] = !have ? absent : k < have ? list[k] : list[have - 1];
}

/* Arguments from |first|: stride, padding, dilation, transposed, output_padding, groups. */
static bool read_window(low *l, int first, hlo_val x, hlo_val weight, window *w) {
    if (failed(l)) return false;
    *w = (window){.n = rank_of(l, x) - 2, .groups = iopt(l, first + 5, 1), .transposed = flag(l, first + 3)};
    if (w->n < 1 || rank_of(l, weight) != w->n + 2 || w->groups < 1)
        fail(l, TP_RUNTIME, "convolution must be given an input and a weight of equal rank, at least 3, and groups > 0; got %s, %s and %lld",
             sizes_text(l, rank_of(l, x), type_of(l, x)->dims), sizes_text(l, rank_of(l, weight), type_of(l, weight)->dims),
             (long long)w->groups);
    if (failed(l)) return false;
    tp_dtype t = dt(l, x), u = dt(l, weight);
    if (t != u)
        fail(l, TP_RUNTIME, "Input type (%s) and weight type (%s) should be the same", cpp_type_name(t), cpp_type_name(u));
    read_list(l, first, w->n, 1, w->stride);
    read_list(l, first + 1, w->n, 0, w->pad);
    read_list(l, first + 2, w->n, 1, w->dilation);
    read_list(l, first + 4, w->n, 0, w->output_pad);
    return !failed(l);
}

/* Dimension numbers of NCHW-like arrays. */
static hlo_conv_dims plain_dims(const window *w) {
    hlo_conv_dims d = {.nspatial = w->n, .feature_in = 1, .feature_in_kernel = 1, .feature_out = 1, .feature_groups = 1, .batch_groups = 1};
    for (int k = 0; k < w->n; k++) {
        d.spatial_in[k] = d.spatial_kernel[k] = d.spatial_out[k] = k + 2;
        d.stride[k] = d.lhs_dilation[k] = d.rhs_dilation[k] = 1;
    }
    return d;
}

static hlo_val convolve(low *l, hlo_val a, hlo_val b, const hlo_conv_dims *d) {
    tp_dtype t = dt(l, a);
    return hlo_conv(l->g, a, b, d, opmath(t), t == TP_F32 || t == TP_C64 ? l->precision : HLO_DEFAULT);
}

/* out[o] = sum over k of x[o * stride - pad + k * dilation] * weight[k] */
static hlo_val forward(low *l, hlo_val x, hlo_val weight, const window *w) {
    hlo_conv_dims d = plain_dims(w);
    d.feature_groups = w->groups;
    for (int k = 0; k < w->n; k++) {
        d.stride[k] = w->stride[k];
        d.rhs_dilation[k] = w->dilation[k];
        d.pad_low[k] = d.pad_high[k] = w->pad[k];
    }
    return convolve(l, x, weight, &d);
}

/* (I, O/g, ..) -> (I/g, O, ..): a transposed weight as StableHLO groups it. */
static hlo_val regroup(low *l, hlo_val weight, const window *w) {
    if (w->groups == 1) return weight;
    int64_t sizes[TP_MAX_RANK], split[TP_MAX_RANK], perm[TP_MAX_RANK];
    int rank = sizes_of(l, weight, sizes);
    if (rank + 1 > TP_MAX_RANK) {
        fail(l, TP_RUNTIME, "a grouped convolution must have fewer than %d dimensions; got %d", TP_MAX_RANK, rank);
        return HLO_NONE;
    }
    split[0] = w->groups;
    split[1] = sizes[0] / w->groups;
    for (int k = 1; k < rank; k++) split[k + 1] = sizes[k];
    for (int k = 0; k <= rank; k++) perm[k] = k;
    perm[0] = 1;
    perm[1] = 0;
    weight = hlo_transpose(l->g, reshape(l, weight, rank + 1, split), perm);
    sizes[0] /= w->groups;
    sizes[1] *= w->groups;
    return reshape(l, weight, rank, sizes);
}

/* The transpose of forward(): |x| is what a forward of |w| would give, |out_sizes| what it would read. */
static hlo_val transposed(low *l, hlo_val x, hlo_val weight, const window *w, const int64_t *out_sizes) {
    hlo_conv_dims d = plain_dims(w);
    int64_t turned[TP_MAX_RANK];
    d.feature_groups = w->groups;
    d.feature_in_kernel = 0;
    d.feature_out_kernel = 1;
    for (int k = 0; k < w->n; k++) {
        int64_t reach = w->dilation[k] * (size_of(l, weight, k + 2) - 1), spread = (size_of(l, x, k + 2) - 1) * w->stride[k] + 1;
        d.lhs_dilation[k] = w->stride[k];
        d.rhs_dilation[k] = w->dilation[k];
        d.pad_low[k] = reach - w->pad[k];
        d.pad_high[k] = out_sizes[k] - spread + w->pad[k];
        turned[k] = k + 2;
    }
    return convolve(l, x, hlo_reverse(l->g, regroup(l, weight, w), w->n, turned), &d);
}

/* The weight's gradient in (O, I/g, ..): |x| is what forward() read, |g| the gradient of its result. */
static hlo_val weight_gradient(low *l, hlo_val x, hlo_val g, const window *w, const int64_t *kernel) {
    hlo_conv_dims d = plain_dims(w);
    d.batch_in = 1;
    d.feature_in = 0;
    d.feature_in_kernel = 0;
    d.feature_out_kernel = 1;
    d.batch_out = 1;
    d.feature_out = 0;
    d.batch_groups = w->groups;
    for (int k = 0; k < w->n; k++) {
        int64_t spread = (size_of(l, g, k + 2) - 1) * w->stride[k] + 1;
        d.stride[k] = w->dilation[k];
        d.rhs_dilation[k] = w->stride[k];
        d.pad_low[k] = w->pad[k];
        d.pad_high[k] = (kernel[k] - 1) * w->dilation[k] + spread - size_of(l, x, k + 2) - w->pad[k];
    }
    return convolve(l, x, g, &d);
}

static int64_t forward_size(const window *w, int k, int64_t in_size, int64_t kernel) {
    int64_t room = in_size + 2 * w->pad[k] - w->dilation[k] * (kernel - 1) - 1;
    return room < 0 ? 0 : room / w->stride[k] + 1;
}

static int64_t transposed_size(const window *w, int k, int64_t in_size, int64_t kernel) {
    return (in_size - 1) * w->stride[k] - 2 * w->pad[k] + w->dilation[k] * (kernel - 1) + w->output_pad[k] + 1;
}

void low_convolution(low *l) {
    hlo_val x = in(l, 0), weight = in(l, 1);
    window w;
    if (!read_window(l, 3, x, weight, &w)) return;
    tp_dtype t = dt(l, x), wide = opmath(t);
    int64_t sizes[TP_MAX_RANK] = {size_of(l, x, 0), w.transposed ? size_of(l, weight, 1) * w.groups : size_of(l, weight, 0)};
    for (int k = 0; k < w.n; k++)
        sizes[k + 2] = (w.transposed ? transposed_size : forward_size)(&w, k, size_of(l, x, k + 2), size_of(l, weight, k + 2));
    int rank = w.n + 2;
    hlo_val y;
    if (tp_numel(rank, sizes) == 0 || numel_of(l, x) == 0 || numel_of(l, weight) == 0)
        y = full(l, wide, rank, sizes, 0);
    else
        y = w.transposed ? transposed(l, x, weight, &w, sizes + 2) : forward(l, x, weight, &w);
    if (has(l, 2)) {
        int64_t column[TP_MAX_RANK];
        for (int d = 0; d < rank; d++) column[d] = d == 1 ? sizes[1] : 1;
        y = add(l, y, reshape(l, in_as(l, 2, wide), rank, column));
    }
    out_as(l, 0, y, t);
}

/* grad_output, input, weight, stride, padding, dilation, transposed, output_padding, groups, output_mask */
void low_convolution_backward(low *l) {
    hlo_val g = in(l, 0), x = in(l, 1), weight = in(l, 2);
    window w;
    int n;
    const int64_t *wanted = ints(l, 9, &n);
    if (!read_window(l, 3, x, weight, &w) || n < 3) return;
    tp_dtype t = dt(l, x);
    int64_t xs[TP_MAX_RANK], ws[TP_MAX_RANK];
    int rank = sizes_of(l, x, xs);
    sizes_of(l, weight, ws);
    g = cast(l, g, t);
    bool empty = numel_of(l, g) == 0 || numel_of(l, x) == 0 || numel_of(l, weight) == 0;
    if (!wanted[0]) out_absent(l, 0);
    else if (empty) out(l, 0, full(l, t, rank, xs, 0));
    else out_as(l, 0, w.transposed ? forward(l, g, weight, &w) : transposed(l, g, weight, &w, xs + 2), t);
    if (!wanted[1]) out_absent(l, 1);
    else if (empty) out(l, 1, full(l, t, rank, ws, 0));
    else out_as(l, 1, w.transposed ? weight_gradient(l, g, x, &w, ws + 2) : weight_gradient(l, x, g, &w, ws + 2), t);
    if (wanted[2]) out_as(l, 2, reduce(l, HLO_ADD, cast(l, g, opmath(t)), 0, ~2u, false), t);
    else out_absent(l, 2);
}
