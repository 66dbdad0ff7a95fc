/* The graph builder: types it infers, errors it makes, what it merges, inlining, and the text it prints. */
#include "check.h"
#include "hlo/graph.h"

#include <math.h>
#include <stdlib.h>

#define DIMS(...) ((const int64_t[]){__VA_ARGS__})
#define TYPE(dtype, ...) tp_type_make((dtype), (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (int64_t[]){__VA_ARGS__})
#define SCALAR(dtype) tp_type_make((dtype), 0, NULL)

static hlo_val param(hlo_graph *g, tp_type t) { return hlo_param(g, &t); }
static hlo_val bits(hlo_graph *g, tp_type t, const void *data) { return hlo_const_bits(g, &t, data); }
static bool is(const hlo_graph *g, hlo_val v, tp_type t) { return !hlo_is_none(v) && tp_type_equal(hlo_type_of(g, v), &t); }
static bool same(hlo_val a, hlo_val b) { return a.ix == b.ix && !hlo_is_none(a); }

/* The graph's error must contain |part|; frees the graph. */
static bool refused(hlo_graph *g, hlo_val v, const char *part) {
    bool ok = hlo_is_none(v) && hlo_error(g) && strstr(tp_status_message(hlo_error(g)), part);
    if (!ok) fprintf(stderr, "expected: %s\n   found: %s\n", part, tp_status_message(hlo_error(g)));
    hlo_graph_destroy(g);
    return ok;
}

/* Text of |g| with outputs |v|; freed by the caller. */
static char *print(hlo_graph *g, hlo_val v) {
    char *text = NULL;
    hlo_set_outputs(g, 1, &v);
    CHECK_OK(hlo_print(g, "m", NULL, &text, NULL));
    return text ? text : strdup("");
}

static bool prints(hlo_graph *g, hlo_val v, const char *part) {
    char *text = print(g, v);
    bool ok = strstr(text, part) != NULL;
    if (!ok) fprintf(stderr, "expected: %s\n   found: %s\n", part, text);
    free(text);
    return ok;
}

/* ---- inference */
static void test_elementwise(void) {
    hlo_graph *g = hlo_graph_create();
    hlo_val f = param(g, TYPE(TP_F32, 2, 3)), row = param(g, TYPE(TP_F32, 3)), col = param(g, TYPE(TP_F32, 2, 1)), c = param(g, TYPE(TP_C64, 4));
    hlo_val one = hlo_const_int(g, TP_F32, 1);
    CHECK(is(g, hlo_un(g, HLO_EXP, f), TYPE(TP_F32, 2, 3)));
    CHECK(is(g, hlo_un(g, HLO_ISFINITE, f), TYPE(TP_BOOL, 2, 3)));
    CHECK(is(g, hlo_un(g, HLO_ABS, c), TYPE(TP_F32, 4)));
    CHECK(is(g, hlo_un(g, HLO_ABS, f), TYPE(TP_F32, 2, 3)));
    CHECK(is(g, hlo_un(g, HLO_IMAG, c), TYPE(TP_F32, 4)));
    CHECK(is(g, hlo_un(g, HLO_SIN, c), TYPE(TP_C64, 4)));
    CHECK(is(g, hlo_bin(g, HLO_ADD, row, col), TYPE(TP_F32, 2, 3)));
    CHECK(is(g, hlo_bin(g, HLO_ADD, f, one), TYPE(TP_F32, 2, 3)));
    CHECK(is(g, hlo_bin(g, HLO_ADD, one, one), SCALAR(TP_F32)));
    CHECK(is(g, hlo_compare(g, HLO_LT, row, col), TYPE(TP_BOOL, 2, 3)));
    CHECK(is(g, hlo_compare_total(g, HLO_LT, f, one), TYPE(TP_BOOL, 2, 3)));
    CHECK(is(g, hlo_select(g, hlo_compare(g, HLO_LT, row, one), one, col), TYPE(TP_F32, 2, 3)));
    CHECK(is(g, hlo_select(g, hlo_const_int(g, TP_BOOL, 1), f, f), TYPE(TP_F32, 2, 3)));
    CHECK(is(g, hlo_clamp(g, one, f, one), TYPE(TP_F32, 2, 3)));
    CHECK(is(g, hlo_clamp(g, f, one, row), TYPE(TP_F32, 2, 3)));
    CHECK(is(g, hlo_convert(g, f, TP_I8), TYPE(TP_I8, 2, 3)));
    CHECK(same(hlo_convert(g, f, TP_F32), f));
    CHECK(is(g, hlo_complex(g, f, row), TYPE(TP_C64, 2, 3)));
    CHECK(is(g, hlo_bitcast(g, f, TP_I32), TYPE(TP_I32, 2, 3)));
    CHECK(is(g, hlo_bitcast(g, f, TP_U16), TYPE(TP_U16, 2, 3, 2)));
    CHECK(is(g, hlo_bitcast(g, hlo_bitcast(g, f, TP_U8), TP_F32), TYPE(TP_F32, 2, 3)));
    hlo_val empty = param(g, TYPE(TP_F32, 0, 3)), thin = param(g, TYPE(TP_F32, 1, 3));
    CHECK(is(g, hlo_bin(g, HLO_MUL, empty, thin), TYPE(TP_F32, 0, 3)));
    CHECK(is(g, hlo_bin(g, HLO_MUL, empty, one), TYPE(TP_F32, 0, 3)));
    CHECK(!hlo_error(g));
    hlo_graph_destroy(g);
}

static void test_shape(void) {
    hlo_graph *g = hlo_graph_create();
    hlo_val a = param(g, TYPE(TP_F32, 2, 3)), s = param(g, SCALAR(TP_F32)), e = param(g, TYPE(TP_F32, 0, 5)), i = param(g, SCALAR(TP_I32));
    const hlo_val starts[2] = {i, i}, parts[3] = {a, a, a};
    CHECK(is(g, hlo_reshape(g, a, 3, DIMS(3, 1, 2)), TYPE(TP_F32, 3, 1, 2)));
    CHECK(is(g, hlo_reshape(g, s, 2, DIMS(1, 1)), TYPE(TP_F32, 1, 1)));
    CHECK(is(g, hlo_reshape(g, e, 2, DIMS(7, 0)), TYPE(TP_F32, 7, 0)));
    CHECK(same(hlo_reshape(g, a, 2, DIMS(2, 3)), a));
    CHECK(is(g, hlo_broadcast(g, a, 3, DIMS(2, 4, 3), DIMS(0, 2)), TYPE(TP_F32, 2, 4, 3)));
    CHECK(is(g, hlo_broadcast_to(g, s, 2, DIMS(4, 0)), TYPE(TP_F32, 4, 0)));
    CHECK(same(hlo_broadcast_to(g, a, 2, DIMS(2, 3)), a));
    CHECK(is(g, hlo_transpose(g, a, DIMS(1, 0)), TYPE(TP_F32, 3, 2)));
    CHECK(same(hlo_transpose(g, a, DIMS(0, 1)), a));
    CHECK(same(hlo_transpose(g, s, NULL), s));
    hlo_val square = param(g, TYPE(TP_F32, 2, 2));
    CHECK(!same(hlo_transpose(g, square, DIMS(1, 0)), square));
    CHECK(is(g, hlo_slice(g, a, DIMS(0, 0), DIMS(2, 3), DIMS(1, 2)), TYPE(TP_F32, 2, 2)));
    CHECK(is(g, hlo_slice(g, a, DIMS(1, 3), DIMS(1, 3), DIMS(1, 1)), TYPE(TP_F32, 0, 0)));
    CHECK(same(hlo_slice(g, a, DIMS(0, 0), DIMS(2, 3), DIMS(1, 1)), a));
    CHECK(is(g, hlo_dynamic_slice(g, a, starts, DIMS(1, 3)), TYPE(TP_F32, 1, 3)));
    CHECK(is(g, hlo_dynamic_update(g, a, param(g, TYPE(TP_F32, 1, 2)), starts), TYPE(TP_F32, 2, 3)));
    CHECK(is(g, hlo_pad(g, a, s, DIMS(1, -1), DIMS(0, 2), DIMS(2, 0)), TYPE(TP_F32, 5, 4)));
    CHECK(is(g, hlo_pad(g, e, s, DIMS(1, 0), DIMS(1, 0), DIMS(3, 0)), TYPE(TP_F32, 2, 5)));
    CHECK(same(hlo_pad(g, a, s, DIMS(0, 0), DIMS(0, 0), DIMS(0, 0)), a));
    CHECK(is(g, hlo_reverse(g, a, 1, DIMS(1)), TYPE(TP_F32, 2, 3)));
    CHECK(same(hlo_reverse(g, a, 0, NULL), a));
    CHECK(is(g, hlo_concat(g, 3, parts, 1), TYPE(TP_F32, 2, 9)));
    CHECK(same(hlo_concat(g, 1, parts, 1), a));
    tp_type t = TYPE(TP_I64, 4, 0);
    CHECK(is(g, hlo_iota(g, &t, 1), t));
    CHECK(!hlo_error(g));
    hlo_graph_destroy(g);
}

static void test_reduce(void) {
    hlo_graph *g = hlo_graph_create();
    hlo_val a = param(g, TYPE(TP_F32, 2, 3, 4)), zero = hlo_const_int(g, TP_F32, 0), b = param(g, TYPE(TP_BOOL, 2, 3)), no = hlo_const_int(g, TP_BOOL, 0);
    CHECK(is(g, hlo_reduce(g, HLO_ADD, a, zero, 2, DIMS(2, 0)), TYPE(TP_F32, 3)));
    CHECK(is(g, hlo_reduce(g, HLO_MAX, a, zero, 3, DIMS(0, 1, 2)), SCALAR(TP_F32)));
    CHECK(same(hlo_reduce(g, HLO_MAX, a, zero, 0, NULL), a));
    CHECK(same(hlo_reduce(g, HLO_ADD, b, no, 1, DIMS(0)), hlo_reduce(g, HLO_OR, b, no, 1, DIMS(0))));
    CHECK(same(hlo_reduce(g, HLO_MIN, b, no, 1, DIMS(0)), hlo_reduce(g, HLO_AND, b, no, 1, DIMS(0))));
    CHECK(is(g, hlo_reduce_window(g, HLO_ADD, a, zero, DIMS(1, 2, 3), DIMS(1, 1, 2), NULL, NULL, DIMS(0, 0, 1), DIMS(0, 0, 1)), TYPE(TP_F32, 2, 2, 2)));
    CHECK(is(g, hlo_reduce_window(g, HLO_ADD, a, zero, DIMS(1, 2, 2), DIMS(1, 1, 1), DIMS(1, 2, 1), DIMS(1, 2, 3), DIMS(0, 0, 0), DIMS(0, 0, 0)),
             TYPE(TP_F32, 2, 3, 1)));
    CHECK(is(g, hlo_reduce_window(g, HLO_ADD, a, zero, DIMS(1, 9, 1), DIMS(1, 1, 1), NULL, NULL, DIMS(0, 0, 0), DIMS(0, 0, 0)), TYPE(TP_F32, 2, 0, 4)));

    tp_type it = TYPE(TP_I64, 2, 3, 4);
    hlo_val iota = hlo_iota(g, &it, 1), both[2] = {a, iota}, inits[2] = {zero, hlo_const_int(g, TP_I64, 0)}, out[2];
    hlo_graph *r = hlo_region(g);
    hlo_val x = param(r, SCALAR(TP_F32)), xi = param(r, SCALAR(TP_I64)), y = param(r, SCALAR(TP_F32)), yi = param(r, SCALAR(TP_I64));
    hlo_val p = hlo_compare(r, HLO_GE, x, y);
    hlo_return(r, 2, (const hlo_val[]){hlo_select(r, p, x, y), hlo_select(r, p, xi, yi)});
    hlo_reduce_n(g, 2, both, inits, 1, DIMS(1), r, out);
    CHECK(is(g, out[0], TYPE(TP_F32, 2, 4)) && is(g, out[1], TYPE(TP_I64, 2, 4)));

    r = hlo_region(g);
    x = param(r, SCALAR(TP_F32)), y = param(r, SCALAR(TP_F32));
    param(r, SCALAR(TP_I64)), param(r, SCALAR(TP_I64));
    p = hlo_compare_total(r, HLO_LT, x, y);
    hlo_return(r, 1, &p);
    hlo_sort(g, 2, both, 2, true, r, out);
    CHECK(is(g, out[0], TYPE(TP_F32, 2, 3, 4)) && is(g, out[1], it));
    r = hlo_region(g);
    x = param(r, SCALAR(TP_F32)), y = param(r, SCALAR(TP_F32));
    p = hlo_compare_total(r, HLO_LT, x, y);
    hlo_return(r, 1, &p);
    hlo_sort(g, 1, both, 2, false, r, out);
    CHECK(is(g, out[0], TYPE(TP_F32, 2, 3, 4)));
    CHECK(!hlo_error(g));
    hlo_graph_destroy(g);
}

static hlo_conv_dims conv2d(void) {
    return (hlo_conv_dims){.nspatial = 2, .feature_in = 1, .spatial_in = {2, 3}, .feature_in_kernel = 1, .spatial_kernel = {2, 3}, .feature_out = 1,
                           .spatial_out = {2, 3}, .stride = {1, 1}, .lhs_dilation = {1, 1}, .rhs_dilation = {1, 1}, .feature_groups = 1, .batch_groups = 1};
}

static void test_linear(void) {
    hlo_graph *g = hlo_graph_create();
    hlo_val a = param(g, TYPE(TP_BF16, 5, 2, 3)), b = param(g, TYPE(TP_BF16, 3, 5, 4)), x = param(g, TYPE(TP_F32, 4, 6, 9, 8)), w = param(g, TYPE(TP_F32, 8, 3, 3, 2));
    hlo_dot_dims d = {.nbatch = 1, .ncontract = 1, .lhs_batch = {0}, .rhs_batch = {1}, .lhs_contract = {2}, .rhs_contract = {0}};
    CHECK(is(g, hlo_dot(g, a, b, &d, TP_F32, HLO_DEFAULT), TYPE(TP_F32, 5, 2, 4)));
    CHECK(is(g, hlo_dot(g, a, b, &(hlo_dot_dims){0}, TP_BF16, HLO_DEFAULT), TYPE(TP_BF16, 5, 2, 3, 3, 5, 4)));
    hlo_conv_dims c = conv2d();
    c.feature_groups = 2;
    c.stride[0] = 2;
    c.pad_low[1] = c.pad_high[1] = 1;
    c.rhs_dilation[1] = 3;
    c.lhs_dilation[0] = 2;
    CHECK(is(g, hlo_conv(g, x, w, &c, TP_F32, HLO_HIGHEST), TYPE(TP_F32, 4, 8, 8, 7)));
    c = conv2d();
    c.batch_groups = 2;
    hlo_val full = param(g, TYPE(TP_F32, 8, 6, 1, 1));
    CHECK(is(g, hlo_conv(g, x, full, &c, TP_F32, HLO_HIGH), TYPE(TP_F32, 2, 8, 9, 8)));

    hlo_val v = param(g, TYPE(TP_F32, 3, 4, 2)), ix = param(g, TYPE(TP_I64, 2, 3, 2)), one = param(g, TYPE(TP_I32, 5));
    hlo_gather_dims gd = {.noffset = 2, .ncollapsed = 1, .nmap = 2, .offset = {2, 3}, .collapsed = {0}, .map = {1, 0}, .index_vector_dim = 2,
                          .slice_sizes = {1, 2, 2}};
    CHECK(is(g, hlo_gather(g, v, ix, &gd), TYPE(TP_F32, 2, 3, 2, 2)));
    gd = (hlo_gather_dims){.noffset = 2, .ncollapsed = 1, .nmap = 1, .offset = {0, 2}, .collapsed = {1}, .map = {1}, .index_vector_dim = 1,
                           .slice_sizes = {3, 1, 2}};
    CHECK(is(g, hlo_gather(g, v, one, &gd), TYPE(TP_F32, 3, 5, 2)));
    hlo_scatter_dims sd = {.nwindow = 2, .ninserted = 1, .nmap = 2, .window = {2, 3}, .inserted = {0}, .map = {1, 0}, .index_vector_dim = 2};
    CHECK(is(g, hlo_scatter(g, HLO_ADD, v, ix, param(g, TYPE(TP_F32, 2, 3, 2, 2)), &sd), TYPE(TP_F32, 3, 4, 2)));
    sd = (hlo_scatter_dims){.nwindow = 2, .ninserted = 1, .nmap = 1, .window = {0, 2}, .inserted = {1}, .map = {1}, .index_vector_dim = 1, .unique = true};
    CHECK(is(g, hlo_scatter(g, HLO_OP_NONE, v, one, param(g, TYPE(TP_F32, 3, 5, 1)), &sd), TYPE(TP_F32, 3, 4, 2)));
    CHECK(!hlo_error(g));
    hlo_graph_destroy(g);
}

/* ---- errors */
static void test_errors_shape(void) {
#define TRY(part, expr) \
    do { \
        hlo_graph *g = hlo_graph_create(); \
        hlo_val a = param(g, TYPE(TP_F32, 2, 3)), i = param(g, SCALAR(TP_I32)), b = param(g, TYPE(TP_BOOL, 2, 3)); \
        (void)a, (void)b, (void)i; \
        CHECK(refused(g, (expr), (part))); \
    } while (0)
    TRY("add: dtypes must agree (C1); got float32[2, 3] and int32[]", hlo_bin(g, HLO_ADD, a, i));
    TRY("add: shapes must broadcast to one (C1); got float32[2, 3] and float32[4]", hlo_bin(g, HLO_ADD, a, param(g, TYPE(TP_F32, 4))));
    TRY("and: the operand's dtype must be one the op is defined for (I1); got float32[2, 3]", hlo_bin(g, HLO_AND, a, a));
    TRY("sine: the operand's dtype must be", hlo_un(g, HLO_SIN, i));
    TRY("negate: the operand's dtype must be", hlo_un(g, HLO_NEG, b));
    TRY("hlo_un must get a unary op", hlo_un(g, HLO_ADD, a));
    TRY("hlo_un must get a unary op", hlo_un(g, HLO_CONVERT, a));
    TRY("hlo_bin must get a binary op", hlo_bin(g, HLO_COMPARE, a, a));
    TRY("hlo_bin must get a binary op", hlo_bin(g, HLO_EXP, a, a));
    TRY("compare: only floats must be compared in total order (C3); got int32[]", hlo_compare_total(g, HLO_LT, i, i));
    TRY("select: the predicate must be bool (I1); got int32[]", hlo_select(g, i, a, a));
    TRY("clamp: dtypes must agree", hlo_clamp(g, i, a, a));
    TRY("complex: parts must be float32 or float64 (I1); got int32[]", hlo_complex(g, i, i));
    TRY("bitcast_convert: neither dtype must be bool or complex; got bool[2, 3] to uint8", hlo_bitcast(g, b, TP_U8));
    TRY("bitcast_convert: the last dimension must be 2 for float64 (C1); got float32[2, 3]", hlo_bitcast(g, a, TP_F64));
    TRY("convert: a type must have a dtype", hlo_convert(g, a, TP_NO_DTYPE));
    TRY("reshape: element counts must agree (C2); got float32[2, 3] and float32[5]", hlo_reshape(g, a, 1, DIMS(5)));
    TRY("reshape: element counts must agree", hlo_reshape(g, a, 2, DIMS(-2, -3)));
    TRY("reshape: element counts must agree", hlo_reshape(g, a, 3, DIMS(INT64_MAX, INT64_MAX, INT64_MAX)));
    TRY("reshape: the rank must be at most 16; got 17", hlo_reshape(g, a, 17, (int64_t[17]){0}));
    TRY("broadcast_in_dim: a size must be 1 or the result's (C5); got dimension 1 of float32[2, 3] at 1 of float32[2, 4]",
        hlo_broadcast(g, a, 2, DIMS(2, 4), DIMS(0, 1)));
    TRY("must be in range and increase (C3, C4)", hlo_broadcast(g, a, 2, DIMS(3, 2), DIMS(1, 0)));
    TRY("the rank must not shrink (C3)", hlo_broadcast_to(g, a, 1, DIMS(3)));
    TRY("transpose: the permutation must name each dimension once (C2); got 1 at 1", hlo_transpose(g, a, DIMS(1, 1)));
    TRY("slice: 0 <= start <= limit <= size", hlo_slice(g, a, DIMS(0, 0), DIMS(2, 4), DIMS(1, 1)));
    TRY("got 2:1:1 in dimension 1 of float32[2, 3]", hlo_slice(g, a, DIMS(0, 2), DIMS(2, 1), DIMS(1, 1)));
    TRY("got 0:3:0 in dimension 1", hlo_slice(g, a, DIMS(0, 0), DIMS(2, 3), DIMS(1, 0)));
    TRY("dynamic_slice: sizes must be at most the operand's (C4); got 4 in dimension 1", hlo_dynamic_slice(g, a, (hlo_val[]){i, i}, DIMS(1, 4)));
    TRY("dynamic_slice: starts must be integers of rank 0 and one dtype (C3)",
        hlo_dynamic_slice(g, a, (hlo_val[]){i, hlo_const_int(g, TP_I64, 0)}, DIMS(1, 1)));
    TRY("dynamic_update_slice: the update must", hlo_dynamic_update(g, a, i, (hlo_val[]){i, i}));
    TRY("pad: the padding value must be rank 0", hlo_pad(g, a, i, DIMS(0, 0), DIMS(0, 0), DIMS(0, 0)));
    TRY("got (-3, 0, 0) in dimension 0", hlo_pad(g, a, hlo_const_int(g, TP_F32, 0), DIMS(-3, 0), DIMS(0, 0), DIMS(0, 0)));
    TRY("reverse: dimensions must be unique and in range (C2, C3); got 2", hlo_reverse(g, a, 1, DIMS(2)));
    TRY("concatenate: parts must have one dtype", hlo_concat(g, 2, (hlo_val[]){a, b}, 0));
    TRY("concatenate: the dimension must be in range (C4); got 0 of int32[]", hlo_concat(g, 2, (hlo_val[]){i, i}, 0));
    TRY("iota: the dimension must be one of the result's (C1); got 0 of int32[]", hlo_iota(g, hlo_type_of(g, i), 0));
    TRY("sizes must not be negative", param(g, TYPE(TP_F32, -1)));
    TRY("an array smaller than 2^63 bytes", param(g, TYPE(TP_F32, INT64_MAX / 2, 3)));
    TRY("an array smaller than 2^63 bytes", hlo_broadcast_to(g, i, 2, DIMS(INT64_MAX, 2)));
#undef TRY
}

static void test_errors_arrays(void) {
#define TRY(part, expr) \
    do { \
        hlo_graph *g = hlo_graph_create(); \
        hlo_val a = param(g, TYPE(TP_F32, 2, 3)), zero = hlo_const_int(g, TP_F32, 0), ix = param(g, TYPE(TP_I64, 5, 1)); \
        (void)a, (void)zero, (void)ix; \
        CHECK(refused(g, (expr), (part))); \
    } while (0)
    TRY("reduce: dimensions must be unique and in range (C4, C5); got 1", hlo_reduce(g, HLO_ADD, a, zero, 2, DIMS(1, 1)));
    TRY("reduce: the initial value must be rank 0 of the operand's dtype (C2); got float32[2, 3]", hlo_reduce(g, HLO_ADD, a, a, 1, DIMS(0)));
    TRY("reduce: the combining op must be", hlo_reduce(g, HLO_SUB, a, zero, 1, DIMS(0)));
    TRY("got or for float32", hlo_reduce(g, HLO_OR, a, zero, 1, DIMS(0)));
    TRY("reduce_window: window, stride and dilations must be positive (C5, C7, C9, C11); got 0, 1, 1, 1 in dimension 1",
        hlo_reduce_window(g, HLO_ADD, a, zero, DIMS(1, 0), DIMS(1, 1), NULL, NULL, DIMS(0, 0), DIMS(0, 0)));
    hlo_dot_dims d = {.ncontract = 1, .lhs_contract = {1}, .rhs_contract = {0}};
    TRY("dot_general: contracting sizes must agree (C10); got dimensions 1 and 0 of float32[2, 3] and float32[2, 3]",
        hlo_dot(g, a, a, &d, TP_F32, HLO_DEFAULT));
    TRY("dot_general: the result's dtype must be", hlo_dot(g, a, a, &d, TP_F16, HLO_DEFAULT));
    TRY("dot_general: the result's dtype must be", hlo_dot(g, a, ix, &d, TP_F32, HLO_DEFAULT));
    d.lhs_contract[0] = 2;
    TRY("unique and in range (C3-C8); got 2 and 0", hlo_dot(g, a, a, &d, TP_F32, HLO_DEFAULT));
    hlo_conv_dims c = conv2d();
    TRY("convolution: batch, feature and 2 spatial dimensions must be all of each array's (C1)", hlo_conv(g, a, a, &c, TP_F32, HLO_DEFAULT));
    TRY("(C14); got float32[1, 3, 5, 5] and float32[4, 2, 3, 3]",
        hlo_conv(g, param(g, TYPE(TP_F32, 1, 3, 5, 5)), param(g, TYPE(TP_F32, 4, 2, 3, 3)), &c, TP_F32, HLO_DEFAULT));
    c.spatial_out[0] = 3;
    TRY("(C20)", hlo_conv(g, param(g, TYPE(TP_F32, 1, 3, 5, 5)), param(g, TYPE(TP_F32, 4, 3, 3, 3)), &c, TP_F32, HLO_DEFAULT));
    c = conv2d();
    c.stride[1] = 0;
    TRY("(C3, C6, C8); got 0, 1, 1 in spatial dimension 1",
        hlo_conv(g, param(g, TYPE(TP_F32, 1, 3, 5, 5)), param(g, TYPE(TP_F32, 4, 3, 3, 3)), &c, TP_F32, HLO_DEFAULT));
    hlo_gather_dims gd = {.noffset = 1, .ncollapsed = 1, .nmap = 1, .offset = {1}, .collapsed = {0}, .map = {0}, .index_vector_dim = 1, .slice_sizes = {1, 4}};
    TRY("gather: dimension numbers must fit the arrays (C20: slice_sizes); got float32[2, 3] and int64[5, 1]", hlo_gather(g, a, ix, &gd));
    gd.slice_sizes[1] = 3;
    TRY("(I2: integer indices)", hlo_gather(g, a, a, &gd));
    gd.slice_sizes[0] = 2;
    TRY("(C9", hlo_gather(g, a, ix, &gd));
    gd.map[0] = 2;
    TRY("(C3, C17, C18", hlo_gather(g, a, ix, &gd));
    hlo_scatter_dims sd = {.nwindow = 1, .ninserted = 1, .nmap = 1, .window = {1}, .inserted = {0}, .map = {0}, .index_vector_dim = 1};
    TRY("scatter: dimension numbers must fit the arrays (C4: the updates' shape); got float32[2, 3], indices int64[5, 1], updates float32[5, 4]",
        hlo_scatter(g, HLO_ADD, a, ix, param(g, TYPE(TP_F32, 5, 4)), &sd));
    TRY("(C6: one dtype", hlo_scatter(g, HLO_ADD, a, ix, param(g, TYPE(TP_F64, 5, 3)), &sd));
#undef TRY
}

static void test_errors_regions(void) {
    hlo_graph *g = hlo_graph_create(), *r = hlo_region(g);
    hlo_val a = param(g, TYPE(TP_F32, 2, 3)), out[1] = {a};
    hlo_val x = param(r, SCALAR(TP_F32));
    hlo_return(r, 1, &x);
    hlo_sort(g, 1, &a, 1, true, r, out);
    CHECK(refused(g, out[0], "sort: the region must take 2 scalars and return 1 (C5); it takes 1 and returns 1"));
    g = hlo_graph_create(), r = hlo_region(g);
    a = param(g, TYPE(TP_F32, 2, 3));
    x = param(r, SCALAR(TP_F32)), param(r, SCALAR(TP_I32));
    hlo_return(r, 1, &x);
    hlo_sort(g, 1, &a, 1, true, r, out);
    CHECK(refused(g, out[0], "parameter 1 of the region must be rank 0 of its operand's dtype (C5); got int32[] for float32[2, 3]"));
    g = hlo_graph_create(), r = hlo_region(g);
    a = param(g, TYPE(TP_F32, 2, 3));
    x = param(r, SCALAR(TP_F32)), param(r, SCALAR(TP_F32));
    hlo_return(r, 1, &x);
    hlo_sort(g, 1, &a, 1, true, r, out);
    CHECK(refused(g, out[0], "result 0 of the region must be rank 0 of bool (C5); got float32[]"));
    g = hlo_graph_create(), r = hlo_region(g); /* an error inside a region is its graph's */
    a = param(g, TYPE(TP_F32, 2, 3));
    x = param(r, SCALAR(TP_F32));
    x = hlo_bin(r, HLO_AND, x, x);
    CHECK(hlo_error(g) && hlo_error(g) == hlo_error(r));
    hlo_graph *late = hlo_region(g);
    CHECK(late != NULL);
    x = param(late, SCALAR(TP_F32));
    hlo_return(late, 1, &x);
    hlo_sort(g, 1, &a, 1, true, late, out);
    CHECK(refused(g, out[0], "and: the operand's dtype"));
}

static void test_sticky(void) {
    hlo_graph *g = hlo_graph_create();
    hlo_val a = param(g, TYPE(TP_F32, 2)), none = hlo_bin(g, HLO_AND, a, a);
    tp_status first = hlo_error(g);
    CHECK(first && tp_status_code(first) == TP_INVALID_ARGUMENT && tp_status_kind(first) == TP_RUNTIME);
    CHECK(hlo_is_none(hlo_un(g, HLO_EXP, a)) && hlo_is_none(hlo_bin(g, HLO_ADD, none, a)));
    CHECK(hlo_is_none(hlo_param(g, hlo_type_of(g, a))) && hlo_is_none(hlo_const_int(g, TP_F32, 1)));
    hlo_set_error(g, TP_FAIL(TP_INTERNAL, TP_VALUE, "second"));
    CHECK(hlo_error(g) == first);
    hlo_set_outputs(g, 1, &none);
    char *text = NULL;
    CHECK_FAILS(hlo_print(g, "m", NULL, &text, NULL), "and: the operand's dtype");
    CHECK(!text);
    CHECK(hlo_type_of(g, none)->dtype == TP_NO_DTYPE && hlo_type_of(g, none)->rank == 0);
    hlo_graph_destroy(g);
    g = hlo_graph_create(); /* none without an error: a builder says nothing, an output does */
    none = hlo_bin(g, HLO_ADD, hlo_un(g, HLO_EXP, HLO_NONE), HLO_NONE);
    CHECK(hlo_is_none(none) && !hlo_error(g));
    hlo_set_outputs(g, 1, &none);
    CHECK(refused(g, HLO_NONE, "each output must be a value; output 0 of 1 is none"));
    hlo_graph_destroy(NULL);
}

/* ---- merging */
static void test_interning(void) {
    hlo_graph *g = hlo_graph_create();
    tp_type t = TYPE(TP_F32, 2, 2);
    hlo_val a = hlo_param(g, &t), b = hlo_param(g, &t);
    CHECK(!same(a, b));
    CHECK(same(hlo_bin(g, HLO_ADD, a, b), hlo_bin(g, HLO_ADD, a, b)));
    CHECK(!same(hlo_bin(g, HLO_ADD, a, b), hlo_bin(g, HLO_ADD, b, a)));
    CHECK(!same(hlo_bin(g, HLO_ADD, a, b), hlo_bin(g, HLO_SUB, a, b)));
    CHECK(!same(hlo_compare(g, HLO_LT, a, b), hlo_compare(g, HLO_LE, a, b)));
    CHECK(!same(hlo_compare(g, HLO_LT, a, b), hlo_compare_total(g, HLO_LT, a, b)));
    CHECK(!same(hlo_convert(g, a, TP_I32), hlo_convert(g, a, TP_U32)));
    CHECK(!same(hlo_iota(g, &t, 0), hlo_iota(g, &t, 1)));
    CHECK(same(hlo_const_float(g, TP_F32, 1.5), hlo_const_float(g, TP_F32, 1.5)));
    CHECK(!same(hlo_const_float(g, TP_F32, 0.0), hlo_const_float(g, TP_F32, -0.0)));
    CHECK(!same(hlo_const_int(g, TP_I32, 1), hlo_const_int(g, TP_U32, 1)));
    CHECK(same(hlo_const_float(g, TP_F32, (double)NAN), hlo_const_float(g, TP_F32, (double)NAN)));
    tp_type dirty; /* what lies behind dims[rank) and between the fields must not matter */
    memset(&dirty, 0xab, sizeof dirty);
    dirty.dtype = t.dtype, dirty.rank = t.rank, dirty.dims[0] = dirty.dims[1] = 2;
    CHECK(same(hlo_iota(g, &dirty, 0), hlo_iota(g, &t, 0)));
    unsigned char yes[2] = {1, 0}, truthy[2] = {7, 0};
    tp_type bools = TYPE(TP_BOOL, 2);
    CHECK(same(hlo_const_bits(g, &bools, yes), hlo_const_bits(g, &bools, truthy)));
    int count = hlo_node_count(g);
    for (int i = 0; i < 1000; i++) hlo_bin(g, HLO_MUL, a, hlo_const_int(g, TP_F32, i));
    CHECK(hlo_node_count(g) == count + 3000 - 1); /* 0 was there */
    for (int i = 0; i < 1000; i++) hlo_bin(g, HLO_MUL, a, hlo_const_int(g, TP_F32, i));
    CHECK(hlo_node_count(g) == count + 3000 - 1 && !hlo_error(g));
    hlo_graph_destroy(g);
}

static void test_inlining(void) {
    hlo_graph *f = hlo_graph_create(), *g = hlo_graph_create();
    hlo_val p = param(f, TYPE(TP_F32, 2, 3)), q = param(f, TYPE(TP_F32, 2, 3)), unused = param(f, SCALAR(TP_I64)), sorted[2];
    hlo_graph *r = hlo_region(f);
    hlo_val x = param(r, SCALAR(TP_F32)), y = param(r, SCALAR(TP_F32));
    param(r, SCALAR(TP_F32)), param(r, SCALAR(TP_F32));
    x = hlo_compare(r, HLO_LT, x, y);
    hlo_return(r, 1, &x);
    hlo_sort(f, 2, (hlo_val[]){p, q}, 1, true, r, sorted);
    hlo_un(f, HLO_EXP, p); /* dead */
    hlo_set_outputs(f, 3, (hlo_val[]){sorted[1], hlo_bin(f, HLO_ADD, p, q), p});
    CHECK(hlo_param_used(f, 0) && hlo_param_used(f, 1) && !hlo_param_used(f, 2));
    CHECK(hlo_param_count(f) == 3 && hlo_output_count(f) == 3 && hlo_param_type(f, 2)->dtype == TP_I64 && hlo_output_type(f, 0)->rank == 2);

    hlo_val a = param(g, TYPE(TP_F32, 2, 3)), sum = hlo_bin(g, HLO_ADD, a, a), out[3], again[3];
    int before = hlo_node_count(g);
    hlo_inline(g, f, (hlo_val[]){a, a, HLO_NONE}, out);
    CHECK(!hlo_error(g) && same(out[1], sum) && same(out[2], a) && hlo_node_count(g) == before + 2);
    hlo_inline(g, f, (hlo_val[]){a, a, HLO_NONE}, again);
    CHECK(same(again[0], out[0]) && hlo_node_count(g) == before + 2);
    char *text = print(g, out[0]);
    CHECK(strstr(text, "stablehlo.sort") && !strstr(text, "exponential") && strstr(text, "LT"));
    free(text);
    hlo_inline(g, f, (hlo_val[]){param(g, TYPE(TP_F32, 3)), a, HLO_NONE}, out);
    CHECK(hlo_is_none(out[0]) && refused(g, out[1], "argument 0 of a fragment must be float32[2, 3]; got float32[3]"));
    hlo_bin(f, HLO_AND, p, unused);
    g = hlo_graph_create();
    hlo_inline(g, f, (hlo_val[]){HLO_NONE, HLO_NONE, HLO_NONE}, out);
    CHECK(refused(g, out[0], "and: dtypes must agree"));
    hlo_graph_destroy(f);
}

/* ---- text */
static void test_print(void) {
    hlo_graph *g = hlo_graph_create();
    hlo_val a = param(g, TYPE(TP_F32, 2, 3)), b = param(g, TYPE(TP_F32, 2, 3)), zero = hlo_const_int(g, TP_F32, 0);
    hlo_un(g, HLO_TANH, a); /* dead */
    hlo_val s = hlo_reduce(g, HLO_ADD, hlo_bin(g, HLO_MUL, a, b), zero, 1, DIMS(1)), outs[2] = {s, b};
    hlo_set_outputs(g, 2, outs);
    char *text = NULL;
    size_t len = 0;
    CHECK_OK(hlo_print(g, "two words", (int[]){-1, 1}, &text, &len));
    static const char want[] =
        "module @\"two words\" {\n"
        "  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<2xf32>, tensor<2x3xf32>) {\n"
        "    %0 = \"stablehlo.constant\"() <{value = dense<0x00000000> : tensor<f32>}> : () -> tensor<f32>\n"
        "    %1 = \"stablehlo.multiply\"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>\n"
        "    %2 = \"stablehlo.reduce\"(%1, %0) <{dimensions = array<i64: 1>}> ({\n"
        "    ^bb0(%3: tensor<f32>, %4: tensor<f32>):\n"
        "      %5 = \"stablehlo.add\"(%3, %4) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n"
        "      \"stablehlo.return\"(%5) : (tensor<f32>) -> ()\n"
        "    }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>\n"
        "    \"func.return\"(%2, %arg1) : (tensor<2xf32>, tensor<2x3xf32>) -> ()\n"
        "  }\n"
        "}\n";
    CHECK(text && !strcmp(text, want) && len == strlen(want));
    if (text && strcmp(text, want)) fputs(text, stderr);
    free(text);
    CHECK_FAILS(hlo_print(g, "m", (int[]){0, -1}, &text, NULL), "an output of its type; got float32[2, 3] of parameter 0 and float32[2] of output 0");
    CHECK_FAILS(hlo_print(g, "m", (int[]){2, -1}, &text, NULL), "got output 2 of 2 for parameter 0");
    CHECK_FAILS(hlo_print(g, "m", (int[]){1, 1}, &text, NULL), "got parameters 0 and 1 for output 1");
    hlo_graph_destroy(g);
    g = hlo_graph_create();
    CHECK(prints(g, param(g, TYPE(TP_C128, 0)), "module @m {\n  func.func public @main(%arg0: tensor<0xcomplex<f64>>) -> (tensor<0xcomplex<f64>>) {\n"));
    hlo_graph_destroy(g);
}

static void test_print_constants(void) {
#define CONST(part, expr) \
    do { \
        hlo_graph *g = hlo_graph_create(); \
        CHECK(prints(g, (expr), "dense<" part)); \
        hlo_graph_destroy(g); \
    } while (0)
    CONST("0x3FC00000> : tensor<f32>", hlo_const_float(g, TP_F32, 1.5));
    CONST("0x7FF0000000000000> : tensor<f64>", hlo_const_float(g, TP_F64, (double)INFINITY));
    CONST("0x8000> : tensor<bf16>", hlo_const_float(g, TP_BF16, -0.0));
    CONST("0xFF> : tensor<i8>", hlo_const_int(g, TP_I8, -1));
    CONST("0x02> : tensor<ui8>", hlo_const_int(g, TP_U8, 258));
    CONST("0xFFFFFFFFFFFFFFFF> : tensor<ui64>", hlo_const_float(g, TP_U64, 1e30));
    CONST("true> : tensor<i1>", hlo_const_float(g, TP_BOOL, (double)NAN));
    CONST("(0x3F800000, 0x00000000)> : tensor<complex<f32>>", hlo_const_int(g, TP_C64, 1));
    CONST("[[0x0001, 0x0002], [0x0003, 0x0004]]> : tensor<2x2xi16>", bits(g, TYPE(TP_I16, 2, 2), (int16_t[]){1, 2, 3, 4}));
    CONST("0x0007> : tensor<2x2xi16>", bits(g, TYPE(TP_I16, 2, 2), (int16_t[]){7, 7, 7, 7}));
    CONST("[true, false]> : tensor<2xi1>", bits(g, TYPE(TP_BOOL, 2), "\1\0"));
    CONST("> : tensor<3x0xf32>", bits(g, TYPE(TP_F32, 3, 0), NULL));
#undef CONST
}

/* Bits of a constant, read back from the text. */
static unsigned long bits_of(tp_dtype dtype, double value) {
    hlo_graph *g = hlo_graph_create();
    char *text = print(g, hlo_const_float(g, dtype, value)), *at = strstr(text, "dense<0x");
    unsigned long word = at ? strtoul(at + 6, NULL, 16) : 0xdead;
    free(text);
    hlo_graph_destroy(g);
    return word;
}

/* Value of a finite small float. */
static double value_of(unsigned word, int exponent, int mantissa, int bias) {
    unsigned e = word >> mantissa & ((1u << exponent) - 1), m = word & ((1u << mantissa) - 1);
    double v = e ? ldexp(1 + m / ldexp(1, mantissa), (int)e - bias) : ldexp(m / ldexp(1, mantissa), 1 - bias);
    return word >> (exponent + mantissa) & 1 ? -v : v;
}

/* Every finite number is itself; halfway to the next goes to the even one; a hair more or less to the nearer. */
static void check_rounding(tp_dtype dtype, int exponent, int mantissa, int bias, unsigned largest) {
    int wrong = 0;
    for (unsigned b = 0; b < largest; b++) {
        double lo = value_of(b, exponent, mantissa, bias), hi = value_of(b + 1, exponent, mantissa, bias), middle = (lo + hi) / 2;
        wrong += bits_of(dtype, lo) != b || bits_of(dtype, middle) != (b & 1 ? b + 1 : b);
        wrong += bits_of(dtype, nextafter(middle, lo)) != b || bits_of(dtype, nextafter(middle, hi)) != b + 1;
        if (largest > 256) b += 6; /* 16-bit formats: every 7th */
    }
    if (!CHECK(wrong == 0)) fprintf(stderr, "%s: %d wrong\n", tp_dtype_name(dtype), wrong);
}

static void test_rounding(void) {
    check_rounding(TP_F8E5M2, 5, 2, 15, 0x7b);
    check_rounding(TP_F8E4M3FN, 4, 3, 7, 0x7e);
    check_rounding(TP_F8E5M2FNUZ, 5, 2, 16, 0x7f);
    check_rounding(TP_F8E4M3FNUZ, 4, 3, 8, 0x7f);
    check_rounding(TP_F16, 5, 10, 15, 0x7bff);
    check_rounding(TP_BF16, 8, 7, 127, 0x7f7f);
    static const struct {
        tp_dtype dtype;
        double value;
        unsigned long word;
    } edges[] = {
        {TP_F16, 65504, 0x7bff}, {TP_F16, 65519.99, 0x7bff}, {TP_F16, 65520, 0x7c00}, {TP_F16, -1e300, 0xfc00}, {TP_F16, -INFINITY, 0xfc00},
        {TP_F16, 0x1p-25, 0}, {TP_F16, 0x1.8p-25, 1}, {TP_F16, -0x1p-30, 0x8000}, {TP_F16, 0x1p-1074, 0}, {TP_F16, NAN, 0x7e00},
        {TP_BF16, 3.4e38, 0x7f80}, {TP_BF16, 0x1p-133, 1}, {TP_BF16, 1.00390625, 0x3f80}, {TP_BF16, 1.01171875, 0x3f82}, {TP_BF16, NAN, 0x7fc0},
        {TP_F8E5M2, 61440, 0x7c}, {TP_F8E5M2, INFINITY, 0x7c}, {TP_F8E5M2, -1e9, 0xfc}, {TP_F8E5M2, NAN, 0x7e},
        {TP_F8E4M3FN, 448, 0x7e}, {TP_F8E4M3FN, 464, 0x7e}, {TP_F8E4M3FN, 465, 0x7f}, {TP_F8E4M3FN, -INFINITY, 0xff}, {TP_F8E4M3FN, -0.0, 0x80},
        {TP_F8E4M3FNUZ, -0.0, 0}, {TP_F8E4M3FNUZ, 240, 0x7f}, {TP_F8E4M3FNUZ, 248, 0x80}, {TP_F8E4M3FNUZ, -INFINITY, 0x80}, {TP_F8E4M3FNUZ, -1, 0xc0},
        {TP_F8E5M2FNUZ, 57344, 0x7f}, {TP_F8E5M2FNUZ, 61440, 0x80}, {TP_F8E5M2FNUZ, NAN, 0x80}, {TP_F8E5M2FNUZ, -0x1p-40, 0},
        {TP_I8, 127.9, 127}, {TP_I8, 200, 127}, {TP_I8, -200, 0x80}, {TP_I8, -1.9, 0xff}, {TP_I8, NAN, 0}, {TP_U8, -1, 0}, {TP_U8, 255.5, 255},
        {TP_I64, 0x1p63, 0x7fffffffffffffff}, {TP_I64, -0x1p63, 0x8000000000000000}, {TP_U64, 0x1p63, 0x8000000000000000}, {TP_U32, INFINITY, 0xffffffff},
    };
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        if (!CHECK(bits_of(edges[i].dtype, edges[i].value) == edges[i].word))
            fprintf(stderr, "%s of %g: %lx\n", tp_dtype_name(edges[i].dtype), edges[i].value, bits_of(edges[i].dtype, edges[i].value));
    hlo_graph *g = hlo_graph_create(); /* one rounding: through double these would be ties */
    CHECK(same(hlo_const_int(g, TP_BF16, (INT64_C(0x101) << 54) + 1), hlo_const_float(g, TP_BF16, 0x102p54)));
    CHECK(same(hlo_const_int(g, TP_BF16, -((INT64_C(0x101) << 46) + 1)), hlo_const_float(g, TP_BF16, -0x102p46)));
    CHECK(same(hlo_const_int(g, TP_F32, (INT64_C(0x1000001) << 34) + 1), hlo_const_float(g, TP_F32, 0x1000002p34)));
    CHECK(same(hlo_const_int(g, TP_F64, INT64_MIN), hlo_const_float(g, TP_F64, -0x1p63)));
    hlo_graph_destroy(g);
}

int main(void) {
    test_elementwise();
    test_shape();
    test_reduce();
    test_linear();
    test_errors_shape();
    test_errors_arrays();
    test_errors_regions();
    test_sticky();
    test_interning();
    test_inlining();
    test_print();
    test_print_constants();
    test_rounding();
    return check_result();
}
