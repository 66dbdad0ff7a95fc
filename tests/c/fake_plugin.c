/* A PJRT plugin without XLA, for tests of everything above the plugin.
 *
 * It runs no program: it reads the argument and result types of `main` (generic or pretty form) and makes outputs of
 * the right sizes, filled with FAKE_PJRT_FILL; only `add(arg0, arg0)` and `multiply(arg0, arg0)` of f32 are computed.
 * tf.aliasing_output is honoured: unless it is on the keep list the input becomes deleted and the output is its memory.
 *
 * Environment, read by GetPjrtApi and by fake_reset():
 *   FAKE_PJRT_MAJOR, FAKE_PJRT_MINOR   the API version it claims
 *   FAKE_PJRT_OMIT        name of one entry point to leave out, e.g. PJRT_Buffer_CopyToDevice
 *   FAKE_PJRT_PLATFORM    platform name; default "cpu"
 *   FAKE_PJRT_DEVICES     number of devices whatever the client asks for
 *   FAKE_PJRT_FILL        byte that outputs are filled with; default 0
 *   FAKE_PJRT_DELAY_MS    executions and downloads complete that much later, in order, on a thread of the plugin
 *   FAKE_PJRT_FAIL_AT     the Nth (from 1) call that can return an error does
 *   FAKE_PJRT_FAIL_CODE   its code; default 13
 *   FAKE_PJRT_FAIL_RUN    the Nth execution is accepted and then completes with an error
 *   FAKE_PJRT_STDERR      text printed on stderr while initializing and while creating a client
 *
 * Built from this file and fake_program.c as one shared object.
 *
 * Destroyed objects are kept as tombstones, so that a second destroy or a use after it is seen for what it is. */
#include "fake_program.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PUBLIC __attribute__((visibility("default")))

const PJRT_Api *GetPjrtApi(void);
long fake_live_objects(void);     /* errors, events, buffers, executables not destroyed; the client is not counted */
long fake_call_count(void);       /* calls that can return an error, since the last reset */
long fake_faults(void);           /* misuses seen: bad struct_size, use after destroy, second destroy, NULL input */
void fake_reset(void);            /* zeroes counters and the log, reads the environment again */
const char *fake_log(void);       /* names of the calls, one a line, and "fault: ..." lines; good until the next call */

/* Device numbers do not begin at 0, so that a number and an index mixed up show. */
enum { MAX_DEVICES = 64, LOG_BYTES = 1 << 20, ID_BASE = 100 };

typedef enum { ALIVE = 0x600d, DEAD = 0xdead } life;

/* Every PJRT object starts with one of these. */
typedef struct object {
    life life;
    bool counted;
    struct object *buried; /* tombstones, chained so that leak checkers see them */
} object;

typedef struct storage {
    int refs;
    unsigned char *data;
} storage;

typedef struct listener {
    struct listener *next;
    PJRT_Event_OnReadyCallback callback;
    void *arg;
} listener;

/* The one completion that an execution's events and output buffers share. */
typedef struct promise {
    int refs;
    bool ready;
    const char *error; /* NULL: none; static text */
    listener *listeners;
} promise;

struct PJRT_Error {
    object o;
    PJRT_Error_Code code;
    char message[256];
};
struct PJRT_Event {
    object o;
    promise *p;
};
struct PJRT_DeviceDescription {
    int id;
};
struct PJRT_Device {
    struct PJRT_DeviceDescription about;
};
struct PJRT_Client {
    object o;
    struct PJRT_Device devices[MAX_DEVICES];
    PJRT_Device *list[MAX_DEVICES];
    size_t ndevices;
};
struct PJRT_Buffer {
    object o;
    fake_type t;
    int device;
    bool deleted;
    storage *s;
    promise *ready;
    int64_t minor_to_major[FAKE_DIMS];
};
struct PJRT_LoadedExecutable {
    object o;
    fake_program *p;
};
struct PJRT_Executable {
    object o;
    fake_program *p;
};
struct PJRT_SerializedExecutable {
    object o;
    char *data;
};

/* Work that completes later. */
typedef struct job {
    struct job *next;
    struct timespec due;
    promise *done;
    fake_program *p; /* an execution, else a download */
    size_t ninputs, noutputs;
    storage *inputs[FAKE_VALUES], *outputs[FAKE_VALUES];
    promise *before[FAKE_VALUES];
    const char *error;
    void *dst;
    size_t bytes;
} job;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct {
    int delay_ms, fill, devices, fail_code;
    long fail_at, fail_run;
    char platform[64], omit[96], noise[256];
} set;
static struct {
    long live, calls, faults, runs;
    size_t log_len;
    char log[LOG_BYTES];
} seen;
static object *tombstones;
static job *queue;
static bool worker_started;

static void note(const char *what, const char *name) {
    size_t left = LOG_BYTES - seen.log_len;
    int n = snprintf(seen.log + seen.log_len, left, "%s%s\n", what, name);
    if (n > 0 && (size_t)n < left) seen.log_len += (size_t)n;
}

static void fault(const char *what) { /* with the lock */
    seen.faults++;
    note("fault: ", what);
}

static void *made(void *p, bool counted) { /* with the lock */
    object *o = p;
    if (!o) abort();
    o->life = ALIVE;
    o->counted = counted;
    seen.live += counted;
    return o;
}

/* With the lock.  False, and a fault, if |p| is dead already. */
static bool bury(void *p, const char *what) {
    object *o = p;
    if (o->life != ALIVE) {
        fault(what);
        return false;
    }
    o->life = DEAD;
    seen.live -= o->counted;
    o->buried = tombstones;
    tombstones = o;
    return true;
}

static PJRT_Error *fail(PJRT_Error_Code code, const char *message) { /* with the lock */
    PJRT_Error *e = made(calloc(1, sizeof *e), true);
    e->code = code;
    snprintf(e->message, sizeof e->message, "%s", message);
    return e;
}

/* Takes the lock; the caller gives it up with leave().  An error means that the call must do nothing. */
static PJRT_Error *enter(const char *name, size_t size, size_t wanted) {
    pthread_mutex_lock(&lock);
    note("", name);
    if (size < wanted) {
        fault(name);
        return fail(PJRT_Error_Code_INVALID_ARGUMENT, "unexpected struct_size");
    }
    if (++seen.calls != set.fail_at) return NULL;
    char text[128];
    snprintf(text, sizeof text, "injected failure of %s", name);
    return fail((PJRT_Error_Code)set.fail_code, text);
}

static PJRT_Error *leave(PJRT_Error *e) {
    pthread_mutex_unlock(&lock);
    return e;
}

#define ENTER(fn)                                                                              \
    do {                                                                                       \
        PJRT_Error *entry_error_ = enter("PJRT_" #fn, args->struct_size, PJRT_##fn##_Args_STRUCT_SIZE); \
        if (entry_error_) return leave(entry_error_);                                          \
    } while (0)

static bool use(const void *p, const char *what) { /* with the lock */
    if (p && ((const object *)p)->life == ALIVE) return true;
    fault(what);
    return false;
}

#define USE(p)                                                                                     \
    do {                                                                                           \
        if (!use((p), #p " is NULL or destroyed"))                                                 \
            return leave(fail(PJRT_Error_Code_INVALID_ARGUMENT, #p " is NULL or destroyed"));      \
    } while (0)

/* ---- reference-counted insides; all with the lock */

static storage *storage_create(size_t bytes) {
    storage *s = calloc(1, sizeof *s);
    if (!s) abort();
    s->refs = 1;
    s->data = aligned_alloc(64, (bytes + 64) & ~(size_t)63);
    if (!s->data) abort();
    return s;
}

static void storage_release(storage *s) {
    if (!s || --s->refs) return;
    free(s->data);
    free(s);
}

static promise *promise_create(bool ready) {
    promise *p = calloc(1, sizeof *p);
    if (!p) abort();
    p->refs = 1;
    p->ready = ready;
    return p;
}

static promise *promise_retain(promise *p) {
    p->refs++;
    return p;
}

static void promise_release(promise *p) {
    if (!p || --p->refs) return;
    free(p);
}

static void program_release(fake_program *p) {
    if (!p || --p->refs) return;
    free(p->text);
    free(p);
}

static PJRT_Error *promise_error(const promise *p) {
    return p->error ? fail(PJRT_Error_Code_INTERNAL, p->error) : NULL;
}

/* Gives the lock up around the callbacks: they may call back into the plugin. */
static void promise_complete(promise *p, const char *error) {
    p->ready = true;
    p->error = error;
    pthread_cond_broadcast(&changed);
    while (p->listeners) {
        listener *l = p->listeners;
        p->listeners = l->next;
        PJRT_Error *e = promise_error(p);
        pthread_mutex_unlock(&lock);
        l->callback(e, l->arg);
        pthread_mutex_lock(&lock);
        free(l);
    }
}

static PJRT_Event *event_create(promise *p) {
    PJRT_Event *e = made(calloc(1, sizeof *e), true);
    e->p = promise_retain(p);
    return e;
}

static PJRT_Buffer *buffer_create(const fake_type *t, int device, storage *s, promise *ready) {
    PJRT_Buffer *b = made(calloc(1, sizeof *b), true);
    b->t = *t;
    b->device = device;
    b->s = s;
    b->ready = promise_retain(ready);
    for (size_t i = 0; i < t->rank; i++) b->minor_to_major[i] = (int64_t)(t->rank - 1 - i);
    return b;
}

/* ---- jobs */

static void compute(const job *j) {
    for (size_t k = 0; k < j->noutputs; k++) {
        unsigned char *out = j->outputs[k]->data;
        size_t bytes = j->p->outputs[k].bytes;
        if (!j->p->op) memset(out, set.fill, bytes);
        for (size_t i = 0; j->p->op && i < bytes / sizeof(float); i++) {
            float v;
            memcpy(&v, j->inputs[0]->data + i * sizeof v, sizeof v);
            v = j->p->op == '+' ? v + v : v * v;
            memcpy(out + i * sizeof v, &v, sizeof v);
        }
    }
}

static void finish(job *j) { /* with the lock */
    for (size_t i = 0; i < j->ninputs && !j->error; i++) j->error = j->before[i]->error;
    if (!j->error && j->p) compute(j);
    if (!j->error && !j->p) memcpy(j->dst, j->inputs[0]->data, j->bytes);
    promise_complete(j->done, j->error);
    for (size_t i = 0; i < j->ninputs; i++) {
        storage_release(j->inputs[i]);
        promise_release(j->before[i]);
    }
    for (size_t i = 0; i < j->noutputs; i++) storage_release(j->outputs[i]);
    promise_release(j->done);
    program_release(j->p);
    free(j);
}

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!queue) pthread_cond_wait(&changed, &lock);
        job *j = queue;
        pthread_mutex_unlock(&lock);
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &j->due, NULL);
        pthread_mutex_lock(&lock);
        queue = j->next;
        finish(j);
    }
    return unused;
}

static void submit(job *j) { /* with the lock */
    if (!set.delay_ms && !queue) {
        finish(j);
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &j->due);
    j->due.tv_sec += set.delay_ms / 1000;
    j->due.tv_nsec += (set.delay_ms % 1000) * 1000000L;
    if (j->due.tv_nsec >= 1000000000L) {
        j->due.tv_sec++;
        j->due.tv_nsec -= 1000000000L;
    }
    job **tail = &queue;
    while (*tail) tail = &(*tail)->next;
    *tail = j;
    pthread_t thread;
    if (!worker_started && !pthread_create(&thread, NULL, work, NULL)) {
        pthread_detach(thread);
        worker_started = true;
    }
    pthread_cond_broadcast(&changed);
}

static job *job_create(promise *done) {
    job *j = calloc(1, sizeof *j);
    if (!j) abort();
    j->done = promise_retain(done);
    return j;
}

static void job_reads(job *j, PJRT_Buffer *b) {
    j->inputs[j->ninputs] = b->s;
    b->s->refs++;
    j->before[j->ninputs++] = promise_retain(b->ready);
}

/* ---- entry points */

static void Error_Destroy(PJRT_Error_Destroy_Args *args) {
    pthread_mutex_lock(&lock);
    if (args->error) bury(args->error, "an error destroyed twice");
    pthread_mutex_unlock(&lock);
}

static void Error_Message(PJRT_Error_Message_Args *args) {
    args->message = args->error->message;
    args->message_size = strlen(args->error->message);
}

static PJRT_Error *Error_GetCode(PJRT_Error_GetCode_Args *args) {
    args->code = args->error->code;
    return NULL;
}

static PJRT_Error *Plugin_Initialize(PJRT_Plugin_Initialize_Args *args) {
    ENTER(Plugin_Initialize);
    if (*set.noise) fprintf(stderr, "%s\n", set.noise);
    return leave(NULL);
}

/* A destroy that is made to fail still destroys: a leak would be the plugin's, not its user's. */
#define DESTROY_ENTRY(fn, field, ...)                                                                            \
    static PJRT_Error *fn(PJRT_##fn##_Args *args) {                                                              \
        PJRT_Error *injected = enter("PJRT_" #fn, args->struct_size, PJRT_##fn##_Args_STRUCT_SIZE);              \
        if (args->field && bury(args->field, #field " destroyed twice")) {                                       \
            __VA_ARGS__;                                                                                         \
        }                                                                                                        \
        return leave(injected);                                                                                  \
    }
DESTROY_ENTRY(Event_Destroy, event, promise_release(args->event->p))
DESTROY_ENTRY(Buffer_Destroy, buffer, storage_release(args->buffer->s), promise_release(args->buffer->ready))
DESTROY_ENTRY(LoadedExecutable_Destroy, executable, program_release(args->executable->p))
DESTROY_ENTRY(Executable_Destroy, executable, program_release(args->executable->p))
DESTROY_ENTRY(Client_Destroy, client, (void)0)

static PJRT_Error *Event_IsReady(PJRT_Event_IsReady_Args *args) {
    ENTER(Event_IsReady);
    USE(args->event);
    args->is_ready = args->event->p->ready;
    return leave(NULL);
}

static PJRT_Error *Event_Error(PJRT_Event_Error_Args *args) {
    ENTER(Event_Error);
    USE(args->event);
    if (!args->event->p->ready) fault("Event_Error on an event that is not ready");
    return leave(promise_error(args->event->p));
}

static PJRT_Error *Event_Await(PJRT_Event_Await_Args *args) {
    ENTER(Event_Await);
    USE(args->event);
    promise *p = promise_retain(args->event->p);
    while (!p->ready) pthread_cond_wait(&changed, &lock);
    PJRT_Error *e = promise_error(p);
    promise_release(p);
    return leave(e);
}

static PJRT_Error *Event_OnReady(PJRT_Event_OnReady_Args *args) {
    ENTER(Event_OnReady);
    USE(args->event);
    promise *p = args->event->p;
    if (p->ready) {
        PJRT_Error *e = promise_error(p);
        leave(NULL);
        args->callback(e, args->user_arg);
        return NULL;
    }
    listener *l = calloc(1, sizeof *l);
    if (!l) abort();
    *l = (listener){NULL, args->callback, args->user_arg};
    listener **tail = &p->listeners;
    while (*tail) tail = &(*tail)->next;
    *tail = l;
    return leave(NULL);
}

static PJRT_Error *Client_Create(PJRT_Client_Create_Args *args) {
    ENTER(Client_Create);
    if (*set.noise) fprintf(stderr, "%s\n", set.noise);
    int64_t n = 4; /* as XLA:CPU does when nothing is asked of it */
    for (size_t i = 0; i < args->num_options; i++) {
        const PJRT_NamedValue *v = &args->create_options[i];
        if (v->name_size != strlen("cpu_device_count") || strncmp(v->name, "cpu_device_count", v->name_size) ||
            v->type != PJRT_NamedValue_kInt64 || strcmp(set.platform, "cpu"))
            return leave(fail(PJRT_Error_Code_INVALID_ARGUMENT, "unexpected create option"));
        n = v->int64_value;
    }
    if (set.devices >= 0) n = set.devices;
    PJRT_Client *c = made(calloc(1, sizeof *c), false);
    c->ndevices = n < 0 ? 0 : n > MAX_DEVICES ? MAX_DEVICES : (size_t)n;
    for (size_t i = 0; i < c->ndevices; i++) {
        c->devices[i].about.id = (int)i + ID_BASE;
        c->list[i] = &c->devices[i];
    }
    args->client = c;
    return leave(NULL);
}

#define TEXT_ENTRY(fn, field, text)                          \
    static PJRT_Error *fn(PJRT_##fn##_Args *args) {          \
        ENTER(fn);                                           \
        args->field = (text);                                \
        args->field##_size = strlen(args->field);            \
        return leave(NULL);                                  \
    }
TEXT_ENTRY(Client_PlatformName, platform_name, set.platform)
TEXT_ENTRY(Client_PlatformVersion, platform_version, "fake 1")
TEXT_ENTRY(DeviceDescription_Kind, device_kind, "fake device")

static PJRT_Error *Client_AddressableDevices(PJRT_Client_AddressableDevices_Args *args) {
    ENTER(Client_AddressableDevices);
    USE(args->client);
    args->addressable_devices = args->client->list;
    args->num_addressable_devices = args->client->ndevices;
    return leave(NULL);
}

static PJRT_Error *Device_GetDescription(PJRT_Device_GetDescription_Args *args) {
    ENTER(Device_GetDescription);
    args->device_description = &args->device->about;
    return leave(NULL);
}

static PJRT_Error *DeviceDescription_Id(PJRT_DeviceDescription_Id_Args *args) {
    ENTER(DeviceDescription_Id);
    args->id = args->device_description->id;
    return leave(NULL);
}

static PJRT_Error *Client_BufferFromHostBuffer(PJRT_Client_BufferFromHostBuffer_Args *args) {
    ENTER(Client_BufferFromHostBuffer);
    USE(args->client);
    fake_type t = {.element = args->type, .rank = args->num_dims, .bytes = fake_element_bytes(args->type)};
    if (!t.bytes || t.rank > FAKE_DIMS || args->num_byte_strides || args->device_layout || !args->device)
        return leave(fail(PJRT_Error_Code_INVALID_ARGUMENT, "unexpected upload"));
    for (size_t i = 0; i < t.rank; i++) {
        t.dims[i] = args->dims[i];
        t.bytes *= (size_t)t.dims[i];
    }
    storage *s = storage_create(t.bytes);
    memcpy(s->data, args->data, t.bytes);
    promise *p = promise_create(true);
    args->buffer = buffer_create(&t, args->device->about.id, s, p);
    args->done_with_host_buffer = event_create(p);
    promise_release(p);
    return leave(NULL);
}

static PJRT_Error *deleted_error(const PJRT_Buffer *b) {
    return b->deleted ? fail(PJRT_Error_Code_INVALID_ARGUMENT, "Buffer has been deleted or donated.") : NULL;
}

static PJRT_Error *Buffer_ReadyEvent(PJRT_Buffer_ReadyEvent_Args *args) {
    ENTER(Buffer_ReadyEvent);
    USE(args->buffer);
    args->event = event_create(args->buffer->ready);
    return leave(NULL);
}

static PJRT_Error *Buffer_GetMemoryLayout(PJRT_Buffer_GetMemoryLayout_Args *args) {
    ENTER(Buffer_GetMemoryLayout);
    USE(args->buffer);
    args->layout = (PJRT_Buffer_MemoryLayout){
        .struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE,
        .tiled = {.struct_size = PJRT_Buffer_MemoryLayout_Tiled_STRUCT_SIZE,
                  .minor_to_major = args->buffer->minor_to_major,
                  .minor_to_major_size = args->buffer->t.rank},
        .type = PJRT_Buffer_MemoryLayout_Type_Tiled,
    };
    return leave(NULL);
}

static PJRT_Error *Buffer_UnsafePointer(PJRT_Buffer_UnsafePointer_Args *args) {
    ENTER(Buffer_UnsafePointer);
    USE(args->buffer);
    args->buffer_pointer = (uintptr_t)args->buffer->s->data;
    return leave(deleted_error(args->buffer));
}

static PJRT_Error *Buffer_ToHostBuffer(PJRT_Buffer_ToHostBuffer_Args *args) {
    ENTER(Buffer_ToHostBuffer);
    USE(args->src);
    PJRT_Error *e = deleted_error(args->src);
    if (!e && args->dst_size < args->src->t.bytes) e = fail(PJRT_Error_Code_INVALID_ARGUMENT, "dst is too small");
    if (!e && args->src->t.rank > 1 && !args->host_layout)
        e = fail(PJRT_Error_Code_INVALID_ARGUMENT, "a download must say which layout it wants");
    if (e) return leave(e);
    promise *done = promise_create(false);
    args->event = event_create(done);
    job *j = job_create(done);
    job_reads(j, args->src);
    j->dst = args->dst;
    j->bytes = args->src->t.bytes;
    promise_release(done);
    submit(j);
    return leave(NULL);
}

static PJRT_Error *Buffer_CopyToDevice(PJRT_Buffer_CopyToDevice_Args *args) {
    ENTER(Buffer_CopyToDevice);
    USE(args->buffer);
    PJRT_Error *e = deleted_error(args->buffer);
    if (e) return leave(e);
    storage *s = storage_create(args->buffer->t.bytes);
    promise *done = promise_create(false);
    args->dst_buffer = buffer_create(&args->buffer->t, args->dst_device->about.id, s, done);
    job *j = job_create(done);
    job_reads(j, args->buffer);
    j->dst = s->data;
    j->bytes = args->buffer->t.bytes;
    j->outputs[j->noutputs++] = s;
    s->refs++;
    promise_release(done);
    submit(j);
    return leave(NULL);
}

static PJRT_Error *load(const char *text, size_t len, const char *options, size_t options_len,
                        PJRT_LoadedExecutable **out_executable) { /* with the lock */
    fake_program *p = calloc(1, sizeof *p);
    if (!p) abort();
    p->refs = 1;
    const char *wrong = fake_program_read(text, len, options, options_len, p);
    if (wrong) {
        program_release(p);
        return fail(PJRT_Error_Code_UNKNOWN, wrong);
    }
    *out_executable = made(calloc(1, sizeof **out_executable), true);
    (*out_executable)->p = p;
    return NULL;
}

static PJRT_Error *Client_Compile(PJRT_Client_Compile_Args *args) {
    ENTER(Client_Compile);
    USE(args->client);
    if (args->program->struct_size < PJRT_Program_STRUCT_SIZE || args->program->format_size != 4 ||
        strncmp(args->program->format, "mlir", 4))
        return leave(fail(PJRT_Error_Code_INVALID_ARGUMENT, "unexpected program format"));
    return leave(load(args->program->code, args->program->code_size, args->compile_options, args->compile_options_size,
                      &args->executable));
}

static PJRT_Error *LoadedExecutable_GetExecutable(PJRT_LoadedExecutable_GetExecutable_Args *args) {
    ENTER(LoadedExecutable_GetExecutable);
    USE(args->loaded_executable);
    PJRT_Executable *e = made(calloc(1, sizeof *e), true);
    e->p = args->loaded_executable->p;
    e->p->refs++;
    args->executable = e;
    return leave(NULL);
}

static void serialized_destroy(PJRT_SerializedExecutable *s) {
    pthread_mutex_lock(&lock);
    if (bury(s, "a serialized executable destroyed twice")) free(s->data);
    pthread_mutex_unlock(&lock);
}

static PJRT_Error *Executable_Serialize(PJRT_Executable_Serialize_Args *args) {
    ENTER(Executable_Serialize);
    USE(args->executable);
    PJRT_SerializedExecutable *s = made(calloc(1, sizeof *s), true);
    int n = asprintf(&s->data, "FAKE%s", args->executable->p->text);
    if (n < 0) abort();
    args->serialized_bytes = s->data;
    args->serialized_bytes_size = (size_t)n;
    args->serialized_executable = s;
    args->serialized_executable_deleter = serialized_destroy;
    return leave(NULL);
}

static PJRT_Error *Executable_DeserializeAndLoad(PJRT_Executable_DeserializeAndLoad_Args *args) {
    ENTER(Executable_DeserializeAndLoad);
    USE(args->client);
    if (args->serialized_executable_size < 4 || strncmp(args->serialized_executable, "FAKE", 4))
        return leave(fail(PJRT_Error_Code_INVALID_ARGUMENT, "not an executable of this plugin"));
    return leave(load(args->serialized_executable + 4, args->serialized_executable_size - 4,
                      args->overridden_serialized_compile_options, args->overridden_serialized_compile_options_size,
                      &args->loaded_executable));
}

static PJRT_Error *check_inputs(const fake_program *p, PJRT_Buffer *const *inputs, size_t n) { /* with the lock */
    if (n != p->ninputs) return fail(PJRT_Error_Code_INVALID_ARGUMENT, "wrong number of arguments");
    for (size_t i = 0; i < n; i++) {
        if (!use(inputs[i], "an input that is NULL or destroyed"))
            return fail(PJRT_Error_Code_INVALID_ARGUMENT, "an input is NULL or destroyed");
        PJRT_Error *e = deleted_error(inputs[i]);
        if (e) return e;
        if (inputs[i]->device != p->device)
            return fail(PJRT_Error_Code_INVALID_ARGUMENT, "an input is on another device");
        if (inputs[i]->t.element != p->inputs[i].element || inputs[i]->t.bytes != p->inputs[i].bytes)
            return fail(PJRT_Error_Code_INVALID_ARGUMENT, "an input has another type than the program's argument");
    }
    return NULL;
}

/* The input whose memory output |k| takes, or NULL. */
static PJRT_Buffer *donor(const fake_program *p, size_t k, PJRT_Buffer *const *inputs, const PJRT_ExecuteOptions *o) {
    if (p->donor[k] < 0) return NULL;
    for (size_t i = 0; i < o->num_non_donatable_input_indices; i++)
        if (o->non_donatable_input_indices[i] == p->donor[k]) return NULL;
    return inputs[p->donor[k]];
}

static PJRT_Error *LoadedExecutable_Execute(PJRT_LoadedExecutable_Execute_Args *args) {
    ENTER(LoadedExecutable_Execute);
    USE(args->executable);
    fake_program *p = args->executable->p;
    if (args->num_devices != 1 || !args->options || args->options->struct_size < PJRT_ExecuteOptions_STRUCT_SIZE)
        return leave(fail(PJRT_Error_Code_INVALID_ARGUMENT, "unexpected execute arguments"));
    PJRT_Buffer *const *inputs = args->argument_lists[0];
    PJRT_Error *e = check_inputs(p, inputs, args->num_args);
    if (e) return leave(e);
    promise *done = promise_create(false);
    job *j = job_create(done);
    j->p = p;
    p->refs++;
    j->error = ++seen.runs == set.fail_run ? "injected failure of a run" : NULL;
    for (size_t i = 0; i < args->num_args; i++) job_reads(j, inputs[i]);
    for (size_t k = 0; k < p->noutputs; k++) {
        PJRT_Buffer *from = donor(p, k, inputs, args->options);
        storage *s = from ? from->s : storage_create(p->outputs[k].bytes);
        s->refs += from ? 2 : 1;
        if (from) from->deleted = true;
        j->outputs[j->noutputs++] = s;
        args->output_lists[0][k] = buffer_create(&p->outputs[k], p->device, s, done);
    }
    if (args->device_complete_events) args->device_complete_events[0] = event_create(done);
    promise_release(done);
    submit(j);
    return leave(NULL);
}

/* ---- the table */

#define ENTRIES(E)                                                                                            \
    E(Error_Destroy) E(Error_Message) E(Error_GetCode) E(Plugin_Initialize) E(Event_Destroy) E(Event_IsReady) \
    E(Event_Error) E(Event_Await) E(Event_OnReady) E(Client_Create) E(Client_Destroy) E(Client_PlatformName)  \
    E(Client_PlatformVersion) E(Client_AddressableDevices) E(Device_GetDescription) E(DeviceDescription_Id)   \
    E(DeviceDescription_Kind) E(Client_BufferFromHostBuffer) E(Buffer_Destroy) E(Buffer_ReadyEvent)           \
    E(Buffer_GetMemoryLayout) E(Buffer_UnsafePointer) E(Buffer_ToHostBuffer)              \
    E(Buffer_CopyToDevice) E(Client_Compile) E(LoadedExecutable_Destroy) E(LoadedExecutable_GetExecutable)    \
    E(Executable_Destroy) E(Executable_Serialize) E(Executable_DeserializeAndLoad) E(LoadedExecutable_Execute)

static PJRT_Api api;

static long number(const char *name, long fallback) {
    const char *v = getenv(name);
    return v && *v ? strtol(v, NULL, 10) : fallback;
}

static void word(const char *name, const char *fallback, char *out, size_t cap) {
    const char *v = getenv(name);
    snprintf(out, cap, "%s", v ? v : fallback);
}

static void configure(void) { /* with the lock */
    set.delay_ms = (int)number("FAKE_PJRT_DELAY_MS", 0);
    set.fill = (int)number("FAKE_PJRT_FILL", 0);
    set.devices = (int)number("FAKE_PJRT_DEVICES", -1);
    set.fail_at = number("FAKE_PJRT_FAIL_AT", 0);
    set.fail_run = number("FAKE_PJRT_FAIL_RUN", 0);
    set.fail_code = (int)number("FAKE_PJRT_FAIL_CODE", PJRT_Error_Code_INTERNAL);
    word("FAKE_PJRT_PLATFORM", "cpu", set.platform, sizeof set.platform);
    word("FAKE_PJRT_OMIT", "", set.omit, sizeof set.omit);
    word("FAKE_PJRT_STDERR", "", set.noise, sizeof set.noise);
    api = (PJRT_Api){.struct_size = PJRT_Api_STRUCT_SIZE};
    api.pjrt_api_version = (PJRT_Api_Version){.struct_size = PJRT_Api_Version_STRUCT_SIZE,
                                              .major_version = (int)number("FAKE_PJRT_MAJOR", PJRT_API_MAJOR),
                                              .minor_version = (int)number("FAKE_PJRT_MINOR", PJRT_API_MINOR)};
#define E(fn) api.PJRT_##fn = strcmp(set.omit, "PJRT_" #fn) ? fn : NULL;
    ENTRIES(E)
#undef E
}

PUBLIC const PJRT_Api *GetPjrtApi(void) {
    pthread_mutex_lock(&lock);
    configure();
    pthread_mutex_unlock(&lock);
    return &api;
}

PUBLIC void fake_reset(void) {
    pthread_mutex_lock(&lock);
    seen.calls = seen.faults = seen.runs = 0;
    seen.log_len = 0;
    seen.log[0] = 0;
    configure();
    pthread_mutex_unlock(&lock);
}

static long read_count(const long *n) {
    pthread_mutex_lock(&lock);
    long v = *n;
    pthread_mutex_unlock(&lock);
    return v;
}

PUBLIC long fake_live_objects(void) { return read_count(&seen.live); }
PUBLIC long fake_call_count(void) { return read_count(&seen.calls); }
PUBLIC long fake_faults(void) { return read_count(&seen.faults); }
PUBLIC const char *fake_log(void) { return seen.log; }
