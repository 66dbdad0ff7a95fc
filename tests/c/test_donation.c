/* Donation under load: test_donation PLUGIN.  A value is doubled in place many times; before each update, programs that
 * read it are started and not waited for.  Each reader must see the value as it was, each update the one before. */
#include "check.h"

#include "pjrt/pjrt.h"

#include <stdlib.h>

enum { ELEMENTS = 1 << 16, READERS = 8, UPDATES = 60, ROUNDS = 5 };

#define TYPE "tensor<65536xf32>"

static const char update_text[] =
    "module {\n"
    "  func.func public @main(%arg0: " TYPE " {tf.aliasing_output = 0 : i32}) -> (" TYPE ") {\n"
    "    %0 = stablehlo.add %arg0, %arg0 : " TYPE "\n"
    "    return %0 : " TYPE "\n"
    "  }\n"
    "}\n";
static const char read_text[] =
    "module {\n"
    "  func.func public @main(%arg0: " TYPE ") -> (" TYPE ") {\n"
    "    %0 = stablehlo.multiply %arg0, %arg0 : " TYPE "\n"
    "    return %0 : " TYPE "\n"
    "  }\n"
    "}\n";

static pj_client *client;
static pj_executable *update, *reader;
static float *host, *copies[READERS];
static tp_type type;

static tp_status run(pj_executable *e, pj_buffer *input, const int64_t *keep, int nkeep, pj_buffer **out_buffer) {
    pj_execution x = {.executable = e, .ninputs = 1, .noutputs = 1, .inputs = &input, .outputs = out_buffer};
    x.keep = keep;
    x.nkeep = nkeep;
    return pj_execute(client, &x);
}

static tp_status start_download(pj_buffer *b, float *dst, pj_event **out_copied) {
    return pj_buffer_to_host(client, b, &type, dst, sizeof *dst * ELEMENTS, out_copied);
}

static bool all_are(const float *data, float value) {
    for (int i = 0; i < ELEMENTS; i++)
        if (data[i] != value) return false;
    return true;
}

static bool holds(pj_buffer *b, float value) {
    pj_event *copied = NULL;
    bool ready;
    memset(host, 0xff, sizeof *host * ELEMENTS);
    if (!CHECK_OK(start_download(b, host, &copied))) return false;
    CHECK_OK(pj_event_wait(client, copied, -1, &ready));
    pj_event_destroy(client, copied);
    return CHECK(all_are(host, value));
}

/* One update of *value with readers in flight; every tenth keeps its input instead of donating it. */
static bool step(pj_buffer **value, float now, int n, bool download) {
    pj_buffer *reads[READERS] = {0}, *next = NULL;
    pj_event *copied[READERS] = {0};
    const int64_t keep = 0;
    bool kept = n % 10 == 9, ok = true;
    for (int i = 0; i < READERS && ok; i++)
        ok = CHECK_OK(download ? start_download(*value, copies[i], &copied[i]) : run(reader, *value, NULL, 0, &reads[i]));
    ok = ok && CHECK_OK(run(update, *value, &keep, kept, &next));
    for (int i = 0; i < READERS && ok; i++) {
        bool ready;
        if (!download) ok = holds(reads[i], now * now);
        if (download) ok = CHECK_OK(pj_event_wait(client, copied[i], -1, &ready)) && CHECK(all_are(copies[i], now));
    }
    ok = ok && holds(next, now + now) && (!kept || holds(*value, now));
    for (int i = 0; i < READERS; i++) {
        pj_event_destroy(client, copied[i]);
        pj_buffer_destroy(client, reads[i]);
    }
    pj_buffer_destroy(client, *value);
    *value = next;
    return ok;
}

static bool stress(bool download) {
    bool ok = true;
    for (int round = 0; round < ROUNDS && ok; round++) {
        pj_buffer *value = NULL;
        float now = 1;
        for (int i = 0; i < ELEMENTS; i++) host[i] = now;
        if (!CHECK_OK(pj_buffer_from_host(client, 0, &type, host, &value))) return false;
        for (int n = 0; n < UPDATES && ok; n++, now += now) ok = step(&value, now, n, download);
        pj_buffer_destroy(client, value);
    }
    return ok;
}

/* Updates enqueued one on the other without any wait. */
static bool chain(void) {
    pj_buffer *value = NULL, *reads[UPDATES] = {0};
    float now = 1;
    for (int i = 0; i < ELEMENTS; i++) host[i] = now;
    bool ok = CHECK_OK(pj_buffer_from_host(client, 0, &type, host, &value));
    for (int n = 0; n < UPDATES && ok; n++) {
        pj_buffer *next = NULL;
        ok = CHECK_OK(run(reader, value, NULL, 0, &reads[n])) && CHECK_OK(run(update, value, NULL, 0, &next));
        pj_buffer_destroy(client, value);
        value = next;
    }
    for (int n = 0; n < UPDATES; n++, now += now) {
        ok = ok && holds(reads[n], now * now);
        pj_buffer_destroy(client, reads[n]);
    }
    ok = ok && holds(value, now);
    pj_buffer_destroy(client, value);
    return ok;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s PLUGIN\n", argv[0]);
        return 2;
    }
    type = tp_type_make(TP_F32, 1, (int64_t[]){ELEMENTS});
    host = malloc(sizeof *host * ELEMENTS);
    for (int i = 0; i < READERS; i++) copies[i] = malloc(sizeof *host * ELEMENTS);
    pj_open_options open = {.cpu_devices = 1};
    pj_compile_options options = {.device = 0, .optimization_level = -1};
    if (!host || !copies[READERS - 1] || !CHECK_OK(pj_client_open(argv[1], &open, &client)) ||
        !CHECK_OK(pj_compile(client, update_text, sizeof update_text - 1, &options, &update)) ||
        !CHECK_OK(pj_compile(client, read_text, sizeof read_text - 1, &options, &reader)))
        return check_result() | 1;
    CHECK(pj_client_donation_works(client));
    CHECK(stress(false));
    CHECK(stress(true));
    for (int i = 0; i < 10; i++) CHECK(chain());
    pj_executable_destroy(client, update);
    pj_executable_destroy(client, reader);
    for (int i = 0; i < READERS; i++) free(copies[i]);
    free(host);
    return check_result();
}
