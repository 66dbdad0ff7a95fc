/* Element types and array types.  tp_dtype 0 is "no type". */
#ifndef TP_BASE_DTYPE_H
#define TP_BASE_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef enum {
    TP_NO_DTYPE = 0,
#define DTYPE(e, name, torch, hlo, pjrt, bytes, cls) TP_##e,
#include "base/dtype.def"
#undef DTYPE
    TP_DTYPE_COUNT
} tp_dtype;

typedef enum { TP_CLASS_NONE = 0, TP_CLASS_BOOL, TP_CLASS_UINT, TP_CLASS_SINT, TP_CLASS_FLOAT, TP_CLASS_COMPLEX } tp_class;

/* PyTorch allows 64 dimensions; no accelerator's compiler is used beyond a few.  More is a RuntimeError that says so. */
enum { TP_MAX_RANK = 16 };

/* A dense logical array: dtype and sizes, no layout.  Only dims[0..rank) mean anything. */
typedef struct tp_type {
    uint8_t dtype; /* tp_dtype */
    uint8_t rank;
    int64_t dims[TP_MAX_RANK];
} tp_type;

size_t tp_dtype_size(tp_dtype t);             /* bytes per element; 0 for TP_NO_DTYPE */
const char *tp_dtype_name(tp_dtype t);        /* PyTorch's: "float32" */
const char *tp_dtype_hlo(tp_dtype t);         /* StableHLO's: "f32" */
tp_class tp_dtype_class(tp_dtype t);
int tp_dtype_to_torch(tp_dtype t);            /* c10::ScalarType number, -1 for none */
tp_dtype tp_dtype_from_torch(int scalar_type); /* TP_NO_DTYPE if there is no such type here */
tp_dtype tp_dtype_real(tp_dtype t);           /* C64 -> F32, C128 -> F64, others themselves */
tp_dtype tp_dtype_uint(size_t bytes);         /* unsigned integer of 1, 2, 4, 8 bytes; else TP_NO_DTYPE */

static inline bool tp_dtype_is_float(tp_dtype t) { return tp_dtype_class(t) == TP_CLASS_FLOAT; }
static inline bool tp_dtype_is_complex(tp_dtype t) { return tp_dtype_class(t) == TP_CLASS_COMPLEX; }
static inline bool tp_dtype_is_int(tp_dtype t) { /* bool excluded */
    return tp_dtype_class(t) == TP_CLASS_UINT || tp_dtype_class(t) == TP_CLASS_SINT;
}

static inline int64_t tp_numel(int rank, const int64_t *dims) {
    int64_t n = 1;
    for (int i = 0; i < rank; i++) n *= dims[i];
    return n;
}
static inline int64_t tp_type_numel(const tp_type *t) { return tp_numel(t->rank, t->dims); }
static inline size_t tp_type_bytes(const tp_type *t) { return (size_t)tp_type_numel(t) * tp_dtype_size((tp_dtype)t->dtype); }
static inline bool tp_type_equal(const tp_type *a, const tp_type *b) {
    return a->dtype == b->dtype && a->rank == b->rank && memcmp(a->dims, b->dims, a->rank * sizeof(int64_t)) == 0;
}
static inline tp_type tp_type_make(tp_dtype dtype, int rank, const int64_t *dims) {
    tp_type t = {0};
    t.dtype = (uint8_t)dtype;
    t.rank = (uint8_t)rank;
    if (rank) memcpy(t.dims, dims, (size_t)rank * sizeof(int64_t));
    return t;
}
/* Row-major strides of |dims| as PyTorch computes them: a size-0 dimension counts as 1. */
static inline void tp_contiguous_strides(int rank, const int64_t *dims, int64_t *out_strides) {
    int64_t n = 1;
    for (int i = rank - 1; i >= 0; i--) {
        out_strides[i] = n;
        n *= dims[i] > 1 ? dims[i] : 1;
    }
}
/* "float32[2, 3]" into |text|; returns |text|. */
char *tp_type_format(const tp_type *t, char *text, size_t cap);

#endif
