/* Generic-form StableHLO: "op"(operands) <{attributes}> ({regions}) : (types) -> types, one printer for all ops. */
#include "base/strbuf.h"
#include "hlo/node.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct printer {
    tp_strbuf b;
    const hlo_graph *g;
    bool *live;
    char prefix[16];  /* of value names: regions nest */
    int depth;
} printer;

static void print_type(tp_strbuf *b, const tp_type *t) {
    tp_strbuf_puts(b, "tensor<");
    for (int i = 0; i < t->rank; i++) tp_strbuf_printf(b, "%lldx", (long long)t->dims[i]);
    tp_strbuf_printf(b, "%s>", tp_dtype_hlo((tp_dtype)t->dtype));
}

static void print_value(printer *p, hlo_val v) {
    const hlo_node *n = hlo_node_of(p->g, v);
    if (n->op == HLO_PARAM)
        tp_strbuf_printf(&p->b, "%%%sarg%lld", p->prefix, (long long)n->attrs[0]);
    else if (n->op == HLO_RESULT)
        tp_strbuf_printf(&p->b, "%%%s%u#%lld", p->prefix, n->ops[0].ix, (long long)n->attrs[0]);
    else
        tp_strbuf_printf(&p->b, "%%%s%u", p->prefix, v.ix);
}

/* ---- attributes */
static void print_list(tp_strbuf *b, const int64_t *list, int64_t n) {
    tp_strbuf_puts(b, "[");
    for (int64_t i = 0; i < n; i++) tp_strbuf_printf(b, i ? ", %lld" : "%lld", (long long)list[i]);
    tp_strbuf_puts(b, "]");
}

static void print_array(tp_strbuf *b, const char *name, const int64_t *list, int64_t n) {
    tp_strbuf_printf(b, "%s = array<i64", name);
    for (int64_t i = 0; i < n; i++) tp_strbuf_printf(b, i ? ", %lld" : ": %lld", (long long)list[i]);
    tp_strbuf_puts(b, ">");
}

static void print_hex(tp_strbuf *b, const unsigned char *p, size_t size) {
    tp_strbuf_puts(b, "0x");
    for (size_t i = size; i-- > 0;) tp_strbuf_printf(b, "%02X", p[i]);
}

static void print_element(tp_strbuf *b, tp_dtype t, const unsigned char *p) {
    int64_t wide = 0;
    size_t size = tp_dtype_size(t);
    if (t == TP_BOOL) {
        tp_strbuf_puts(b, *p ? "true" : "false");
    } else if (tp_dtype_is_complex(t)) {
        tp_strbuf_puts(b, "(");
        print_hex(b, p, size / 2);
        tp_strbuf_puts(b, ", ");
        print_hex(b, p + size / 2, size / 2);
        tp_strbuf_puts(b, ")");
    } else if (tp_dtype_is_float(t)) {
        print_hex(b, p, size);
    } else {
        memcpy(&wide, p, size);
        if (tp_dtype_class(t) == TP_CLASS_SINT && size < 8) wide = (int64_t)((uint64_t)wide << (64 - 8 * size)) >> (64 - 8 * size);
        if (t == TP_U64)
            tp_strbuf_printf(b, "%llu", (unsigned long long)wide);
        else
            tp_strbuf_printf(b, "%lld", (long long)wide);
    }
}

static const unsigned char *print_nested(tp_strbuf *b, const tp_type *t, int dim, const unsigned char *p) {
    if (dim == t->rank) {
        print_element(b, (tp_dtype)t->dtype, p);
        return p + tp_dtype_size((tp_dtype)t->dtype);
    }
    tp_strbuf_puts(b, "[");
    for (int64_t i = 0; i < t->dims[dim]; i++) {
        if (i) tp_strbuf_puts(b, ", ");
        p = print_nested(b, t, dim + 1, p);
    }
    tp_strbuf_puts(b, "]");
    return p;
}

static void print_constant(tp_strbuf *b, const hlo_node *n) {
    const tp_type *t = n->types;
    const unsigned char *p = n->data;
    size_t size = tp_dtype_size((tp_dtype)t->dtype), count = (size_t)tp_type_numel(t);
    bool splat = count > 0;
    for (size_t i = 1; splat && i < count; i++) splat = !memcmp(p, p + i * size, size);
    tp_strbuf_puts(b, "value = dense<");
    if (splat)
        print_element(b, (tp_dtype)t->dtype, p);
    else if (count)
        print_nested(b, t, 0, p);
    tp_strbuf_puts(b, "> : ");
    print_type(b, t);
}

static const char *const dirs[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
static const char *const precisions[] = {"DEFAULT", "HIGH", "HIGHEST"};

static const char *compare_kind(tp_dtype t, bool total) {
    switch (tp_dtype_class(t)) {
    case TP_CLASS_FLOAT:
    case TP_CLASS_COMPLEX: return total ? "TOTALORDER" : "FLOAT";
    case TP_CLASS_SINT: return "SIGNED";
    default: return "UNSIGNED";
    }
}

static void print_precision(tp_strbuf *b, int64_t precision) {
    const char *w = precisions[precision];
    tp_strbuf_printf(b, "precision_config = [#stablehlo<precision %s>, #stablehlo<precision %s>]", w, w);
}

static void print_field(tp_strbuf *b, const char *name, const int64_t *list, int64_t n) {
    if (!n) return;
    tp_strbuf_printf(b, "%s = ", name);
    print_list(b, list, n);
    tp_strbuf_puts(b, ", ");
}

static void print_dot(tp_strbuf *b, const int64_t *a) {
    int64_t nb = a[0], nc = a[1];
    const int64_t *w = a + 3;
    tp_strbuf_puts(b, "dot_dimension_numbers = #stablehlo.dot<");
    print_field(b, "lhs_batching_dimensions", w, nb);
    print_field(b, "rhs_batching_dimensions", w + nb, nb);
    tp_strbuf_puts(b, "lhs_contracting_dimensions = ");
    print_list(b, w + 2 * nb, nc);
    tp_strbuf_puts(b, ", rhs_contracting_dimensions = ");
    print_list(b, w + 2 * nb + nc, nc);
    tp_strbuf_puts(b, ">, ");
    print_precision(b, a[2]);
}

static void print_gather(tp_strbuf *b, const hlo_graph *g, const hlo_node *n) {
    const int64_t *a = n->attrs, *w = a + 5;
    tp_strbuf_puts(b, "dimension_numbers = #stablehlo.gather<");
    print_field(b, "offset_dims", w, a[0]);
    print_field(b, "collapsed_slice_dims", w + a[0], a[1]);
    print_field(b, "start_index_map", w + a[0] + a[1], a[2]);
    tp_strbuf_printf(b, "index_vector_dim = %lld>, indices_are_sorted = %s, ", (long long)a[3], a[4] ? "true" : "false");
    print_array(b, "slice_sizes", w + a[0] + a[1] + a[2], hlo_type_of(g, n->ops[0])->rank);
}

static void print_scatter(tp_strbuf *b, const int64_t *a) {
    const int64_t *w = a + 7;
    tp_strbuf_puts(b, "scatter_dimension_numbers = #stablehlo.scatter<");
    print_field(b, "update_window_dims", w, a[1]);
    print_field(b, "inserted_window_dims", w + a[1], a[2]);
    print_field(b, "scatter_dims_to_operand_dims", w + a[1] + a[2], a[3]);
    tp_strbuf_printf(b, "index_vector_dim = %lld>, indices_are_sorted = %s, unique_indices = %s", (long long)a[4], a[5] ? "true" : "false",
                     a[6] ? "true" : "false");
}

static void print_padding(tp_strbuf *b, const int64_t *low, const int64_t *high, int64_t n) {
    tp_strbuf_puts(b, "padding = dense<[");
    for (int64_t i = 0; i < n; i++) tp_strbuf_printf(b, i ? ", [%lld, %lld]" : "[%lld, %lld]", (long long)low[i], (long long)high[i]);
    tp_strbuf_printf(b, "]> : tensor<%lldx2xi64>", (long long)n);
}

static void print_reduce_window(tp_strbuf *b, const hlo_node *n) {
    int64_t r = n->types->rank;
    const int64_t *w = n->attrs + 1;
    static const char *const names[4] = {"window_dimensions", "window_strides", "base_dilations", "window_dilations"};
    for (int k = 0; k < 4; k++, w += r) {
        print_array(b, names[k], w, r);
        tp_strbuf_puts(b, ", ");
    }
    print_padding(b, w, w + r, r);
}

/* "[b, 0, 1, f]" with letters at their positions */
static void print_layout(tp_strbuf *b, char first, int64_t at_first, char second, int64_t at_second, const int64_t *spatial, int64_t n) {
    tp_strbuf_puts(b, "[");
    for (int64_t i = 0; i < n + 2; i++) {
        if (i) tp_strbuf_puts(b, ", ");
        for (int64_t k = 0; k < n; k++)
            if (spatial[k] == i) tp_strbuf_printf(b, "%lld", (long long)k);
        if (i == at_first) tp_strbuf_put(b, &first, 1);
        if (i == at_second) tp_strbuf_put(b, &second, 1);
    }
    tp_strbuf_puts(b, "]");
}

static void print_conv(tp_strbuf *b, const int64_t *a) {
    int64_t n = a[0];
    const int64_t *in = a + 10, *kernel = in + n, *out = kernel + n, *w = out + n;
    tp_strbuf_puts(b, "dimension_numbers = #stablehlo.conv<");
    print_layout(b, 'b', a[2], 'f', a[3], in, n);
    tp_strbuf_puts(b, "x");
    print_layout(b, 'i', a[4], 'o', a[5], kernel, n);
    tp_strbuf_puts(b, "->");
    print_layout(b, 'b', a[6], 'f', a[7], out, n);
    tp_strbuf_printf(b, ">, feature_group_count = %lld : i64, batch_group_count = %lld : i64, ", (long long)a[8], (long long)a[9]);
    if (n) {
        print_array(b, "window_strides", w, n);
        tp_strbuf_puts(b, ", ");
        print_padding(b, w + n, w + 2 * n, n);
        tp_strbuf_puts(b, ", ");
        print_array(b, "lhs_dilation", w + 3 * n, n);
        tp_strbuf_puts(b, ", ");
        print_array(b, "rhs_dilation", w + 4 * n, n);
        tp_strbuf_puts(b, ", window_reversal = array<i1");
        for (int64_t i = 0; i < n; i++) tp_strbuf_printf(b, "%s%s", i ? ", " : ": ", w[5 * n + i] ? "true" : "false");
        tp_strbuf_puts(b, ">, ");
    }
    print_precision(b, a[1]);
}

static void print_three(tp_strbuf *b, const char *const names[3], const int64_t *a, int64_t n) {
    for (int k = 0; k < 3; k++) {
        if (k) tp_strbuf_puts(b, ", ");
        print_array(b, names[k], a + k * n, n);
    }
}

static void print_attributes(printer *p, const hlo_node *n) {
    static const char *const slice[3] = {"start_indices", "limit_indices", "strides"};
    static const char *const pad[3] = {"edge_padding_low", "edge_padding_high", "interior_padding"};
    tp_strbuf *b = &p->b;
    const int64_t *a = n->attrs;
    switch (n->op) {
    case HLO_CONST: print_constant(b, n); break;
    case HLO_IOTA: tp_strbuf_printf(b, "iota_dimension = %lld : i64", (long long)a[0]); break;
    case HLO_COMPARE:
        tp_strbuf_printf(b, "comparison_direction = #stablehlo<comparison_direction %s>, compare_type = #stablehlo<comparison_type %s>", dirs[a[0]],
                         compare_kind((tp_dtype)hlo_type_of(p->g, n->ops[0])->dtype, a[1]));
        break;
    case HLO_BROADCAST: print_array(b, "broadcast_dimensions", a, n->nattrs); break;
    case HLO_TRANSPOSE: print_array(b, "permutation", a, n->nattrs); break;
    case HLO_SLICE: print_three(b, slice, a, n->nattrs / 3); break;
    case HLO_DSLICE: print_array(b, "slice_sizes", a, n->nattrs); break;
    case HLO_PAD: print_three(b, pad, a, n->nattrs / 3); break;
    case HLO_REVERSE: print_array(b, "dimensions", a, n->nattrs); break;
    case HLO_CONCAT: tp_strbuf_printf(b, "dimension = %lld : i64", (long long)a[0]); break;
    case HLO_REDUCE: print_array(b, "dimensions", a + 1, n->nattrs - 1); break;
    case HLO_SORT: tp_strbuf_printf(b, "dimension = %lld : i64, is_stable = %s", (long long)a[0], a[1] ? "true" : "false"); break;
    case HLO_REDWIN: print_reduce_window(b, n); break;
    case HLO_DOT: print_dot(b, a); break;
    case HLO_CONV: print_conv(b, a); break;
    case HLO_GATHER: print_gather(b, p->g, n); break;
    case HLO_SCATTER: print_scatter(b, a); break;
    default: break;
    }
}

/* ---- bodies */
static bool print_body(printer *p, const char *terminator);

static void indent(printer *p) {
    for (int i = 0; i < p->depth; i++) tp_strbuf_puts(&p->b, "  ");
}

/* The region of a reduction by one binary op; NONE returns the second argument (a scatter that replaces). */
static void print_combiner(printer *p, int64_t op, tp_dtype dtype) {
    const char *e = tp_dtype_hlo(dtype);
    tp_strbuf_printf(&p->b, " ({\n^bb0(%%x: tensor<%s>, %%y: tensor<%s>):\n", e, e);
    if (op != HLO_OP_NONE) {
        const char *name = hlo_mnemonic((hlo_op)op);
        tp_strbuf_printf(&p->b, "  %%z = \"stablehlo.%s\"(%%x, %%y) : (tensor<%s>, tensor<%s>) -> tensor<%s>\n", name, e, e, e);
    }
    tp_strbuf_printf(&p->b, "  \"stablehlo.return\"(%s) : (tensor<%s>) -> ()\n", op == HLO_OP_NONE ? "%y" : "%z", e);
    indent(p);
    tp_strbuf_puts(&p->b, "})");
}

static bool print_region(printer *p, const hlo_graph *region) {
    printer inner = {.b = p->b, .g = region, .live = hlo_mark_live(region), .depth = p->depth + 1};
    if (!inner.live) return false;
    snprintf(inner.prefix, sizeof inner.prefix, "r%d_", inner.depth);
    tp_strbuf_puts(&inner.b, " ({\n^bb0(");
    for (int i = 0; i < hlo_param_count(region); i++) {
        tp_strbuf_printf(&inner.b, "%s%%%sarg%d: ", i ? ", " : "", inner.prefix, i);
        print_type(&inner.b, hlo_param_type(region, i));
    }
    tp_strbuf_puts(&inner.b, "):\n");
    bool ok = print_body(&inner, "stablehlo.return");
    free(inner.live);
    p->b = inner.b;
    indent(p);
    tp_strbuf_puts(&p->b, "})");
    return ok;
}

static bool has_combiner(const hlo_node *n) { return n->op == HLO_REDUCE || n->op == HLO_REDWIN || n->op == HLO_SCATTER; }

static bool print_node(printer *p, uint32_t ix) {
    const hlo_node *n = p->g->nodes[ix];
    tp_strbuf *b = &p->b;
    const char *name = hlo_mnemonic((hlo_op)n->op);
    indent(p);
    tp_strbuf_printf(b, "%%%s%u", p->prefix, ix);
    if (n->nresults > 1) tp_strbuf_printf(b, ":%u", n->nresults);
    tp_strbuf_printf(b, strchr(name, '.') ? " = \"%s\"(" : " = \"stablehlo.%s\"(", name);
    for (uint32_t i = 0; i < n->nops; i++) {
        if (i) tp_strbuf_puts(b, ", ");
        print_value(p, n->ops[i]);
    }
    tp_strbuf_puts(b, ")");
    size_t before = b->len;
    tp_strbuf_puts(b, " <{");
    size_t start = b->len;
    print_attributes(p, n);
    if (b->len == start)
        b->len = before;
    else
        tp_strbuf_puts(b, "}>");
    bool ok = true;
    if (n->region)
        ok = print_region(p, n->region);
    else if (has_combiner(n))
        print_combiner(p, n->attrs[0], (tp_dtype)hlo_type_of(p->g, n->ops[0])->dtype);
    tp_strbuf_puts(b, " : (");
    for (uint32_t i = 0; i < n->nops; i++) {
        if (i) tp_strbuf_puts(b, ", ");
        print_type(b, hlo_type_of(p->g, n->ops[i]));
    }
    tp_strbuf_puts(b, n->nresults > 1 ? ") -> (" : ") -> ");
    for (uint32_t i = 0; i < n->nresults; i++) {
        if (i) tp_strbuf_puts(b, ", ");
        print_type(b, &n->types[i]);
    }
    tp_strbuf_puts(b, n->nresults > 1 ? ")\n" : "\n");
    return ok;
}

static bool print_body(printer *p, const char *terminator) {
    const hlo_graph *g = p->g;
    bool ok = true;
    for (uint32_t i = 1; i < g->count && ok; i++)
        if (p->live[i] && g->nodes[i]->op != HLO_PARAM && g->nodes[i]->op != HLO_RESULT) ok = print_node(p, i);
    indent(p);
    tp_strbuf_printf(&p->b, "\"%s\"(", terminator);
    for (uint32_t i = 0; i < g->noutputs; i++) {
        if (i) tp_strbuf_puts(&p->b, ", ");
        print_value(p, g->outputs[i]);
    }
    tp_strbuf_puts(&p->b, ") : (");
    for (uint32_t i = 0; i < g->noutputs; i++) {
        if (i) tp_strbuf_puts(&p->b, ", ");
        print_type(&p->b, hlo_output_type(g, (int)i));
    }
    tp_strbuf_puts(&p->b, ") -> ()\n");
    return ok;
}

static void print_signature(printer *p, const char *module_name, const int *alias) {
    const hlo_graph *g = p->g;
    tp_strbuf_printf(&p->b, "module @%s {\n  func.func public @main(", module_name);
    for (int i = 0; i < hlo_param_count(g); i++) {
        tp_strbuf_printf(&p->b, "%s%%arg%d: ", i ? ", " : "", i);
        print_type(&p->b, hlo_param_type(g, i));
        if (alias && alias[i] >= 0) tp_strbuf_printf(&p->b, " {tf.aliasing_output = %d : i32}", alias[i]);
    }
    tp_strbuf_puts(&p->b, ") -> (");
    for (int i = 0; i < hlo_output_count(g); i++) {
        if (i) tp_strbuf_puts(&p->b, ", ");
        print_type(&p->b, hlo_output_type(g, i));
    }
    tp_strbuf_puts(&p->b, ") {\n");
}

tp_status hlo_print(const hlo_graph *g, const char *module_name, const int *alias, char **out_text, size_t *out_len) {
    if (g->error) return tp_status_retain(g->error);
    printer p = {.g = g, .live = hlo_mark_live(g), .depth = 2};
    bool ok = p.live != NULL;
    if (ok) {
        print_signature(&p, module_name, alias);
        ok = print_body(&p, "func.return");
        tp_strbuf_puts(&p.b, "  }\n}\n");
    }
    free(p.live);
    *out_text = ok ? tp_strbuf_take(&p.b, out_len) : NULL;
    if (*out_text) return NULL;
    tp_strbuf_finish(&p.b);
    return TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "out of host memory while printing a program");
}
