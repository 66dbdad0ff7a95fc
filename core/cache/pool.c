#include "cache/pool.h"

#include "base/env.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

typedef struct job {
    struct job *next;
    void (*run)(void *arg);
    void *arg;
} job;

enum { MAX_THREADS = 64 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived, idle; /* both on CLOCK_MONOTONIC */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static job *first, *last;
static int running, alive;
static bool closed;
static pthread_t threads[MAX_THREADS];
static int nthreads;

static void init_conditions(void) {
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&arrived, &attr);
    pthread_cond_init(&idle, &attr);
    pthread_condattr_destroy(&attr);
}

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    for (;;) {
        while (!first && !closed) pthread_cond_wait(&arrived, &mutex);
        if (closed) break;
        job *j = first;
        first = j->next;
        if (!first) last = NULL;
        running++;
        pthread_mutex_unlock(&mutex);
        j->run(j->arg);
        free(j);
        pthread_mutex_lock(&mutex);
        running--;
        if (!first && !running) pthread_cond_broadcast(&idle);
    }
    if (--alive == 0) pthread_cond_broadcast(&idle);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

/* Signals belong to Python's main thread: pool threads block them all. */
static int start_thread(pthread_t *out) {
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int err = pthread_create(out, NULL, worker, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return err;
}

tp_status cc_pool_submit(void (*run)(void *arg), void *arg) {
    int64_t want;
    TP_TRY(tp_env_int(TP_ENV_COMPILE_THREADS, 1, MAX_THREADS, 2, &want));
    pthread_once(&once, init_conditions);
    job *j = malloc(sizeof *j);
    if (!j) return TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "out of host memory for a compile job");
    *j = (job){NULL, run, arg};
    pthread_mutex_lock(&mutex);
    if (!closed && nthreads < want && (first || running == alive)) {
        if (start_thread(&threads[nthreads]) == 0) {
            nthreads++;
            alive++;
        }
    }
    bool refused = closed || alive == 0;
    if (!refused) {
        if (last)
            last->next = j;
        else
            first = j;
        last = j;
        pthread_cond_signal(&arrived);
    }
    pthread_mutex_unlock(&mutex);
    if (!refused) return NULL;
    free(j);
    return TP_FAIL(TP_UNAVAILABLE, TP_RUNTIME, "the compile pool must be running; it is closed or no thread could be started");
}

static struct timespec deadline_in(int ms) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += ms / 1000;
    t.tv_nsec += (long)(ms % 1000) * 1000000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000;
    }
    return t;
}

bool cc_pool_drain(int timeout_ms) {
    pthread_once(&once, init_conditions);
    struct timespec until = deadline_in(timeout_ms);
    pthread_mutex_lock(&mutex);
    while ((first || running) && pthread_cond_timedwait(&idle, &mutex, &until) == 0) {}
    bool done = !first && !running;
    pthread_mutex_unlock(&mutex);
    return done;
}

bool cc_pool_close(int timeout_ms) {
    pthread_once(&once, init_conditions);
    struct timespec until = deadline_in(timeout_ms);
    pthread_mutex_lock(&mutex);
    closed = true;
    for (job *j = first, *next; j; j = next) {
        next = j->next;
        free(j);
    }
    first = last = NULL;
    pthread_cond_broadcast(&arrived);
    while (alive > 0 && pthread_cond_timedwait(&idle, &mutex, &until) == 0) {}
    bool ended = alive == 0;
    int n = nthreads;
    nthreads = 0;
    pthread_mutex_unlock(&mutex);
    if (ended)
        for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
    return ended;
}
