/* Generators: (seed, offset) of Philox on the host.  Recording a random call takes a snapshot and advances the offset. */
#include "trace/device.h"

#include <stdlib.h>

struct tp_generator {
    pthread_mutex_t mutex;
    uint64_t seed, offset;
};

/* PyTorch's default seed. */
static const uint64_t default_seed = UINT64_C(67280421310721);

tp_generator *tp_generator_create(int device) {
    (void)device;
    tp_generator *g = calloc(1, sizeof *g);
    if (!g) return NULL;
    pthread_mutex_init(&g->mutex, NULL);
    g->seed = default_seed;
    return g;
}

void tp_generator_destroy(tp_generator *g) {
    if (!g) return;
    pthread_mutex_destroy(&g->mutex);
    free(g);
}

tp_generator *tp_default_generator(int device) {
    tp_device *d = tp_device_peek(device);
    static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&once);
    if (!d->generator) d->generator = tp_generator_create(device);
    tp_generator *g = d->generator;
    pthread_mutex_unlock(&once);
    return g;
}

void tp_generator_get(tp_generator *g, uint64_t *out_seed, uint64_t *out_offset) {
    pthread_mutex_lock(&g->mutex);
    *out_seed = g->seed;
    *out_offset = g->offset;
    pthread_mutex_unlock(&g->mutex);
}

void tp_generator_set(tp_generator *g, uint64_t seed, uint64_t offset) {
    pthread_mutex_lock(&g->mutex);
    g->seed = seed;
    g->offset = offset;
    pthread_mutex_unlock(&g->mutex);
}

void generator_take(tp_generator *g, uint64_t steps, uint64_t out_snapshot[2]) {
    pthread_mutex_lock(&g->mutex);
    out_snapshot[0] = g->seed;
    out_snapshot[1] = g->offset;
    g->offset += steps;
    pthread_mutex_unlock(&g->mutex);
}
