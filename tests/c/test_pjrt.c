/* core/pjrt against one plugin: test_pjrt PLUGIN.  With the fake plugin the failure paths are tested too. */
#include "check.h"

#include "pjrt/pjrt.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *plugin;
static pj_client *client;

/* The fake plugin's own functions; fake.reset is NULL with a real plugin. */
static struct {
    void (*reset)(void);
    long (*live_objects)(void), (*call_count)(void), (*faults)(void);
    const char *(*log)(void);
} fake;

/* Clients live as long as the process: the table keeps those of the failure tests reachable for leak checkers. */
static pj_client *kept[512];
static int nkept;

static const char add_text[] =
    "\"builtin.module\"() ({\n"
    "  \"func.func\"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = \"main\"}> ({\n"
    "  ^bb0(%arg0: tensor<4xf32>):\n"
    "    %0 = \"stablehlo.add\"(%arg0, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n"
    "    \"func.return\"(%0) : (tensor<4xf32>) -> ()\n"
    "  }) : () -> ()\n"
    "}) : () -> ()\n";

static const char pretty_text[] =
    "module {\n"
    "  func.func public @main(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<4xf32>) {\n"
    "    %0 = stablehlo.add %arg0, %arg0 : tensor<4xf32>\n"
    "    return %0 : tensor<4xf32>\n"
    "  }\n"
    "}\n";

static tp_type make_type(tp_dtype dtype, int rank, int64_t a, int64_t b, int64_t c) {
    return tp_type_make(dtype, rank, (int64_t[]){a, b, c});
}

static tp_type f32x4(void) { return make_type(TP_F32, 1, 4, 0, 0); }

static tp_status download(pj_client *c, pj_buffer *b, const tp_type *type, void *dst) {
    pj_event *copied = NULL;
    bool ready = false;
    TP_TRY(pj_buffer_to_host(c, b, type, dst, tp_type_bytes(type), &copied));
    tp_status s = pj_event_wait(c, copied, -1, &ready);
    pj_event_destroy(c, copied);
    return s;
}

static bool holds(pj_client *c, pj_buffer *b, float x0, float x3) {
    float host[4] = {0};
    tp_type type = f32x4();
    return CHECK_OK(download(c, b, &type, host)) && CHECK(host[0] == x0) && CHECK(host[3] == x3);
}

static tp_status run(pj_client *c, pj_executable *e, pj_buffer *input, pj_buffer **out_buffer) {
    pj_execution x = {.executable = e, .ninputs = 1, .noutputs = 1, .inputs = &input, .outputs = out_buffer};
    return pj_execute(c, &x);
}

static tp_status upload(pj_client *c, int device, pj_buffer **out_buffer) {
    tp_type type = f32x4();
    return pj_buffer_from_host(c, device, &type, (const float[]){1, 2, 3, 4}, out_buffer);
}

static tp_status compile(pj_client *c, const char *text, int device, pj_executable **out_executable) {
    pj_compile_options options = {.device = device, .optimization_level = device ? 0 : -1};
    return pj_compile(c, text, strlen(text), &options, out_executable);
}

static void test_flags(void) {
    CHECK_OK(pj_check_xla_flags(NULL));
    CHECK_OK(pj_check_xla_flags("  "));
    CHECK_OK(pj_check_xla_flags("--xla_cpu_enable_fast_math --xla_backend_optimization_level=2"));
    CHECK_OK(pj_check_xla_flags(" --xla_dump_to='/a b' \n --xla_cpu_enable_fast_math=True "));
    CHECK_FAILS(pj_check_xla_flags("--xla_no_such_flag=1"), "'--xla_no_such_flag=1'");
    CHECK_FAILS(pj_check_xla_flags("--xla_cpu_enable_fast_math=maybe"), "must be true or false");
    CHECK_FAILS(pj_check_xla_flags("--xla_backend_optimization_level=2x"), "must be an integer");
    CHECK_FAILS(pj_check_xla_flags("--xla_backend_optimization_level"), "must be an integer");
    CHECK_FAILS(pj_check_xla_flags("--xla_backend_optimization_level=99999999999"), "must be an integer");
    CHECK_FAILS(pj_check_xla_flags("-xla_cpu_enable_fast_math"), "must be a list");
    CHECK_FAILS(pj_check_xla_flags("--xla_dump_to='open"), "must be a list");
    CHECK_FAILS(pj_check_xla_flags("--xla_dump_to=x stray"), "'stray'");
    CHECK_FAILS(pj_check_xla_flags("/no/such/file"), "readable file");
    char path[] = "/tmp/test_pjrt_XXXXXX";
    int fd = mkstemp(path);
    if (!CHECK(fd >= 0)) return;
    static const char flags[] = "--xla_cpu_enable_fast_math=false\n--xla_bad\n";
    CHECK(write(fd, flags, sizeof flags - 1) == (ssize_t)sizeof flags - 1);
    CHECK_FAILS(pj_check_xla_flags(path), "'--xla_bad'");
    CHECK_FAILS(pj_client_open(path, NULL, &client), "loadable shared object");
    close(fd);
    unlink(path);
}

static void test_open_errors(void) {
    pj_client *c = NULL;
    CHECK_FAILS(pj_client_open("/no/such/plugin.so", NULL, &c), "/no/such/plugin.so");
    Dl_info where;
    void *libm = dlopen("libm.so.6", RTLD_NOW);
    if (libm && dladdr(dlsym(libm, "cos"), &where))
        CHECK_FAILS(pj_client_open(where.dli_fname, NULL, &c), "GetPjrtApi");
    if (libm) dlclose(libm);
    setenv("XLA_FLAGS", "--xla_nonsense", 1);
    CHECK_FAILS(pj_client_open(plugin, NULL, &c), "--xla_nonsense");
    unsetenv("XLA_FLAGS");
    CHECK(c == NULL);
}

/* Opens |plugin| with stderr in a file, which must stay empty. */
static void test_open(void) {
    int saved = dup(STDERR_FILENO), sink = memfd_create("stderr", 0);
    dup2(sink, STDERR_FILENO);
    setenv("FAKE_PJRT_STDERR", "chatter", 1);
    pj_open_options options = {.cpu_devices = 3};
    tp_status s = pj_client_open(plugin, &options, &client);
    unsetenv("FAKE_PJRT_STDERR");
    off_t printed = lseek(sink, 0, SEEK_END);
    fprintf(stderr, "back");
    CHECK(lseek(sink, 0, SEEK_END) == printed + 4); /* stderr was given back */
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(sink);
    CHECK(printed == 0);
    if (!CHECK_OK(s)) exit(check_result());
    CHECK(pj_client_device_count(client) == 3);
    CHECK(!strcmp(pj_client_platform(client), "cpu") && *pj_client_version(client));
    CHECK(!strcmp(pj_client_path(client), plugin));
    CHECK(pj_client_is_host_memory(client));
    CHECK(*pj_device_kind(client, 2) && !*pj_device_kind(client, 3) && !*pj_device_kind(client, -1));
    int64_t in_use = 0, limit = 0;
    pj_device_memory(client, 0, &in_use, &limit);
    CHECK(in_use >= -1 && limit >= -1);
    void *library = dlopen(plugin, RTLD_NOW | RTLD_NOLOAD);
    if (!library) return;
    *(void **)&fake.reset = dlsym(library, "fake_reset");
    *(void **)&fake.live_objects = dlsym(library, "fake_live_objects");
    *(void **)&fake.call_count = dlsym(library, "fake_call_count");
    *(void **)&fake.faults = dlsym(library, "fake_faults");
    *(void **)&fake.log = dlsym(library, "fake_log");
}

static void round_trip(const tp_type *type) {
    unsigned char sent[6 * 16], got[6 * 16 + 1];
    size_t bytes = tp_type_bytes(type);
    for (size_t i = 0; i < sizeof sent; i++) sent[i] = type->dtype == TP_BOOL ? i % 3 == 0 : (unsigned char)(i * 7 + 1);
    memset(got, 0xee, sizeof got);
    pj_buffer *b = NULL;
    if (!CHECK_OK(pj_buffer_from_host(client, 0, type, sent, &b))) return;
    CHECK_OK(download(client, b, type, got));
    CHECK(memcmp(sent, got, bytes) == 0 && got[bytes] == 0xee);
    const void *p = pj_buffer_host_pointer(client, b);
    if (bytes) CHECK(p && memcmp(p, sent, bytes) == 0);
    pj_event *e = NULL;
    if (bytes) CHECK_FAILS(pj_buffer_to_host(client, b, type, got, bytes - 1, &e), "room for");
    pj_buffer_destroy(client, b);
}

static void test_buffers(void) {
    for (int d = 1; d < TP_DTYPE_COUNT; d++) {
        tp_type types[] = {make_type((tp_dtype)d, 0, 0, 0, 0), make_type((tp_dtype)d, 1, 5, 0, 0),
                           make_type((tp_dtype)d, 2, 2, 3, 0), make_type((tp_dtype)d, 3, 3, 1, 2),
                           make_type((tp_dtype)d, 2, 0, 3, 0)};
        for (size_t i = 0; i < sizeof types / sizeof *types; i++) round_trip(&types[i]);
    }
    pj_buffer *b = NULL;
    tp_type none = make_type(TP_NO_DTYPE, 0, 0, 0, 0), some = f32x4();
    CHECK_FAILS(pj_buffer_from_host(client, 0, &none, "", &b), "must have a dtype");
    CHECK_FAILS(pj_buffer_from_host(client, 0, &some, NULL, &b), "must have data");
    CHECK_FAILS(pj_buffer_from_host(client, 3, &some, "", &b), "from 0 to 2; got 3");
    CHECK_FAILS(pj_buffer_from_host(client, -1, &some, "", &b), "got -1");
    CHECK(b == NULL);
    pj_buffer_destroy(client, NULL);
}

static void test_compile_errors(void) {
    static const char *const bad[] = {"", "garbage",
                                      "module { func.func public @other(%arg0: tensor<4xf32>) -> (tensor<4xf32>) { "
                                      "return %arg0 : tensor<4xf32> } }"};
    int64_t before = pj_compile_count();
    pj_executable *e = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_FAILS(compile(client, bad[i], 0, &e), "PJRT_Client_Compile");
    CHECK_FAILS(compile(client, add_text, 3, &e), "device number");
    CHECK(pj_compile_count() == before && !e);
    pj_executable_destroy(client, NULL);
}

static void test_execute(void) {
    pj_executable *e = NULL;
    pj_buffer *in = NULL, *out = NULL, *null = NULL;
    int64_t before = pj_compile_count();
    if (!CHECK_OK(compile(client, add_text, 0, &e))) return;
    CHECK(pj_compile_count() == before + 1);
    CHECK_OK(upload(client, 0, &in));
    CHECK_OK(run(client, e, in, &out));
    holds(client, out, 2, 8);
    holds(client, in, 1, 4);
    pj_buffer_destroy(client, out);
    CHECK_FAILS(run(client, e, null, &out), "input 0 of 1 is NULL");
    pj_execution x = {.executable = e, .noutputs = 1, .outputs = &out};
    CHECK_FAILS(pj_execute(client, &x), "PJRT_LoadedExecutable_Execute");

    x.ninputs = 1;
    x.inputs = &in;
    x.want_event = true;
    bool ready = false;
    CHECK_OK(pj_execute(client, &x));
    CHECK_OK(pj_event_wait(client, x.done, -1, &ready));
    CHECK(ready && pj_event_is_ready(client, x.done));
    CHECK_OK(pj_event_error(client, x.done));
    const float *p = pj_buffer_host_pointer(client, out);
    CHECK(p && p[0] == 2 && p[3] == 8);
    pj_event_destroy(client, x.done);
    pj_event_destroy(client, NULL);
    pj_buffer_destroy(client, out);
    pj_buffer_destroy(client, in);
    pj_executable_destroy(client, e);
}

static void test_donation(void) {
    CHECK(pj_client_donation_works(client));
    CHECK(pj_client_donation_works(client));
    pj_executable *e = NULL;
    pj_buffer *in = NULL, *out = NULL, *again = NULL;
    if (!CHECK_OK(compile(client, pretty_text, 0, &e))) return;
    CHECK_OK(upload(client, 0, &in));
    pj_execution x = {.executable = e, .ninputs = 1, .noutputs = 1, .inputs = &in, .outputs = &out};
    x.keep = (int64_t[]){0};
    x.nkeep = 1;
    CHECK_OK(pj_execute(client, &x)); /* kept: the input stays as it was */
    holds(client, out, 2, 8);
    holds(client, in, 1, 4);
    CHECK(pj_buffer_host_pointer(client, in) != pj_buffer_host_pointer(client, out));
    pj_buffer_destroy(client, out);
    const void *was = pj_buffer_host_pointer(client, in);
    x.nkeep = 0;
    CHECK_OK(pj_execute(client, &x)); /* donated: the output has its memory */
    holds(client, out, 2, 8);
    CHECK(pj_buffer_host_pointer(client, out) == was);
    CHECK(pj_buffer_host_pointer(client, in) == NULL);
    CHECK_FAILS(run(client, e, in, &again), "PJRT_LoadedExecutable_Execute");
    pj_buffer_destroy(client, out);
    pj_buffer_destroy(client, in);
    pj_executable_destroy(client, e);
}

static void test_devices(void) {
    pj_executable *e = NULL, *loaded = NULL;
    pj_buffer *in = NULL, *there = NULL, *out = NULL;
    char *data = NULL;
    size_t len = 0;
    if (!CHECK_OK(compile(client, add_text, 0, &e))) return;
    CHECK_OK(pj_executable_serialize(client, e, &data, &len));
    pj_executable_destroy(client, e);
    pj_compile_options options = {.device = 2, .optimization_level = -1};
    CHECK_OK(pj_executable_deserialize(client, data, len, &options, &loaded)); /* saved for 0, loaded for 2 */
    free(data);
    CHECK_OK(compile(client, add_text, 2, &e));
    CHECK_OK(upload(client, 0, &in));
    CHECK_FAILS(run(client, e, in, &out), "device"); /* compiled for 2, given a buffer of 0 */
    CHECK_OK(pj_buffer_copy_to_device(client, in, 2, &there));
    CHECK_FAILS(pj_buffer_copy_to_device(client, in, 7, &out), "got 7");
    CHECK_OK(run(client, e, there, &out));
    holds(client, out, 2, 8);
    pj_buffer_destroy(client, out);
    CHECK_OK(run(client, loaded, there, &out));
    holds(client, out, 2, 8);
    pj_buffer_destroy(client, out);
    pj_buffer_destroy(client, there);
    pj_buffer_destroy(client, in);
    pj_executable_destroy(client, loaded);
    pj_executable_destroy(client, e);
}

static void heard(tp_status error, void *arg) {
    atomic_fetch_add((atomic_int *)arg, error ? 100 : 1);
    tp_status_free(error);
}

static void test_events(void) {
    atomic_int count = 0;
    pj_executable *e = NULL;
    pj_buffer *in = NULL, *out = NULL;
    pj_event *ready_event = NULL;
    bool ready = false;
    if (!CHECK_OK(compile(client, add_text, 0, &e))) return;
    CHECK_OK(upload(client, 0, &in));
    CHECK_OK(run(client, e, in, &out));
    CHECK_OK(pj_buffer_ready_event(client, out, &ready_event));
    CHECK_OK(pj_event_on_ready(client, ready_event, heard, &count));
    CHECK_OK(pj_event_wait(client, ready_event, 10000, &ready));
    CHECK(ready);
    for (int i = 0; i < 1000 && !atomic_load(&count); i++) usleep(1000);
    CHECK(atomic_load(&count) == 1);
    pj_event_destroy(client, ready_event);
    pj_buffer_destroy(client, out);
    pj_buffer_destroy(client, in);
    pj_executable_destroy(client, e);
}

/* ---- with the fake plugin only */

static void set_fake(const char *name, const char *value) {
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
    fake.reset();
}

static void test_refused_plugins(void) {
    static const struct {
        const char *name, *value, *expected;
    } cases[] = {
        {"FAKE_PJRT_MINOR", "30", "has 0.30"},
        {"FAKE_PJRT_MAJOR", "1", "has 1."},
        {"FAKE_PJRT_OMIT", "PJRT_Error_GetCode", "PJRT_Error"},
        {"FAKE_PJRT_OMIT", "PJRT_Client_Create", "must offer PJRT_Client_Create"},
        {"FAKE_PJRT_DEVICES", "2", "must offer 3 devices here; it has 2"},
        {"FAKE_PJRT_DEVICES", "0", "it has 0"},
        {"FAKE_PJRT_FAIL_AT", "1", "The plugin printed:\nwhy it failed"},
    };
    pj_open_options options = {.cpu_devices = 3};
    setenv("FAKE_PJRT_STDERR", "why it failed", 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pj_client *c = NULL;
        setenv(cases[i].name, cases[i].value, 1);
        bool late = !strcmp(cases[i].name, "FAKE_PJRT_FAIL_AT"); /* the first call fails before it prints */
        if (late) set_fake("FAKE_PJRT_FAIL_AT", "2");
        CHECK_FAILS(pj_client_open(plugin, &options, &c), cases[i].expected);
        CHECK(!c);
        set_fake(cases[i].name, NULL);
    }
    setenv("FAKE_PJRT_PLATFORM", "tpu", 1); /* refuses cpu_device_count: opened without it */
    if (CHECK_OK(pj_client_open(plugin, &options, &kept[nkept]))) {
        CHECK(pj_client_device_count(kept[nkept]) == 4 && !pj_client_is_host_memory(kept[nkept]));
        pj_buffer *b = NULL;
        CHECK_OK(upload(kept[nkept], 0, &b));
        CHECK(!pj_buffer_host_pointer(kept[nkept], b));
        pj_buffer_destroy(kept[nkept], b);
        nkept++;
    }
    unsetenv("FAKE_PJRT_STDERR");
    set_fake("FAKE_PJRT_PLATFORM", NULL);
}

static void test_late_events(void) {
    atomic_int count = 0;
    pj_executable *e = NULL;
    pj_buffer *in = NULL, *out = NULL;
    pj_event *late = NULL;
    bool ready = true;
    if (!CHECK_OK(compile(client, add_text, 0, &e))) return;
    CHECK_OK(upload(client, 0, &in));
    set_fake("FAKE_PJRT_DELAY_MS", "60");
    CHECK_OK(run(client, e, in, &out));
    pj_buffer_destroy(client, in); /* its memory lives on in the run */
    CHECK_OK(pj_buffer_ready_event(client, out, &late));
    CHECK(!pj_event_is_ready(client, late));
    CHECK_OK(pj_event_error(client, late)); /* not asked of the plugin yet */
    CHECK_OK(pj_event_on_ready(client, late, heard, &count));
    CHECK_OK(pj_event_wait(client, late, 0, &ready));
    CHECK(!ready);
    CHECK_OK(pj_event_wait(client, late, 2, &ready)); /* gives up; its callback comes later and frees its own */
    CHECK(!ready && atomic_load(&count) == 0);
    CHECK_OK(pj_event_wait(client, late, 5000, &ready));
    CHECK(ready);
    holds(client, out, 2, 8);
    CHECK(atomic_load(&count) == 1);
    pj_event_destroy(client, late);
    pj_buffer_destroy(client, out);
    pj_executable_destroy(client, e);
    set_fake("FAKE_PJRT_DELAY_MS", NULL);
    CHECK(fake.faults() == 0);
}

static void test_failed_run(const char *delay) {
    atomic_int count = 0;
    pj_executable *e = NULL;
    pj_buffer *in = NULL, *out = NULL, *next = NULL;
    float host[4];
    tp_type type = f32x4();
    bool ready = false;
    if (!CHECK_OK(compile(client, add_text, 0, &e))) return;
    CHECK_OK(upload(client, 0, &in));
    setenv("FAKE_PJRT_FAIL_RUN", "1", 1);
    set_fake("FAKE_PJRT_DELAY_MS", delay);
    pj_execution x = {.executable = e, .ninputs = 1, .noutputs = 1, .inputs = &in, .outputs = &out, .want_event = true};
    CHECK_OK(pj_execute(client, &x));
    CHECK_OK(run(client, e, out, &next)); /* what depends on it fails with it */
    CHECK_OK(pj_event_on_ready(client, x.done, heard, &count));
    CHECK_FAILS(pj_event_wait(client, x.done, 5000, &ready), "injected failure of a run");
    CHECK(ready);
    CHECK_FAILS(pj_event_error(client, x.done), "injected failure of a run");
    CHECK_FAILS(download(client, next, &type, host), "injected failure of a run");
    CHECK(atomic_load(&count) == 100);
    pj_event_destroy(client, x.done);
    pj_buffer_destroy(client, next);
    pj_buffer_destroy(client, out);
    pj_buffer_destroy(client, in);
    pj_executable_destroy(client, e);
    unsetenv("FAKE_PJRT_FAIL_RUN");
    set_fake("FAKE_PJRT_DELAY_MS", NULL);
}

static void test_absent_entry(void) {
    set_fake("FAKE_PJRT_OMIT", "PJRT_Buffer_CopyToDevice");
    pj_buffer *in = NULL, *out = NULL;
    CHECK_OK(upload(client, 0, &in));
    tp_status s = pj_buffer_copy_to_device(client, in, 1, &out);
    CHECK(tp_status_code(s) == TP_UNIMPLEMENTED);
    CHECK_FAILS(s, "must offer PJRT_Buffer_CopyToDevice");
    pj_buffer_destroy(client, in);
    set_fake("FAKE_PJRT_OMIT", NULL);
}

static tp_status use_everything(pj_client *c, pj_executable **e, pj_buffer **buffers, pj_event **done) {
    char *data = NULL;
    size_t len = 0;
    bool ready;
    float host[4];
    tp_type type = f32x4();
    pj_compile_options options = {.device = 0, .optimization_level = -1};
    TP_TRY(compile(c, add_text, 0, &e[0]));
    TP_TRY(pj_executable_serialize(c, e[0], &data, &len));
    tp_status s = pj_executable_deserialize(c, data, len, &options, &e[1]);
    free(data);
    TP_TRY(s);
    TP_TRY(upload(c, 0, &buffers[0]));
    pj_execution x = {.executable = e[1], .ninputs = 1, .noutputs = 1, .inputs = &buffers[0], .outputs = &buffers[1]};
    x.want_event = true;
    TP_TRY(pj_execute(c, &x));
    *done = x.done;
    TP_TRY(pj_event_wait(c, x.done, 1000, &ready));
    TP_TRY(pj_buffer_copy_to_device(c, buffers[1], 1, &buffers[2]));
    return download(c, buffers[2], &type, host);
}

/* Opens a client and uses it; everything made is destroyed whatever fails. */
static tp_status whole_life(void) {
    pj_open_options options = {.cpu_devices = 2};
    pj_client *c = NULL;
    TP_TRY(pj_client_open(plugin, &options, &c));
    if (nkept < (int)(sizeof kept / sizeof *kept)) kept[nkept++] = c;
    pj_executable *e[2] = {0};
    pj_buffer *buffers[3] = {0};
    pj_event *done = NULL;
    (void)pj_client_donation_works(c);
    tp_status s = use_everything(c, e, buffers, &done);
    pj_event_destroy(c, done);
    for (int i = 0; i < 3; i++) pj_buffer_destroy(c, buffers[i]);
    for (int i = 0; i < 2; i++) pj_executable_destroy(c, e[i]);
    return s;
}

static void test_every_failure(void) {
    fake.reset();
    CHECK_OK(whole_life());
    long total = fake.call_count(), failed = 0;
    CHECK(fake.live_objects() == 0);
    for (long n = 1; n <= total; n++) {
        char text[24];
        snprintf(text, sizeof text, "%ld", n);
        setenv("FAKE_PJRT_FAIL_CODE", n % 2 ? "8" : "13", 1);
        set_fake("FAKE_PJRT_FAIL_AT", text);
        tp_status s = whole_life();
        if (s) CHECK(strstr(tp_status_message(s), "injected failure of"));
        if (s) CHECK((tp_status_kind(s) == TP_OUT_OF_MEMORY) == (n % 2 == 1));
        failed += s != NULL;
        tp_status_free(s);
        if (!CHECK(fake.live_objects() == 0) || !CHECK(fake.faults() == 0))
            fprintf(stderr, "at call %ld\n%s", n, fake.log());
    }
    unsetenv("FAKE_PJRT_FAIL_CODE");
    set_fake("FAKE_PJRT_FAIL_AT", NULL);
    CHECK(failed > 15);
}

/* Many threads with late completions at once: for ThreadSanitizer. */
static void *hammer(void *arg) {
    pj_executable *e = arg;
    for (int i = 0; i < 40; i++) {
        pj_buffer *in = NULL, *out = NULL;
        pj_event *ready_event = NULL;
        bool ready = false;
        tp_status_free(upload(client, 0, &in));
        tp_status_free(run(client, e, in, &out));
        pj_buffer_destroy(client, in);
        tp_status_free(pj_buffer_ready_event(client, out, &ready_event));
        while (!ready) tp_status_free(pj_event_wait(client, ready_event, 1, &ready));
        const float *p = pj_buffer_host_pointer(client, out);
        if (!p || p[3] != 8) return arg;
        pj_event_destroy(client, ready_event);
        pj_buffer_destroy(client, out);
    }
    return NULL;
}

static void test_threads(void) {
    pj_executable *e = NULL;
    if (!CHECK_OK(compile(client, add_text, 0, &e))) return;
    if (fake.reset) set_fake("FAKE_PJRT_DELAY_MS", "3");
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) CHECK(!pthread_create(&threads[i], NULL, hammer, e));
    for (int i = 0; i < 4; i++) {
        void *bad = NULL;
        pthread_join(threads[i], &bad);
        CHECK(!bad);
    }
    if (fake.reset) set_fake("FAKE_PJRT_DELAY_MS", NULL);
    pj_executable_destroy(client, e);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s PLUGIN\n", argv[0]);
        return 2;
    }
    plugin = argv[1];
    unsetenv("XLA_FLAGS");
    test_flags();
    test_open_errors();
    test_open();
    test_buffers();
    test_compile_errors();
    test_execute();
    test_donation();
    test_devices();
    test_events();
    test_threads();
    if (!fake.reset) return check_result();
    test_refused_plugins();
    test_late_events();
    test_failed_run(NULL);
    test_failed_run("5");
    test_absent_entry();
    test_every_failure();
    CHECK(fake.faults() == 0 && fake.live_objects() == 0);
    return check_result();
}
