/* Gathers and scatters that index, embedding, loss and sort lowerings share.  Arrays without elements are handled here:
 * StableHLO refuses slices of them.  Indices that are out of range read a clamped place and write nothing; callers
 * say so with check(). */
#ifndef TP_ATEN_INDEX_H
#define TP_ATEN_INDEX_H

#include "aten/shape.h"

/* |n| index arrays of one shape (|rank|, |sizes|) and the dimensions of |x| they index.  |at|: where their shape stands among
 * the dimensions that are left. */
typedef struct index_set {
    int n, at, rank;
    int dims[TP_MAX_RANK];
    hlo_val index[TP_MAX_RANK];
    int64_t sizes[TP_MAX_RANK];
} index_set;

tp_type indexed_type(const low *l, hlo_val x, const index_set *s);
hlo_val take_at(low *l, hlo_val x, const index_set *s);
/* |op|: ADD MUL MAX MIN combine, HLO_OP_NONE replaces (the last of equal indices wins). bool: or, and. */
hlo_val put_at(low *l, hlo_op op, hlo_val x, const index_set *s, hlo_val updates);

/* |index|, of any rank, takes the place of dimension |d|. */
hlo_val take_rows(low *l, hlo_val x, hlo_val index, int d);
hlo_val put_rows(low *l, hlo_op op, hlo_val x, hlo_val index, hlo_val updates, int d);
/* torch.gather and torch.scatter: |index| has x's rank, and places of its own along |d| only. */
hlo_val take_along(low *l, hlo_val x, hlo_val index, int d);
hlo_val put_along(low *l, hlo_op op, hlo_val x, hlo_val index, hlo_val updates, int d);

hlo_val wrapped(low *l, hlo_val index, int64_t size);               /* negative ones count from the end */
hlo_val outside(low *l, hlo_val index, int64_t least, int64_t size); /* bool: index < least or >= size */
/* Flat places of the first |n| true elements of |mask|, in order; |n| must not exceed their number, else the rest holds |fill|. */
hlo_val true_places(low *l, hlo_val mask, int64_t n, int64_t fill);
/* A 0-dim tensor as one of one element. */
hlo_val at_least_1d(low *l, hlo_val a);

#endif
