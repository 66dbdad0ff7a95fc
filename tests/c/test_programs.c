/* Plans on a real compiler: random views as in test_plan, many reads and writes to a program, printed, compiled and run
 * by the plugin; test_programs PLUGIN [programs [seed]].  The fake plugin only gets them printed. */
#include "check.h"
#include "view_case.h"

#include "aten/plan.h"
#include "aten/plan_step.h"
#include "pjrt/pjrt.h"

#include <stdlib.h>

enum { CASES = 24, MAX_PARAMS = CASES * (2 + AT_PLAN_SLOTS), MAX_OUTPUTS = 2 * CASES };

typedef struct batch {
    view_case cases[CASES];
    unsigned char base[CASES][CASE_BYTES], value[CASES][CASE_BYTES];
    at_plan plans[CASES];
    int ninputs, noutputs;
    tp_type types[MAX_PARAMS];
    const void *inputs[MAX_PARAMS];
    int owner[MAX_OUTPUTS];
    bool is_write[MAX_OUTPUTS];
    pj_buffer *in[MAX_PARAMS], *out[MAX_OUTPUTS];
} batch;

static batch b;
static pj_client *client;

static hlo_val add_param(hlo_graph *g, const tp_type *type, const void *data) {
    b.types[b.ninputs] = *type;
    b.inputs[b.ninputs++] = data;
    return hlo_param(g, type);
}

/* XLA on CPUs may move small floats through wider ones, which makes a signalling NaN a quiet one: all NaNs become one. */
static void one_nan(const tp_type *type, unsigned char *data) {
    unsigned largest = type->dtype == TP_BF16 ? 0x7f80 : type->dtype == TP_F16 ? 0x7c00 : type->dtype == TP_F8E5M2 ? 0x7c : 0;
    size_t width = tp_dtype_size((tp_dtype)type->dtype);
    for (size_t i = 0, n = (size_t)tp_type_numel(type); largest && i < n; i++) {
        uint16_t x = 0;
        memcpy(&x, data + width * i, width);
        if ((x & (width == 1 ? 0x7f : 0x7fff)) > largest) memset(data + width * i, 0xff, width);
    }
}

static void add_case(hlo_graph *g, int i, uint64_t *seed, hlo_val *outputs) {
    view_case *c = &b.cases[i];
    at_plan *p = &b.plans[i];
    hlo_val starts[AT_PLAN_SLOTS];
    char text[512];
    case_make(c, seed);
    for (uint64_t k = case_random(seed, 6); k > 0; k--) case_change(c, seed);
    CHECK_OK(at_plan_make(&c->base, c->base_strides, (tp_dtype)c->view.dtype, c->view.rank, c->view.dims, c->strides, c->offset,
                          case_random(seed, 2), p));
    case_base(c, c->memory, b.base[i]);
    for (size_t k = 0; k < tp_type_bytes(&c->view); k++) b.value[i][k] = (unsigned char)case_random(seed, c->view.dtype == TP_BOOL ? 2 : 256);
    hlo_val base = add_param(g, &c->base, b.base[i]);
    for (int k = 0; k < p->nslots; k++) starts[k] = add_param(g, &(tp_type){.dtype = TP_I64}, &p->starts[k]);
    b.owner[b.noutputs] = i;
    b.is_write[b.noutputs] = false;
    outputs[b.noutputs] = plan_read(g, base, p->words, p->nwords, starts);
    check_that(tp_type_equal(hlo_type_of(g, outputs[b.noutputs++]), &c->view), __FILE__, __LINE__, "read type", case_format(c, text, sizeof text));
    if (p->kind == AT_PLAN_OVERLAP) return;
    hlo_val value = add_param(g, &c->view, b.value[i]);
    b.owner[b.noutputs] = i;
    b.is_write[b.noutputs] = true;
    outputs[b.noutputs] = plan_write(g, p->kind == AT_PLAN_WHOLE ? HLO_NONE : base, value, p->words, p->nwords, starts);
    check_that(tp_type_equal(hlo_type_of(g, outputs[b.noutputs++]), &c->base), __FILE__, __LINE__, "write type", case_format(c, text, sizeof text));
}

static void check_output(int k) {
    static unsigned char got[CASE_BYTES], memory[CASE_BYTES], want[CASE_BYTES];
    const view_case *c = &b.cases[b.owner[k]];
    const tp_type *type = b.is_write[k] ? &c->base : &c->view;
    char text[512];
    pj_event *e = NULL;
    bool ready = false;
    if (!CHECK_OK(pj_buffer_to_host(client, b.out[k], type, got, tp_type_bytes(type), &e))) return;
    CHECK_OK(pj_event_wait(client, e, -1, &ready));
    pj_event_destroy(client, e);
    if (b.is_write[k]) {
        case_write(c, b.value[b.owner[k]], want);
        case_memory(c, got, memory);
    } else {
        case_read(c, want);
        memcpy(memory, got, tp_type_bytes(type));
    }
    one_nan(type, memory);
    one_nan(type, want);
    check_that(!memcmp(memory, want, tp_type_bytes(type)), __FILE__, __LINE__, b.is_write[k] ? "write" : "read", case_format(c, text, sizeof text));
}

static void run_program(const char *text, size_t len) {
    pj_execution x = {.ninputs = b.ninputs, .noutputs = b.noutputs, .inputs = b.in, .outputs = b.out};
    tp_status s = pj_compile(client, text, len, &(pj_compile_options){.device = 0, .optimization_level = -1}, &x.executable);
    if (s) fprintf(stderr, "%s\n", text);
    if (!CHECK_OK(s)) return;
    for (int i = 0; i < b.ninputs; i++)
        if (!CHECK_OK(pj_buffer_from_host(client, 0, &b.types[i], b.inputs[i], &b.in[i]))) return;
    if (CHECK_OK(pj_execute(client, &x)))
        for (int k = 0; k < b.noutputs; k++) {
            check_output(k);
            pj_buffer_destroy(client, b.out[k]);
        }
    for (int i = 0; i < b.ninputs; i++) pj_buffer_destroy(client, b.in[i]);
    pj_executable_destroy(client, x.executable);
}

static void test_program(uint64_t seed, bool run) {
    hlo_val outputs[MAX_OUTPUTS];
    hlo_graph *g = hlo_graph_create();
    char *text = NULL;
    size_t len = 0;
    b.ninputs = b.noutputs = 0;
    for (int i = 0; i < CASES; i++) add_case(g, i, &seed, outputs);
    hlo_set_outputs(g, b.noutputs, outputs);
    CHECK_OK(tp_status_retain(hlo_error(g)));
    if (!hlo_error(g) && CHECK_OK(hlo_print(g, "plans", NULL, &text, &len)) && run) run_program(text, len);
    free(text);
    hlo_graph_destroy(g);
}

int main(int argc, char **argv) {
    int programs = argc > 2 ? atoi(argv[2]) : 12;
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    if (argc < 2) return 2;
    if (!CHECK_OK(pj_client_open(argv[1], &(pj_open_options){.cpu_devices = 1}, &client))) return check_result();
    bool run = !strstr(argv[1], "fake");
    for (int i = 0; i < programs && check_failures < 20; i++) test_program(seed + (uint64_t)i * 15485863, run);
    return check_result();
}
