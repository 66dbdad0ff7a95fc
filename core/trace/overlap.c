/* PyTorch's overlap rules (ATen/MemoryOverlap): an in-place op may read exactly what it writes, or something apart. */
#include "aten/plan.h"
#include "trace/device.h"

tp_status overlap_check_self(const tp_view *out) {
    if (!at_view_self_overlaps(out->rank, out->sizes, out->strides)) return NULL;
    return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME,
                   "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
                   "Please clone() the tensor before performing the operation.");
}

static bool same_place(const tp_view *a, const tp_view *b) {
    if (a->offset * (int64_t)tp_dtype_size((tp_dtype)a->dtype) != b->offset * (int64_t)tp_dtype_size((tp_dtype)b->dtype)) return false;
    if (a->rank != b->rank) return false;
    return !memcmp(a->sizes, b->sizes, a->rank * sizeof(int64_t)) && !memcmp(a->strides, b->strides, a->rank * sizeof(int64_t));
}

tp_status overlap_check_pair(const tp_view *out, const tp_view *in) {
    if (out->cell != in->cell || same_place(out, in)) return NULL;
    int64_t nout = tp_numel(out->rank, out->sizes), nin = tp_numel(in->rank, in->sizes);
    if (!nout || !nin) return NULL;
    if (!at_strides_dense(out->rank, out->sizes, out->strides) || !at_strides_dense(in->rank, in->sizes, in->strides))
        return NULL; /* too hard to say, as there */
    int64_t so = (int64_t)tp_dtype_size((tp_dtype)out->dtype), si = (int64_t)tp_dtype_size((tp_dtype)in->dtype);
    int64_t out_begin = out->offset * so, in_begin = in->offset * si;
    int64_t out_end = out_begin + nout * so, in_end = in_begin + nin * si;
    if (out_begin >= in_end || in_begin >= out_end) return NULL;
    if (out_begin == in_begin && out_end == in_end) return NULL;
    return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME,
                   "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
                   "location. Please clone() the tensor before performing the operation.");
}
