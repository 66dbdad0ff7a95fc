/* Between host and device: reads, writes, the one number of a view. */
#include "aten/plan.h"
#include "trace/call.h"

#include <math.h>
#include <stdlib.h>

/* ---- device to host */
static tp_status buffer_wait_ready(pj_buffer *b) {
    pj_event *e;
    TP_TRY(pj_buffer_ready_event(tp_client(), b, &e));
    tp_status s = event_wait(e);
    pj_event_destroy(tp_client(), e);
    return s;
}

static tp_status buffer_download(const tp_value *v, void *dst, size_t bytes) {
    TP_TRY(buffer_wait_ready(v->buffer));
    if (!bytes) return NULL;
    const void *host = pj_buffer_host_pointer(tp_client(), v->buffer);
    if (host) {
        memcpy(dst, host, bytes);
        return NULL;
    }
    pj_event *e;
    TP_TRY(pj_buffer_to_host(tp_client(), v->buffer, &v->type, dst, bytes, &e));
    bool ready; /* a copy into the caller's memory must end before we return: no early exit on a signal here */
    tp_status s = pj_event_wait(tp_client(), e, -1, &ready);
    pj_event_destroy(tp_client(), e);
    return s;
}

tp_status value_download(tp_device *d, tp_value *v, void *dst, size_t bytes) {
    TP_TRY(value_wait(d, v));
    pthread_mutex_lock(&d->mutex);
    raw_bytes *raw = v->state == VALUE_RAW ? v->raw : NULL;
    if (raw) atomic_fetch_add(&raw->refs, 1);
    pthread_mutex_unlock(&d->mutex);
    if (!raw) return buffer_download(v, dst, bytes);
    memcpy(dst, raw->data, bytes);
    raw_release(raw);
    return NULL;
}

void value_drop(tp_device *d, tp_value *v) {
    dead_list dead = DEAD_LIST;
    pthread_mutex_lock(&d->mutex);
    value_release_locked(d, v, &dead);
    pthread_mutex_unlock(&d->mutex);
    dead_finish(&dead);
}

/* The view that lists |c|'s base in memory order, as its own dtype: what a byte-wise read downloads. */
static void memory_order_view(tp_cell *c, tp_view *out, int64_t *sizes, int64_t *strides) {
    int rank = 0;
    for (int i = 0; i < c->base.rank; i++) {
        if (c->base.dims[i] == 1) continue;
        int at = rank++;
        for (; at > 0 && strides[at - 1] < c->strides[i]; at--) {
            sizes[at] = sizes[at - 1];
            strides[at] = strides[at - 1];
        }
        sizes[at] = c->base.dims[i];
        strides[at] = c->strides[i];
    }
    *out = (tp_view){.cell = c, .dtype = c->base.dtype, .rank = (uint8_t)rank, .sizes = sizes, .strides = strides};
}

static bool is_row_major(const tp_view *v) {
    int64_t want = 1;
    for (int i = v->rank - 1; i >= 0; i--) {
        if (v->sizes[i] != 1 && v->strides[i] != want) return false;
        want *= v->sizes[i];
    }
    return true;
}

/* A whole read in memory order needs no plan of its own dtype: bytes are bytes. */
static bool is_bytewise(const tp_view *v) {
    return v->cell->based && v->dtype != v->cell->base.dtype && !v->conj && !v->neg && view_is_whole(v) && is_row_major(v);
}

static tp_status read_value(const tp_view *src, tp_device *d, tp_value **out_value) {
    dead_list dead = DEAD_LIST;
    tp_launch *l = NULL;
    int64_t sizes[TP_MAX_RANK], strides[TP_MAX_RANK];
    tp_view typed = *src;
    if (is_bytewise(src)) memory_order_view(src->cell, &typed, sizes, strides);
    tp_status s = view_read_locked(d, &typed, out_value, &dead);
    if (!s && (*out_value)->state == VALUE_PENDING) s = cut_locked(d, "host read", true, &l, &dead);
    tp_status t = device_leave(d, l, &dead);
    if (s) {
        tp_status_free(t);
        if (*out_value) value_drop(d, *out_value);
        return s;
    }
    if (t && tp_status_kind(t) == TP_INTERRUPTED) {
        value_drop(d, *out_value);
        return t;
    }
    tp_status_free(t); /* the value is poisoned with it if it concerns this read */
    return NULL;
}

tp_status tp_read(const tp_view *src, void *dst, size_t bytes) {
    tp_device *d;
    TP_TRY(tp_usable());
    if (!bytes) return NULL;
    d = src->cell->device;
    pthread_mutex_lock(&d->mutex);
    const tp_value *held = src->cell->value;
    bool empty = !held, raw = held && held->state == VALUE_RAW && !src->cell->based && view_is_whole(src) && is_row_major(src);
    if (raw && bytes <= held->raw->size) memcpy(dst, held->raw->data, bytes);
    pthread_mutex_unlock(&d->mutex);
    if (empty) memset(dst, 0, bytes);
    if (empty || raw) return NULL;
    TP_TRY(device_enter(d->index, &d));
    tp_value *v = NULL;
    TP_TRY(read_value(src, d, &v));
    tp_status s = value_download(d, v, dst, bytes);
    value_drop(d, v);
    return s;
}

/* ---- host to device */
static tp_status write_raw(tp_device *d, const tp_view *dst, const void *data, size_t bytes) {
    raw_bytes *raw = raw_create(data, bytes);
    if (!raw) return TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "out of host memory for %zu bytes", bytes);
    dead_list dead = DEAD_LIST;
    tp_type type;
    view_type(dst, &type);
    pthread_mutex_lock(&d->mutex);
    tp_value *v = value_from_raw_locked(d, &type, raw);
    if (v) {
        cell_swap_locked(d, dst->cell, v, &dead);
        dst->cell->based = false;
    }
    pthread_mutex_unlock(&d->mutex);
    dead_finish(&dead);
    raw_release(raw);
    return v ? NULL : TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "out of host memory for a value");
}

/* A value that is already on the device; takes over |b|. */
static tp_value *value_from_buffer_locked(tp_device *d, const tp_type *type, pj_buffer *b) {
    tp_value *v = value_create_locked(d, type);
    if (!v) return NULL;
    v->state = VALUE_READY;
    v->buffer = b;
    value_charge_locked(d, v);
    memory_note_peak_locked(d);
    return v;
}

/* Writes |b| (the view's dense type; taken over) through |dst|, and ends the call. */
static tp_status write_buffer(tp_device *d, const tp_view *dst, pj_buffer *b) {
    dead_list dead = DEAD_LIST;
    tp_type type;
    view_type(dst, &type);
    pthread_mutex_lock(&d->mutex);
    tp_value *v = value_from_buffer_locked(d, &type, b);
    tp_status s = v ? view_write_locked(d, dst, v, &dead) : TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "out of host memory for a value");
    if (v)
        value_release_locked(d, v, &dead);
    else
        dead_add(&dead, b);
    return call_leave(d, s, &dead);
}

tp_status tp_write(const tp_view *dst, const void *data, size_t bytes) {
    tp_device *d;
    if (!bytes) return tp_usable();
    TP_TRY(device_enter(dst->cell->device->index, &d));
    dead_list dead = DEAD_LIST;
    tp_status s = memory_reserve_locked(d, bytes, &dead);
    pthread_mutex_unlock(&d->mutex);
    dead_finish(&dead);
    if (s) return s;
    if (dst->dtype == TP_U8 && view_is_whole(dst) && is_row_major(dst)) return write_raw(d, dst, data, bytes);
    tp_type type;
    view_type(dst, &type);
    pj_buffer *b;
    TP_TRY(pj_buffer_from_host(tp_client(), d->index, &type, data, &b));
    return write_buffer(d, dst, b);
}

/* ---- device to device */
tp_status tp_copy_across(const tp_view *dst, const tp_view *src) {
    tp_device *from, *to;
    tp_value *v = NULL;
    pj_buffer *b = NULL;
    TP_TRY(tp_device_get(dst->cell->device->index, &to));
    TP_TRY(device_enter(src->cell->device->index, &from));
    TP_TRY(read_value(src, from, &v));
    tp_status s = value_wait(from, v);
    if (!s && v->state == VALUE_RAW)
        s = pj_buffer_from_host(tp_client(), to->index, &v->type, v->raw->data, &b);
    else if (!s)
        s = pj_buffer_copy_to_device(tp_client(), v->buffer, to->index, &b);
    value_drop(from, v);
    return s ? s : write_buffer(to, dst, b);
}

/* ---- one number */
static double from_half(uint16_t h) {
    int exponent = h >> 10 & 31, mantissa = h & 1023;
    double x = exponent == 31 ? (mantissa ? NAN : INFINITY) : exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24);
    return h >> 15 ? -x : x;
}

static double from_bf16(uint16_t h) {
    uint32_t bits = (uint32_t)h << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

static int64_t decode_int(tp_dtype t, const void *p) {
    switch (t) {
    case TP_BOOL: return *(const uint8_t *)p != 0;
    case TP_U8: return *(const uint8_t *)p;
    case TP_I8: return *(const int8_t *)p;
    case TP_U16: return *(const uint16_t *)p;
    case TP_I16: return *(const int16_t *)p;
    case TP_U32: return *(const uint32_t *)p;
    case TP_I32: return *(const int32_t *)p;
    default: return *(const int64_t *)p;
    }
}

static void decode(tp_dtype t, const void *p, tp_scalar *out) {
    *out = (tp_scalar){.dtype = (uint8_t)t};
    if (t == TP_F64) out->re = *(const double *)p;
    else if (t == TP_F32) out->re = (double)*(const float *)p;
    else if (t == TP_F16) out->re = from_half(*(const uint16_t *)p);
    else if (t == TP_BF16) out->re = from_bf16(*(const uint16_t *)p);
    else if (t == TP_C64) out->re = (double)((const float *)p)[0], out->im = (double)((const float *)p)[1];
    else if (t == TP_C128) out->re = ((const double *)p)[0], out->im = ((const double *)p)[1];
    else out->i = decode_int(t, p), out->re = t == TP_U64 ? (double)(uint64_t)out->i : (double)out->i;
}

tp_status tp_item(const tp_view *src, tp_scalar *out_value) {
    _Alignas(16) unsigned char bytes[16];
    tp_dtype t = (tp_dtype)src->dtype;
    if (tp_dtype_is_float(t) && tp_dtype_size(t) == 1)
        return TP_FAIL(TP_UNIMPLEMENTED, TP_NOT_IMPLEMENTED, "item() needs a dtype with a host number; got %s", tp_dtype_name(t));
    TP_TRY(tp_read(src, bytes, tp_dtype_size(t)));
    decode(t, bytes, out_value);
    return NULL;
}
