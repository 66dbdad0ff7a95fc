/* Moves of whole dimensions, in the language of aten/lower.h: what joins, indices, windows and norms are made of. */
#ifndef TP_ATEN_SHAPE_H
#define TP_ATEN_SHAPE_H

#include "aten/lower.h"

int sizes_of(const low *l, hlo_val a, int64_t out_sizes[TP_MAX_RANK]); /* the rank */
hlo_val reshape(low *l, hlo_val a, int rank, const int64_t *sizes);
hlo_val flatten(low *l, hlo_val a);                                    /* rank 1 */
hlo_val narrow(low *l, hlo_val a, int d, int64_t start, int64_t length);
hlo_val stride_dim(low *l, hlo_val a, int d, int64_t start, int64_t limit, int64_t step);
hlo_val pad_dim(low *l, hlo_val a, int d, int64_t before, int64_t after, hlo_val value); /* negative: cut */
hlo_val join(low *l, hlo_val a, hlo_val b, int d);
/* A rank-1 array laid along dimension |d| of |sizes|. */
hlo_val along(low *l, hlo_val a, int rank, const int64_t *sizes, int d);
/* 0, 1, .. as a rank-1 array. */
hlo_val count_up(low *l, tp_dtype dtype, int64_t n);
/* The integer dtype that device-side positions below |n| are counted in. */
tp_dtype position_type(int64_t n);
/* Tensor.expand, with its error words; for arguments that broadcast into an output of known sizes. */
hlo_val expand(low *l, hlo_val a, int rank, const int64_t *sizes);
/* Running |op| (ADD MUL MAX MIN AND OR) along |d|, inclusive. */
hlo_val scan(low *l, hlo_op op, hlo_val a, int d);
/* Replaces dimension |d| of |a| by the other dimension of |matrix|, whose dimension |c| is contracted with it; exact in float32. */
hlo_val contract(low *l, hlo_val a, hlo_val matrix, int d, int c);
/* "X" not implemented for 'Long', a NotImplementedError. */
void unimplemented(low *l, const char *kernel, tp_dtype t);

#endif
