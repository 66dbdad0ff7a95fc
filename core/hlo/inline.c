#include "hlo/node.h"

#include <stdlib.h>

/* The handles of |fragment|'s nodes in |g|, and room for one node's operands. */
typedef struct copier {
    hlo_graph *g;
    const hlo_graph *fragment;
    hlo_val *map, *ops;
    uint32_t cap;
} copier;

static bool bind_param(copier *c, const hlo_node *n, uint32_t ix, const hlo_val *args) {
    int64_t index = hlo_node_attrs(n)[0];
    const tp_type *want = hlo_node_type(n, 0), *have = hlo_type_of(c->g, args[index]);
    c->map[ix] = args[index];
    if (hlo_is_none(args[index])) return !hlo_node_live(c->fragment, ix);
    if (tp_type_equal(want, have)) return true;
    hlo_refuse(c->g, HLO_PARAM, "argument %lld of a fragment must be %s; got %s", (long long)index, HLO_TEXT(want), HLO_TEXT(have));
    return false;
}

static bool copy_node(copier *c, const hlo_node *n, uint32_t ix) {
    tp_type types[HLO_MAX_RESULTS];
    if (n->nops > c->cap) {
        hlo_val *more = realloc(c->ops, n->nops * 2 * sizeof *more);
        if (!more) {
            hlo_no_memory(c->g);
            return false;
        }
        c->ops = more;
        c->cap = n->nops * 2;
    }
    for (uint32_t i = 0; i < n->nops; i++) c->ops[i] = c->map[hlo_node_ops(n)[i].ix];
    for (uint32_t i = 0; i < n->nresults; i++) types[i] = *hlo_node_type(n, i);
    c->map[ix] = hlo_make(c->g, &(hlo_draft){(hlo_op)n->op, (int)n->nops, c->ops, (int)n->nattrs, hlo_node_attrs(n),
                                             hlo_node_data(n), n->data_size, n->region, (int)n->nresults, types});
    return !hlo_is_none(c->map[ix]);
}

void hlo_inline(hlo_graph *g, const hlo_graph *fragment, const hlo_val *args, hlo_val *out_results) {
    for (uint32_t i = 0; i < fragment->noutputs; i++) out_results[i] = HLO_NONE;
    if (hlo_failed(fragment)) hlo_set_error(g, tp_status_retain(hlo_error(fragment)));
    if (hlo_failed(g)) return;
    copier c = {.g = g, .fragment = fragment, .map = calloc(fragment->count, sizeof(hlo_val))};
    bool ok = c.map;
    if (!ok) hlo_no_memory(g);
    for (uint32_t i = 1; ok && i < fragment->count; i++) {
        const hlo_node *n = fragment->nodes[i];
        if (n->op == HLO_PARAM)
            ok = bind_param(&c, n, i, args);
        else if (hlo_node_live(fragment, i))
            ok = copy_node(&c, n, i);
    }
    for (uint32_t i = 0; ok && i < fragment->noutputs; i++) out_results[i] = c.map[fragment->outputs[i].ix];
    free(c.ops);
    free(c.map);
}
