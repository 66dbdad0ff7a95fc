/* Plans: how a strided view of a base is read from, or written into, the base's dense logical array.
 *
 * A base is a dense array of |base.dims| whose elements lie in memory in the order given by |base_strides| (a
 * permutation of row-major: channels_last for one).  A view is (dtype, sizes, strides, offset) over the same bytes.
 * at_plan_make finds the steps base -> view: bitcast, transpose, reshape, slice, pad, broadcast, or as a last resort
 * (overlapping windows) a 1-D gather with indices computed from iota.  The steps are encoded as int64 words, the static
 * attributes of the internal rows `_tp_read` and `_tp_write`; starts that are run-time data are not in them. */
#ifndef TP_ATEN_PLAN_H
#define TP_ATEN_PLAN_H

#include "base/dtype.h"
#include "base/status.h"

enum { AT_PLAN_WORDS = 192, AT_PLAN_SLOTS = TP_MAX_RANK };

typedef enum {
    AT_PLAN_IDENTITY, /* the view is the whole base, as it is */
    AT_PLAN_WHOLE,    /* the view holds every element of the base exactly once: a write needs no old value */
    AT_PLAN_PART,     /* some elements, each once */
    AT_PLAN_OVERLAP,  /* some elements more than once.  A broadcast cannot be written; windows can, as PyTorch allows it
                         (at_view_self_overlaps is false): each element then gets one of the values written to it */
} at_plan_kind;

typedef struct at_plan {
    uint8_t kind;      /* at_plan_kind */
    uint8_t nslots;    /* run-time slice starts, in step order */
    uint16_t nwords;
    int64_t words[AT_PLAN_WORDS];
    int64_t starts[AT_PLAN_SLOTS];  /* values of the slots for this view */
} at_plan;

/* |base|: dtype and sizes; |base_strides| dense (some permutation is row-major).  |view_dtype|, |rank|, |sizes|, |strides|,
 * |offset| (in view elements).  Slices of size 1 always have their start in a slot; wider ones iff |slot_starts|.
 * The view must lie inside the base's bytes, else INVALID_ARGUMENT. Zero-size views give a plan that reads an empty array. */
tp_status at_plan_make(const tp_type *base, const int64_t *base_strides, tp_dtype view_dtype, int rank, const int64_t *sizes,
                       const int64_t *strides, int64_t offset, bool slot_starts, at_plan *out_plan);
/* True if any slice wider than 1 has a static start > 0 or a run-time start: then |slot_starts| matters. */
bool at_plan_has_wide_slices(const at_plan *p);

/* Internal rows of aten.def that run a plan (lowerings in plan_lower.c).  Words contain the base's type and are equal for
 * views that differ in slots only:
 *   _tp_read  "TIN"    (base, words, starts) -> the view's dense value
 *   _tp_write "T?TIN"  (base or none when WHOLE, value of the view's dense type, words, starts) -> the new base */
struct low;
void low_plan_read(struct low *l);
void low_plan_write(struct low *l);

/* Overlap inside one view, as PyTorch's has_internal_overlap: does any element have two indices? (conservative: "too hard" = no) */
bool at_view_self_overlaps(int rank, const int64_t *sizes, const int64_t *strides);
/* Dense and non-overlapping: some permutation of the dims is row-major without gaps. */
bool at_strides_dense(int rank, const int64_t *sizes, const int64_t *strides);

#endif
