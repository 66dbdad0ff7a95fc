/* Attributes as StableHLO spells them: the one place that knows the spellings, next to print.c's frame of an operation. */
#include "hlo/node.h"

static void put_bool(tp_strbuf *b, bool value) { tp_strbuf_puts(b, value ? "true" : "false"); }

/* "name = " with a comma before all but the first. */
static void name(tp_strbuf *b, const char *text) {
    if (b->data[b->len - 1] != '{' && b->data[b->len - 1] != '<') tp_strbuf_puts(b, ", ");
    tp_strbuf_puts(b, text);
    tp_strbuf_puts(b, " = ");
}

static void numbers(tp_strbuf *b, const int64_t *list, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        if (i) tp_strbuf_puts(b, ", ");
        hlo_put_number(b, list[i]);
    }
}

static void integer(tp_strbuf *b, const char *key, int64_t value) {
    name(b, key);
    hlo_put_number(b, value);
    tp_strbuf_puts(b, " : i64");
}

static void flag(tp_strbuf *b, const char *key, bool value) {
    name(b, key);
    put_bool(b, value);
}

static void array(tp_strbuf *b, const char *key, const int64_t *list, int64_t n) {
    name(b, key);
    tp_strbuf_puts(b, n ? "array<i64: " : "array<i64");
    numbers(b, list, n);
    tp_strbuf_puts(b, ">");
}

/* The attributes are |nkeys| arrays of equal length, one after the other. */
static void arrays(tp_strbuf *b, int nkeys, const char *const *keys, const int64_t *attrs, int64_t nattrs) {
    for (int i = 0; i < nkeys; i++) array(b, keys[i], attrs + i * (nattrs / nkeys), nattrs / nkeys);
}

/* A list inside an attribute of dimension numbers, where an empty one is left out. */
static const int64_t *list(tp_strbuf *b, const char *key, const int64_t *words, int64_t n) {
    if (n) {
        name(b, key);
        tp_strbuf_puts(b, "[");
        numbers(b, words, n);
        tp_strbuf_puts(b, "]");
    }
    return words + n;
}

static void padding(tp_strbuf *b, const int64_t *low, const int64_t *high, int64_t n) {
    name(b, "padding");
    tp_strbuf_puts(b, "dense<");
    for (int64_t i = 0; i < n; i++) {
        tp_strbuf_puts(b, i ? ", [" : "[[");
        hlo_put_number(b, low[i]);
        tp_strbuf_puts(b, ", ");
        hlo_put_number(b, high[i]);
        tp_strbuf_puts(b, "]");
    }
    tp_strbuf_puts(b, n ? "]> : tensor<" : "> : tensor<");
    hlo_put_number(b, n);
    tp_strbuf_puts(b, "x2xi64>");
}

static void precision(tp_strbuf *b, int64_t p) {
    static const char *const words[] = {[HLO_DEFAULT] = "DEFAULT", [HLO_HIGH] = "HIGH", [HLO_HIGHEST] = "HIGHEST"};
    name(b, "precision_config");
    tp_strbuf_printf(b, "[#stablehlo<precision %s>, #stablehlo<precision %s>]", words[p], words[p]);
}

/* ---- constants, by their bits at the width of an element */
static void hex(tp_strbuf *b, const unsigned char *bytes, size_t size) {
    static const char digits[] = "0123456789ABCDEF";
    char text[2 + 2 * 16] = "0x";
    for (size_t i = 0; i < size; i++) {
        text[2 + 2 * i] = digits[bytes[size - 1 - i] >> 4];
        text[3 + 2 * i] = digits[bytes[size - 1 - i] & 15];
    }
    tp_strbuf_put(b, text, 2 + 2 * size);
}

static void element(tp_strbuf *b, tp_dtype dtype, const unsigned char *bytes) {
    size_t size = tp_dtype_size(dtype);
    if (dtype == TP_BOOL) {
        put_bool(b, *bytes);
    } else if (tp_dtype_is_complex(dtype)) {
        tp_strbuf_puts(b, "(");
        hex(b, bytes, size / 2);
        tp_strbuf_puts(b, ", ");
        hex(b, bytes + size / 2, size / 2);
        tp_strbuf_puts(b, ")");
    } else {
        hex(b, bytes, size);
    }
}

/* Nested lists from dimension |dim| on; returns the next element. */
static const unsigned char *elements(tp_strbuf *b, const tp_type *t, int dim, const unsigned char *bytes) {
    if (dim == t->rank) {
        element(b, (tp_dtype)t->dtype, bytes);
        return bytes + tp_dtype_size((tp_dtype)t->dtype);
    }
    tp_strbuf_puts(b, "[");
    for (int64_t i = 0; i < t->dims[dim]; i++) {
        if (i) tp_strbuf_puts(b, ", ");
        bytes = elements(b, t, dim + 1, bytes);
    }
    tp_strbuf_puts(b, "]");
    return bytes;
}

static void constant(tp_strbuf *b, const hlo_node *n) {
    const tp_type *t = hlo_node_type(n, 0);
    const unsigned char *bytes = hlo_node_data(n);
    size_t size = tp_dtype_size((tp_dtype)t->dtype);
    bool splat = n->data_size > 0 && memcmp(bytes, bytes + size, n->data_size - size) == 0; /* equal to itself, one further on */
    name(b, "value");
    tp_strbuf_puts(b, "dense<");
    if (splat)
        element(b, (tp_dtype)t->dtype, bytes);
    else if (n->data_size)
        elements(b, t, 0, bytes);
    tp_strbuf_puts(b, "> : ");
    hlo_put_type(b, t);
}

/* ---- by op; each reads what its builder laid out */
static void compare(tp_strbuf *b, tp_dtype dtype, const int64_t *a) {
    static const char *const dirs[] = {[HLO_EQ] = "EQ", [HLO_NE] = "NE", [HLO_GE] = "GE", [HLO_GT] = "GT", [HLO_LE] = "LE", [HLO_LT] = "LT"};
    static const char *const kinds[] = {[TP_CLASS_BOOL] = "UNSIGNED", [TP_CLASS_UINT] = "UNSIGNED", [TP_CLASS_SINT] = "SIGNED",
                                        [TP_CLASS_FLOAT] = "FLOAT", [TP_CLASS_COMPLEX] = "FLOAT"};
    name(b, "comparison_direction");
    tp_strbuf_printf(b, "#stablehlo<comparison_direction %s>", dirs[a[0]]);
    name(b, "compare_type");
    tp_strbuf_printf(b, "#stablehlo<comparison_type %s>", a[1] ? "TOTALORDER" : kinds[tp_dtype_class(dtype)]);
}

static void reduce_window(tp_strbuf *b, const int64_t *a, int64_t rank) {
    static const char *const keys[4] = {"window_dimensions", "window_strides", "base_dilations", "window_dilations"};
    arrays(b, 4, keys, a + 1, 4 * rank);
    padding(b, a + 1 + 4 * rank, a + 1 + 5 * rank, rank);
}

static void dot(tp_strbuf *b, const int64_t *a) {
    name(b, "dot_dimension_numbers");
    tp_strbuf_puts(b, "#stablehlo.dot<");
    const int64_t *w = a + 3;
    w = list(b, "lhs_batching_dimensions", w, a[0]);
    w = list(b, "rhs_batching_dimensions", w, a[0]);
    w = list(b, "lhs_contracting_dimensions", w, a[1]);
    list(b, "rhs_contracting_dimensions", w, a[1]);
    tp_strbuf_puts(b, ">");
    precision(b, a[2]);
}

/* "[b, 0, 1, f]": letters and spatial numbers where their dimensions are. */
static void layout(tp_strbuf *b, const char *letters, int64_t first, int64_t second, const int64_t *spatial, int64_t n) {
    for (int64_t i = 0; i < n + 2; i++) {
        tp_strbuf_puts(b, i ? ", " : "[");
        if (i == first) tp_strbuf_put(b, letters, 1);
        if (i == second) tp_strbuf_put(b, letters + 1, 1);
        for (int64_t k = 0; k < n; k++)
            if (i == spatial[k]) hlo_put_number(b, k);
    }
    tp_strbuf_puts(b, "]");
}

static void convolution(tp_strbuf *b, const int64_t *a) {
    int64_t n = a[0];
    const int64_t *in = a + 10, *kernel = in + n, *out = kernel + n, *stride = out + n, *low = stride + n, *high = low + n, *lhs = high + n, *rhs = lhs + n;
    array(b, "window_strides", stride, n);
    padding(b, low, high, n);
    array(b, "lhs_dilation", lhs, n);
    array(b, "rhs_dilation", rhs, n);
    name(b, "window_reversal");
    tp_strbuf_puts(b, n ? "array<i1: " : "array<i1");
    for (int64_t i = 0; i < n; i++) {
        if (i) tp_strbuf_puts(b, ", ");
        put_bool(b, rhs[n + i]);
    }
    tp_strbuf_puts(b, ">");
    name(b, "dimension_numbers");
    tp_strbuf_puts(b, "#stablehlo.conv<");
    layout(b, "bf", a[2], a[3], in, n);
    tp_strbuf_puts(b, "x");
    layout(b, "io", a[4], a[5], kernel, n);
    tp_strbuf_puts(b, "->");
    layout(b, "bf", a[6], a[7], out, n);
    tp_strbuf_puts(b, ">");
    integer(b, "feature_group_count", a[8]);
    integer(b, "batch_group_count", a[9]);
    precision(b, a[1]);
}

static void index_vector(tp_strbuf *b, int64_t dim) {
    name(b, "index_vector_dim");
    hlo_put_number(b, dim);
    tp_strbuf_puts(b, ">");
}

static void gather(tp_strbuf *b, const int64_t *a, int64_t rank) {
    name(b, "dimension_numbers");
    tp_strbuf_puts(b, "#stablehlo.gather<");
    const int64_t *w = a + 5;
    w = list(b, "offset_dims", w, a[0]);
    w = list(b, "collapsed_slice_dims", w, a[1]);
    w = list(b, "start_index_map", w, a[2]);
    index_vector(b, a[3]);
    array(b, "slice_sizes", w, rank);
    flag(b, "indices_are_sorted", a[4]);
}

static void scatter(tp_strbuf *b, const int64_t *a) {
    name(b, "scatter_dimension_numbers");
    tp_strbuf_puts(b, "#stablehlo.scatter<");
    const int64_t *w = a + 7;
    w = list(b, "update_window_dims", w, a[1]);
    w = list(b, "inserted_window_dims", w, a[2]);
    list(b, "scatter_dims_to_operand_dims", w, a[3]);
    index_vector(b, a[4]);
    flag(b, "indices_are_sorted", a[5]);
    flag(b, "unique_indices", a[6]);
}

static void by_op(tp_strbuf *b, const hlo_node *n, const tp_type *operand) {
    static const char *const slice[] = {"start_indices", "limit_indices", "strides"};
    static const char *const pad[] = {"edge_padding_low", "edge_padding_high", "interior_padding"};
    const int64_t *a = hlo_node_attrs(n);
    switch ((hlo_op)n->op) {
    case HLO_CONST: constant(b, n); break;
    case HLO_IOTA: integer(b, "iota_dimension", a[0]); break;
    case HLO_COMPARE: compare(b, (tp_dtype)operand->dtype, a); break;
    case HLO_BROADCAST: array(b, "broadcast_dimensions", a, n->nattrs); break;
    case HLO_TRANSPOSE: array(b, "permutation", a, n->nattrs); break;
    case HLO_SLICE: arrays(b, 3, slice, a, n->nattrs); break;
    case HLO_DSLICE: array(b, "slice_sizes", a, n->nattrs); break;
    case HLO_PAD: arrays(b, 3, pad, a, n->nattrs); break;
    case HLO_REVERSE: array(b, "dimensions", a, n->nattrs); break;
    case HLO_CONCAT: integer(b, "dimension", a[0]); break;
    case HLO_REDUCE: array(b, "dimensions", a + 1, (int64_t)n->nattrs - 1); break;
    case HLO_SORT:
        integer(b, "dimension", a[0]);
        flag(b, "is_stable", a[1]);
        break;
    case HLO_REDWIN: reduce_window(b, a, operand->rank); break;
    case HLO_DOT: dot(b, a); break;
    case HLO_CONV: convolution(b, a); break;
    case HLO_GATHER: gather(b, a, operand->rank); break;
    case HLO_SCATTER: scatter(b, a); break;
    default: break;
    }
}

void hlo_put_attributes(tp_strbuf *b, const hlo_graph *g, const hlo_node *n) {
    if (n->op != HLO_CONST && !n->nattrs && hlo_type_rule((hlo_op)n->op) != HLO_GIVEN) return;
    size_t before = b->len;
    tp_strbuf_puts(b, " <{");
    size_t start = b->len;
    if (!b->failed) by_op(b, n, n->nops ? hlo_type_of(g, hlo_node_ops(n)[0]) : NULL);
    if (b->failed || b->len > start)
        tp_strbuf_puts(b, "}>");
    else
        b->len = before;
}
