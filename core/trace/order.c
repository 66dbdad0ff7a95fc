/* Order: marks in a device's trace, synchronisation, and the drain at exit. */
#include "trace/device.h"

#include <time.h>

uint64_t tp_mark(int device) {
    if (atomic_load(&tp_forked) || device < 0 || device >= tp_device_count()) return 0;
    tp_device *d = tp_device_peek(device);
    pthread_mutex_lock(&d->mutex);
    uint64_t mark = d->marks;
    pthread_mutex_unlock(&d->mutex);
    return mark;
}

/* Whether all that was recorded up to |mark| has run.  Retires what has finished. */
static bool is_done(tp_device *d, uint64_t mark) {
    dead_list dead = DEAD_LIST;
    pthread_mutex_lock(&d->mutex);
    launch_reap_locked(d, &dead);
    if (!d->queued && !d->launching && !d->ring_count) d->done_mark = d->cut_mark;
    bool done = d->done_mark >= mark;
    pthread_mutex_unlock(&d->mutex);
    dead_finish(&dead);
    return done;
}

static tp_status cut_before(tp_device *d, uint64_t mark, const char *why) {
    pthread_mutex_lock(&d->mutex);
    bool pending = mark > d->cut_mark;
    pthread_mutex_unlock(&d->mutex);
    return pending ? device_flush(d, why) : NULL;
}

tp_status tp_mark_done(int device, uint64_t mark, bool *out_done) {
    *out_done = true;
    TP_TRY(tp_usable());
    TP_TRY(tp_device_check(device));
    tp_device *d = tp_device_peek(device);
    if (!tp_is_open()) return NULL;
    TP_TRY(cut_before(d, mark, "event query"));
    *out_done = is_done(d, mark);
    return NULL;
}

tp_status tp_mark_wait(int device, uint64_t mark) {
    TP_TRY(tp_usable());
    TP_TRY(tp_device_check(device));
    tp_device *d = tp_device_peek(device);
    if (!tp_is_open()) return NULL;
    TP_TRY(cut_before(d, mark, "wait"));
    if (is_done(d, mark)) return NULL;
    gil_pause pause = {0};
    gil_drop(&pause);
    tp_status s = NULL;
    while (!s && !is_done(d, mark)) {
        pthread_mutex_lock(&d->mutex);
        if (d->queued || d->launching || d->ring_count) device_nap_locked(d);
        pthread_mutex_unlock(&d->mutex);
        s = gil_poll(&pause);
    }
    gil_take(&pause);
    return s;
}

tp_status tp_synchronize(int device) {
    TP_TRY(tp_usable());
    if (!tp_is_open()) return device < 0 ? NULL : tp_device_check(device);
    int first = device < 0 ? 0 : device, last = device < 0 ? tp_device_count() - 1 : device;
    for (int i = first; i <= last; i++) {
        TP_TRY(tp_device_check(i));
        TP_TRY(tp_mark_wait(i, tp_mark(i)));
    }
    return NULL;
}

void device_drain(tp_device *d, int timeout_ms) {
    tp_status_free(device_flush(d, "exit"));
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    gil_pause pause = {0};
    gil_drop(&pause);
    for (now = start; !is_done(d, d->cut_mark); clock_gettime(CLOCK_MONOTONIC, &now)) {
        if ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 > timeout_ms) break;
        pthread_mutex_lock(&d->mutex);
        if (d->queued || d->launching || d->ring_count) device_nap_locked(d);
        pthread_mutex_unlock(&d->mutex);
    }
    gil_take(&pause);
}

/* ---- the ledger's public side */
void tp_memory_get(int device, tp_memory *out) {
    *out = (tp_memory){.limit = -1};
    if (atomic_load(&tp_forked) || device < 0 || device >= tp_device_count()) return;
    tp_device *d = tp_device_peek(device);
    pthread_mutex_lock(&d->mutex);
    *out = d->memory;
    pthread_mutex_unlock(&d->mutex);
}

void tp_memory_reset_peak(int device) {
    if (atomic_load(&tp_forked) || device < 0 || device >= tp_device_count()) return;
    tp_device *d = tp_device_peek(device);
    pthread_mutex_lock(&d->mutex);
    d->memory.peak = d->memory.allocated;
    pthread_mutex_unlock(&d->mutex);
}

/* The token keeps launches away from the slot operands while they go. */
static void drop_slot_operands(tp_device *d) {
    pthread_mutex_lock(&d->mutex);
    bool mine = !d->launching && !d->queue_first;
    if (mine) d->launching = true;
    pthread_mutex_unlock(&d->mutex);
    if (!mine) return;
    slot_operands_drop(d);
    pthread_mutex_lock(&d->mutex);
    d->launching = false;
    if (d->queue_first) pthread_cond_signal(&d->launchable);
    pthread_mutex_unlock(&d->mutex);
}

tp_status tp_empty_cache(void) {
    TP_TRY(tp_usable());
    for (int i = 0; i < tp_device_count() && tp_is_open(); i++) {
        tp_device *d = tp_device_peek(i);
        TP_TRY(tp_synchronize(i));
        program_trim(d, 0);
        pthread_mutex_lock(&d->mutex);
        kernel_trim_locked(d, 0);
        pthread_mutex_unlock(&d->mutex);
        drop_slot_operands(d);
    }
    return NULL;
}
