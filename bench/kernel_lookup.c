/* What finding a kernel costs on a hit: f32[4] add, its key hashed and compared each time.  A copy of the core of its
 * own, so that nothing else uses its table.  A shared library for op_overhead.py; one thread. */
#include "trace/device.h"

#include <stdio.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

static char message[512];
static const int64_t four = 4, stride = 1;
static tp_cell *cells[2];
static tp_device *device;

EXPORT const char *lookup_message(void);
EXPORT int lookup_open(const char *plugin);
EXPORT int lookup_run(int n, double *out_ns);

/* Of the last failure; has the lifetime of the library. */
const char *lookup_message(void) { return message; }

static void *release_nothing(void) { return NULL; }
static void acquire_nothing(void *token) { (void)token; }
static bool never(void *token) {
    (void)token;
    return false;
}

static int failed(tp_status s) {
    if (!s) return 0;
    snprintf(message, sizeof message, "%s", tp_status_message(s));
    tp_status_free(s);
    return 1;
}

/* 0, or 1 with lookup_message() set. */
int lookup_open(const char *plugin) {
    static const tp_hooks hooks = {release_nothing, acquire_nothing, never};
    tp_init(&hooks);
    tp_set_embedded_plugin(plugin);
    for (int i = 0; i < 2; i++)
        if (failed(tp_cell_create(0, 16, &cells[i]))) return 1;
    return failed(tp_device_get(0, &device));
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Nanoseconds per lookup of |n|.  0, or 1 with lookup_message() set. */
int lookup_run(int n, double *out_ns) {
    tp_arg args[3];
    const tp_type type = tp_type_make(TP_F32, 1, &four), *types[2] = {&type, &type};
    const at_row *row = at_row_get(at_row_find("add.Tensor"));
    tp_kernel *k = NULL;
    tp_status s = NULL;
    for (int i = 0; i < 2; i++)
        args[i] = (tp_arg){.tag = TP_ARG_TENSOR, .view = {.cell = cells[i], .dtype = TP_F32, .rank = 1, .sizes = &four, .strides = &stride}};
    args[2] = (tp_arg){.tag = TP_ARG_SCALAR, .scalar = {.dtype = TP_I64, .rank = TP_NUMBER, .i = 1, .re = 1}};
    pthread_mutex_lock(&device->mutex);
    s = kernel_find_locked(device, row, false, args, 3, types, &k); /* the miss */
    double start = now();
    for (int i = 0; i < n && !s; i++) s = kernel_find_locked(device, row, false, args, 3, types, &k);
    *out_ns = (now() - start) / n;
    pthread_mutex_unlock(&device->mutex);
    return failed(s);
}
