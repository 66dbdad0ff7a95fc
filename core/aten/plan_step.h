/* The words of a plan (aten/plan.h), as plan.c writes them and plan_step.c reads them.
 *
 * word 0 is PLAN_HEADER, then the base's sizes, then steps.  A step is PLAN_STEP(op, a, b) and its operands; each step
 * turns one array into the next.  Steps that lose elements (slice, gather) are undone in a write by updating the array
 * they were given; the others have an inverse. */
#ifndef TP_ATEN_PLAN_STEP_H
#define TP_ATEN_PLAN_STEP_H

#include "aten/plan.h"
#include "hlo/graph.h"

typedef enum {
    PLAN_TRANSPOSE = 1, /* | perm, four bits per result dimension */
    PLAN_RESHAPE,       /* a: rank | sizes */
    PLAN_CAST,          /* a: dtype.  The same bits; a smaller dtype adds a minor dimension, a larger one removes it */
    PLAN_UNPACK,        /* complex -> real with a minor dimension of 2 */
    PLAN_PACK,          /* the inverse */
    PLAN_PAD,           /* a: dimension | elements added at its end */
    PLAN_SLICE,         /* a: entries | entries x PLAN_ENTRY_WORDS: dimension + PLAN_SLOT if the start is a slot, start or 0, size, step */
    PLAN_GATHER,        /* a: dimension, b: n, c: 1 if no element is taken twice | n x (size, step).  The dimension becomes
                           n dimensions; element (i..) is element slot + sum(i * step) of it */
    PLAN_BROADCAST,     /* a: rank | bit mask of the result dimensions that come from the operand, sizes */
    PLAN_EMPTY,         /* a: rank | sizes.  An array without elements, of the view's dtype */
} plan_op;

enum { PLAN_ENTRY_WORDS = 4, PLAN_SLOT = 256 };

#define PLAN_STEP(op, a, b, c) ((int64_t)(op) | (int64_t)(a) << 8 | (int64_t)(b) << 16 | (int64_t)(c) << 24)
#define PLAN_STEP_OP(w) ((plan_op)((w)&0xff))
#define PLAN_STEP_A(w) ((int)((w) >> 8 & 0xff))
#define PLAN_STEP_B(w) ((int)((w) >> 16 & 0xff))
#define PLAN_STEP_C(w) ((int)((w) >> 24 & 0xff))

#define PLAN_HEADER(base_dtype, base_rank, view_dtype, wide) PLAN_STEP(base_dtype, base_rank, view_dtype, wide)
#define PLAN_HEADER_BASE(w) ((tp_dtype)((w)&0xff))
#define PLAN_HEADER_RANK(w) PLAN_STEP_A(w)
#define PLAN_HEADER_VIEW(w) ((tp_dtype)PLAN_STEP_B(w))
#define PLAN_HEADER_WIDE(w) PLAN_STEP_C(w)

/* The view's dense value.  |starts|: the slots, rank-0 i64.  Errors are |g|'s; the result is HLO_NONE then. */
hlo_val plan_read(hlo_graph *g, hlo_val base, const int64_t *words, int nwords, const hlo_val *starts);
/* The base with |value| (of the view's dense type) written into the view.  |base| may be HLO_NONE if the plan is WHOLE. */
hlo_val plan_write(hlo_graph *g, hlo_val base, hlo_val value, const int64_t *words, int nwords, const hlo_val *starts);

#endif
