/* Does donation work on this plugin?  An update that overwrites its donated input runs while reads of that input are
 * still in flight; both must see the right values.  Then the same update runs with its input on the keep list. */
#include "base/log.h"
#include "pjrt/call.h"

#include <stdlib.h>

enum { DONATION_UNKNOWN = 0, DONATION_WORKS, DONATION_BROKEN };

/* Large enough for reads to be still running when the update is enqueued. */
enum { ELEMENTS = 65536, READS = 4 };

static const char update_text[] =
    "\"builtin.module\"() ({\n"
    "  \"func.func\"() <{arg_attrs = [{tf.aliasing_output = 0 : i32}],"
    " function_type = (tensor<65536xf32>) -> tensor<65536xf32>, sym_name = \"main\"}> ({\n"
    "  ^bb0(%arg0: tensor<65536xf32>):\n"
    "    %0 = \"stablehlo.add\"(%arg0, %arg0) : (tensor<65536xf32>, tensor<65536xf32>) -> tensor<65536xf32>\n"
    "    \"func.return\"(%0) : (tensor<65536xf32>) -> ()\n"
    "  }) : () -> ()\n"
    "}) : () -> ()\n";

static const char read_text[] =
    "\"builtin.module\"() ({\n"
    "  \"func.func\"() <{function_type = (tensor<65536xf32>) -> tensor<65536xf32>, sym_name = \"main\"}> ({\n"
    "  ^bb0(%arg0: tensor<65536xf32>):\n"
    "    %0 = \"stablehlo.multiply\"(%arg0, %arg0) : (tensor<65536xf32>, tensor<65536xf32>) -> tensor<65536xf32>\n"
    "    \"func.return\"(%0) : (tensor<65536xf32>) -> ()\n"
    "  }) : () -> ()\n"
    "}) : () -> ()\n";

typedef struct trial {
    pj_client *c;
    tp_type type;
    pj_executable *update, *read;
    pj_buffer *input, *updated, *reads[READS];
    float host[ELEMENTS];
} trial;

static tp_status run(trial *t, pj_executable *e, const int64_t *keep, int nkeep, pj_buffer **out_buffer) {
    pj_execution x = {.executable = e,
                      .ninputs = 1,
                      .noutputs = 1,
                      .inputs = &t->input,
                      .keep = keep,
                      .nkeep = nkeep,
                      .outputs = out_buffer};
    return pj_execute(t->c, &x);
}

static tp_status upload(trial *t, float value) {
    for (int i = 0; i < ELEMENTS; i++) t->host[i] = value;
    return pj_buffer_from_host(t->c, 0, &t->type, t->host, &t->input);
}

static tp_status expect(trial *t, pj_buffer *b, float value, const char *what) {
    pj_event *copied = NULL;
    bool ready;
    memset(t->host, 0, sizeof t->host);
    TP_TRY(pj_buffer_to_host(t->c, b, &t->type, t->host, sizeof t->host, &copied));
    tp_status s = pj_event_wait(t->c, copied, -1, &ready);
    pj_event_destroy(t->c, copied);
    TP_TRY(s);
    for (int i = 0; i < ELEMENTS; i++)
        if (t->host[i] != value)
            return TP_FAIL(TP_DATA_LOSS, TP_RUNTIME, "%s must be %g; element %d is %g", what, (double)value, i,
                           (double)t->host[i]);
    return NULL;
}

static void drop(trial *t, pj_buffer **b) {
    pj_buffer_destroy(t->c, *b);
    *b = NULL;
}

static tp_status donate(trial *t) {
    TP_TRY(upload(t, 3));
    for (int i = 0; i < READS; i++) TP_TRY(run(t, t->read, NULL, 0, &t->reads[i]));
    TP_TRY(run(t, t->update, NULL, 0, &t->updated));
    drop(t, &t->input); /* as the launcher does: the handle of a donated buffer goes at once */
    for (int i = 0; i < READS; i++) TP_TRY(expect(t, t->reads[i], 9, "a value read before a donated update"));
    TP_TRY(expect(t, t->updated, 6, "a value updated by donation"));
    drop(t, &t->updated);
    return NULL;
}

static tp_status keep(trial *t) {
    const int64_t kept = 0;
    TP_TRY(upload(t, 5));
    TP_TRY(run(t, t->update, &kept, 1, &t->updated));
    TP_TRY(expect(t, t->updated, 10, "a value updated with its input kept"));
    return expect(t, t->input, 5, "an input that was kept");
}

static tp_status try(trial *t) {
    const pj_compile_options options = {.device = 0, .optimization_level = 0};
    TP_TRY(pj_compile_uncounted(t->c, update_text, sizeof update_text - 1, &options, &t->update));
    TP_TRY(pj_compile_uncounted(t->c, read_text, sizeof read_text - 1, &options, &t->read));
    TP_TRY(donate(t));
    return keep(t);
}

bool pj_client_donation_works(pj_client *c) {
    int known = atomic_load(&c->donation);
    if (known) return known == DONATION_WORKS;
    trial *t = calloc(1, sizeof *t);
    if (!t) return false; /* not remembered: memory may be there the next time */
    t->c = c;
    t->type = tp_type_make(TP_F32, 1, (int64_t[]){ELEMENTS});
    tp_status s = try(t);
    if (s) TP_LOG(TP_LOG_PLUGIN, "donation is off: %s", tp_status_message(s));
    for (int i = 0; i < READS; i++) drop(t, &t->reads[i]);
    drop(t, &t->updated);
    drop(t, &t->input);
    pj_executable_destroy(c, t->update);
    pj_executable_destroy(c, t->read);
    atomic_store(&c->donation, s ? DONATION_BROKEN : DONATION_WORKS);
    free(t);
    bool works = !s;
    tp_status_free(s);
    return works;
}
