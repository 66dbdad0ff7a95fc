#include "pjrt/call.h"

#include <stdlib.h>
#include <string.h>

static atomic_llong compiles;

int64_t pj_compile_count(void) { return (int64_t)atomic_load(&compiles); }

/* A CompileOptionsProto written by hand: a handful of fields, so that no protobuf library is needed.  Nested messages
 * are written into their own buffers first, because each is preceded by its length. */
typedef struct proto {
    unsigned char data[256];
    size_t len;
} proto;

static void put_varint(proto *p, uint64_t v) {
    for (; v >= 0x80; v >>= 7) p->data[p->len++] = (unsigned char)(v | 0x80);
    p->data[p->len++] = (unsigned char)v;
}

static void put_int(proto *p, unsigned field, int64_t v) {
    put_varint(p, (uint64_t)field << 3);
    put_varint(p, (uint64_t)v);
}

static void put_bytes(proto *p, unsigned field, const void *data, size_t len) {
    put_varint(p, (uint64_t)field << 3 | 2);
    put_varint(p, len);
    memcpy(p->data + p->len, data, len);
    p->len += len;
}

static void put_message(proto *p, unsigned field, const proto *m) { put_bytes(p, field, m->data, m->len); }

/* Field numbers of xla/pjrt/proto/compile_options.proto and of DeviceAssignmentProto in xla/xla_data.proto. */
enum {
    OPTIONS_BUILD = 3,
    OPTIONS_OVERRIDES = 7,
    BUILD_DEVICE = 1,
    BUILD_REPLICAS = 4,
    BUILD_PARTITIONS = 5,
    BUILD_ASSIGNMENT = 9,
    BUILD_EFFORT = 24,
    ASSIGNMENT_REPLICAS = 1,
    ASSIGNMENT_COMPUTATIONS = 2,
    ASSIGNMENT_DEVICES = 3,
    DEVICES_IDS = 1,
    ENTRY_NAME = 1,
    ENTRY_VALUE = 2,
    OVERRIDE_BOOL = 2,
    OVERRIDE_INT = 3,
};

static void put_override(proto *options, const char *name, unsigned field, int64_t v) {
    proto value = {.len = 0}, entry = {.len = 0};
    put_int(&value, field, v);
    put_bytes(&entry, ENTRY_NAME, name, strlen(name));
    put_message(&entry, ENTRY_VALUE, &value);
    put_message(options, OPTIONS_OVERRIDES, &entry);
}

/* LLVM's level is an override that only CPU (and GPU) compilers read; other plugins know an effort level, whose
 * numbers are 9, 19, 29, 39 for O0 to O3. */
static void put_optimization(proto *options, proto *build, bool cpu, int level) {
    if (level < 0) return;
    if (level > 3) level = 3;
    if (!cpu) {
        put_int(build, BUILD_EFFORT, level * 10 + 9);
        return;
    }
    put_override(options, "xla_backend_optimization_level", OVERRIDE_INT, level);
}

/* XLA:CPU's defaults trade PyTorch's results for speed: min and max in reductions lose NaN, and a half-precision chain
 * skips roundings. */
static void put_exactness(proto *options) {
    put_override(options, "xla_cpu_enable_fast_min_max", OVERRIDE_BOOL, 0);
    put_override(options, "xla_allow_excess_precision", OVERRIDE_BOOL, 0);
}

static void encode_options(const pj_client *c, const pj_compile_options *o, proto *out_options) {
    int id = c->devices[o->device].id;
    proto devices = {.len = 0}, assignment = {.len = 0}, build = {.len = 0};
    put_int(&devices, DEVICES_IDS, id);
    put_int(&assignment, ASSIGNMENT_REPLICAS, 1);
    put_int(&assignment, ASSIGNMENT_COMPUTATIONS, 1);
    put_message(&assignment, ASSIGNMENT_DEVICES, &devices);
    put_int(&build, BUILD_DEVICE, -1);
    put_int(&build, BUILD_REPLICAS, 1);
    put_int(&build, BUILD_PARTITIONS, 1);
    put_message(&build, BUILD_ASSIGNMENT, &assignment);
    out_options->len = 0;
    put_optimization(out_options, &build, c->host_memory, o->optimization_level);
    if (c->host_memory) put_exactness(out_options);
    put_message(out_options, OPTIONS_BUILD, &build);
}

tp_status pj_compile_uncounted(pj_client *c, const char *stablehlo, size_t len, const pj_compile_options *options,
                               pj_executable **out_executable) {
    TP_TRY(pj_check_device(c, options->device));
    proto encoded;
    encode_options(c, options, &encoded);
    /* The field is not const because other calls write through it; Compile does not. */
    union {
        const char *in;
        char *out;
    } code = {.in = stablehlo};
    PJRT_Program program = {.struct_size = PJRT_Program_STRUCT_SIZE,
                            .code = code.out,
                            .code_size = len,
                            .format = "mlir",
                            .format_size = strlen("mlir")};
    PJRT_Client_Compile_Args args =
        PJRT_ARGS(PJRT_Client_Compile, .client = c->client, .program = &program,
                  .compile_options = (const char *)encoded.data, .compile_options_size = encoded.len);
    TP_TRY(pj_call(c->api, PJRT_Client_Compile, &args));
    *out_executable = (pj_executable *)args.executable;
    return NULL;
}

tp_status pj_compile(pj_client *c, const char *stablehlo, size_t len, const pj_compile_options *options,
                     pj_executable **out_executable) {
    TP_TRY(pj_compile_uncounted(c, stablehlo, len, options, out_executable));
    atomic_fetch_add(&compiles, 1);
    return NULL;
}

void pj_executable_destroy(const pj_client *c, pj_executable *e) {
    if (!e) return;
    tp_status_free(pj_call(c->api, PJRT_LoadedExecutable_Destroy,
                           &PJRT_ARGS(PJRT_LoadedExecutable_Destroy, .executable = pj_executable_raw(e))));
}

static tp_status serialize(pj_client *c, PJRT_Executable *e, char **out_data, size_t *out_len) {
    PJRT_Executable_Serialize_Args args = PJRT_ARGS(PJRT_Executable_Serialize, .executable = e);
    TP_TRY(pj_call(c->api, PJRT_Executable_Serialize, &args));
    *out_len = args.serialized_bytes_size;
    *out_data = malloc(*out_len ? *out_len : 1);
    if (*out_data) memcpy(*out_data, args.serialized_bytes, *out_len);
    if (args.serialized_executable_deleter) args.serialized_executable_deleter(args.serialized_executable);
    if (*out_data) return NULL;
    return TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY,
                   "host memory must hold a serialized executable of %zu bytes; too little left", *out_len);
}

tp_status pj_executable_serialize(pj_client *c, pj_executable *e, char **out_data, size_t *out_len) {
    PJRT_LoadedExecutable_GetExecutable_Args got =
        PJRT_ARGS(PJRT_LoadedExecutable_GetExecutable, .loaded_executable = pj_executable_raw(e));
    TP_TRY(pj_call(c->api, PJRT_LoadedExecutable_GetExecutable, &got));
    tp_status s = serialize(c, got.executable, out_data, out_len);
    tp_status_free(pj_call(c->api, PJRT_Executable_Destroy,
                           &PJRT_ARGS(PJRT_Executable_Destroy, .executable = got.executable)));
    return s;
}

tp_status pj_executable_deserialize(pj_client *c, const char *data, size_t len, const pj_compile_options *options,
                                    pj_executable **out_executable) {
    TP_TRY(pj_check_device(c, options->device));
    proto encoded;
    encode_options(c, options, &encoded);
    PJRT_Executable_DeserializeAndLoad_Args args =
        PJRT_ARGS(PJRT_Executable_DeserializeAndLoad, .client = c->client, .serialized_executable = data,
                  .serialized_executable_size = len,
                  .overridden_serialized_compile_options = (const char *)encoded.data,
                  .overridden_serialized_compile_options_size = encoded.len);
    TP_TRY(pj_call(c->api, PJRT_Executable_DeserializeAndLoad, &args));
    *out_executable = (pj_executable *)args.loaded_executable;
    return NULL;
}

tp_status pj_execute(pj_client *c, pj_execution *x) {
    for (int i = 0; i < x->ninputs; i++)
        if (__builtin_expect(!x->inputs[i], 0))
            return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME,
                           "every input of a program must be a buffer; input %d of %d is NULL", i, x->ninputs);
    PJRT_ExecuteOptions options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE,
                                   .non_donatable_input_indices = x->keep,
                                   .num_non_donatable_input_indices = (size_t)x->nkeep};
    /* pj_buffer is never defined: the arrays hold PJRT_Buffer pointers under another name. */
    PJRT_Buffer *const *inputs = (PJRT_Buffer *const *)(const void *)x->inputs;
    PJRT_Buffer **outputs = (PJRT_Buffer **)(void *)x->outputs;
    PJRT_Event *done = NULL;
    PJRT_LoadedExecutable_Execute_Args args =
        PJRT_ARGS(PJRT_LoadedExecutable_Execute, .executable = pj_executable_raw(x->executable), .options = &options,
                  .argument_lists = &inputs, .num_devices = 1, .num_args = (size_t)x->ninputs,
                  .output_lists = &outputs, .device_complete_events = x->want_event ? &done : NULL);
    TP_TRY(pj_call(c->api, PJRT_LoadedExecutable_Execute, &args));
    if (x->want_event) x->done = (pj_event *)done;
    return NULL;
}
