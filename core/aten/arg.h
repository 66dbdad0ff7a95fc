/* What the shim hands to the core for one op call: a tagged array of arguments.  Pointers are borrowed for the call. */
#ifndef TP_ATEN_ARG_H
#define TP_ATEN_ARG_H

#include "base/dtype.h"

struct tp_cell;
struct tp_generator;

/* How a tensor reads a cell: |offset| and |strides| in elements of |dtype|. */
typedef struct tp_view {
    struct tp_cell *cell;
    uint8_t dtype, rank;
    bool conj, neg;          /* PyTorch's lazy bits: the logical value is conj/neg of what is stored */
    int64_t offset;
    const int64_t *sizes, *strides;
} tp_view;

typedef enum {
    TP_ARG_NONE = 0,   /* None, an absent optional, an undefined tensor */
    TP_ARG_TENSOR,     /* view */
    TP_ARG_SCALAR,     /* a number: from `Scalar`, a wrapped number, or a 0-dim CPU tensor read at the call */
    TP_ARG_LIST,       /* list of n arguments: Tensor[], Tensor?[], Scalar[] */
    TP_ARG_INT,        /* int, SymInt, bool, ScalarType (as tp_dtype), MemoryFormat, Layout */
    TP_ARG_FLOAT,
    TP_ARG_INTS,       /* int[], SymInt[], bool[] */
    TP_ARG_FLOATS,
    TP_ARG_STR,
    TP_ARG_GENERATOR,  /* gen, NULL: the device's default generator */
} tp_arg_tag;

/* How a TP_ARG_SCALAR takes part in type promotion. */
typedef enum {
    TP_NUMBER,      /* a Python number or `Scalar`: lowest priority, only its class counts */
    TP_ZERO_DIM,    /* a 0-dim CPU tensor: its dtype counts among 0-dim tensors */
} tp_scalar_rank;

typedef struct tp_scalar {
    uint8_t dtype;  /* BOOL, I64, U64, F64 or C128 for numbers; the tensor's dtype for 0-dim tensors */
    uint8_t rank;   /* tp_scalar_rank */
    int64_t i;      /* BOOL and integers */
    double re, im;  /* F64 and C128; re also holds the value of BOOL and integers */
} tp_scalar;

typedef struct tp_arg {
    uint8_t tag;
    uint32_t n;               /* LIST, INTS, FLOATS, STR: length */
    union {
        tp_view view;
        tp_scalar scalar;
        const struct tp_arg *list;
        int64_t i;
        double f;
        const int64_t *ints;
        const double *floats;
        const char *str;
        struct tp_generator *gen;
    };
} tp_arg;

#endif
