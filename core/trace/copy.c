/* Copies, fills and resizing: writes whose value is another view, a number, or the old contents. */
#include "aten/plan.h"
#include "trace/call.h"

/* |src| as PyTorch's expand gives it: right-aligned to |dst|'s sizes, stride 0 where repeated. */
static tp_status expand(const tp_view *dst, const tp_view *src, tp_view *out, int64_t *strides) {
    *out = *src;
    out->rank = dst->rank;
    out->sizes = dst->sizes;
    out->strides = strides;
    int shift = dst->rank - src->rank;
    for (int i = 0; i < dst->rank; i++) {
        int64_t size = i < shift ? 1 : src->sizes[i - shift];
        if (size != dst->sizes[i] && size != 1)
            shift = dst->rank + 1;
        else
            strides[i] = i < shift || (size == 1 && dst->sizes[i] != 1) ? 0 : src->strides[i - shift];
        if (shift > dst->rank) break;
    }
    if (shift >= 0 && shift <= dst->rank) return NULL;
    tp_type to, from;
    char a[256], b[256];
    view_type(dst, &to);
    view_type(src, &from);
    return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME, "copy_: the source must broadcast to the destination; got %s and %s",
                   tp_type_format(&from, a, sizeof a), tp_type_format(&to, b, sizeof b));
}

static bool same_geometry(const tp_view *a, const tp_view *b) {
    if (a->dtype != b->dtype || a->rank != b->rank || a->offset || b->offset) return false;
    for (int i = 0; i < a->rank; i++)
        if (a->sizes[i] != b->sizes[i] || (a->sizes[i] > 1 && a->strides[i] != b->strides[i])) return false;
    return true;
}

/* A whole storage copied to one of equal size shares the value with its base, whatever the tensors claim to be. */
static bool share_locked(tp_device *d, const tp_view *dst, const tp_view *src, dead_list *dead) {
    tp_cell *to = dst->cell, *from = src->cell;
    if (src->conj != dst->conj || src->neg != dst->neg || to == from || to->nbytes != from->nbytes) return false;
    if (!same_geometry(dst, src) || !view_is_whole(src) || !view_is_whole(dst)) return false;
    tp_value *v = from->value;
    if (v) value_retain(v);
    cell_swap_locked(d, to, v, dead);
    to->based = from->based;
    if (from->based) cell_set_base(to, &from->base, from->strides);
    return true;
}

tp_status convert_locked(tp_device *d, tp_value **io_value, tp_dtype dtype, dead_list *dead) {
    if ((*io_value)->type.dtype == dtype) return NULL;
    const tp_arg args[2] = {{.tag = TP_ARG_TENSOR}, {.tag = TP_ARG_INT, .i = dtype}};
    tp_value *out;
    TP_TRY(record_row_locked(d, tp_rows.convert, args, 2, io_value, &out));
    value_release_locked(d, *io_value, dead);
    *io_value = out;
    return NULL;
}

/* |v| (taken over) goes through |dst|, and the call ends. */
static tp_status finish_write(tp_device *d, const tp_view *dst, tp_value *v, tp_status s, dead_list *dead) {
    if (!s) s = view_write_locked(d, dst, v, dead);
    value_release_locked(d, v, dead);
    return call_leave(d, s, dead);
}

tp_status tp_copy(const tp_view *dst, const tp_view *src) {
    tp_view wide;
    int64_t strides[TP_MAX_RANK];
    tp_device *d;
    TP_TRY(expand(dst, src, &wide, strides));
    TP_TRY(overlap_check_self(dst));
    if (!tp_numel(dst->rank, dst->sizes)) return tp_usable();
    if (dst->cell->device != src->cell->device) return tp_copy_across(dst, &wide);
    TP_TRY(device_enter(dst->cell->device->index, &d));
    dead_list dead = DEAD_LIST;
    if (share_locked(d, dst, src, &dead)) return device_leave(d, NULL, &dead);
    tp_type type;
    tp_value *v = NULL;
    view_type(dst, &type);
    tp_status s = memory_reserve_locked(d, tp_type_bytes(&type), &dead);
    if (!s) s = view_read_locked(d, &wide, &v, &dead);
    if (!s) s = convert_locked(d, &v, (tp_dtype)dst->dtype, &dead);
    return finish_write(d, dst, v, s, &dead);
}

tp_status tp_fill(const tp_view *dst, const tp_scalar *value) {
    tp_device *d;
    TP_TRY(overlap_check_self(dst));
    if (!tp_numel(dst->rank, dst->sizes)) return tp_usable();
    TP_TRY(device_enter(dst->cell->device->index, &d));
    dead_list dead = DEAD_LIST;
    tp_type type;
    tp_value *v = NULL;
    view_type(dst, &type);
    tp_status s = memory_reserve_locked(d, tp_type_bytes(&type), &dead);
    if (!s) s = record_fill_locked(d, &type, value, &v);
    return finish_write(d, dst, v, s, &dead);
}

/* ---- resizing: the leading elements go into a flat base of the new size */
static tp_status move_contents(tp_device *d, tp_cell *c, size_t nbytes, dead_list *dead) {
    tp_dtype dtype = c->based ? (tp_dtype)c->base.dtype : TP_U8;
    if (nbytes % tp_dtype_size(dtype) || c->nbytes % tp_dtype_size(dtype)) dtype = TP_U8;
    int64_t size = (int64_t)tp_dtype_size(dtype), one = 1, n = (int64_t)nbytes / size;
    int64_t kept = (int64_t)(c->nbytes < nbytes ? c->nbytes : nbytes) / size;
    tp_view lead = {.cell = c, .dtype = (uint8_t)dtype, .rank = 1, .sizes = &kept, .strides = &one};
    tp_value *v;
    TP_TRY(view_read_locked(d, &lead, &v, dead));
    cell_swap_locked(d, c, NULL, dead);
    c->nbytes = nbytes;
    tp_type base = tp_type_make(dtype, 1, &n);
    cell_set_base(c, &base, &one);
    tp_status s = view_write_locked(d, &lead, v, dead);
    value_release_locked(d, v, dead);
    return s;
}

tp_status tp_cell_resize(tp_cell *c, size_t nbytes) {
    TP_TRY(tp_usable());
    tp_device *d = c->device;
    if (c->nbytes == nbytes) return NULL;
    bool holds = c->value && nbytes && c->nbytes;
    if (holds) TP_TRY(tp_open());
    dead_list dead = DEAD_LIST;
    pthread_mutex_lock(&d->mutex);
    size_t old = c->nbytes;
    tp_status s = holds ? move_contents(d, c, nbytes, &dead) : NULL;
    if (!s && !holds) {
        cell_swap_locked(d, c, NULL, &dead);
        c->nbytes = nbytes;
        c->based = false;
    }
    if (!s && nbytes > old) s = cell_move_locked(c);
    return call_leave(d, s, &dead);
}
