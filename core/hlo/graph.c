#include "hlo/graph.h"

#include "hlo/node.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    PURE = 1,
    REGION = 2,
    BOOLS = 4,
    UINTS = 8,
    SINTS = 16,
    FLOATS = 32,
    COMPLEXES = 64,
    INTS = UINTS | SINTS,
    NUMBERS = INTS | FLOATS | COMPLEXES,
    ALL = BOOLS | NUMBERS,
};

static const struct {
    const char *mnemonic;
    int8_t arity;
    uint8_t rule, flags;
} ops[HLO_OP_COUNT] = {
#define RULE_GIVEN HLO_GIVEN
#define RULE_SAME HLO_SAME
#define RULE_PRED HLO_PRED
#define RULE_REAL HLO_REAL_OF
#define OP(e, mnemonic, arity, rule, flags) [HLO_##e] = {mnemonic, arity, RULE_##rule, (flags)},
#include "hlo/ops.def"
#undef OP
#undef RULE_GIVEN
#undef RULE_SAME
#undef RULE_PRED
#undef RULE_REAL
};

const char *hlo_mnemonic(hlo_op op) { return op == HLO_OP_NONE ? "none" : op == HLO_PARAM ? "parameter" : ops[op].mnemonic; }
int hlo_arity(hlo_op op) { return ops[op].arity; }
hlo_rule hlo_type_rule(hlo_op op) { return (hlo_rule)ops[op].rule; }
bool hlo_is_pure(hlo_op op) { return ops[op].flags & PURE; }
bool hlo_has_region(hlo_op op) { return ops[op].flags & REGION; }

bool hlo_takes(hlo_op op, tp_dtype dtype) {
    static const uint8_t bit[] = {[TP_CLASS_BOOL] = BOOLS, [TP_CLASS_UINT] = UINTS, [TP_CLASS_SINT] = SINTS,
                                  [TP_CLASS_FLOAT] = FLOATS, [TP_CLASS_COMPLEX] = COMPLEXES};
    return ops[op].flags & bit[tp_dtype_class(dtype)];
}

/* ---- life */
static const tp_type none_type;
static const hlo_node none_node = {.op = HLO_OP_NONE};

hlo_graph *hlo_graph_create(void) {
    hlo_graph *g = calloc(1, sizeof *g);
    if (!g) return NULL;
    g->cap = 32;
    g->nodes = malloc(g->cap * sizeof *g->nodes);
    if (!g->nodes) {
        free(g);
        return NULL;
    }
    g->nodes[g->count++] = &none_node;
    g->root = g;
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
    tp_map_finish(&g->types);
    tp_arena_finish(&g->arena);
    free(g->scratch);
    free(g->params);
    free(g->nodes);
    free(g);
}

/* A graph that has failed is its own region: every builder refuses it, so nobody checks for NULL. */
hlo_graph *hlo_region(hlo_graph *g) {
    hlo_graph *r = hlo_failed(g) ? NULL : hlo_graph_create();
    if (!r) {
        hlo_no_memory(g);
        return g;
    }
    r->root = g->root;
    r->next_region = g->regions;
    g->regions = r;
    return r;
}

/* ---- errors: those of a region are its root's */
tp_status hlo_error(const hlo_graph *g) { return g->root->error; }

void hlo_set_error(hlo_graph *g, tp_status s) {
    if (g->root->error)
        tp_status_free(s);
    else
        g->root->error = s;
}

hlo_val hlo_refuse(hlo_graph *g, hlo_op op, const char *fmt, ...) {
    if (hlo_failed(g)) return HLO_NONE;
    char text[1400];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    hlo_set_error(g, TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME, "%s: %s", hlo_mnemonic(op), text));
    return HLO_NONE;
}

hlo_val hlo_no_memory(hlo_graph *g) {
    if (!hlo_failed(g))
        hlo_set_error(g, TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "a graph must fit host memory; no more at %u nodes", g->count));
    return HLO_NONE;
}

/* ---- types: one copy of each in a graph, compared by address in keys */
static const tp_type *refuse_type(hlo_graph *g, hlo_op op, const tp_type *t) {
    hlo_refuse(g, op, "sizes must not be negative, and an array smaller than 2^63 bytes; got %s", HLO_TEXT(t));
    return NULL;
}

static const tp_type *intern_type(hlo_graph *g, hlo_op op, const tp_type *t) {
    if (t->dtype == TP_NO_DTYPE || t->dtype >= TP_DTYPE_COUNT || t->rank > TP_MAX_RANK) {
        hlo_refuse(g, op, "a type must have a dtype and at most %d dimensions; got %d and %d", TP_MAX_RANK, t->dtype, t->rank);
        return NULL;
    }
    size_t bytes = sizeof(uint64_t) + t->rank * sizeof(int64_t);
    struct {
        unsigned char head[8];
        int64_t dims[TP_MAX_RANK];
    } key = {.head = {t->dtype, t->rank}};
    memcpy(key.dims, t->dims, t->rank * sizeof(int64_t));
    tp_hash128 hash = tp_map_hash(&key, bytes);
    const tp_type *known = tp_map_get(&g->types, hash, &key, bytes);
    if (known) return known;
    int64_t size = (int64_t)tp_dtype_size((tp_dtype)t->dtype);
    for (int i = 0; i < t->rank; i++)
        if (t->dims[i] < 0 || __builtin_mul_overflow(size, t->dims[i] > 1 ? t->dims[i] : 1, &size)) return refuse_type(g, op, t);
    tp_type *fresh = tp_arena_alloc(&g->arena, sizeof *fresh);
    if (fresh) memcpy(fresh, &key, bytes);
    if (!fresh || !tp_map_put(&g->types, hash, fresh, bytes, fresh)) {
        hlo_no_memory(g);
        return NULL;
    }
    return fresh;
}

const tp_type *hlo_type_of(const hlo_graph *g, hlo_val v) {
    const hlo_node *n = hlo_node_at(g, v);
    return n->nresults ? hlo_node_type(n, 0) : &none_type;
}

/* ---- nodes */
static bool reserve_scratch(hlo_graph *g, size_t bytes) {
    if (bytes <= g->scratch_cap) return true;
    size_t cap = bytes < 512 ? 512 : bytes * 2;
    hlo_node *more = realloc(g->scratch, cap);
    if (!more) return false;
    g->scratch = more;
    g->scratch_cap = cap;
    return true;
}

/* Fills g->scratch; 0 after an error. */
static size_t draft_key(hlo_graph *g, const hlo_draft *d) {
    size_t words = (size_t)d->nresults + (size_t)d->nattrs + ((size_t)d->nops + 1) / 2 + (d->data_size + 7) / 8;
    size_t bytes = sizeof(hlo_node) + words * sizeof(uint64_t);
    if (!reserve_scratch(g, bytes)) {
        hlo_no_memory(g);
        return 0;
    }
    hlo_node *n = g->scratch;
    *n = (hlo_node){(uint32_t)d->op, (uint32_t)d->nops, (uint32_t)d->nattrs, (uint32_t)d->nresults, d->data_size, d->region};
    uint64_t *w = n->words;
    for (int i = 0; i < d->nresults; i++) {
        const tp_type *t = intern_type(g, d->op, &d->types[i]);
        if (!t) return 0;
        *w++ = (uint64_t)(uintptr_t)t;
    }
    if (d->nattrs) memcpy(w, d->attrs, (size_t)d->nattrs * sizeof *w);
    w += d->nattrs;
    if (d->nops & 1) w[d->nops / 2] = 0;
    if (d->nops) memcpy(w, d->ops, (size_t)d->nops * sizeof *d->ops);
    w += (d->nops + 1) / 2;
    if (d->data_size & 7) w[d->data_size / 8] = 0;
    if (d->data_size) memcpy(w, d->data, d->data_size);
    return bytes;
}

static hlo_val append_node(hlo_graph *g, const hlo_node *n) {
    if (g->count == g->cap) {
        const hlo_node **more = g->cap < UINT32_MAX / 2 ? realloc(g->nodes, g->cap * 2 * sizeof *more) : NULL;
        if (!more) return hlo_no_memory(g);
        g->nodes = more;
        g->cap *= 2;
    }
    g->nodes[g->count] = n;
    return (hlo_val){g->count++};
}

hlo_val hlo_make(hlo_graph *g, const hlo_draft *d) {
    if (hlo_failed(g)) return HLO_NONE;
    for (int i = 0; i < d->nops; i++)
        if (hlo_is_none(d->ops[i]) || d->ops[i].ix >= g->count) return HLO_NONE;
    size_t bytes = draft_key(g, d);
    if (!bytes) return HLO_NONE;
    bool pure = hlo_is_pure(d->op);
    tp_hash128 hash = TP_HASH_SEED;
    if (pure) {
        hash = tp_map_hash(g->scratch, bytes);
        uintptr_t known = (uintptr_t)tp_map_get(&g->interned, hash, g->scratch, bytes);
        if (known) return (hlo_val){(uint32_t)known};
    }
    const hlo_node *n = tp_arena_copy(&g->arena, g->scratch, bytes);
    if (!n) return hlo_no_memory(g);
    if (pure && !tp_map_put(&g->interned, hash, n, bytes, (void *)(uintptr_t)g->count)) return hlo_no_memory(g);
    return append_node(g, n);
}

hlo_val hlo_make_one(hlo_graph *g, hlo_op op, int nops, const hlo_val *operands, int nattrs, const int64_t *attrs, const tp_type *type) {
    tp_type copy = *type; /* it may be the graph's own */
    return hlo_make(g, &(hlo_draft){.op = op, .nops = nops, .ops = operands, .nattrs = nattrs, .attrs = attrs, .nresults = 1, .types = &copy});
}

void hlo_results(hlo_graph *g, hlo_val node, int n, hlo_val *out_results) {
    for (int i = 0; i < n; i++) {
        const int64_t k = i;
        out_results[i] = hlo_is_none(node) || n == 1 ? node : hlo_make_one(g, HLO_RESULT, 1, &node, 1, &k, hlo_node_type(hlo_node_at(g, node), (uint32_t)i));
    }
}

hlo_val hlo_param(hlo_graph *g, const tp_type *type) {
    if (g->nparams == g->cap_params) {
        uint32_t cap = g->cap_params ? g->cap_params * 2 : 8;
        uint32_t *more = realloc(g->params, cap * sizeof *more);
        if (!more) return hlo_no_memory(g);
        g->params = more;
        g->cap_params = cap;
    }
    const int64_t index = g->nparams;
    hlo_val v = hlo_make_one(g, HLO_PARAM, 0, NULL, 1, &index, type);
    if (!hlo_is_none(v)) g->params[g->nparams++] = v.ix;
    return v;
}

/* ---- outputs */
/* Operands come before their users, so one pass backwards reaches everything. */
static bool mark_live(hlo_graph *g) {
    g->nlive = 0;
    g->live = tp_arena_alloc(&g->arena, g->count);
    if (!g->live) return false;
    g->nlive = g->count;
    for (uint32_t i = 0; i < g->noutputs; i++) g->live[g->outputs[i].ix] = 1;
    for (uint32_t i = g->count; i-- > 1;) {
        const hlo_node *n = g->nodes[i];
        if (n->op != HLO_PARAM && !hlo_is_pure((hlo_op)n->op)) g->live[i] = 1;
        if (!g->live[i]) continue;
        for (uint32_t k = 0; k < n->nops; k++) g->live[hlo_node_ops(n)[k].ix] = 1;
    }
    return true;
}

void hlo_set_outputs(hlo_graph *g, int n, const hlo_val *outputs) {
    if (hlo_failed(g)) return;
    for (int i = 0; i < n; i++)
        if (hlo_is_none(outputs[i]) || outputs[i].ix >= g->count) {
            hlo_set_error(g, TP_FAIL(TP_INTERNAL, TP_RUNTIME, "graph: each output must be a value; output %d of %d is none", i, n));
            return;
        }
    g->outputs = tp_arena_copy(&g->arena, outputs, (size_t)n * sizeof *outputs);
    g->noutputs = g->outputs ? (uint32_t)n : 0;
    if (!g->outputs || !mark_live(g)) hlo_no_memory(g);
}

void hlo_return(hlo_graph *region, int n, const hlo_val *results) { hlo_set_outputs(region, n, results); }

int hlo_param_count(const hlo_graph *g) { return (int)g->nparams; }
int hlo_output_count(const hlo_graph *g) { return (int)g->noutputs; }
int hlo_node_count(const hlo_graph *g) { return (int)g->count - 1; }
bool hlo_param_used(const hlo_graph *g, int i) { return hlo_node_live(g, g->params[i]); }

const tp_type *hlo_param_type(const hlo_graph *g, int i) { return hlo_type_of(g, (hlo_val){g->params[i]}); }
const tp_type *hlo_output_type(const hlo_graph *g, int i) { return hlo_type_of(g, g->outputs[i]); }
