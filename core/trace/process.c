/* The process: environment, fork, the plugin and its devices, modes, exit. */
#include "cache/pool.h"
#include "trace/device.h"
#include "trace/hardware.h"

#include <stdlib.h>
#include <unistd.h>

atomic_bool tp_forked, tp_closing;
tp_hooks tp_host;

static tp_status init_error;
static _Atomic int mode_now, checks_now = -1;
static atomic_bool blocking_now;
static _Atomic int precision_now;
static int device_count;
static tp_device *devices;
static _Atomic(pj_client *) client;
static pthread_mutex_t open_mutex = PTHREAD_MUTEX_INITIALIZER;

static atomic_bool opening;

/* A process that had not begun to open the plugin has no threads and no buffers: its child may start afresh, with locks
 * that no other thread of the parent held. */
static void mark_child(void) {
    if (atomic_load(&opening))
        atomic_store(&tp_forked, true);
    else
        for (int i = 0; devices && i < device_count; i++) pthread_mutex_init(&devices[i].mutex, NULL);
}

static tp_status make_devices(void) {
    TP_TRY(hardware_device_count(&device_count));
    devices = calloc((size_t)device_count, sizeof *devices);
    if (!devices) return TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "out of host memory for %d devices", device_count);
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    for (int i = 0; i < device_count; i++) {
        tp_device *d = &devices[i];
        pthread_mutex_init(&d->mutex, NULL);
        pthread_cond_init(&d->changed, &attr);
        pthread_cond_init(&d->launchable, NULL);
        d->index = i;
        d->memory.limit = -1;
        d->trace.epoch = 1;
    }
    pthread_condattr_destroy(&attr);
    return NULL;
}

static tp_status read_environment(void) {
    static const char *const modes[] = {"strict", "defer"};
    static const char *const checks[] = {"0", "1", "auto"};
    static const char *const names[] = {"tpu", "neuron"};
    static const char *const fallbacks[] = {"warn", "error"};
    int mode, check, ignored;
    int64_t blocking, limit;
    TP_TRY(tp_env_word(TP_ENV_MODE, 2, modes, TP_STRICT, &mode));
    TP_TRY(tp_env_word(TP_ENV_CHECK, 3, checks, 2, &check));
    TP_TRY(tp_env_word(TP_ENV_DEVICE_NAME, 2, names, 0, &ignored));
    TP_TRY(tp_env_word(TP_ENV_FALLBACK, 2, fallbacks, 0, &ignored));
    TP_TRY(tp_env_int(TP_ENV_BLOCKING, 0, 1, 0, &blocking));
    TP_TRY(tp_env_int(TP_ENV_MEMORY_LIMIT, 0, INT64_MAX, -1, &limit));
    atomic_store(&mode_now, mode);
    atomic_store(&checks_now, check == 2 ? -1 : check);
    atomic_store(&blocking_now, blocking != 0);
    return NULL;
}

void tp_init(const tp_hooks *hooks) {
    tp_host = *hooks;
    tp_log_init();
    pthread_atfork(NULL, NULL, mark_child);
    init_error = read_environment();
    tp_status s = make_devices();
    if (!init_error) init_error = s;
    if (!init_error) init_error = row_table_init();
}

tp_status tp_usable(void) {
    if (__builtin_expect(atomic_load_explicit(&tp_forked, memory_order_relaxed), 0))
        return TP_FAIL(TP_FAILED_PRECONDITION, TP_RUNTIME,
                       "Cannot use the device in a forked subprocess: it was set up in the parent. To use it with multiprocessing, "
                       "you must use the 'spawn' start method");
    if (__builtin_expect(atomic_load_explicit(&tp_closing, memory_order_relaxed), 0))
        return TP_FAIL(TP_FAILED_PRECONDITION, TP_RUNTIME, "the device must be used before the interpreter exits; it is closed");
    return tp_status_retain(init_error);
}

int tp_device_count(void) { return device_count; }
bool tp_is_open(void) { return atomic_load(&client) != NULL; }
pj_client *tp_client(void) { return atomic_load_explicit(&client, memory_order_acquire); }
tp_device *tp_device_peek(int index) { return &devices[index]; }

tp_status tp_device_check(int device) {
    if (__builtin_expect(device >= 0 && device < device_count, 1)) return NULL;
    TP_TRY(tp_usable());
    return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME, "device index must be less than the device count (%d); got %d", device_count, device);
}

/* ---- opening */
static int64_t memory_limit(pj_client *c, int device) {
    int64_t limit, in_use, plugin_limit;
    tp_status s = tp_env_int(TP_ENV_MEMORY_LIMIT, 0, INT64_MAX, -1, &limit);
    tp_status_free(s); /* read_environment has reported it */
    if (limit >= 0) return limit;
    pj_device_memory(c, device, &in_use, &plugin_limit);
    if (plugin_limit >= 0 || !pj_client_is_host_memory(c)) return plugin_limit;
    return (int64_t)sysconf(_SC_PHYS_PAGES) * (int64_t)sysconf(_SC_PAGESIZE);
}

static tp_status open_client(void) {
    const char *path;
    pj_client *c;
    TP_TRY(tp_plugin_path(&path));
    TP_TRY(pj_client_open(path, &(pj_open_options){.cpu_devices = device_count}, &c));
    if (pj_client_device_count(c) < device_count)
        return TP_FAIL(TP_FAILED_PRECONDITION, TP_RUNTIME, "%s must have %d devices, as counted before it was opened; it has %d", path,
                       device_count, pj_client_device_count(c));
    for (int i = 0; i < device_count; i++) devices[i].memory.limit = memory_limit(c, i);
    atomic_store(&client, c);
    return NULL;
}

tp_status tp_open(void) {
    TP_TRY(tp_usable());
    if (tp_is_open()) return NULL;
    gil_pause pause = {0};
    gil_drop(&pause);
    atomic_store(&opening, true);
    pthread_mutex_lock(&open_mutex);
    tp_status s = tp_is_open() ? NULL : open_client();
    pthread_mutex_unlock(&open_mutex);
    gil_take(&pause);
    return s;
}

tp_status tp_device_get(int index, tp_device **out_device) {
    if (__builtin_expect(!tp_client() || atomic_load_explicit(&tp_forked, memory_order_relaxed) ||
                             atomic_load_explicit(&tp_closing, memory_order_relaxed),
                         0)) {
        TP_TRY(tp_usable());
        TP_TRY(tp_device_check(index));
        TP_TRY(tp_open());
    }
    TP_TRY(tp_device_check(index));
    *out_device = &devices[index];
    return NULL;
}

tp_status tp_device_kind(int device, const char **out_name) {
    tp_device *d;
    TP_TRY(tp_device_get(device, &d));
    *out_name = pj_device_kind(tp_client(), device);
    return NULL;
}

/* ---- modes */
bool tp_strict_on(void) { return atomic_load_explicit(&mode_now, memory_order_relaxed) == TP_STRICT; }
bool tp_blocking_on(void) { return atomic_load_explicit(&blocking_now, memory_order_relaxed); }

bool tp_checks_on(void) {
    int c = atomic_load_explicit(&checks_now, memory_order_relaxed);
    return c < 0 ? tp_strict_on() : c != 0;
}

tp_status tp_mode_get(tp_mode *out_mode, bool *out_blocking) {
    *out_mode = (tp_mode)atomic_load(&mode_now);
    *out_blocking = atomic_load(&blocking_now);
    return NULL;
}

tp_status tp_mode_set(tp_mode mode, bool blocking) {
    TP_TRY(tp_usable());
    for (int i = 0; i < device_count && tp_is_open(); i++) TP_TRY(device_flush(&devices[i], "mode"));
    atomic_store(&mode_now, mode);
    atomic_store(&blocking_now, blocking);
    return blocking && tp_is_open() ? tp_synchronize(-1) : NULL;
}

void tp_precision_set(hlo_precision p) { atomic_store(&precision_now, p); }
hlo_precision tp_precision_get(void) { return (hlo_precision)atomic_load_explicit(&precision_now, memory_order_relaxed); }
int64_t tp_compile_count(void) { return pj_compile_count(); }

/* ---- exit */
enum { EXIT_MS = 10000 };

void tp_shutdown(void) {
    if (atomic_load(&tp_forked) || atomic_load(&tp_closing)) return;
    for (int i = 0; i < device_count && tp_is_open(); i++) device_drain(&devices[i], EXIT_MS);
    atomic_store(&tp_closing, true);
    if (tp_is_open()) cc_pool_close(EXIT_MS);
}
