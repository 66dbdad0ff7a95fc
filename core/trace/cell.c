/* Cells: what a torch Storage owns.  A cell keeps its address for life: freed cells wait in lists by size class, so a new
 * storage of the same class takes over cell and address, and addresses stay disjoint without bookkeeping per op. */
#include "aten/plan.h"
#include "trace/device.h"

#include <stdlib.h>

enum { MIN_BYTES = 512, SLAB_CELLS = 64, FIRST_BIT = 54 };

/* Addresses of all devices come from one bump pointer in [2^54, 2^55), which no user space maps. */
static _Atomic uintptr_t next_address = (uintptr_t)1 << FIRST_BIT;

/* address -> cell, for storages that come back without our context; also under a mutex of its own, taken last. */
static pthread_mutex_t table_mutex = PTHREAD_MUTEX_INITIALIZER;
static tp_map table;

static uint8_t size_class(size_t nbytes) {
    uint8_t c = 0;
    while (((size_t)MIN_BYTES << c) < nbytes) c++;
    return c;
}

static bool refill(tp_device *d, uint8_t cls) {
    struct slab {
        void *next;
        tp_cell cells[SLAB_CELLS];
    };
    size_t n = cls < 8 ? SLAB_CELLS : 1; /* large classes are few */
    struct slab *slab = calloc(1, offsetof(struct slab, cells) + n * sizeof(tp_cell));
    if (!slab) return false;
    slab->next = d->slabs;
    d->slabs = slab;
    size_t step = (size_t)MIN_BYTES << cls;
    uintptr_t base = atomic_fetch_add(&next_address, n * step);
    pthread_mutex_lock(&table_mutex);
    for (size_t i = 0; i < n; i++) {
        tp_cell *c = &slab->cells[i];
        c->device = d;
        c->size_class = cls;
        c->address = base + i * step;
        if (!tp_map_put(&table, tp_map_hash(&c->address, sizeof c->address), &c->address, sizeof c->address, c)) break;
        c->next_free = d->free_cells[cls];
        d->free_cells[cls] = c;
    }
    pthread_mutex_unlock(&table_mutex);
    return d->free_cells[cls] != NULL;
}

tp_cell *cell_create_locked(tp_device *d, size_t nbytes) {
    uint8_t cls = size_class(nbytes);
    if (!d->free_cells[cls] && !refill(d, cls)) return NULL;
    tp_cell *c = d->free_cells[cls];
    d->free_cells[cls] = c->next_free;
    c->nbytes = nbytes;
    c->live = true;
    c->based = false;
    c->value = NULL;
    c->version = 0;
    return c;
}

/* Storages that grow show a new address: |c| swaps addresses with a free cell of a class that fits. */
tp_status cell_move_locked(tp_cell *c) {
    tp_cell *other = cell_create_locked(c->device, c->nbytes);
    if (!other) return TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "out of host memory for a storage's cell");
    pthread_mutex_lock(&table_mutex);
    tp_cell *pair[2] = {c, other};
    for (int i = 0; i < 2; i++) tp_map_remove(&table, tp_map_hash(&pair[i]->address, sizeof c->address), &pair[i]->address, sizeof c->address);
    uintptr_t address = c->address;
    uint8_t cls = c->size_class;
    c->address = other->address;
    c->size_class = other->size_class;
    other->address = address;
    other->size_class = cls;
    for (int i = 0; i < 2; i++) tp_map_put(&table, tp_map_hash(&pair[i]->address, sizeof c->address), &pair[i]->address, sizeof c->address, pair[i]);
    pthread_mutex_unlock(&table_mutex);
    dead_list none = DEAD_LIST;
    cell_release_locked(c->device, other, &none);
    return NULL;
}

void cell_release_locked(tp_device *d, tp_cell *c, dead_list *dead) {
    value_release_locked(d, c->value, dead);
    c->value = NULL;
    c->live = false;
    c->next_free = d->free_cells[c->size_class];
    d->free_cells[c->size_class] = c;
}

void cell_set_base(tp_cell *c, const tp_type *type, const int64_t *strides) {
    c->base.dtype = type->dtype;
    c->base.rank = type->rank;
    memcpy(c->base.dims, type->dims, type->rank * sizeof(int64_t));
    memcpy(c->strides, strides, type->rank * sizeof(int64_t));
    c->based = true;
}

void cell_swap_locked(tp_device *d, tp_cell *c, tp_value *v, dead_list *dead) {
    tp_value *old = c->value;
    c->value = v;
    c->version++;
    if (!old) return;
    if (v && v->state == VALUE_PENDING && old->uses) {
        old->next_out = v->out;
        old->next_epoch = d->trace.epoch;
        /* The launch will give the old buffer to the new value if the pending calls are the only other holders. */
        if (old->refs == old->uses + 1 && v->charged && v->bytes == old->bytes) value_uncharge_locked(d, old);
    }
    value_release_locked(d, old, dead);
}

tp_status tp_cell_create(int device, size_t nbytes, tp_cell **out_cell) {
    *out_cell = NULL;
    TP_TRY(tp_usable());
    TP_TRY(tp_device_check(device));
    tp_device *d = tp_device_peek(device);
    if (nbytes >= (size_t)1 << 48)
        return TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "a storage must be smaller than 2^48 bytes; tried to allocate %zu", nbytes);
    pthread_mutex_lock(&d->mutex);
    *out_cell = cell_create_locked(d, nbytes);
    pthread_mutex_unlock(&d->mutex);
    if (!*out_cell) return TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "out of host memory for a storage's cell");
    return NULL;
}

void tp_cell_release(tp_cell *c) {
    if (!c || atomic_load_explicit(&tp_forked, memory_order_relaxed) || atomic_load_explicit(&tp_closing, memory_order_relaxed))
        return;
    tp_device *d = c->device;
    dead_list dead = DEAD_LIST;
    pthread_mutex_lock(&d->mutex);
    cell_release_locked(d, c, &dead);
    pthread_mutex_unlock(&d->mutex);
    dead_finish(&dead);
}

void *tp_cell_address(const tp_cell *c) { return c->nbytes ? (void *)c->address : NULL; }
size_t tp_cell_nbytes(const tp_cell *c) { return c->nbytes; }
int tp_cell_device(const tp_cell *c) { return c->device->index; }

tp_cell *tp_cell_at(const void *address) {
    uintptr_t a = (uintptr_t)address;
    if (atomic_load(&tp_forked)) return NULL;
    pthread_mutex_lock(&table_mutex);
    tp_cell *c = tp_map_get(&table, tp_map_hash(&a, sizeof a), &a, sizeof a);
    pthread_mutex_unlock(&table_mutex);
    return c && c->live ? c : NULL;
}

void tp_cell_hint(tp_cell *c, tp_dtype dtype, int rank, const int64_t *sizes, const int64_t *strides) {
    if (rank > TP_MAX_RANK || atomic_load(&tp_forked)) return;
    tp_type type = tp_type_make(dtype, rank, sizes);
    if (tp_type_bytes(&type) != c->nbytes || !at_strides_dense(rank, sizes, strides)) return;
    dead_list dead = DEAD_LIST;
    pthread_mutex_lock(&c->device->mutex);
    if (!c->value) {
        cell_set_base(c, &type, strides);
    } else if (c->value->state == VALUE_RAW && !c->based && dtype != TP_U8) { /* a byte-wise look is no hint */
        const tp_view view = {.cell = c, .dtype = (uint8_t)dtype, .rank = (uint8_t)rank, .sizes = sizes, .strides = strides};
        tp_status_free(view_settle_raw_locked(c->device, &view, &dead));
    }
    pthread_mutex_unlock(&c->device->mutex);
    dead_finish(&dead);
}
