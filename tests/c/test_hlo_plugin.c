/* What the builder accepts a real compiler must accept: one program per op with the dtypes the builder takes, then
 * programs with known results.  test_hlo_plugin PLUGIN [all]: every dtype (half a minute), else some.  The fake plugin
 * only gets them printed. */
#include "check.h"
#include "hlo/graph.h"
#include "pjrt/pjrt.h"

#include <math.h>
#include <stdlib.h>

#define DIMS(...) ((const int64_t[]){__VA_ARGS__})
#define TYPE(dtype, ...) tp_type_make((dtype), (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (int64_t[]){__VA_ARGS__})
#define SCALAR(dtype) tp_type_make((dtype), 0, NULL)

enum { MAX_VALUES = 160, MAX_BYTES = 256 };

static pj_client *client;
static bool real, all;
static const char *const names[] = {
    "none",
#define OP(e, ...) #e,
#include "hlo/ops.def"
#undef OP
};
static const hlo_op combiners[] = {HLO_ADD, HLO_MUL, HLO_MAX, HLO_MIN, HLO_AND, HLO_OR};

static hlo_val param(hlo_graph *g, tp_type t) { return hlo_param(g, &t); }
static hlo_val bits(hlo_graph *g, tp_type t, const void *data) { return hlo_const_bits(g, &t, data); }
static hlo_val iota(hlo_graph *g, tp_type t, int dim) { return hlo_iota(g, &t, dim); }

/* ---- compiling: the outputs of many small graphs, in one program */
typedef struct batch {
    hlo_graph *g;
    hlo_val outputs[MAX_VALUES];
    int n;
    hlo_graph *fragments[MAX_VALUES]; /* their regions are shared */
} batch;

/* The program of |g|, or NULL. */
static pj_executable *compile(const char *what, const hlo_graph *g, const int *alias) {
    char *text = NULL;
    size_t len = 0;
    pj_executable *e = NULL;
    if (!CHECK_OK(hlo_print(g, "test", alias, &text, &len))) return NULL;
    tp_status s = real ? pj_compile(client, text, len, &(pj_compile_options){.device = 0, .optimization_level = 0}, &e) : NULL;
    if (s) fprintf(stderr, "%s:\n%s\n", what, text);
    CHECK_OK(s);
    free(text);
    return e;
}

static hlo_graph *begin(batch *b) { return b->fragments[b->n] = hlo_graph_create(); }

/* Adds |v| of the graph just begun if the builder took it; returns whether it did. */
static bool add(batch *b, hlo_val v) {
    hlo_graph *f = b->fragments[b->n];
    hlo_val args[8];
    if (hlo_error(f) || hlo_is_none(v)) {
        hlo_graph_destroy(f);
        return false;
    }
    hlo_set_outputs(f, 1, &v);
    for (int i = 0; i < hlo_param_count(f); i++) args[i] = hlo_param(b->g, hlo_param_type(f, i));
    hlo_inline(b->g, f, args, &b->outputs[b->n++]);
    CHECK_OK(tp_status_retain(hlo_error(b->g)));
    return true;
}

static void finish(batch *b, const char *what) {
    hlo_set_outputs(b->g, b->n, b->outputs);
    pj_executable_destroy(client, compile(what, b->g, NULL));
    hlo_graph_destroy(b->g);
    for (int i = 0; i < b->n; i++) hlo_graph_destroy(b->fragments[i]);
}

/* The next dtype to test after |t|: each, or one of each kind and width class that compilers tell apart. */
static tp_dtype next(tp_dtype t) {
    static const bool some[TP_DTYPE_COUNT] = {[TP_BOOL] = true, [TP_U8] = true,  [TP_I32] = true, [TP_I64] = true,
                                              [TP_F8E4M3FN] = true, [TP_BF16] = true, [TP_F32] = true, [TP_C64] = true};
    do t = (tp_dtype)(t + 1);
    while (t < TP_DTYPE_COUNT && !all && !some[t]);
    return t;
}

#define EACH_DTYPE(t) for (tp_dtype t = next(TP_NO_DTYPE); t < TP_DTYPE_COUNT; t = next(t))

static void test_elementwise(void) {
    for (int op = HLO_ABS; op <= HLO_XOR; op++) {
        batch b = {.g = hlo_graph_create()};
        EACH_DTYPE(t) {
            hlo_graph *g = begin(&b);
            hlo_val x = param(g, TYPE(t, 3)), y = param(g, TYPE(t, 2, 1));
            add(&b, op < HLO_ADD ? hlo_un(g, (hlo_op)op, x) : hlo_bin(g, (hlo_op)op, x, y));
        }
        if (!CHECK(b.n > 0)) fprintf(stderr, "%s takes nothing\n", names[op]);
        finish(&b, names[op]);
    }
}

static void test_compare(void) {
    batch b = {.g = hlo_graph_create()};
    EACH_DTYPE(t) {
        for (int dir = HLO_EQ; dir <= HLO_LT; dir++) {
            hlo_graph *g = begin(&b);
            add(&b, hlo_compare(g, (hlo_dir)dir, param(g, TYPE(t, 3)), param(g, SCALAR(t))));
        }
        hlo_graph *g = begin(&b);
        add(&b, hlo_compare_total(g, HLO_LT, param(g, TYPE(t, 3)), param(g, SCALAR(t))));
    }
    finish(&b, "compare");
}

static void test_select_clamp_constants(void) {
    batch b = {.g = hlo_graph_create()};
    EACH_DTYPE(t) {
        hlo_graph *g = begin(&b);
        add(&b, hlo_select(g, param(g, SCALAR(TP_BOOL)), param(g, TYPE(t, 2, 3)), param(g, TYPE(t, 3))));
        g = begin(&b);
        add(&b, hlo_clamp(g, hlo_const_int(g, t, 0), param(g, TYPE(t, 3)), param(g, TYPE(t, 3))));
        g = begin(&b);
        add(&b, hlo_const_float(g, t, (double)NAN));
        g = begin(&b);
        add(&b, iota(g, TYPE(t, 2, 3), 1));
    }
    finish(&b, "select, clamp, constant, iota");
}

static void test_convert_bitcast(void) {
    batch b = {.g = hlo_graph_create()};
    EACH_DTYPE(t) {
        EACH_DTYPE(to) {
            if (t == to || b.n == MAX_VALUES) continue;
            hlo_graph *g = begin(&b);
            add(&b, hlo_convert(g, param(g, TYPE(t, 2)), to));
        }
        if (b.n + TP_DTYPE_COUNT < MAX_VALUES) continue;
        finish(&b, "convert");
        b = (batch){.g = hlo_graph_create()};
    }
    finish(&b, "convert");
    b = (batch){.g = hlo_graph_create()};
    EACH_DTYPE(t) {
        for (int k = 0; k < 4; k++) {
            const tp_dtype to = tp_dtype_uint((size_t)1 << k);
            hlo_graph *g = begin(&b);
            int64_t ratio = (int64_t)(tp_dtype_size(to) / tp_dtype_size(t));
            add(&b, hlo_bitcast(g, param(g, ratio > 1 ? TYPE(t, 3, ratio) : TYPE(t, 3)), to));
            g = begin(&b);
            add(&b, hlo_bitcast(g, param(g, ratio > 1 ? TYPE(to, 3) : TYPE(to, 3, (int64_t)(tp_dtype_size(t) / tp_dtype_size(to)))), t));
        }
    }
    finish(&b, "bitcast");
}

static void test_shape(void) {
    batch b = {.g = hlo_graph_create()};
    EACH_DTYPE(t) {
#define ADD(expr) \
    do { \
        hlo_graph *g = begin(&b); \
        hlo_val a = param(g, TYPE(t, 2, 3)), e = param(g, TYPE(t, 0, 3)), s = param(g, SCALAR(t)), i = param(g, SCALAR(TP_I32)); \
        (void)a, (void)e, (void)s, (void)i; \
        CHECK(add(&b, (expr))); \
    } while (0)
        ADD(hlo_reshape(g, a, 3, DIMS(3, 1, 2)));
        ADD(hlo_broadcast(g, a, 3, DIMS(2, 4, 3), DIMS(0, 2)));
        ADD(hlo_transpose(g, a, DIMS(1, 0)));
        ADD(hlo_slice(g, a, DIMS(0, 1), DIMS(2, 3), DIMS(1, 2)));
        ADD(hlo_dynamic_slice(g, a, (hlo_val[]){i, i}, DIMS(1, 2)));
        ADD(hlo_dynamic_update(g, a, hlo_reshape(g, s, 2, DIMS(1, 1)), (hlo_val[]){i, i}));
        ADD(hlo_pad(g, a, s, DIMS(1, -1), DIMS(-1, 2), DIMS(2, 0)));
        ADD(hlo_reverse(g, a, 2, DIMS(1, 0)));
        ADD(hlo_concat(g, 3, (hlo_val[]){a, e, a}, 0));
        if (b.n + 10 < MAX_VALUES) continue;
        finish(&b, "shape");
        b = (batch){.g = hlo_graph_create()};
    }
    finish(&b, "shape");
    b = (batch){.g = hlo_graph_create()};
    const tp_dtype t = TP_F32; /* no elements, no dimensions */
    ADD(hlo_reshape(g, e, 3, DIMS(7, 0, 2)));
    ADD(hlo_reshape(g, s, 0, NULL));
    ADD(hlo_reshape(g, s, 2, DIMS(1, 1)));
    ADD(hlo_broadcast_to(g, s, 2, DIMS(0, 4)));
    ADD(hlo_broadcast_to(g, s, 2, DIMS(1, 4)));
    ADD(hlo_transpose(g, e, DIMS(1, 0)));
    ADD(hlo_slice(g, a, DIMS(2, 0), DIMS(2, 3), DIMS(1, 1)));
    ADD(hlo_dynamic_slice(g, s, NULL, NULL));
    ADD(hlo_dynamic_slice(g, e, (hlo_val[]){i, i}, DIMS(0, 2)));
    ADD(hlo_dynamic_update(g, s, hlo_un(g, HLO_NEG, s), NULL));
    ADD(hlo_dynamic_update(g, a, e, (hlo_val[]){i, i}));
    ADD(hlo_pad(g, e, s, DIMS(1, 0), DIMS(1, 0), DIMS(3, 0)));
    ADD(hlo_reverse(g, e, 1, DIMS(0)));
    ADD(hlo_concat(g, 2, (hlo_val[]){e, e}, 0));
    ADD(hlo_reduce(g, HLO_ADD, e, s, 1, DIMS(0)));
    ADD(hlo_reduce(g, HLO_MAX, e, s, 1, DIMS(1)));
    ADD(hlo_reduce(g, HLO_MAX, a, s, 2, DIMS(0, 1)));
    ADD(hlo_bin(g, HLO_ADD, e, s));
    ADD(hlo_reduce_window(g, HLO_ADD, s, s, NULL, NULL, NULL, NULL, NULL, NULL));
    ADD(hlo_reduce_window(g, HLO_ADD, a, s, DIMS(1, 4), DIMS(1, 1), NULL, NULL, DIMS(0, 0), DIMS(0, 0)));
    ADD(hlo_dot(g, hlo_transpose(g, e, DIMS(1, 0)), e, &((hlo_dot_dims){.ncontract = 1, .lhs_contract = {1}}), t, HLO_DEFAULT));
    ADD(hlo_dot(g, s, s, &(hlo_dot_dims){0}, t, HLO_DEFAULT));
#undef ADD
    finish(&b, "empty and rank 0");
}

static void test_reduce(void) {
    for (int k = 0; k < 6; k++) {
        hlo_op op = combiners[k];
        batch b = {.g = hlo_graph_create()};
        EACH_DTYPE(t) {
            hlo_graph *g = begin(&b);
            add(&b, hlo_reduce(g, op, param(g, TYPE(t, 2, 3)), param(g, SCALAR(t)), 1, DIMS(1)));
            g = begin(&b);
            add(&b, hlo_reduce_window(g, op, param(g, TYPE(t, 2, 3)), param(g, SCALAR(t)), DIMS(1, 2), DIMS(1, 1), DIMS(1, 2), DIMS(1, 2), DIMS(0, 1),
                                      DIMS(0, 0)));
            for (int unique = 0; unique < 2; unique++) {
                hlo_scatter_dims d = {.nwindow = 1, .ninserted = 1, .nmap = 1, .window = {1}, .inserted = {0}, .map = {0}, .index_vector_dim = 1,
                                      .sorted = unique, .unique = unique};
                g = begin(&b);
                add(&b, hlo_scatter(g, unique ? HLO_OP_NONE : op, param(g, TYPE(t, 2, 3)), param(g, TYPE(TP_I32, 4, 1)), param(g, TYPE(t, 4, 3)), &d));
            }
            hlo_gather_dims d = {.noffset = 1, .ncollapsed = 1, .nmap = 1, .offset = {0}, .collapsed = {1}, .map = {1}, .index_vector_dim = 1,
                                 .slice_sizes = {2, 1}, .sorted = true};
            g = begin(&b);
            CHECK(add(&b, hlo_gather(g, param(g, TYPE(t, 2, 3)), param(g, TYPE(TP_U32, 4)), &d)));
        }
        finish(&b, names[op]);
    }
}

static hlo_graph *less(hlo_graph *g, tp_dtype t, int others) {
    hlo_graph *r = hlo_region(g);
    hlo_val x = param(r, SCALAR(t)), y = param(r, SCALAR(t));
    for (int i = 0; i < 2 * others; i++) param(r, SCALAR(TP_I64));
    x = tp_dtype_is_float(t) ? hlo_compare_total(r, HLO_LT, x, y) : hlo_compare(r, HLO_LT, x, y);
    hlo_return(r, 1, &x);
    return r;
}

/* The greatest and where: of equal ones the first. */
static hlo_graph *greatest(hlo_graph *g, tp_dtype t) {
    hlo_graph *r = hlo_region(g);
    hlo_val x = param(r, SCALAR(t)), i = param(r, SCALAR(TP_I64)), y = param(r, SCALAR(t)), k = param(r, SCALAR(TP_I64));
    hlo_val first = hlo_compare(r, HLO_GT, x, y), tie = hlo_bin(r, HLO_AND, hlo_compare(r, HLO_EQ, x, y), hlo_compare(r, HLO_LT, i, k));
    first = hlo_bin(r, HLO_OR, first, tie);
    hlo_return(r, 2, (const hlo_val[]){hlo_select(r, first, x, y), hlo_select(r, first, i, k)});
    return r;
}

static void test_regions(void) {
    batch b = {.g = hlo_graph_create()};
    EACH_DTYPE(t) {
        if (tp_dtype_is_complex(t)) continue; /* XLA on CPUs does not order them inside a region */
        hlo_graph *g = begin(&b);
        hlo_val out[2], x = param(g, TYPE(t, 3, 2));
        hlo_sort(g, 2, (hlo_val[]){x, iota(g, TYPE(TP_I64, 3, 2), 0)}, 0, true, less(g, t, 1), out);
        CHECK(add(&b, out[1]));
        g = begin(&b);
        x = param(g, TYPE(t, 3));
        hlo_sort(g, 1, &x, 0, false, less(g, t, 0), out);
        CHECK(add(&b, out[0]));
        g = begin(&b);
        x = param(g, TYPE(t, 3, 2));
        hlo_reduce_n(g, 2, (hlo_val[]){x, iota(g, TYPE(TP_I64, 3, 2), 1)}, (hlo_val[]){hlo_const_int(g, t, 0), hlo_const_int(g, TP_I64, 0)}, 1, DIMS(1),
                     greatest(g, t), out);
        CHECK(add(&b, out[1]));
    }
    finish(&b, "sort, reduce");
}

static hlo_conv_dims conv1d(int64_t spatial_first) { /* batch, feature, spatial; or spatial before feature */
    return (hlo_conv_dims){.nspatial = 1, .feature_in = 1 + spatial_first, .spatial_in = {2 - spatial_first}, .feature_in_kernel = 1, .spatial_kernel = {2},
                           .feature_out = 1 + spatial_first, .spatial_out = {2 - spatial_first}, .stride = {1}, .lhs_dilation = {1}, .rhs_dilation = {1},
                           .feature_groups = 1, .batch_groups = 1};
}

static void test_linear(void) {
    hlo_dot_dims d = {.nbatch = 1, .ncontract = 1, .rhs_batch = {2}, .lhs_contract = {2}, .rhs_contract = {1}};
    hlo_conv_dims c = conv1d(0);
    for (int p = HLO_DEFAULT; p <= HLO_HIGHEST; p++) {
        batch b = {.g = hlo_graph_create()};
        EACH_DTYPE(t) {
            EACH_DTYPE(to) {
                if (p != HLO_DEFAULT && t != to) continue;
                hlo_graph *g = begin(&b);
                add(&b, hlo_dot(g, param(g, TYPE(t, 2, 3, 4)), param(g, TYPE(t, 5, 4, 2)), &d, to, (hlo_precision)p));
                g = begin(&b);
                add(&b, hlo_conv(g, param(g, TYPE(t, 2, 3, 8)), param(g, TYPE(t, 4, 3, 2)), &c, to, (hlo_precision)p));
            }
        }
        finish(&b, "dot, convolution");
    }
    batch b = {.g = hlo_graph_create()};
    hlo_graph *g = begin(&b);
    add(&b, hlo_dot(g, param(g, TYPE(TP_F8E5M2, 2, 3)), param(g, TYPE(TP_BF16, 3, 2)), &(hlo_dot_dims){.ncontract = 1, .lhs_contract = {1}}, TP_F32, 0));
    c = conv1d(1);
    c.feature_groups = 3, c.stride[0] = 2, c.pad_low[0] = 1, c.pad_high[0] = -1, c.lhs_dilation[0] = 2, c.rhs_dilation[0] = 3, c.reverse[0] = true;
    g = begin(&b);
    CHECK(add(&b, hlo_conv(g, param(g, TYPE(TP_F32, 2, 8, 3)), param(g, TYPE(TP_F32, 6, 1, 2)), &c, TP_F32, HLO_DEFAULT)));
    c = conv1d(0);
    c.batch_groups = 2;
    g = begin(&b);
    CHECK(add(&b, hlo_conv(g, param(g, TYPE(TP_F32, 4, 3, 8)), param(g, TYPE(TP_F32, 6, 3, 2)), &c, TP_F32, HLO_HIGH)));
    c = (hlo_conv_dims){.feature_in = 1, .feature_in_kernel = 1, .feature_out = 1, .feature_groups = 1, .batch_groups = 1};
    g = begin(&b);
    CHECK(add(&b, hlo_conv(g, param(g, TYPE(TP_F32, 4, 3)), param(g, TYPE(TP_F32, 6, 3)), &c, TP_F32, HLO_HIGHEST)));
    finish(&b, "dot, convolution, odd forms");
}

/* ---- running: one program, known results */
static hlo_graph *g;
static const void *inputs[16];
static hlo_val outputs[64];
static const void *wanted[64];
static int noutputs;

static hlo_val input(tp_type t, const void *data) {
    inputs[hlo_param_count(g)] = data;
    return param(g, t);
}

/* Output |v| must have exactly these bytes; kept until the program has run. */
static void want(hlo_val v, const void *data) {
    if (hlo_is_none(v)) {
        CHECK_OK(tp_status_retain(hlo_error(g)));
        return;
    }
    outputs[noutputs] = v;
    wanted[noutputs++] = data;
}

static void check_output(pj_buffer *buffer, int k) {
    unsigned char found[MAX_BYTES];
    const tp_type *t = hlo_output_type(g, k);
    pj_event *e = NULL;
    bool ready = false;
    char text[128];
    CHECK_OK(pj_buffer_to_host(client, buffer, t, found, sizeof found, &e));
    if (e) CHECK_OK(pj_event_wait(client, e, -1, &ready));
    if (ready && !CHECK(!memcmp(found, wanted[k], tp_type_bytes(t)))) {
        fprintf(stderr, "output %d, %s:", k, tp_type_format(t, text, sizeof text));
        for (size_t i = 0; i < tp_type_bytes(t); i++) fprintf(stderr, " %02x", found[i]);
        fprintf(stderr, "\n");
    }
    pj_event_destroy(client, e);
}

/* Runs the program of all wanted outputs and forgets them. */
static void run(const char *what, const int *alias) {
    pj_buffer *in[16], *out[64];
    hlo_set_outputs(g, noutputs, outputs);
    pj_execution x = {.executable = compile(what, g, alias), .ninputs = hlo_param_count(g), .noutputs = noutputs, .inputs = in, .outputs = out};
    for (int i = 0; x.executable && i < x.ninputs; i++) CHECK_OK(pj_buffer_from_host(client, 0, hlo_param_type(g, i), inputs[i], &in[i]));
    if (x.executable && CHECK_OK(pj_execute(client, &x)))
        for (int k = 0; k < noutputs; k++) {
            check_output(out[k], k);
            pj_buffer_destroy(client, out[k]);
        }
    for (int i = 0; x.executable && i < x.ninputs; i++) pj_buffer_destroy(client, in[i]);
    pj_executable_destroy(client, x.executable);
    hlo_graph_destroy(g);
    g = hlo_graph_create();
    noutputs = 0;
}

static void run_elementwise(void) {
    hlo_val f = input(TYPE(TP_F32, 4), (float[]){-1.5f, 2.5f, -0.0f, NAN}), i = input(TYPE(TP_I32, 4), (int32_t[]){-7, 7, 0, INT32_MIN});
    hlo_val zero = hlo_const_float(g, TP_F32, 0), three = hlo_const_int(g, TP_I32, 3), on = input(SCALAR(TP_BOOL), (bool[]){true});
    want(hlo_un(g, HLO_ROUND, f), (float[]){-2, 2, -0.0f, NAN});
    want(hlo_compare(g, HLO_LT, f, zero), (bool[]){true, false, false, false});
    want(hlo_compare(g, HLO_NE, f, f), (bool[]){false, false, false, true});
    want(hlo_compare_total(g, HLO_LT, f, zero), (bool[]){true, false, true, false});
    want(hlo_bin(g, HLO_REM, i, three), (int32_t[]){-1, 1, 0, -2});
    want(hlo_bin(g, HLO_DIV, i, three), (int32_t[]){-2, 2, 0, INT32_MIN / 3});
    want(hlo_bin(g, HLO_SHR, i, three), (int32_t[]){-1, 0, 0, INT32_MIN / 8});
    want(hlo_bin(g, HLO_SHRL, i, three), (uint32_t[]){0x1fffffff, 0, 0, 0x10000000});
    want(hlo_un(g, HLO_POPCNT, i), (int32_t[]){30, 3, 0, 1});
    want(hlo_un(g, HLO_CLZ, i), (int32_t[]){0, 29, 32, 0});
    want(hlo_select(g, on, i, three), (int32_t[]){-7, 7, 0, INT32_MIN});
    want(hlo_clamp(g, hlo_un(g, HLO_NEG, three), i, three), (int32_t[]){-3, 3, 0, -3});
    want(hlo_convert(g, i, TP_U8), (uint8_t[]){0xf9, 7, 0, 0});
    want(hlo_compare(g, HLO_GT, hlo_bitcast(g, i, TP_U32), hlo_bitcast(g, three, TP_U32)), (bool[]){true, true, false, true});
    want(hlo_bitcast(g, hlo_const_float(g, TP_F32, 1), TP_U8), (uint8_t[]){0, 0, 0x80, 0x3f});
    hlo_val pairs = input(TYPE(TP_U16, 2, 2), (uint16_t[]){1, 2, 3, 4});
    want(hlo_bitcast(g, pairs, TP_U32), (uint32_t[]){0x20001, 0x40003});
    hlo_val c = hlo_complex(g, input(SCALAR(TP_F64), (double[]){3}), input(SCALAR(TP_F64), (double[]){4}));
    want(hlo_un(g, HLO_ABS, c), (double[]){5});
    want(hlo_bin(g, HLO_MUL, c, c), (double[]){-7, 24});
    want(hlo_un(g, HLO_IMAG, c), (double[]){4});
    want(hlo_un(g, HLO_ERF, zero), (float[]){0});
    want(hlo_un(g, HLO_LOGISTIC, zero), (float[]){0.5f});
    run("elementwise", NULL);
}

static void run_shape(void) {
    hlo_val a = input(TYPE(TP_I32, 2, 3), (int32_t[]){1, 2, 3, 4, 5, 6}), nine = hlo_const_int(g, TP_I32, 9), e = input(TYPE(TP_I32, 0, 3), "");
    hlo_val far = input(SCALAR(TP_I64), (int64_t[]){7}), one = hlo_const_int(g, TP_I64, 1), u = input(TYPE(TP_I32, 1, 2), (int32_t[]){-1, -2});
    want(hlo_transpose(g, a, DIMS(1, 0)), (int32_t[]){1, 4, 2, 5, 3, 6});
    want(hlo_broadcast(g, u, 3, DIMS(2, 1, 2), DIMS(1, 2)), (int32_t[]){-1, -2, -1, -2});
    want(hlo_slice(g, a, DIMS(0, 0), DIMS(2, 3), DIMS(1, 2)), (int32_t[]){1, 3, 4, 6});
    want(hlo_dynamic_slice(g, a, (hlo_val[]){far, one}, DIMS(1, 2)), (int32_t[]){5, 6});
    want(hlo_dynamic_update(g, a, u, (hlo_val[]){far, one}), (int32_t[]){1, 2, 3, 4, -1, -2});
    want(hlo_pad(g, a, nine, DIMS(0, -1), DIMS(0, 1), DIMS(1, 0)), (int32_t[]){2, 3, 9, 9, 9, 9, 5, 6, 9});
    want(hlo_reverse(g, a, 1, DIMS(1)), (int32_t[]){3, 2, 1, 6, 5, 4});
    want(hlo_concat(g, 3, (hlo_val[]){e, a, e}, 0), (int32_t[]){1, 2, 3, 4, 5, 6});
    want(iota(g, TYPE(TP_BF16, 2, 2), 0), (uint16_t[]){0, 0, 0x3f80, 0x3f80});
    want(hlo_reduce(g, HLO_ADD, e, hlo_const_int(g, TP_I32, 5), 1, DIMS(0)), (int32_t[]){5, 5, 5});
    want(a, (int32_t[]){1, 2, 3, 4, 5, 6});
    run("shape", NULL);
}

static void run_reduce(void) {
    hlo_val a = input(TYPE(TP_F32, 2, 3), (float[]){1, 5, 5, -4, -6, -4}), zero = hlo_const_int(g, TP_F32, 0), low = hlo_const_float(g, TP_F32, -INFINITY);
    hlo_val ix = iota(g, TYPE(TP_I64, 2, 3), 1), out[2], p = hlo_compare(g, HLO_GT, a, zero), no = hlo_const_int(g, TP_BOOL, 0), yes = hlo_const_int(g, TP_BOOL, 1);
    want(hlo_reduce(g, HLO_ADD, a, zero, 1, DIMS(1)), (float[]){11, -14});
    want(hlo_reduce(g, HLO_MIN, a, zero, 1, DIMS(0)), (float[]){-4, -6, -4});
    want(hlo_reduce(g, HLO_ADD, p, no, 1, DIMS(1)), (bool[]){true, false});
    want(hlo_reduce(g, HLO_MUL, p, yes, 2, DIMS(0, 1)), (bool[]){false});
    hlo_reduce_n(g, 2, (hlo_val[]){a, ix}, (hlo_val[]){low, hlo_const_int(g, TP_I64, 0)}, 1, DIMS(1), greatest(g, TP_F32), out);
    want(out[0], (float[]){5, -4});
    want(out[1], (int64_t[]){1, 0});
    hlo_sort(g, 2, (hlo_val[]){a, ix}, 1, true, less(g, TP_F32, 1), out);
    want(out[0], (float[]){1, 5, 5, -6, -4, -4});
    want(out[1], (int64_t[]){0, 1, 2, 1, 0, 2});
    want(hlo_reduce_window(g, HLO_MAX, a, low, DIMS(1, 2), DIMS(1, 2), NULL, NULL, DIMS(0, 1), DIMS(0, 0)), (float[]){1, 5, -4, -4});
    want(hlo_reduce_window(g, HLO_ADD, a, zero, DIMS(1, 2), DIMS(1, 1), NULL, DIMS(1, 2), DIMS(0, 0), DIMS(0, 0)), (float[]){6, -8});
    want(hlo_reduce_window(g, HLO_ADD, a, zero, DIMS(1, 2), DIMS(1, 1), DIMS(1, 2), NULL, DIMS(0, 0), DIMS(0, 0)), (float[]){1, 5, 5, 5, -4, -6, -6, -4});
    run("reduce", NULL);
}

static void run_linear(void) {
    hlo_val a = input(TYPE(TP_F32, 2, 1, 3), (float[]){1, 2, 3, 4, 5, 6}), b = input(TYPE(TP_F32, 3, 2, 1), (float[]){1, 10, 2, 20, 3, 30});
    hlo_dot_dims d = {.nbatch = 1, .ncontract = 1, .rhs_batch = {1}, .lhs_contract = {2}};
    want(hlo_dot(g, a, b, &d, TP_F32, HLO_HIGHEST), (float[]){14, 320});
    hlo_val s = input(TYPE(TP_I8, 2), (int8_t[]){100, 100});
    want(hlo_dot(g, s, s, &(hlo_dot_dims){.ncontract = 1}, TP_I32, HLO_DEFAULT), (int32_t[]){20000});
    hlo_val x = input(TYPE(TP_F32, 1, 1, 4), (float[]){1, 2, 3, 4}), w = input(TYPE(TP_F32, 1, 1, 2), (float[]){1, 10});
    hlo_conv_dims c = conv1d(0);
    c.pad_low[0] = 1;
    want(hlo_conv(g, x, w, &c, TP_F32, HLO_HIGHEST), (float[]){10, 21, 32, 43});
    c.rhs_dilation[0] = 2;
    c.stride[0] = 2;
    want(hlo_conv(g, x, w, &c, TP_F32, HLO_HIGHEST), (float[]){20, 42});
    hlo_val m = input(TYPE(TP_F32, 3, 2), (float[]){1, 2, 3, 4, 5, 6}), ix = input(TYPE(TP_I64, 3), (int64_t[]){2, 0, 2});
    hlo_gather_dims gd = {.noffset = 1, .ncollapsed = 1, .nmap = 1, .offset = {1}, .index_vector_dim = 1, .slice_sizes = {1, 2}};
    want(hlo_gather(g, m, ix, &gd), (float[]){5, 6, 1, 2, 5, 6});
    hlo_scatter_dims sd = {.nwindow = 1, .ninserted = 1, .nmap = 1, .window = {1}, .index_vector_dim = 1};
    hlo_val u = input(TYPE(TP_F32, 3, 2), (float[]){10, 10, 20, 20, 30, 30}), far = input(TYPE(TP_I64, 3), (int64_t[]){1, 9, -1});
    want(hlo_scatter(g, HLO_ADD, m, ix, u, &sd), (float[]){21, 22, 3, 4, 45, 46});
    want(hlo_scatter(g, HLO_OP_NONE, m, far, u, &sd), (float[]){1, 2, 10, 10, 5, 6});
    run("linear", NULL);
}

/* Constants of every dtype come back bit for bit, and a donated parameter's output is right. */
static void run_constants(void) {
    all = true;
    static const unsigned char pattern[2 * 16] = {0x00, 0x3c, 0x40, 0x3f, 0x80, 0xbf, 0x01, 0x42, 0x12, 0x34, 0x56, 0x3a, 0x9c, 0x3d, 0xde, 0x35,
                                                  0x11, 0x3b, 0x22, 0x3e, 0x33, 0x41, 0x44, 0x38, 0x55, 0x39, 0x66, 0x36, 0x77, 0x37, 0x08, 0x40};
    static const bool bools[2] = {false, true};
    EACH_DTYPE(t) {
        const void *data = t == TP_BOOL ? (const void *)bools : pattern;
        want(bits(g, TYPE(t, 1, 2), data), data);
        want(bits(g, TYPE(t, 1), data), data);
    }
    run("constants", NULL);
    hlo_val x = input(TYPE(TP_F32, 2), (float[]){1, 2}), y = input(TYPE(TP_F32, 2), (float[]){3, 4});
    want(hlo_bin(g, HLO_MUL, x, y), (float[]){3, 8});
    want(hlo_bin(g, HLO_ADD, x, y), (float[]){4, 6});
    want(hlo_bin(g, HLO_ADD, x, y), (float[]){4, 6});
    run("alias", (int[]){-1, 0});
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    if (!CHECK_OK(pj_client_open(argv[1], &(pj_open_options){.cpu_devices = 1}, &client))) return check_result();
    real = !strstr(argv[1], "fake");
    all = !real || (argc > 2 && !strcmp(argv[2], "all"));
    test_elementwise();
    test_compare();
    test_select_clamp_constants();
    test_convert_bitcast();
    test_shape();
    test_reduce();
    test_regions();
    test_linear();
    g = hlo_graph_create();
    run_elementwise();
    run_shape();
    run_reduce();
    run_linear();
    run_constants();
    hlo_graph_destroy(g);
    return check_result();
}
