/* One StableHLO function, built node by node: typed, interned, printed only at the end.
 *
 * Node handles are 4-byte indices: copy freely, never free.  Building is pure: equal nodes are one node (except ops
 * without PURE in ops.def); what would only rename its operand is the operand itself (reshape, broadcast, convert,
 * bitcast, transpose and slice to the same, padding by nothing, reversing or reducing no dimension, one part of a
 * concatenation); and there is no other algebra.  Types are inferred here, once; each check names the constraint of the
 * StableHLO specification (version 1) it stands for.  Errors are sticky: after the first, every builder returns HLO_NONE
 * (builders accept HLO_NONE), and hlo_error() gives it.  One graph, one thread; a graph that no one builds on any more
 * may be read, inlined and printed by several. */
#ifndef TP_HLO_GRAPH_H
#define TP_HLO_GRAPH_H

#include "base/dtype.h"
#include "base/hash.h"
#include "base/status.h"

typedef struct hlo_val {
    uint32_t ix;
} hlo_val;
#define HLO_NONE ((hlo_val){0})
static inline bool hlo_is_none(hlo_val v) { return v.ix == 0; }

typedef enum {
    HLO_OP_NONE = 0,
#define OP(e, mnemonic, arity, rule, flags) HLO_##e,
#include "hlo/ops.def"
#undef OP
    HLO_OP_COUNT
} hlo_op;

typedef enum { HLO_EQ, HLO_NE, HLO_GE, HLO_GT, HLO_LE, HLO_LT } hlo_dir;
typedef enum { HLO_DEFAULT = 0, HLO_HIGH, HLO_HIGHEST } hlo_precision;

typedef struct hlo_graph hlo_graph;

hlo_graph *hlo_graph_create(void);      /* owned by the caller; NULL when memory is short */
void hlo_graph_destroy(hlo_graph *g);   /* accepts NULL; regions go with their graph */

/* The first error, or NULL; has the lifetime of |g| (retain it to keep it). */
tp_status hlo_error(const hlo_graph *g);
/* Makes |s| the graph's error if it has none; takes ownership of |s|. */
void hlo_set_error(hlo_graph *g, tp_status s);

const tp_type *hlo_type_of(const hlo_graph *g, hlo_val v); /* never NULL (a none type for HLO_NONE); until the next builder call */

/* ---- leaves */
hlo_val hlo_param(hlo_graph *g, const tp_type *type);            /* the next parameter; never interned */
/* Constants of rank 0.  From a double: rounded to a float |dtype|, ties to even; truncated to an integer one, beyond whose
 * range it is the nearest end, and NaN 0.  From an integer: wraps to an integer |dtype|, is rounded once to a float one.
 * Both: bool is != 0, complex has the number as its real part. */
hlo_val hlo_const_float(hlo_graph *g, tp_dtype dtype, double value);
hlo_val hlo_const_int(hlo_graph *g, tp_dtype dtype, int64_t value);
hlo_val hlo_const_bits(hlo_graph *g, const tp_type *type, const void *data); /* dense row-major host bytes, bool one byte each */
hlo_val hlo_iota(hlo_graph *g, const tp_type *type, int dim);

/* ---- elementwise.  hlo_bin and friends broadcast like NumPy (implicit broadcast_in_dim); dtypes must already agree. */
hlo_val hlo_un(hlo_graph *g, hlo_op op, hlo_val a);
hlo_val hlo_bin(hlo_graph *g, hlo_op op, hlo_val a, hlo_val b);
hlo_val hlo_compare(hlo_graph *g, hlo_dir dir, hlo_val a, hlo_val b);       /* -> bool; FLOAT / SIGNED / UNSIGNED by dtype */
hlo_val hlo_compare_total(hlo_graph *g, hlo_dir dir, hlo_val a, hlo_val b); /* floats in IEEE total order: -NaN < -inf .. -0 < +0 .. +inf < NaN */
hlo_val hlo_select(hlo_graph *g, hlo_val pred, hlo_val on_true, hlo_val on_false);
hlo_val hlo_clamp(hlo_graph *g, hlo_val lo, hlo_val x, hlo_val hi);
hlo_val hlo_convert(hlo_graph *g, hlo_val a, tp_dtype dtype);               /* StableHLO's convert as it is: see its rounding rules */
hlo_val hlo_complex(hlo_graph *g, hlo_val re, hlo_val im);
/* Bits kept.  Equal sizes: same shape.  Smaller target: a minor dimension of size ratio is added; larger: a minor
 * dimension equal to ratio is removed.  bool and complex are refused (StableHLO cannot). */
hlo_val hlo_bitcast(hlo_graph *g, hlo_val a, tp_dtype dtype);

/* ---- shape */
hlo_val hlo_reshape(hlo_graph *g, hlo_val a, int rank, const int64_t *dims);
/* broadcast_in_dim: operand dimension i becomes result dimension bdims[i] (strictly increasing here). */
hlo_val hlo_broadcast(hlo_graph *g, hlo_val a, int rank, const int64_t *dims, const int64_t *bdims);
/* NumPy rules: right-aligned. */
hlo_val hlo_broadcast_to(hlo_graph *g, hlo_val a, int rank, const int64_t *dims);
hlo_val hlo_transpose(hlo_graph *g, hlo_val a, const int64_t *perm);        /* result dim i = operand dim perm[i] */
hlo_val hlo_slice(hlo_graph *g, hlo_val a, const int64_t *starts, const int64_t *limits, const int64_t *strides);
hlo_val hlo_dynamic_slice(hlo_graph *g, hlo_val a, const hlo_val *starts, const int64_t *sizes);   /* starts: rank-0, one integer dtype */
hlo_val hlo_dynamic_update(hlo_graph *g, hlo_val a, hlo_val update, const hlo_val *starts);
hlo_val hlo_pad(hlo_graph *g, hlo_val a, hlo_val value, const int64_t *low, const int64_t *high, const int64_t *interior);
hlo_val hlo_reverse(hlo_graph *g, hlo_val a, int n, const int64_t *dims);
hlo_val hlo_concat(hlo_graph *g, int n, const hlo_val *parts, int dim);

/* ---- reductions.  |op| is a binary op (ADD MUL MAX MIN AND OR); |init| rank 0 of the operand's dtype. */
hlo_val hlo_reduce(hlo_graph *g, hlo_op op, hlo_val a, hlo_val init, int n, const int64_t *dims);

/* A region: a graph of its own inside |g| (owned by |g|, whose error is its error).  Give it parameters and nodes, then
 * hlo_return; it sees no value of |g|.  Never NULL. */
hlo_graph *hlo_region(hlo_graph *g);
void hlo_return(hlo_graph *region, int n, const hlo_val *results);
/* n operands reduced together over |dims|; region: 2n scalars -> n scalars.  out_results has n handles. */
void hlo_reduce_n(hlo_graph *g, int n, const hlo_val *operands, const hlo_val *inits, int ndims, const int64_t *dims,
                  hlo_graph *region, hlo_val *out_results);
/* Sorts n operands of one shape together along |dim|; region: 2n scalars (a0,b0,a1,b1,..) -> bool "a before b". */
void hlo_sort(hlo_graph *g, int n, const hlo_val *operands, int dim, bool stable, hlo_graph *region, hlo_val *out_results);
/* |op| as in hlo_reduce; window arrays have one entry per dimension; padding in element counts. Dilations NULL: 1. */
hlo_val hlo_reduce_window(hlo_graph *g, hlo_op op, hlo_val a, hlo_val init, const int64_t *window, const int64_t *strides,
                          const int64_t *base_dilation, const int64_t *window_dilation, const int64_t *pad_low, const int64_t *pad_high);

/* ---- linear algebra */
typedef struct hlo_dot_dims {
    int nbatch, ncontract;
    int64_t lhs_batch[TP_MAX_RANK], rhs_batch[TP_MAX_RANK], lhs_contract[TP_MAX_RANK], rhs_contract[TP_MAX_RANK];
} hlo_dot_dims;
/* Result: batch dims, then lhs free dims, then rhs free dims, of |result| dtype (accumulation type). */
hlo_val hlo_dot(hlo_graph *g, hlo_val lhs, hlo_val rhs, const hlo_dot_dims *dims, tp_dtype result, hlo_precision precision);

typedef struct hlo_conv_dims {           /* NCHW-like: batch, feature, spatial dims of each; spatial ranks agree */
    int nspatial;
    int64_t batch_in, feature_in, spatial_in[TP_MAX_RANK];
    int64_t feature_in_kernel, feature_out_kernel, spatial_kernel[TP_MAX_RANK];
    int64_t batch_out, feature_out, spatial_out[TP_MAX_RANK];
    int64_t stride[TP_MAX_RANK], pad_low[TP_MAX_RANK], pad_high[TP_MAX_RANK], lhs_dilation[TP_MAX_RANK], rhs_dilation[TP_MAX_RANK];
    bool reverse[TP_MAX_RANK];
    int64_t feature_groups, batch_groups;
} hlo_conv_dims;
hlo_val hlo_conv(hlo_graph *g, hlo_val lhs, hlo_val rhs, const hlo_conv_dims *dims, tp_dtype result, hlo_precision precision);

/* ---- gather and scatter: the specification's attributes, no batching dims */
typedef struct hlo_gather_dims {
    int noffset, ncollapsed, nmap;
    int64_t offset[TP_MAX_RANK], collapsed[TP_MAX_RANK], map[TP_MAX_RANK]; /* map: start_index_map */
    int64_t index_vector_dim;
    int64_t slice_sizes[TP_MAX_RANK];
    bool sorted;
} hlo_gather_dims;
hlo_val hlo_gather(hlo_graph *g, hlo_val operand, hlo_val indices, const hlo_gather_dims *dims);

typedef struct hlo_scatter_dims {
    int nwindow, ninserted, nmap;
    int64_t window[TP_MAX_RANK], inserted[TP_MAX_RANK], map[TP_MAX_RANK]; /* update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims */
    int64_t index_vector_dim;
    bool sorted, unique;
} hlo_scatter_dims;
/* |op|: ADD MUL MAX MIN AND OR combine old and update; HLO_OP_NONE: the update replaces. Out-of-range indices are dropped. */
hlo_val hlo_scatter(hlo_graph *g, hlo_op op, hlo_val operand, hlo_val indices, hlo_val updates, const hlo_scatter_dims *dims);

/* ---- programs from fragments */
void hlo_set_outputs(hlo_graph *g, int n, const hlo_val *outputs);
int hlo_param_count(const hlo_graph *g);
int hlo_output_count(const hlo_graph *g);
const tp_type *hlo_param_type(const hlo_graph *g, int i);
const tp_type *hlo_output_type(const hlo_graph *g, int i);
bool hlo_param_used(const hlo_graph *g, int i);   /* an output depends on it */
int hlo_node_count(const hlo_graph *g);
/* Copies |fragment|'s nodes into |g| with its parameters replaced by |args| (types must agree); its outputs go to
 * |out_results|.  Shares |fragment|'s regions, so |fragment| must outlive |g|. */
void hlo_inline(hlo_graph *g, const hlo_graph *fragment, const hlo_val *args, hlo_val *out_results);

/* Generic-form StableHLO of `func.func public @main`, dead nodes left out.  alias[i], if |alias| is not NULL, is the
 * output that parameter i may share its buffer with (tf.aliasing_output), or -1.  malloced, owned by the caller. */
tp_status hlo_print(const hlo_graph *g, const char *module_name, const int *alias, char **out_text, size_t *out_len);

#endif
