/* The op table: which ATen ops exist here, and how a row becomes a kernel's HLO fragment.
 *
 * A row is one line of aten.def.  Its signature has one letter per schema argument of the functional overload (out
 * arguments excluded), compared with PyTorch's schema at registration:
 *   T Tensor   L Tensor[]   O Tensor?[]   s Scalar (run time: a slot)   x Scalar (static)   X Scalar[] (slots)
 *   a Scalar (a slot unless it is 1)
 *   f float (slot)   y float (static)   n int (slot)   i int (static)   b bool (static)   I int[]   B bool[]   F float[]
 *   d ScalarType   m MemoryFormat   l Layout   D Device   S str   G Generator   N int[] (slots)
 * followed by '?' where the schema's type is optional.  s/x, f/y, n/i, N/I differ only in what we do with the number.
 *
 * Arguments reach a lowering as at_in[]: dense logical types for tensors, slots for run-time numbers, and static
 * values.  A lowering is a pure function of those; so a kernel is found by hashing exactly them (at_key_write). */
#ifndef TP_ATEN_OP_H
#define TP_ATEN_OP_H

#include "aten/arg.h"
#include "hlo/graph.h"

enum { AT_MAX_ARGS = 32, AT_MAX_OUTS = 8 };

/* How result strides follow from the inputs' (computed by at_out_strides, outside the kernel). */
typedef enum {
    AT_CONTIGUOUS = 0, /* row-major */
    AT_ITERATOR,       /* TensorIterator's: the permutation of the tensor operands */
    AT_LIKE_FIRST,     /* empty_like(first tensor argument, preserve_format) */
} at_strides;

typedef enum {
    AT_ROW,      /* an ATen op with a lowering */
    AT_SIZED,    /* result sizes depend on data: |count| gives an i64[] scalar that is read, then |lower| gets it as a
                    last static argument of letter 'i' (not in |signature|) */
    AT_FOREACH,  /* an ATen op on lists that runs |target| once per element, list arguments element by element */
    AT_INTERNAL, /* no ATen op: used by plans, copies and foreach expansions (name begins with '_tp_') */
    AT_CPU,      /* fallback on purpose; |reason| says why */
} at_row_kind;

struct low;
typedef struct at_row {
    const char *name;       /* "add.Tensor": without "aten::" */
    const char *signature;
    uint8_t kind;           /* at_row_kind */
    uint8_t strides;        /* at_strides */
    uint8_t nouts;
    void (*lower)(struct low *l);
    void (*count)(struct low *l); /* AT_SIZED */
    const char *target;     /* AT_FOREACH: the row run per element */
    const char *reason;     /* AT_CPU */
    bool draws;             /* takes random numbers though its schema has no generator: the call gets one more argument,
                               the device's default generator (letter 'G'), not in |signature| */
    uint8_t neffects;       /* outputs nouts .. that are written into arguments |effects|, unknown to the schema (running
                               statistics of a batch norm) */
    uint8_t effects[2];
    uint16_t op;            /* rows of one family share |lower|: the hlo_op, and what else tells them apart */
    uint16_t rule;
} at_row;

int at_row_count(void);
const at_row *at_row_get(int row);   /* has the lifetime of the process */
int at_row_find(const char *name);   /* -1 if there is none */

/* One input of a lowering. */
typedef enum { AT_IN_NONE, AT_IN_TENSOR, AT_IN_SLOT, AT_IN_STATIC, AT_IN_LIST } at_in_kind;
typedef enum { AT_SLOT_FLOAT, AT_SLOT_INT, AT_SLOT_COMPLEX, AT_SLOT_RNG } at_slot_class; /* COMPLEX takes two FLOAT slots; RNG is u64[2] (seed, offset) */

/* A call's arguments, normalised by the trace: what decides the kernel, apart from run-time data.  Borrowed. */
typedef struct at_in {
    uint8_t kind;         /* at_in_kind */
    uint8_t letter;       /* of the signature */
    uint8_t slot_class;   /* AT_IN_SLOT */
    uint8_t scalar_rank;  /* AT_IN_SLOT: tp_scalar_rank, for promotion; |type|.dtype is the number's dtype */
    tp_type type;         /* AT_IN_TENSOR: dense logical type; AT_IN_SLOT: rank 0 */
    const tp_arg *arg;    /* static values, lists (AT_IN_LIST: arg->list elements bound in |elems|) */
    const struct at_in *elems;
    uint32_t nelems;
} at_in;

/* A condition on data that PyTorch's CPU device raises about (an index out of range): an extra bool[] output of the
 * kernel, true when violated, read in strict mode and with TORCH_PJRT_CHECK=1. */
enum { AT_MAX_CHECKS = 2 };
typedef struct at_check {
    uint8_t kind;        /* tp_kind */
    const char *message; /* has the lifetime of the process or of the fragment's graph */
} at_check;

typedef struct at_fragment {
    hlo_graph *graph; /* owned by the holder */
    int nouts;        /* outputs proper; the checks' outputs follow them */
    int nchecks;
    uint8_t absent; /* bit k: output k does not exist in this call (masked, or an argument left as it was) */
    at_check checks[AT_MAX_CHECKS];
} at_fragment;

/* Lowers |lower| (row->lower, or row->count) of |row| on |in|.  On success the graph has parameters in this order:
 * each tensor of |in| (list elements in place; AT_IN_NONE has none), then one per slot in order (f64 for FLOAT, two f64
 * for COMPLEX, i64 for INT, u64[2] for RNG).  Errors are PyTorch's: kind and words of its CPU device, naming shapes. */
tp_status at_lower(const at_row *row, void (*lower)(struct low *l), const at_in *in, int n, hlo_precision precision,
                   at_fragment *out_fragment);

/* Strides of output |k| of type |out|; |args| are the call's arguments as the shim gave them. */
void at_out_strides(const at_row *row, const tp_arg *args, int nargs, int k, const tp_type *out, int64_t *out_strides);

/* Refuses run-time numbers that PyTorch refuses at the call (a standard deviation below 0); NULL for most rows. */
typedef tp_status (*at_validator)(const tp_arg *args, int n);
at_validator at_validator_of(const at_row *row);

/* Counter steps of 128 bits a random call consumes for an output of |numel| elements; depends on the shape only. */
uint64_t at_philox_steps(const at_row *row, int64_t numel);

/* True if the value of |arg| letters s f n X reaches the device as a slot (they do), false for static ones. */
static inline bool at_letter_is_slot(char c) { return c == 's' || c == 'f' || c == 'n' || c == 'X' || c == 'G'; }

#endif
