/* Nodes inside a graph.  Private to core/hlo. */
#ifndef TP_HLO_NODE_H
#define TP_HLO_NODE_H

#include "base/arena.h"
#include "base/map.h"
#include "hlo/graph.h"

typedef struct hlo_node {
    uint8_t op;             /* hlo_op */
    uint8_t nresults;       /* more than one: handles are RESULT nodes */
    uint32_t nops, nattrs;
    const hlo_val *ops;
    const int64_t *attrs;   /* meaning by op: see the builder that makes it */
    const void *data;       /* CONST: dense host bytes */
    size_t data_size;
    hlo_graph *region;
    tp_type *types;         /* nresults */
} hlo_node;

struct hlo_graph {
    tp_arena arena;
    hlo_node **nodes;       /* nodes[0] is HLO_NONE */
    uint32_t count, cap;
    tp_map interned;
    hlo_val *params, *outputs;
    uint32_t nparams, cap_params, noutputs;
    hlo_graph *regions;     /* owned, linked by next_region */
    hlo_graph *next_region, *parent;
    tp_status error;
};

static inline const hlo_node *hlo_node_of(const hlo_graph *g, hlo_val v) { return g->nodes[v.ix < g->count ? v.ix : 0]; }
static inline bool hlo_failed(const hlo_graph *g) { return g->error != NULL; }

/* Makes or finds the node.  |types| has |nresults| entries. */
typedef struct hlo_draft {
    hlo_op op;
    uint32_t nops, nattrs;
    const hlo_val *ops;
    const int64_t *attrs;
    const void *data;
    size_t data_size;
    hlo_graph *region;
    const tp_type *types;
    uint32_t nresults;
} hlo_draft;
hlo_val hlo_make(hlo_graph *g, const hlo_draft *d);
/* Handles of a node with several results; of one with one, the node itself. */
hlo_val hlo_result_of(hlo_graph *g, hlo_val node, uint32_t k);

const char *hlo_mnemonic(hlo_op op);
bool hlo_is_pure(hlo_op op);
/* Sets the sticky error "<mnemonic>: <text>"; returns HLO_NONE. */
hlo_val hlo_refuse(hlo_graph *g, hlo_op op, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
bool *hlo_mark_live(const hlo_graph *g); /* per node: reaches an output; malloced, NULL when memory is short */
#define TYPE_TEXT(t) tp_type_format((t), (char[160]){0}, 160)

#endif
