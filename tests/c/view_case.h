/* Random views of random bases, and what they hold, by a plain loop over bytes. */
#ifndef TESTS_VIEW_CASE_H
#define TESTS_VIEW_CASE_H

#include "base/dtype.h"

#include <stdio.h>

enum { CASE_BYTES = 16384 };

typedef struct view_case {
    tp_type base, view;
    int64_t base_strides[TP_MAX_RANK], strides[TP_MAX_RANK], offset;
    unsigned char memory[CASE_BYTES]; /* the base's bytes */
} view_case;

enum { MAX_VIEW_BYTES = 8192, MAX_CASE_RANK = 7 };

static inline uint64_t case_random(uint64_t *seed, uint64_t below) {
    *seed += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = *seed;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return below ? x % below : x;
}

static inline int pick(uint64_t *seed, int64_t below) { return (int)case_random(seed, (uint64_t)below); }

static inline tp_dtype any_dtype(uint64_t *seed) {
    static const uint8_t often[] = {TP_F32, TP_F32, TP_BF16, TP_I64, TP_BOOL, TP_U8, TP_C64, TP_I32};
    return (tp_dtype)(pick(seed, 2) ? often[pick(seed, sizeof often)] : 1 + pick(seed, TP_DTYPE_COUNT - 1));
}

/* A base of random dtype, sizes and dense strides, filled; the view is the whole base. */
static inline void case_make(view_case *c, uint64_t *seed) {
    int64_t dims[MAX_CASE_RANK], n = 1;
    int rank = pick(seed, 6), order[MAX_CASE_RANK];
    for (int i = 0; i < rank; i++) {
        dims[i] = pick(seed, 30) ? 1 + pick(seed, pick(seed, 3) ? 5 : 9) : pick(seed, 2);
        if (n * dims[i] > 512) dims[i] = 1;
        n *= dims[i] ? dims[i] : 1;
        order[i] = i;
    }
    if (pick(seed, 3) == 0)
        for (int i = rank - 1; i > 0; i--) {
            int k = pick(seed, i + 1), t = order[i];
            order[i] = order[k];
            order[k] = t;
        }
    c->base = tp_type_make(any_dtype(seed), rank, dims);
    int64_t stride = 1;
    for (int i = rank - 1; i >= 0; i--) {
        c->base_strides[order[i]] = stride;
        stride *= dims[order[i]] > 1 ? dims[order[i]] : 1;
    }
    for (size_t i = 0; i < tp_type_bytes(&c->base); i++) {
        uint64_t x = case_random(seed, 256);
        c->memory[i] = (unsigned char)(c->base.dtype == TP_BOOL ? x & 1 : pick(seed, 4) ? x : 0);
    }
    c->view = c->base;
    memcpy(c->strides, c->base_strides, sizeof c->strides);
    c->offset = 0;
}

/* ---- changes */

static inline void remove_dim(view_case *c, int dim) {
    for (int i = dim; i + 1 < c->view.rank; i++) {
        c->view.dims[i] = c->view.dims[i + 1];
        c->strides[i] = c->strides[i + 1];
    }
    c->view.rank--;
}

static inline void insert_dim(view_case *c, int dim, int64_t size, int64_t stride) {
    for (int i = c->view.rank++; i > dim; i--) {
        c->view.dims[i] = c->view.dims[i - 1];
        c->strides[i] = c->strides[i - 1];
    }
    c->view.dims[dim] = size;
    c->strides[dim] = stride;
}

/* As Tensor.select and Tensor.narrow. */
static inline void case_select(view_case *c, int dim, int64_t index) {
    c->offset += index * c->strides[dim];
    remove_dim(c, dim);
}

static inline void case_narrow(view_case *c, int dim, int64_t start, int64_t size, int64_t step) {
    c->offset += start * c->strides[dim];
    c->view.dims[dim] = size;
    c->strides[dim] *= step;
}

static inline void permute(view_case *c, uint64_t *seed) {
    for (int i = c->view.rank - 1; i > 0; i--) {
        int k = pick(seed, i + 1);
        int64_t size = c->view.dims[i], stride = c->strides[i];
        c->view.dims[i] = c->view.dims[k];
        c->strides[i] = c->strides[k];
        c->view.dims[k] = size;
        c->strides[k] = stride;
    }
}

static inline void split(view_case *c, uint64_t *seed, int d) {
    int64_t size = c->view.dims[d], by = 1 + pick(seed, size);
    if (c->view.rank >= MAX_CASE_RANK || size % by) return;
    c->view.dims[d] = size / by;
    c->strides[d] *= by;
    insert_dim(c, d + 1, by, c->strides[d] / by);
}

static inline void merge(view_case *c) {
    for (int i = c->view.rank - 2; i >= 0; i--)
        if (c->strides[i] == c->strides[i + 1] * c->view.dims[i + 1]) {
            c->view.dims[i] *= c->view.dims[i + 1];
            c->strides[i] = c->strides[i + 1];
            remove_dim(c, i + 1);
        }
}

static inline void narrow(view_case *c, uint64_t *seed, int d) {
    int64_t size = c->view.dims[d], start = pick(seed, size), step = pick(seed, 3) ? 1 : 1 + pick(seed, 4);
    int64_t most = (size - start + step - 1) / step;
    case_narrow(c, d, start, pick(seed, 40) ? 1 + pick(seed, most) : 0, step);
}

static inline void unfold(view_case *c, uint64_t *seed, int d) {
    int64_t size = 1 + pick(seed, c->view.dims[d]), step = 1 + pick(seed, 4), stride = c->strides[d];
    if (c->view.rank >= MAX_CASE_RANK) return;
    case_narrow(c, d, 0, (c->view.dims[d] - size) / step + 1, step);
    insert_dim(c, c->view.rank, size, stride);
}

static inline void diagonal(view_case *c, uint64_t *seed) {
    if (c->view.rank < 2) return;
    int a = pick(seed, c->view.rank), b = pick(seed, c->view.rank);
    if (a == b) return;
    int64_t shift = pick(seed, c->view.dims[b]);
    int64_t size = c->view.dims[b] - shift < c->view.dims[a] ? c->view.dims[b] - shift : c->view.dims[a];
    c->offset += shift * c->strides[b];
    int64_t stride = c->strides[a] + c->strides[b];
    remove_dim(c, a > b ? a : b);
    remove_dim(c, a > b ? b : a);
    insert_dim(c, c->view.rank, size, stride);
}

/* Any sizes and strides over the storage, as as_strided and a storage's set_ make them; often contiguous. */
static inline void restride(view_case *c, uint64_t *seed, tp_dtype dtype) {
    int64_t room = (int64_t)(tp_type_bytes(&c->base) / tp_dtype_size(dtype));
    if (room < 1) return;
    c->view.dtype = (uint8_t)dtype;
    c->view.rank = (uint8_t)pick(seed, 4);
    c->offset = pick(seed, 2) ? 0 : pick(seed, room);
    bool dense = pick(seed, 3) == 0;
    int64_t left = room - 1 - c->offset, unit = 1;
    for (int i = c->view.rank - 1; i >= 0; i--) {
        int64_t stride = dense ? unit : pick(seed, 12) ? 1 + pick(seed, 1 + pick(seed, 16)) : 0, most = stride ? 1 + left / stride : 3;
        int64_t size = 1 + pick(seed, most < 6 || (dense && i == 0) ? most : 6);
        c->view.dims[i] = size;
        c->strides[i] = stride;
        left -= (size - 1) * stride;
        unit *= size;
    }
}

/* As Tensor.view(dtype), view_as_real and view_as_complex, where their conditions hold. */
static inline void retype(view_case *c, uint64_t *seed) {
    tp_dtype to = any_dtype(seed);
    int64_t have = (int64_t)tp_dtype_size((tp_dtype)c->view.dtype), want = (int64_t)tp_dtype_size(to);
    int last = c->view.rank - 1;
    if (have > want) {
        int64_t k = have / want;
        if (last < 0 || c->strides[last] != 1) {
            if (c->view.rank >= MAX_CASE_RANK) return;
            insert_dim(c, ++last, 1, 1);
        }
        for (int i = 0; i < last; i++) c->strides[i] *= k;
        c->view.dims[last] *= k;
        c->offset *= k;
    } else if (have < want) {
        int64_t k = want / have;
        if (last < 0 || c->strides[last] != 1 || c->view.dims[last] % k || c->offset % k) return;
        for (int i = 0; i < last; i++)
            if (c->strides[i] % k) return;
        for (int i = 0; i < last; i++) c->strides[i] /= k;
        c->view.dims[last] /= k;
        c->offset /= k;
    }
    c->view.dtype = (uint8_t)to;
}

/* One random change of the view: permute, split, merge, narrow, step, select, unfold, expand, diagonal, as_strided, dtype. */
static inline void case_change(view_case *c, uint64_t *seed) {
    view_case before = *c;
    int what = pick(seed, 13), d = c->view.rank ? pick(seed, c->view.rank) : 0;
    if (tp_type_numel(&c->view) == 0) return;
    if (what == 0) permute(c, seed);
    if (what == 1) merge(c);
    if (what == 2 && c->view.rank < MAX_CASE_RANK) insert_dim(c, pick(seed, c->view.rank + 1), pick(seed, 4) ? 1 : 1 + pick(seed, 3), 0);
    if (what == 3) retype(c, seed);
    if (what == 4 && pick(seed, 3) == 0) restride(c, seed, (tp_dtype)c->view.dtype);
    if (what == 5 && pick(seed, 3) == 0) restride(c, seed, any_dtype(seed));
    if (what == 6) diagonal(c, seed);
    if (c->view.rank) {
        if (what == 7 || what == 8) narrow(c, seed, d);
        if (what == 9) case_select(c, d, pick(seed, c->view.dims[d]));
        if (what == 10) split(c, seed, d);
        if (what == 11) unfold(c, seed, d);
        if (what == 12) permute(c, seed);
    }
    if (tp_type_bytes(&c->view) > MAX_VIEW_BYTES) *c = before;
}

/* ---- what it holds */

/* The byte in |memory| where element |i| of a row-major walk over |type| lies. */
static inline size_t place(const tp_type *type, const int64_t *strides, int64_t offset, int64_t i) {
    for (int d = type->rank - 1; d >= 0; d--) {
        offset += i % type->dims[d] * strides[d];
        i /= type->dims[d];
    }
    return (size_t)offset * tp_dtype_size((tp_dtype)type->dtype);
}

/* Dense row-major bytes of the base, from its memory and back. */
static inline void case_base(const view_case *c, const unsigned char *memory, unsigned char *out) {
    size_t w = tp_dtype_size((tp_dtype)c->base.dtype);
    for (int64_t i = 0, n = tp_type_numel(&c->base); i < n; i++) memcpy(out + (size_t)i * w, memory + place(&c->base, c->base_strides, 0, i), w);
}

static inline void case_memory(const view_case *c, const unsigned char *base, unsigned char *out_memory) {
    size_t w = tp_dtype_size((tp_dtype)c->base.dtype);
    for (int64_t i = 0, n = tp_type_numel(&c->base); i < n; i++)
        memcpy(out_memory + place(&c->base, c->base_strides, 0, i), base + (size_t)i * w, w);
}

/* Dense row-major bytes of the view; bytes that are read as bool become 0 or 1. */
static inline void case_read(const view_case *c, unsigned char *out) {
    size_t w = tp_dtype_size((tp_dtype)c->view.dtype);
    for (int64_t i = 0, n = tp_type_numel(&c->view); i < n; i++) {
        memcpy(out + (size_t)i * w, c->memory + place(&c->view, c->strides, c->offset, i), w);
        if (c->view.dtype == TP_BOOL) out[i] = out[i] != 0;
    }
}

/* The memory with the view's elements replaced; bytes of a bool base become 0 or 1. */
static inline void case_write(const view_case *c, const unsigned char *value, unsigned char *out_memory) {
    size_t w = tp_dtype_size((tp_dtype)c->view.dtype), bytes = tp_type_bytes(&c->base);
    memcpy(out_memory, c->memory, bytes);
    for (int64_t i = 0, n = tp_type_numel(&c->view); i < n; i++)
        memcpy(out_memory + place(&c->view, c->strides, c->offset, i), value + (size_t)i * w, w);
    for (size_t i = 0; c->base.dtype == TP_BOOL && i < bytes; i++) out_memory[i] = out_memory[i] != 0;
}

/* 0: the view reads nothing; 1: some bytes, each once; 2: each byte of the base once; 3: some twice. */
static inline int case_cover(const view_case *c) {
    static unsigned char seen[CASE_BYTES];
    size_t w = tp_dtype_size((tp_dtype)c->view.dtype), bytes = tp_type_bytes(&c->base);
    int64_t n = tp_type_numel(&c->view);
    memset(seen, 0, bytes);
    for (int64_t i = 0; i < n; i++) {
        size_t at = place(&c->view, c->strides, c->offset, i);
        if (seen[at]) return 3;
        memset(seen + at, 1, w);
    }
    if ((size_t)n * w == bytes) return 2;
    return n ? 1 : 0;
}

static inline size_t put_list(char *text, size_t at, size_t cap, const char *what, int n, const int64_t *list) {
    at += (size_t)snprintf(text + at, cap - at, " %s [", what);
    for (int i = 0; i < n; i++) at += (size_t)snprintf(text + at, cap - at, i ? ", %lld" : "%lld", (long long)list[i]);
    return at + (size_t)snprintf(text + at, cap - at, "]");
}

/* "float32[2, 3] strides [..] as .." into |text|. */
static inline char *case_format(const view_case *c, char *text, size_t cap) {
    tp_type_format(&c->base, text, cap);
    size_t at = put_list(text, strlen(text), cap, "strides", c->base.rank, c->base_strides);
    at += (size_t)snprintf(text + at, cap - at, " as ");
    tp_type_format(&c->view, text + at, cap - at);
    at = put_list(text, strlen(text), cap, "strides", c->view.rank, c->strides);
    snprintf(text + at, cap - at, " offset %lld", (long long)c->offset);
    return text;
}

#endif
