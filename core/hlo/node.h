/* Nodes as a graph keeps them.  Private to core/hlo.
 *
 * A node is its own intern key: a header without padding and one row of words, copied from a draft in one piece.  Nodes
 * never change once made, so any thread may read a finished graph: fragments and their regions are printed by several. */
#ifndef TP_HLO_NODE_H
#define TP_HLO_NODE_H

#include "base/arena.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "hlo/graph.h"

typedef struct hlo_node {
    uint32_t op, nops, nattrs, nresults; /* more than one result: users take RESULT nodes */
    uint64_t data_size;                  /* CONST: bytes of its data */
    const hlo_graph *region;
    uint64_t words[]; /* nresults pointers to interned types; attributes; operands, two a word; data; zeroes to the end */
} hlo_node;
_Static_assert(sizeof(hlo_node) == 4 * sizeof(uint32_t) + sizeof(uint64_t) + sizeof(void *), "a key has no padding");
_Static_assert(sizeof(void *) == sizeof(uint64_t), "a pointer is one word of a key");
_Static_assert(offsetof(tp_type, dims) == sizeof(uint64_t), "a type's key is its head and its dims");

struct hlo_graph {
    tp_arena arena;           /* nodes, types, outputs, liveness */
    const hlo_node **nodes;   /* nodes[0] is HLO_NONE's */
    uint32_t count, cap;
    tp_map interned, types;
    hlo_node *scratch;        /* the draft of the next node */
    size_t scratch_cap;
    uint32_t *params;         /* node of each parameter */
    uint32_t nparams, cap_params, noutputs, nlive;
    hlo_val *outputs;
    uint8_t *live;            /* of nodes [0, nlive): an output depends on it */
    hlo_graph *root;          /* itself unless a region; holds the error */
    hlo_graph *regions;       /* owned; a list by next_region */
    hlo_graph *next_region;
    tp_status error;
};

static inline const hlo_node *hlo_node_at(const hlo_graph *g, hlo_val v) { return g->nodes[v.ix < g->count ? v.ix : 0]; }
static inline const tp_type *hlo_node_type(const hlo_node *n, uint32_t k) { return (const tp_type *)(uintptr_t)n->words[k]; }
static inline const int64_t *hlo_node_attrs(const hlo_node *n) { return (const int64_t *)(n->words + n->nresults); }
static inline const hlo_val *hlo_node_ops(const hlo_node *n) { return (const hlo_val *)(n->words + n->nresults + n->nattrs); }
static inline const unsigned char *hlo_node_data(const hlo_node *n) {
    return (const unsigned char *)(n->words + n->nresults + n->nattrs + (n->nops + 1) / 2);
}
static inline bool hlo_node_live(const hlo_graph *g, uint32_t ix) { return ix < g->nlive && g->live[ix]; }
static inline bool hlo_failed(const hlo_graph *g) { return g->root->error != NULL; }

enum { HLO_MAX_RESULTS = 16 }; /* arrays reduced or sorted together */

/* What a node is made of.  Borrowed by hlo_make. */
typedef struct hlo_draft {
    hlo_op op;
    int nops;
    const hlo_val *ops;
    int nattrs;
    const int64_t *attrs; /* by op: as its builder lays them out and attributes.c reads them */
    const void *data;
    size_t data_size;
    const hlo_graph *region;
    int nresults;
    const tp_type *types;
} hlo_draft;

/* The node |d| describes: an equal one if its op is pure, else a new one.  HLO_NONE if an operand is, after an error, and
 * for a type no array can have (a negative size, 2^63 bytes). */
hlo_val hlo_make(hlo_graph *g, const hlo_draft *d);
/* With one result of |type| and |nops| operands. */
hlo_val hlo_make_one(hlo_graph *g, hlo_op op, int nops, const hlo_val *ops, int nattrs, const int64_t *attrs, const tp_type *type);
/* A handle for each result of |node|, which has |n|; HLO_NONE each if |node| is none. */
void hlo_results(hlo_graph *g, hlo_val node, int n, hlo_val *out_results);

/* A row of ops.def. */
typedef enum { HLO_GIVEN, HLO_SAME, HLO_PRED, HLO_REAL_OF } hlo_rule;
const char *hlo_mnemonic(hlo_op op);
int hlo_arity(hlo_op op);
hlo_rule hlo_type_rule(hlo_op op);
bool hlo_is_pure(hlo_op op);
bool hlo_has_region(hlo_op op);
bool hlo_takes(hlo_op op, tp_dtype dtype); /* the op is defined for operands of this dtype */

/* Appends |n| attributes; returns the end. */
static inline int64_t *hlo_put(int64_t *attrs, const int64_t *list, int n) {
    if (n) memcpy(attrs, list, (size_t)n * sizeof *list);
    return attrs + n;
}

/* Makes "<mnemonic>: <text>" the graph's error, a RuntimeError; returns HLO_NONE. */
hlo_val hlo_refuse(hlo_graph *g, hlo_op op, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
hlo_val hlo_no_memory(hlo_graph *g);
/* "float32[2, 3]", until the end of the full expression's block. */
#define HLO_TEXT(type) tp_type_format((type), (char[400]){0}, 400)

/* Sizes in 128 bits: no sum or product of attributes overflows. */
__extension__ typedef __int128 hlo_wide;
/* |size| elements with |dilation| - 1 holes between neighbours. */
static inline hlo_wide hlo_dilated(hlo_wide size, int64_t dilation) { return size > 0 ? (size - 1) * dilation + 1 : 0; }
/* How many windows of extent |window| fit into |size| elements, |stride| apart. */
static inline hlo_wide hlo_windows(hlo_wide size, hlo_wide window, int64_t stride) {
    return size <= 0 || window > size ? 0 : (size - window) / stride + 1;
}

/* The op that combines two elements of |dtype| in a reduction: on bool ADD and MAX are OR, MUL and MIN are AND.
 * HLO_OP_NONE and the graph's error, for |user|, if there is none. */
hlo_op hlo_combiner(hlo_graph *g, hlo_op user, hlo_op op, tp_dtype dtype);

/* ---- text */
void hlo_put_number(tp_strbuf *b, int64_t value);
void hlo_put_type(tp_strbuf *b, const tp_type *t); /* "tensor<2x3xf32>" */
/* " <{name = value, ...}>" of |n|, a node of |g|; nothing if it has no attributes. */
void hlo_put_attributes(tp_strbuf *b, const hlo_graph *g, const hlo_node *n);

#endif
