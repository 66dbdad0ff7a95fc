/* What a bare PJRT execute costs: f32[4] add on the plugin in use, through core/pjrt and nothing above it.
 * A shared library for op_overhead.py; one thread. */
#include "pjrt/pjrt.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

static const char program[] =
    "\"builtin.module\"() ({\n"
    "  \"func.func\"() <{function_type = (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>, sym_name = \"main\"}> ({\n"
    "  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):\n"
    "    %c = \"stablehlo.add\"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n"
    "    \"func.return\"(%c) : (tensor<4xf32>) -> ()\n"
    "  }) : () -> ()\n"
    "}) : () -> ()\n";

enum { MAX_RUNS = 1024 };
static pj_client *client;
static pj_executable *executable;
static pj_buffer *inputs[2], *outputs[MAX_RUNS];
static char message[512];

EXPORT const char *bare_message(void);
EXPORT int bare_open(const char *plugin);
EXPORT int bare_run(int n, int with_event, double out_ns[2]);

/* Of the last failure; has the lifetime of the library. */
const char *bare_message(void) { return message; }

static int failed(tp_status s) {
    if (!s) return 0;
    snprintf(message, sizeof message, "%s", tp_status_message(s));
    tp_status_free(s);
    return 1;
}

/* 0, or 1 with bare_message() set. */
int bare_open(const char *plugin) {
    const float ones[4] = {1, 1, 1, 1};
    const tp_type type = tp_type_make(TP_F32, 1, (int64_t[]){4});
    if (failed(pj_client_open(plugin, &(pj_open_options){.cpu_devices = 1}, &client))) return 1;
    for (int i = 0; i < 2; i++)
        if (failed(pj_buffer_from_host(client, 0, &type, ones, &inputs[i]))) return 1;
    return failed(pj_compile(client, program, sizeof program - 1, &(pj_compile_options){.optimization_level = -1}, &executable));
}

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Nanoseconds per execute of |n| <= 1024 in a row, by the wall clock and of the whole process's CPU time, the wait for the
 * last included, the release of the results not.  |with_event|: also ask for each program's completion event, as a
 * backend with back-pressure must.  0, or 1 with bare_message() set. */
int bare_run(int n, int with_event, double out_ns[2]) {
    pj_event *done[MAX_RUNS] = {0};
    bool ready;
    int made = 0, bad = n > MAX_RUNS;
    double cpu = now(CLOCK_PROCESS_CPUTIME_ID), start = now(CLOCK_MONOTONIC);
    for (; made < n && !bad; made++) {
        pj_execution x = {.executable = executable, .ninputs = 2, .noutputs = 1, .inputs = inputs, .outputs = &outputs[made],
                          .want_event = with_event || made == n - 1};
        bad = failed(pj_execute(client, &x));
        done[made] = x.done;
    }
    if (!bad) bad = failed(pj_event_wait(client, done[n - 1], -1, &ready));
    out_ns[0] = (now(CLOCK_MONOTONIC) - start) / n;
    out_ns[1] = (now(CLOCK_PROCESS_CPUTIME_ID) - cpu) / n;
    for (int i = 0; i < made; i++) {
        pj_event_destroy(client, done[i]);
        pj_buffer_destroy(client, outputs[i]);
        outputs[i] = NULL;
    }
    return bad;
}
