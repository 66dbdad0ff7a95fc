/* Waiting: without the mutex's being held across a plugin call, without the GIL, and with an eye on signals. */
#include "trace/device.h"

#include <time.h>

enum { NAP_MS = 50 };

void device_nap_locked(tp_device *d) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_nsec += NAP_MS * 1000000L;
    if (t.tv_nsec >= 1000000000L) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000L;
    }
    d->waiters++;
    pthread_cond_timedwait(&d->changed, &d->mutex, &t);
    d->waiters--;
}

void device_wake_locked(tp_device *d) {
    if (d->waiters) pthread_cond_broadcast(&d->changed);
}

void gil_drop(gil_pause *p) {
    if (p->paused || !tp_host.release_gil) return;
    p->token = tp_host.release_gil();
    p->paused = true;
}

void gil_take(gil_pause *p) {
    if (p->paused && tp_host.acquire_gil) tp_host.acquire_gil(p->token);
    p->paused = false;
}

tp_status gil_poll(gil_pause *p) {
    if (!tp_host.interrupted || !tp_host.interrupted(p->token)) return NULL;
    return TP_FAIL(TP_CANCELLED, TP_INTERRUPTED, "a wait for the device was interrupted by a signal");
}

tp_status event_wait(pj_event *e) {
    pj_client *c = tp_client();
    bool ready = pj_event_is_ready(c, e);
    if (ready) return pj_event_error(c, e);
    gil_pause pause = {0};
    gil_drop(&pause);
    tp_status s = NULL;
    while (!ready && !s) {
        s = pj_event_wait(c, e, NAP_MS, &ready);
        if (!ready && !s) s = gil_poll(&pause);
    }
    gil_take(&pause);
    return s;
}
