/* Values: pooled, reference counted under the device's mutex.  Also the ledger they are charged to. */
#include "trace/device.h"

#include <stdlib.h>

enum { SLAB_VALUES = 64 };

static bool refill(tp_device *d) {
    struct slab {
        void *next;
        tp_value values[SLAB_VALUES];
    } *slab = calloc(1, sizeof *slab);
    if (!slab) return false;
    slab->next = d->slabs;
    d->slabs = slab;
    for (int i = 0; i < SLAB_VALUES; i++) {
        slab->values[i].next_free = d->free_values;
        d->free_values = &slab->values[i];
    }
    return true;
}

tp_value *value_create_locked(tp_device *d, const tp_type *type) {
    if (!d->free_values && !refill(d)) return NULL;
    tp_value *v = d->free_values;
    d->free_values = v->next_free;
    v->refs = 1;
    v->uses = 0;
    v->launches = 0;
    v->state = VALUE_PENDING;
    v->charged = false;
    v->next_out = UINT32_MAX;
    v->next_epoch = v->seen_epoch = 0;
    v->buffer = NULL;
    v->type.dtype = type->dtype;
    v->type.rank = type->rank;
    memcpy(v->type.dims, type->dims, type->rank * sizeof(int64_t));
    v->bytes = tp_type_bytes(type);
    return v;
}

void value_charge_locked(tp_device *d, tp_value *v) {
    tp_memory *m = &d->memory;
    v->charged = true;
    m->allocated += (int64_t)v->bytes;
    m->total_allocated += (int64_t)v->bytes;
    m->num_allocs++;
}

void memory_note_peak_locked(tp_device *d) {
    if (d->memory.allocated > d->memory.peak) d->memory.peak = d->memory.allocated;
}

void value_uncharge_locked(tp_device *d, tp_value *v) {
    if (!v->charged) return;
    v->charged = false;
    d->memory.allocated -= (int64_t)v->bytes;
    d->memory.total_freed += (int64_t)v->bytes;
    d->memory.num_frees++;
}

void value_release_locked(tp_device *d, tp_value *v, dead_list *dead) {
    if (!v || --v->refs > 0) return;
    value_uncharge_locked(d, v);
    if (v->state == VALUE_PENDING)
        d->trace.outs[v->out] = NULL;
    else if (v->state == VALUE_READY)
        dead_add(dead, v->buffer);
    else if (v->state == VALUE_RAW)
        raw_release(v->raw);
    else if (v->state == VALUE_POISONED)
        tp_status_free(v->error);
    v->next_free = d->free_values;
    d->free_values = v;
}

tp_value *value_from_raw_locked(tp_device *d, const tp_type *type, raw_bytes *raw) {
    tp_value *v = value_create_locked(d, type);
    if (!v) return NULL;
    v->state = VALUE_RAW;
    v->raw = raw;
    atomic_fetch_add(&raw->refs, 1);
    value_charge_locked(d, v);
    memory_note_peak_locked(d);
    return v;
}

raw_bytes *raw_create(const void *data, size_t size) {
    size_t total = (sizeof(raw_bytes) + size + 63) & ~(size_t)63;
    raw_bytes *r = aligned_alloc(64, total);
    if (!r) return NULL;
    atomic_init(&r->refs, 1);
    r->size = size;
    if (data)
        memcpy(r->data, data, size);
    else
        memset(r->data, 0, size);
    return r;
}

void raw_release(raw_bytes *r) {
    if (r && atomic_fetch_sub(&r->refs, 1) == 1) free(r);
}

void dead_add(dead_list *dead, pj_buffer *b) {
    if (!dead->items) {
        dead->items = dead->small;
        dead->cap = (int)(sizeof dead->small / sizeof *dead->small);
    }
    if (dead->n == dead->cap) {
        size_t bytes = (size_t)dead->cap * sizeof *dead->items;
        pj_buffer **more = malloc(bytes * 2);
        if (!more) return; /* leaks one buffer rather than lose the process */
        memcpy(more, dead->items, bytes);
        if (dead->items != dead->small) free(dead->items);
        dead->items = more;
        dead->cap *= 2;
    }
    dead->items[dead->n++] = b;
}

void dead_finish(dead_list *dead) {
    for (int i = 0; i < dead->n; i++) pj_buffer_destroy(tp_client(), dead->items[i]);
    for (int i = 0; i < dead->nevents; i++) pj_event_destroy(tp_client(), dead->events[i]);
    if (dead->items != dead->small) free(dead->items);
    dead->n = dead->cap = dead->nevents = 0;
    dead->items = NULL;
}

tp_status value_wait(tp_device *d, tp_value *v) {
    tp_status s = NULL;
    pthread_mutex_lock(&d->mutex);
    if (v->state == VALUE_QUEUED) {
        gil_pause pause = {0};
        pthread_mutex_unlock(&d->mutex);
        gil_drop(&pause);
        pthread_mutex_lock(&d->mutex);
        while (v->state == VALUE_QUEUED && !s) {
            device_nap_locked(d);
            if (v->state != VALUE_QUEUED) break;
            pthread_mutex_unlock(&d->mutex);
            s = gil_poll(&pause);
            pthread_mutex_lock(&d->mutex);
        }
        pthread_mutex_unlock(&d->mutex);
        gil_take(&pause);
        pthread_mutex_lock(&d->mutex);
    }
    if (!s && v->state == VALUE_POISONED) s = tp_status_retain(v->error);
    pthread_mutex_unlock(&d->mutex);
    return s;
}

static bool fits(const tp_device *d, size_t bytes) {
    return d->memory.limit < 0 || (int64_t)bytes <= d->memory.limit - d->memory.allocated;
}

tp_status memory_reserve_locked(tp_device *d, size_t bytes, dead_list *dead) {
    if (__builtin_expect(fits(d, bytes), 1)) return NULL;
    pthread_mutex_unlock(&d->mutex);
    dead_finish(dead);
    tp_status s = tp_synchronize(d->index); /* what queued launches hold is let go */
    pthread_mutex_lock(&d->mutex);
    if (s) return s;
    if (fits(d, bytes)) return NULL;
    d->memory.num_ooms++;
    return TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY,
                   "device %d must have room for the result; tried to allocate %zu bytes with %lld of %lld bytes in use", d->index,
                   bytes, (long long)d->memory.allocated, (long long)d->memory.limit);
}
