/* Generic-form text: one frame for every operation, "op"(operands) <{attributes}> ({regions}) : (types) -> types. */
#include "hlo/node.h"

#include <stdlib.h>

/* Values are numbered across regions: a region may not reuse a name of what surrounds it. */
typedef struct printer {
    tp_strbuf *b;
    uint32_t *next;      /* the next free number */
    const hlo_graph *g;
    uint32_t *names;     /* number of each node of |g| */
    int depth;
} printer;

void hlo_put_number(tp_strbuf *b, int64_t value) {
    char text[24], *end = text + sizeof text, *p = end;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do *--p = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0) *--p = '-';
    tp_strbuf_put(b, p, (size_t)(end - p));
}

void hlo_put_type(tp_strbuf *b, const tp_type *t) {
    tp_strbuf_puts(b, "tensor<");
    for (int i = 0; i < t->rank; i++) {
        hlo_put_number(b, t->dims[i]);
        tp_strbuf_puts(b, "x");
    }
    tp_strbuf_puts(b, tp_dtype_hlo((tp_dtype)t->dtype));
    tp_strbuf_puts(b, ">");
}

static void put_line(printer *p) {
    static const char spaces[] = "\n                ";
    int width = 1 + 2 * p->depth;
    tp_strbuf_put(p->b, spaces, (size_t)width < sizeof spaces ? (size_t)width : sizeof spaces - 1);
}

static void put_name(printer *p, uint32_t number) {
    tp_strbuf_puts(p->b, "%");
    hlo_put_number(p->b, number);
}

static void put_value(printer *p, hlo_val v) {
    const hlo_node *n = hlo_node_at(p->g, v);
    if (n->op == HLO_RESULT) {
        put_name(p, p->names[hlo_node_ops(n)[0].ix]);
        tp_strbuf_puts(p->b, "#");
        hlo_put_number(p->b, hlo_node_attrs(n)[0]);
    } else if (n->op == HLO_PARAM && p->g == p->g->root) {
        tp_strbuf_puts(p->b, "%arg");
        hlo_put_number(p->b, hlo_node_attrs(n)[0]);
    } else {
        put_name(p, p->names[v.ix]);
    }
}

static void put_values(printer *p, const hlo_val *values, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        if (i) tp_strbuf_puts(p->b, ", ");
        put_value(p, values[i]);
    }
}

static void put_types(printer *p, const hlo_val *values, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        if (i) tp_strbuf_puts(p->b, ", ");
        hlo_put_type(p->b, hlo_type_of(p->g, values[i]));
    }
}

/* "op"(values) : (types) -> () */
static void put_return(printer *p, const char *op, const hlo_val *values, uint32_t n) {
    put_line(p);
    tp_strbuf_printf(p->b, "\"%s\"(", op);
    put_values(p, values, n);
    tp_strbuf_puts(p->b, ") : (");
    put_types(p, values, n);
    tp_strbuf_puts(p->b, ") -> ()");
}

static bool put_body(printer *p, const char *terminator);

/* The region of a reduction by one op; of a scatter that replaces, if |op| is none. */
static void put_combiner(printer *p, hlo_op op, tp_dtype dtype) {
    const tp_type scalar = tp_type_make(dtype, 0, NULL);
    tp_strbuf t = {0};
    uint32_t n = *p->next;
    hlo_put_type(&t, &scalar);
    const char *type = t.data ? t.data : "";
    *p->next += op == HLO_OP_NONE ? 2 : 3;
    tp_strbuf_puts(p->b, " ({");
    put_line(p);
    tp_strbuf_printf(p->b, "^bb0(%%%u: %s, %%%u: %s):", n, type, n + 1, type);
    p->depth++;
    if (op != HLO_OP_NONE) {
        put_line(p);
        tp_strbuf_printf(p->b, "%%%u = \"stablehlo.%s\"(%%%u, %%%u) : (%s, %s) -> %s", n + 2, hlo_mnemonic(op), n, n + 1, type, type, type);
    }
    put_line(p);
    tp_strbuf_printf(p->b, "\"stablehlo.return\"(%%%u) : (%s) -> ()", op == HLO_OP_NONE ? n + 1 : n + 2, type);
    p->depth--;
    put_line(p);
    tp_strbuf_puts(p->b, "})");
    p->b->failed |= t.failed;
    tp_strbuf_finish(&t);
}

static bool put_region(printer *outer, const hlo_graph *region) {
    printer p = {outer->b, outer->next, region, calloc(region->count, sizeof *p.names), outer->depth};
    if (!p.names) return false;
    tp_strbuf_puts(p.b, " ({");
    put_line(&p);
    tp_strbuf_puts(p.b, "^bb0(");
    for (uint32_t i = 0; i < region->nparams; i++) {
        if (i) tp_strbuf_puts(p.b, ", ");
        put_name(&p, p.names[region->params[i]] = (*p.next)++);
        tp_strbuf_puts(p.b, ": ");
        hlo_put_type(p.b, hlo_param_type(region, (int)i));
    }
    tp_strbuf_puts(p.b, "):");
    p.depth++;
    bool ok = put_body(&p, "stablehlo.return");
    put_line(outer);
    tp_strbuf_puts(p.b, "})");
    free(p.names);
    return ok;
}

static bool put_node(printer *p, uint32_t ix) {
    const hlo_node *n = p->g->nodes[ix];
    const hlo_val *ops = hlo_node_ops(n);
    const char *mnemonic = hlo_mnemonic((hlo_op)n->op);
    bool ok = true;
    put_line(p);
    put_name(p, p->names[ix] = (*p->next)++);
    if (n->nresults > 1) tp_strbuf_printf(p->b, ":%u", n->nresults);
    tp_strbuf_puts(p->b, strchr(mnemonic, '.') ? " = \"" : " = \"stablehlo.");
    tp_strbuf_puts(p->b, mnemonic);
    tp_strbuf_puts(p->b, "\"(");
    put_values(p, ops, n->nops);
    tp_strbuf_puts(p->b, ")");
    hlo_put_attributes(p->b, p->g, n);
    if (n->region)
        ok = put_region(p, n->region);
    else if (hlo_has_region((hlo_op)n->op))
        put_combiner(p, (hlo_op)hlo_node_attrs(n)[0], (tp_dtype)hlo_type_of(p->g, ops[0])->dtype);
    tp_strbuf_puts(p->b, " : (");
    put_types(p, ops, n->nops);
    tp_strbuf_puts(p->b, n->nresults > 1 ? ") -> (" : ") -> ");
    for (uint32_t i = 0; i < n->nresults; i++) {
        if (i) tp_strbuf_puts(p->b, ", ");
        hlo_put_type(p->b, hlo_node_type(n, i));
    }
    if (n->nresults > 1) tp_strbuf_puts(p->b, ")");
    return ok;
}

static bool put_body(printer *p, const char *terminator) {
    bool ok = true;
    for (uint32_t i = 1; ok && i < p->g->nlive; i++) {
        hlo_op op = (hlo_op)p->g->nodes[i]->op;
        if (p->g->live[i] && op != HLO_PARAM && op != HLO_RESULT) ok = put_node(p, i);
    }
    put_return(p, terminator, p->g->outputs, p->g->noutputs);
    return ok;
}

/* ---- the module */
/* A symbol is a bare word or a quoted string. */
static void put_symbol(tp_strbuf *b, const char *text) {
    bool bare = *text && !(*text >= '0' && *text <= '9');
    for (const char *c = text; *c; c++)
        bare = bare && ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '_');
    tp_strbuf_puts(b, bare ? "@" : "@\"");
    for (const char *c = text; *c; c++) {
        if (*c < ' ' || *c > '~' || *c == '"' || *c == '\\')
            tp_strbuf_printf(b, "\\%02X", (unsigned)(unsigned char)*c);
        else
            tp_strbuf_put(b, c, 1);
    }
    if (!bare) tp_strbuf_puts(b, "\"");
}

static void put_signature(printer *p, const int *alias) {
    const hlo_graph *g = p->g;
    tp_strbuf_puts(p->b, "func.func public @main(");
    for (uint32_t i = 0; i < g->nparams; i++) {
        if (i) tp_strbuf_puts(p->b, ", ");
        put_value(p, (hlo_val){g->params[i]});
        tp_strbuf_puts(p->b, ": ");
        hlo_put_type(p->b, hlo_param_type(g, (int)i));
        if (alias && alias[i] >= 0) tp_strbuf_printf(p->b, " {tf.aliasing_output = %d : i32}", alias[i]);
    }
    tp_strbuf_puts(p->b, ") -> (");
    put_types(p, g->outputs, g->noutputs);
    tp_strbuf_puts(p->b, ") {");
}

static tp_status check_alias(const hlo_graph *g, const int *alias) {
    for (int i = 0; alias && i < (int)g->nparams; i++) {
        const tp_type *t = hlo_param_type(g, i);
        if (alias[i] < 0) continue;
        if (alias[i] >= (int)g->noutputs)
            return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME, "a parameter must share its buffer with an output; got output %d of %u for parameter %d",
                           alias[i], g->noutputs, i);
        const tp_type *out = hlo_output_type(g, alias[i]);
        if (!tp_type_equal(t, out))
            return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME,
                           "a parameter must share its buffer with an output of its type; got %s of parameter %d and %s of output %d", HLO_TEXT(t), i,
                           HLO_TEXT(out), alias[i]);
        for (int k = 0; k < i; k++)
            if (alias[k] == alias[i])
                return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME, "an output must share its buffer with one parameter; got parameters %d and %d for output %d", k,
                               i, alias[i]);
    }
    return NULL;
}

tp_status hlo_print(const hlo_graph *g, const char *module_name, const int *alias, char **out_text, size_t *out_len) {
    *out_text = NULL;
    if (out_len) *out_len = 0;
    if (hlo_failed(g)) return tp_status_retain(hlo_error(g));
    TP_TRY(check_alias(g, alias));
    tp_strbuf b = {0};
    uint32_t next = 0;
    printer p = {&b, &next, g, calloc(g->count, sizeof *p.names), 0};
    tp_strbuf_puts(&b, "module ");
    put_symbol(&b, module_name && *module_name ? module_name : "main");
    tp_strbuf_puts(&b, " {");
    p.depth = 1;
    put_line(&p);
    put_signature(&p, alias);
    p.depth = 2;
    bool ok = p.names && put_body(&p, "func.return");
    tp_strbuf_puts(&b, "\n  }\n}\n");
    free(p.names);
    if (ok) *out_text = tp_strbuf_take(&b, out_len);
    tp_strbuf_finish(&b);
    if (*out_text) return NULL;
    return TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "a program's text must fit host memory; no more at %u nodes", g->count);
}
