/* Launching programs in order: on the calling thread if the program is compiled and nothing is queued before it, else on
 * the launcher thread.  |launching| is a token: whoever sets it owns the head launch, the slot operands and the plugin's
 * execute calls of this device until it is cleared. */
#include "trace/device.h"

#include <signal.h>
#include <stdlib.h>

tp_launch *launch_create_locked(tp_device *d, uint32_t nvalues, uint32_t nwords) {
    tp_launch *l = d->free_launches;
    if (l)
        d->free_launches = l->next;
    else
        l = calloc(1, sizeof *l);
    if (!l) return NULL;
    uint32_t nbuffers = nvalues + 3;
    if (nvalues > l->cap_values) {
        uint32_t cap = nvalues < 16 ? 16 : nvalues * 2;
        tp_value **values = realloc(l->values, cap * sizeof *values);
        if (values) {
            l->values = values;
            l->cap_values = cap;
        }
    }
    if (nwords > l->cap_words) {
        uint32_t cap = nwords < 16 ? 16 : nwords * 2;
        uint64_t *words = realloc(l->words, cap * sizeof *words);
        if (words) {
            l->words = words;
            l->cap_words = cap;
        }
    }
    if (nbuffers > l->cap_buffers) {
        uint32_t cap = nbuffers < 19 ? 19 : nbuffers * 2;
        pj_buffer **buffers = realloc(l->buffers, cap * sizeof *buffers);
        if (buffers) l->buffers = buffers;
        int64_t *keep = realloc(l->keep, cap * sizeof *keep);
        if (keep) l->keep = keep;
        if (buffers && keep) l->cap_buffers = cap;
    }
    l->bytes = 0;
    l->nkeep = 0;
    l->failure = NULL;
    if (nvalues <= l->cap_values && nwords <= l->cap_words && nbuffers <= l->cap_buffers) return l;
    l->next = d->free_launches;
    d->free_launches = l;
    return NULL;
}

/* Under the mutex, once nothing is before |l|: what it reads, what must be kept from donation, what is poisoned. */
void launch_prepare_locked(const tp_device *d, tp_launch *l) {
    tp_program *p = l->program;
    /* Small programs run inside execute: once that is known, and nothing is in flight before them, no event is asked for. */
    l->want_event = p->instant < INSTANT_LAUNCHES || d->ring_count > 0;
    if (p->state == PROGRAM_FAILED) l->failure = tp_status_retain(p->error);
    for (uint32_t i = 0; i < p->nins; i++) {
        const tp_value *v = l->values[i];
        l->buffers[i] = v->state == VALUE_READY ? v->buffer : NULL;
        if (v->state == VALUE_POISONED && !l->failure) l->failure = tp_status_retain(v->error);
        if (p->aliases && p->alias[i] >= 0 && v->refs > 1) l->keep[l->nkeep++] = i;
    }
}

static bool is_donated(const tp_launch *l, uint32_t i) {
    if (!l->program->aliases || l->program->alias[i] < 0) return false;
    for (int k = 0; k < l->nkeep; k++)
        if (l->keep[k] == (int64_t)i) return false;
    return true;
}

/* Raw inputs are uploaded here; they become ready when the launch ends. */
static tp_status upload_raw(tp_device *d, tp_launch *l) {
    for (uint32_t i = 0; i < l->program->nins; i++)
        if (!l->buffers[i])
            TP_TRY(pj_buffer_from_host(tp_client(), d->index, &l->values[i]->type, l->values[i]->raw->data, &l->buffers[i]));
    return NULL;
}

static tp_status add_slots(tp_device *d, tp_launch *l, uint32_t *io_n, bool owned[3]) {
    const tp_program *p = l->program;
    const uint32_t counts[3] = {p->nfloat, p->nint, p->nrng};
    const at_slot_class classes[3] = {AT_SLOT_FLOAT, AT_SLOT_INT, AT_SLOT_RNG};
    const uint64_t *words = l->words;
    for (int k = 0; k < 3; words += counts[k], k++)
        if (counts[k]) {
            TP_TRY(slot_operand_get(d, classes[k], words, counts[k], &l->buffers[*io_n], &owned[k]));
            ++*io_n;
        }
    return NULL;
}

static tp_status execute(tp_device *d, tp_launch *l, uint32_t *out_nins, pj_event **out_event) {
    const tp_program *p = l->program;
    uint32_t n = p->nins;
    bool owned[3] = {false, false, false};
    tp_status s = l->failure;
    if (!s) s = upload_raw(d, l);
    if (!s) s = add_slots(d, l, &n, owned);
    *out_nins = n;
    if (!s) {
        pj_execution x = {.executable = p->executable, .device = d->index, .ninputs = (int)n, .noutputs = (int)p->nouts,
                          .inputs = l->buffers, .keep = l->keep, .nkeep = l->nkeep, .outputs = l->buffers + n, .want_event = l->want_event};
        s = pj_execute(tp_client(), &x);
        if (s) s = tp_status_prefix(s, "running a program of %s", program_calls(p));
        *out_event = s || !l->want_event ? NULL : x.done;
    }
    const uint32_t counts[3] = {p->nfloat, p->nint, p->nrng};
    for (uint32_t k = 0, at = p->nins; k < 3 && at < n; k++) {
        if (!counts[k]) continue;
        if (owned[k]) pj_buffer_destroy(tp_client(), l->buffers[at]);
        at++;
    }
    return s;
}

static void settle_inputs_locked(tp_device *d, tp_launch *l, bool ran, dead_list *dead) {
    for (uint32_t i = 0; i < l->program->nins; i++) {
        tp_value *v = l->values[i];
        if (v->state == VALUE_RAW && l->buffers[i]) {
            raw_release(v->raw);
            v->state = VALUE_READY;
            v->buffer = l->buffers[i];
        }
        if (ran && v->state == VALUE_READY && is_donated(l, i)) {
            dead_add(dead, v->buffer);
            v->state = VALUE_CONSUMED;
        }
        v->launches--;
        value_release_locked(d, v, dead);
    }
}

static void settle_outputs_locked(tp_device *d, tp_launch *l, uint32_t nins, tp_status s, dead_list *dead) {
    const tp_program *p = l->program;
    for (uint32_t i = 0; i < p->nouts; i++) {
        tp_value *v = l->values[p->nins + i];
        v->state = s ? VALUE_POISONED : VALUE_READY;
        if (s)
            v->error = tp_status_retain(s);
        else
            v->buffer = l->buffers[nins + i];
        v->launches--;
        value_release_locked(d, v, dead);
    }
}

/* On any thread, perhaps inside pj_event_on_ready. */
static void on_done(tp_status error, void *arg) {
    inflight *f = arg;
    tp_device *d = f->device;
    if (error) TP_LOG(TP_LOG_LAUNCH, "device %d: a program failed while running: %s", d->index, tp_status_message(error));
    tp_status_free(error);
    pthread_mutex_lock(&d->mutex);
    f->done = true;
    device_wake_locked(d);
    pthread_mutex_unlock(&d->mutex);
}

void launch_reap_locked(tp_device *d, dead_list *dead) {
    while (d->ring_count && d->ring[d->ring_first].done && dead->nevents < (int)(sizeof dead->events / sizeof *dead->events)) {
        inflight *f = &d->ring[d->ring_first];
        dead->events[dead->nevents++] = f->event;
        d->done_mark = f->end_mark;
        d->ring_bytes -= f->bytes;
        d->ring_first = (d->ring_first + 1) % RING;
        d->ring_count--;
    }
}

static inflight *ring_push_locked(tp_device *d, const tp_launch *l, pj_event *event) {
    inflight *f = &d->ring[(d->ring_first + d->ring_count) % RING];
    *f = (inflight){d, event, l->end_mark, l->bytes, false};
    d->ring_count++;
    d->ring_bytes += l->bytes;
    return f;
}

/* With the mutex held: after this the token is free and the next launch may go. */
static void pass_token_locked(tp_device *d) {
    d->launching = false;
    if (d->queue_first) pthread_cond_signal(&d->launchable);
    device_wake_locked(d);
}

tp_status launch_run(tp_device *d, tp_launch *l) {
    dead_list dead = DEAD_LIST;
    uint32_t nins = 0;
    pj_event *event = NULL;
    tp_status s = execute(d, l, &nins, &event);
    if (s && l->program->executable) TP_LOG(TP_LOG_LAUNCH, "device %d: %s", d->index, tp_status_message(s));
    bool instant = event && pj_event_is_ready(tp_client(), event);
    if (instant) {
        pj_event_destroy(tp_client(), event);
        event = NULL;
    }
    pthread_mutex_lock(&d->mutex);
    if (event)
        l->program->instant = 0;
    else if (instant && l->program->instant < INSTANT_LAUNCHES)
        l->program->instant++;
    inflight *f = NULL;
    launch_reap_locked(d, &dead);
    if (event)
        f = ring_push_locked(d, l, event);
    else if (!d->ring_count)
        d->done_mark = l->end_mark;
    else
        d->ring[(d->ring_first + d->ring_count - 1) % RING].end_mark = l->end_mark;
    settle_inputs_locked(d, l, !s, &dead);
    settle_outputs_locked(d, l, nins, s, &dead);
    program_release_locked(d, l->program);
    l->next = d->free_launches;
    d->free_launches = l;
    if (!f) pass_token_locked(d);
    pthread_mutex_unlock(&d->mutex);
    if (f) {
        tp_status bad = pj_event_on_ready(tp_client(), event, on_done, f);
        pthread_mutex_lock(&d->mutex);
        if (bad) f->done = true;
        pass_token_locked(d);
        pthread_mutex_unlock(&d->mutex);
        tp_status_free(bad);
    }
    dead_finish(&dead);
    return s;
}

/* ---- the queue */
bool launch_can_inline_locked(const tp_device *d, const tp_program *p) {
    return !d->queue_first && !d->launching && p->state != PROGRAM_COMPILING && d->ring_count < RING;
}

static void *launcher(void *arg) {
    tp_device *d = arg;
    pthread_mutex_lock(&d->mutex);
    for (;;) {
        tp_launch *l = d->queue_first;
        if (!l || d->launching || l->program->state == PROGRAM_COMPILING || d->ring_count >= RING) {
            if (l && d->ring_count >= RING) {
                dead_list dead = DEAD_LIST;
                launch_reap_locked(d, &dead);
                if (dead.nevents) {
                    pthread_mutex_unlock(&d->mutex);
                    dead_finish(&dead);
                    pthread_mutex_lock(&d->mutex);
                } else {
                    device_nap_locked(d);
                }
                continue;
            }
            pthread_cond_wait(&d->launchable, &d->mutex);
            continue;
        }
        d->queue_first = l->next;
        if (!l->next) d->queue_last = NULL;
        d->launching = true;
        launch_prepare_locked(d, l);
        pthread_mutex_unlock(&d->mutex);
        tp_status_free(launch_run(d, l));
        pthread_mutex_lock(&d->mutex);
        d->queued--;
        device_wake_locked(d);
    }
    return NULL;
}

/* Signals belong to Python's main thread. */
static bool start_launcher(tp_device *d) {
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    d->launcher_started = pthread_create(&d->launcher, NULL, launcher, d) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return d->launcher_started;
}

void launch_enqueue_locked(tp_device *d, tp_launch *l) {
    l->next = NULL;
    if (d->queue_last)
        d->queue_last->next = l;
    else
        d->queue_first = l;
    d->queue_last = l;
    d->queued++;
    if (!d->launcher_started && !start_launcher(d)) TP_LOG(TP_LOG_LAUNCH, "device %d: the launcher thread could not be started", d->index);
    if (!d->launching) pthread_cond_signal(&d->launchable);
}

/* ---- public calls begin and end here */
tp_status device_enter(int index, tp_device **out_device) {
    TP_TRY(tp_device_get(index, out_device));
    pthread_mutex_lock(&(*out_device)->mutex);
    return NULL;
}

static bool too_much_locked(const tp_device *d) {
    return d->queued + (int)d->ring_count > INFLIGHT_MAX_PROGRAMS || d->ring_bytes > INFLIGHT_MAX_BYTES;
}

/* (waits) until less is in flight */
static tp_status back_pressure(tp_device *d) {
    gil_pause pause = {0};
    gil_drop(&pause);
    tp_status s = NULL;
    bool more = true;
    while (more && !s) {
        dead_list dead = DEAD_LIST;
        pthread_mutex_lock(&d->mutex);
        launch_reap_locked(d, &dead);
        more = too_much_locked(d);
        if (more && !dead.nevents) device_nap_locked(d);
        pthread_mutex_unlock(&d->mutex);
        dead_finish(&dead);
        if (more) s = gil_poll(&pause);
    }
    gil_take(&pause);
    return s;
}

tp_status device_leave(tp_device *d, tp_launch *inline_launch, dead_list *dead) {
    tp_status s = NULL;
    bool full = d->programs.count > MAX_PROGRAMS, pressed = too_much_locked(d);
    pthread_mutex_unlock(&d->mutex);
    if (inline_launch) s = launch_run(d, inline_launch);
    if (dead->n || dead->nevents) dead_finish(dead);
    if (full) program_trim(d, MAX_PROGRAMS / 2);
    if (!s && __builtin_expect(pressed, 0)) s = back_pressure(d);
    return s;
}

tp_status device_flush(tp_device *d, const char *why) {
    dead_list dead = DEAD_LIST;
    tp_launch *l;
    pthread_mutex_lock(&d->mutex);
    tp_status s = cut_locked(d, why, true, &l, &dead);
    tp_status t = device_leave(d, l, &dead);
    if (t && tp_status_kind(t) != TP_INTERRUPTED) { /* a failed launch has poisoned its outputs: their readers hear of it */
        tp_status_free(t);
        t = NULL;
    }
    if (!s) return t;
    tp_status_free(t);
    return s;
}
