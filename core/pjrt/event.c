#include "pjrt/call.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

bool pj_event_is_ready(const pj_client *c, pj_event *e) {
    PJRT_Event_IsReady_Args args = PJRT_ARGS(PJRT_Event_IsReady, .event = pj_event_raw(e));
    tp_status s = pj_call(c->api, PJRT_Event_IsReady, &args);
    if (!s) return args.is_ready;
    tp_status_free(s);
    return false;
}

static tp_status error_of_ready(const pj_client *c, pj_event *e) {
    return pj_call(c->api, PJRT_Event_Error, &PJRT_ARGS(PJRT_Event_Error, .event = pj_event_raw(e)));
}

tp_status pj_event_error(const pj_client *c, pj_event *e) {
    return pj_event_is_ready(c, e) ? error_of_ready(c, e) : NULL; /* plugins may abort when asked too early */
}

void pj_event_destroy(const pj_client *c, pj_event *e) {
    if (!e) return;
    tp_status_free(pj_call(c->api, PJRT_Event_Destroy, &PJRT_ARGS(PJRT_Event_Destroy, .event = pj_event_raw(e))));
}

static tp_status no_memory(void) {
    return TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "host memory must hold an event's listener; none left");
}

/* What a PJRT callback needs to become one of ours. */
typedef struct listener {
    const PJRT_Api *api;
    void (*callback)(tp_status error, void *arg);
    void *arg;
} listener;

static void heard(PJRT_Error *error, void *arg) {
    listener l = *(listener *)arg;
    free(arg);
    l.callback(pj_status(l.api, "the device's work", error), l.arg);
}

tp_status pj_event_on_ready(const pj_client *c, pj_event *e, void (*callback)(tp_status error, void *arg), void *arg) {
    listener *l = malloc(sizeof *l);
    if (!l) return no_memory();
    *l = (listener){c->api, callback, arg};
    PJRT_Event_OnReady_Args args =
        PJRT_ARGS(PJRT_Event_OnReady, .event = pj_event_raw(e), .callback = heard, .user_arg = l);
    tp_status s = pj_call(c->api, PJRT_Event_OnReady, &args);
    if (s) free(l);
    return s;
}

/* Shared by a waiting thread and the callback that wakes it, whichever leaves last frees it: a wait that times out
 * leaves before its callback has run. */
typedef struct bell {
    pthread_mutex_t lock;
    pthread_cond_t rung;
    int refs;
    bool ready;
    tp_status error; /* owned until taken by the waiter */
} bell;

static bell *bell_create(void) {
    bell *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->rung, &attr);
    pthread_condattr_destroy(&attr);
    b->refs = 2;
    return b;
}

/* With the lock held; gives it up. */
static void bell_leave(bell *b) {
    bool last = --b->refs == 0;
    pthread_mutex_unlock(&b->lock);
    if (!last) return;
    tp_status_free(b->error);
    pthread_cond_destroy(&b->rung);
    pthread_mutex_destroy(&b->lock);
    free(b);
}

static void ring(tp_status error, void *arg) {
    bell *b = arg;
    pthread_mutex_lock(&b->lock);
    b->ready = true;
    b->error = error;
    pthread_cond_signal(&b->rung);
    bell_leave(b);
}

static struct timespec deadline(int timeout_ms) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += timeout_ms / 1000;
    t.tv_nsec += (timeout_ms % 1000) * 1000000L;
    if (t.tv_nsec >= 1000000000L) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000L;
    }
    return t;
}

static tp_status wait_until(const pj_client *c, pj_event *e, int timeout_ms, bool *out_ready) {
    struct timespec until = deadline(timeout_ms);
    bell *b = bell_create();
    if (!b) return no_memory();
    tp_status s = pj_event_on_ready(c, e, ring, b);
    pthread_mutex_lock(&b->lock);
    if (s) {
        b->refs--; /* no callback will come */
    } else {
        while (!b->ready && pthread_cond_timedwait(&b->rung, &b->lock, &until) != ETIMEDOUT) {}
        *out_ready = b->ready;
        s = b->error;
        b->error = NULL;
    }
    bell_leave(b);
    return s;
}

tp_status pj_event_wait(const pj_client *c, pj_event *e, int timeout_ms, bool *out_ready) {
    *out_ready = pj_event_is_ready(c, e);
    if (*out_ready) return error_of_ready(c, e);
    if (timeout_ms == 0) return NULL;
    if (timeout_ms > 0) return wait_until(c, e, timeout_ms, out_ready);
    tp_status s = pj_call(c->api, PJRT_Event_Await, &PJRT_ARGS(PJRT_Event_Await, .event = pj_event_raw(e)));
    *out_ready = true;
    return s;
}
