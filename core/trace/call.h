/* One op call inside core/trace. */
#ifndef TP_TRACE_CALL_H
#define TP_TRACE_CALL_H

#include "trace/device.h"

typedef struct call_request {
    const at_row *row;
    int device;
    const tp_arg *args;
    int nargs;
    const int8_t *writes;   /* as tp_call */
    tp_result *results;     /* row->nouts */
} call_request;

/* The tensors among a call's arguments, lists flattened in order; on the heap when they are many. */
enum { FEW_TENSORS = 16 };
typedef struct call_tensors {
    size_t n;
    tp_type *types;
    const tp_type **type_pointers;
    const tp_view **views;
    tp_value **values;
    void *block;
    tp_type small_types[FEW_TENSORS];
    const tp_type *small_pointers[FEW_TENSORS];
    const tp_view *small_views[FEW_TENSORS];
    tp_value *small_values[FEW_TENSORS];
} call_tensors;

tp_status call_one(const call_request *q);
tp_status call_sized(const call_request *q);      /* AT_SIZED rows */
/* index.Tensor and its kin: mask index tensors become integer ones through nonzero. (waits) */
tp_status call_indexed(const call_request *q);
/* Finds and records the kernel with its reads. |checks|: also make values of the checks. *out_kernel, once set, carries a
 * reference of the caller's. */
tp_status call_record_locked(tp_device *d, const at_row *r, bool count, const tp_arg *args, int nargs, call_tensors *t, bool checks,
                             tp_kernel **out_kernel, tp_value **out_values, dead_list *dead);
/* Ends a call that recorded something, with the mutex held: cuts where the mode or the size says so, releases the mutex,
 * launches, waits if ops block.  Returns |s| if it is an error, else the first one met. */
tp_status call_leave(tp_device *d, tp_status s, dead_list *dead);
tp_status convert_locked(tp_device *d, tp_value **io_value, tp_dtype dtype, dead_list *dead);

#endif
