#include "hlo/graph.h"

#include "base/strbuf.h"
#include "hlo/node.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { PURE = 1, REGION = 2, SAME = 0, PRED = 0, GIVEN = 0 };

static const struct {
    const char *mnemonic;
    int flags;
} table[HLO_OP_COUNT] = {
#define REAL GIVEN
#define OP(e, mnemonic, arity, rule, flags) [HLO_##e] = {mnemonic, flags},
#include "hlo/ops.def"
#undef OP
#undef REAL
};

const char *hlo_mnemonic(hlo_op op) { return table[op].mnemonic; }
bool hlo_is_pure(hlo_op op) { return table[op].flags & PURE; }

static const tp_type none_type;

hlo_graph *hlo_graph_create(void) {
    hlo_graph *g = calloc(1, sizeof *g);
    if (!g) return NULL;
    g->cap = 32;
    g->nodes = calloc(g->cap, sizeof *g->nodes);
    hlo_node *none = tp_arena_alloc(&g->arena, sizeof *none);
    if (!g->nodes || !none) {
        hlo_graph_destroy(g);
        return NULL;
    }
    none->types = tp_arena_alloc(&g->arena, sizeof *none->types);
    none->nresults = 1;
    g->nodes[g->count++] = none;
    return g;
}

void hlo_graph_destroy(hlo_graph *g) {
    if (!g) return;
    for (hlo_graph *r = g->regions, *next; r; r = next) {
        next = r->next_region;
        hlo_graph_destroy(r);
    }
    tp_status_free(g->error);
    tp_map_finish(&g->interned);
    tp_arena_finish(&g->arena);
    free(g->params);
    free(g->nodes);
    free(g);
}

tp_status hlo_error(const hlo_graph *g) { return g->error; }

void hlo_set_error(hlo_graph *g, tp_status s) {
    hlo_graph *root = g;
    while (root->parent) root = root->parent;
    if (!s) return;
    if (g != root && !g->error) g->error = tp_status_retain(s);
    if (root->error)
        tp_status_free(s);
    else
        root->error = s;
}

hlo_val hlo_refuse(hlo_graph *g, hlo_op op, const char *fmt, ...) {
    if (g->error) return HLO_NONE;
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    hlo_set_error(g, TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME, "%s: %s", hlo_mnemonic(op), text));
    return HLO_NONE;
}

static hlo_val no_memory(hlo_graph *g) {
    hlo_set_error(g, TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "out of host memory while building a graph"));
    return HLO_NONE;
}

const tp_type *hlo_type_of(const hlo_graph *g, hlo_val v) {
    const hlo_node *n = hlo_node_of(g, v);
    return n->types ? n->types : &none_type;
}

/* ---- interning: a node's key is a row of words without padding */
static int64_t *make_key(hlo_graph *g, const hlo_draft *d, size_t *out_bytes) {
    size_t type_words = 0;
    for (uint32_t i = 0; i < d->nresults; i++) type_words += 1u + d->types[i].rank;
    size_t data_words = (d->data_size + 7) / 8;
    size_t n = 4 + type_words + d->nops + d->nattrs + data_words;
    int64_t *key = tp_arena_alloc(&g->arena, n * sizeof *key), *w = key;
    if (!key) return NULL;
    *w++ = (int64_t)d->op | (int64_t)d->nops << 8 | (int64_t)d->nattrs << 32;
    *w++ = (int64_t)(uintptr_t)d->region;
    *w++ = (int64_t)d->data_size;
    *w++ = (int64_t)d->nresults;
    for (uint32_t i = 0; i < d->nresults; i++) {
        *w++ = (int64_t)d->types[i].dtype | (int64_t)d->types[i].rank << 8;
        for (int k = 0; k < d->types[i].rank; k++) *w++ = d->types[i].dims[k];
    }
    for (uint32_t i = 0; i < d->nops; i++) *w++ = d->ops[i].ix;
    for (uint32_t i = 0; i < d->nattrs; i++) *w++ = d->attrs[i];
    if (d->data_size) memcpy(w, d->data, d->data_size);
    *out_bytes = n * sizeof *key;
    return key;
}

static hlo_node *build_node(hlo_graph *g, const hlo_draft *d) {
    hlo_node *n = tp_arena_alloc(&g->arena, sizeof *n);
    if (!n) return NULL;
    n->op = (uint8_t)d->op;
    n->nresults = (uint8_t)d->nresults;
    n->nops = d->nops;
    n->nattrs = d->nattrs;
    n->data_size = d->data_size;
    n->region = d->region;
    n->ops = tp_arena_copy(&g->arena, d->ops, d->nops * sizeof *d->ops);
    n->attrs = tp_arena_copy(&g->arena, d->attrs, d->nattrs * sizeof *d->attrs);
    n->types = tp_arena_copy(&g->arena, d->types, d->nresults * sizeof *d->types);
    n->data = d->data ? tp_arena_copy(&g->arena, d->data, d->data_size) : NULL;
    return n->ops && n->attrs && n->types && (!d->data || n->data) ? n : NULL;
}

hlo_val hlo_make(hlo_graph *g, const hlo_draft *d) {
    if (g->error) return HLO_NONE;
    tp_hash128 hash = TP_HASH_SEED;
    size_t bytes = 0;
    int64_t *key = NULL;
    if (hlo_is_pure(d->op)) {
        key = make_key(g, d, &bytes);
        if (!key) return no_memory(g);
        hash = tp_map_hash(key, bytes);
        void *hit = tp_map_get(&g->interned, hash, key, bytes);
        if (hit) return (hlo_val){(uint32_t)(uintptr_t)hit};
    }
    if (g->count == g->cap) {
        hlo_node **more = realloc(g->nodes, g->cap * 2 * sizeof *more);
        if (!more) return no_memory(g);
        g->nodes = more;
        g->cap *= 2;
    }
    hlo_node *n = build_node(g, d);
    if (!n) return no_memory(g);
    uint32_t ix = g->count;
    if (key && !tp_map_put(&g->interned, hash, key, bytes, (void *)(uintptr_t)ix)) return no_memory(g);
    g->nodes[g->count++] = n;
    return (hlo_val){ix};
}

hlo_val hlo_result_of(hlo_graph *g, hlo_val node, uint32_t k) {
    const hlo_node *n = hlo_node_of(g, node);
    if (hlo_is_none(node) || n->nresults == 1) return node;
    int64_t attr = k;
    return hlo_make(g, &(hlo_draft){.op = HLO_RESULT, .nops = 1, .ops = &node, .nattrs = 1, .attrs = &attr, .nresults = 1, .types = &n->types[k]});
}

/* ---- parameters, outputs, regions */
hlo_val hlo_param(hlo_graph *g, const tp_type *type) {
    if (g->nparams == g->cap_params) {
        uint32_t cap = g->cap_params ? g->cap_params * 2 : 8;
        hlo_val *more = realloc(g->params, cap * sizeof *more);
        if (!more) return no_memory(g);
        g->params = more;
        g->cap_params = cap;
    }
    int64_t index = g->nparams;
    hlo_val v = hlo_make(g, &(hlo_draft){.op = HLO_PARAM, .nattrs = 1, .attrs = &index, .nresults = 1, .types = type});
    if (!hlo_is_none(v)) g->params[g->nparams++] = v;
    return v;
}

void hlo_set_outputs(hlo_graph *g, int n, const hlo_val *outputs) {
    g->outputs = tp_arena_copy(&g->arena, outputs, (size_t)n * sizeof *outputs);
    g->noutputs = g->outputs ? (uint32_t)n : 0;
    for (int i = 0; i < n; i++)
        if (hlo_is_none(outputs[i]) && !g->error)
            hlo_set_error(g, TP_FAIL(TP_INTERNAL, TP_RUNTIME, "a graph must set each output; output %d is none", i));
}

hlo_graph *hlo_region(hlo_graph *g) {
    hlo_graph *r = hlo_graph_create();
    if (!r) {
        no_memory(g);
        return NULL;
    }
    r->parent = g;
    r->next_region = g->regions;
    g->regions = r;
    return r;
}

void hlo_return(hlo_graph *region, int n, const hlo_val *results) { hlo_set_outputs(region, n, results); }

int hlo_param_count(const hlo_graph *g) { return (int)g->nparams; }
int hlo_output_count(const hlo_graph *g) { return (int)g->noutputs; }
const tp_type *hlo_param_type(const hlo_graph *g, int i) { return hlo_type_of(g, g->params[i]); }
const tp_type *hlo_output_type(const hlo_graph *g, int i) { return hlo_type_of(g, g->outputs[i]); }
int hlo_node_count(const hlo_graph *g) { return (int)g->count - 1; }

bool *hlo_mark_live(const hlo_graph *g) {
    bool *live = calloc(g->count, sizeof *live);
    if (!live) return NULL;
    for (uint32_t i = 0; i < g->noutputs; i++) live[g->outputs[i].ix] = true;
    for (uint32_t i = g->count; i-- > 1;) { /* operands come before their users */
        const hlo_node *n = g->nodes[i];
        for (uint32_t k = 0; live[i] && k < n->nops; k++) live[n->ops[k].ix] = true;
    }
    return live;
}

bool hlo_param_used(const hlo_graph *g, int i) {
    bool *live = hlo_mark_live(g);
    bool used = !live || live[g->params[i].ix];
    free(live);
    return used;
}

void hlo_inline(hlo_graph *g, const hlo_graph *fragment, const hlo_val *args, hlo_val *out_results) {
    for (uint32_t i = 0; i < fragment->noutputs; i++) out_results[i] = HLO_NONE;
    hlo_val *map = calloc(fragment->count, sizeof *map), *ops = NULL;
    uint32_t cap = 0;
    if (!map) no_memory(g);
    for (uint32_t i = 1; map && i < fragment->count && !g->error; i++) {
        const hlo_node *n = fragment->nodes[i];
        if (n->op == HLO_PARAM) {
            map[i] = args[n->attrs[0]];
            if (!tp_type_equal(hlo_type_of(g, map[i]), n->types))
                hlo_refuse(g, HLO_PARAM, "argument %lld of a fragment must be %s; got %s", (long long)n->attrs[0], TYPE_TEXT(n->types),
                           TYPE_TEXT(hlo_type_of(g, map[i])));
            continue;
        }
        if (n->nops > cap) {
            hlo_val *more = realloc(ops, n->nops * 2 * sizeof *more);
            if (!more) {
                no_memory(g);
                break;
            }
            ops = more;
            cap = n->nops * 2;
        }
        for (uint32_t k = 0; k < n->nops; k++) ops[k] = map[n->ops[k].ix];
        map[i] = hlo_make(g, &(hlo_draft){n->op, n->nops, n->nattrs, ops, n->attrs, n->data, n->data_size, n->region, n->types, n->nresults});
    }
    for (uint32_t i = 0; map && !g->error && i < fragment->noutputs; i++) out_results[i] = map[fragment->outputs[i].ix];
    free(ops);
    free(map);
}
