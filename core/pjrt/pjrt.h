/* The only door to PJRT plugins: client, device, buffer, event, executable, topology.  Everything here is opaque to the
 * layers above; only files in core/pjrt include pjrt_c_api.h.
 *
 * Threads: all functions may be called from any thread and no lock of ours is held while a plugin is called.
 * Nothing here waits unless its comment says so.  Plugins are never trusted: struct_size is checked before a newer
 * entry point is used (an absent one is TP_UNIMPLEMENTED, by name), options are never empty, NULL buffers are refused,
 * XLA_FLAGS is parsed and refused by name where the plugin would abort on it. */
#ifndef TP_PJRT_PJRT_H
#define TP_PJRT_PJRT_H

#include "base/dtype.h"
#include "base/status.h"

typedef struct pj_client pj_client;         /* a plugin opened and its client; never destroyed */
typedef struct pj_buffer pj_buffer;         /* is a PJRT_Buffer */
typedef struct pj_event pj_event;           /* is a PJRT_Event */
typedef struct pj_executable pj_executable; /* is a PJRT_LoadedExecutable */

/* ---- client.  Opening loads the library and creates the client: milliseconds, hundreds for a TPU. */
typedef struct pj_open_options {
    int cpu_devices;  /* number of virtual devices asked of a CPU plugin (create option cpu_device_count) */
} pj_open_options;
/* |path|: the plugin's shared object.  Prints nothing: what plugin code writes on stderr while it opens is dropped
 * unless opening fails, when it becomes part of the message.  A missing file, a library without GetPjrtApi, a plugin
 * whose API major or minor version is older than we can use, or fewer devices than expected are errors that name the
 * path.  The client has the lifetime of the process. */
tp_status pj_client_open(const char *path, const pj_open_options *options, pj_client **out_client);
int pj_client_device_count(const pj_client *c);       /* addressable devices */
const char *pj_client_platform(const pj_client *c);   /* "cpu", "tpu", ...; has the lifetime of |c| */
const char *pj_client_version(const pj_client *c);    /* platform version text */
const char *pj_client_path(const pj_client *c);
bool pj_client_is_host_memory(const pj_client *c);    /* device memory is host memory (CPU plugins) */
const char *pj_device_kind(const pj_client *c, int device); /* "cpu", "TPU v6 lite", ... */
/* Bytes in use and the limit, -1 where the plugin does not say. */
void pj_device_memory(const pj_client *c, int device, int64_t *out_in_use, int64_t *out_limit);
/* XLA_FLAGS as the plugin will see it: NULL if every flag is known to be harmless; else an error that names the flag.
 * (An unknown flag aborts the process inside the plugin.)  Called by pj_client_open. */
tp_status pj_check_xla_flags(const char *flags);

/* ---- events.  The waiting functions below are the only ones in this header that wait. */
bool pj_event_is_ready(const pj_client *c, pj_event *e);
tp_status pj_event_error(const pj_client *c, pj_event *e);      /* error a ready event carries, or NULL */
/* Waits at most |timeout_ms| (-1: for ever).  *out_ready says whether it is ready; the event's own error is returned. */
tp_status pj_event_wait(const pj_client *c, pj_event *e, int timeout_ms, bool *out_ready);
/* |callback| runs once, on any thread, perhaps before this returns; it must only signal. |error| is owned by the callback. */
tp_status pj_event_on_ready(const pj_client *c, pj_event *e, void (*callback)(tp_status error, void *arg), void *arg);
void pj_event_destroy(const pj_client *c, pj_event *e);         /* accepts NULL */

/* ---- buffers */
/* Copies |data| (dense row-major, bool one byte per element) before it returns. */
tp_status pj_buffer_from_host(pj_client *c, int device, const tp_type *type, const void *data, pj_buffer **out_buffer);
/* Starts a copy to |dst| (dense row-major, |bytes| >= the type's) after the buffer is ready. |dst| must stay until the event. */
tp_status pj_buffer_to_host(pj_client *c, pj_buffer *b, const tp_type *type, void *dst, size_t bytes, pj_event **out_event);
/* Host address of a buffer in host memory in dense row-major layout, for reading while |b| is alive and once it is
 * ready; NULL when the plugin cannot say. */
const void *pj_buffer_host_pointer(pj_client *c, pj_buffer *b);
tp_status pj_buffer_ready_event(pj_client *c, pj_buffer *b, pj_event **out_event);
tp_status pj_buffer_copy_to_device(pj_client *c, pj_buffer *b, int device, pj_buffer **out_buffer);
void pj_buffer_destroy(const pj_client *c, pj_buffer *b);       /* accepts NULL; never waits */

/* ---- executables */
typedef struct pj_compile_options {
    int device;              /* device ordinal the executable is for */
    int optimization_level;  /* -1: the plugin's default; 0: least */
} pj_compile_options;
tp_status pj_compile(pj_client *c, const char *stablehlo, size_t len, const pj_compile_options *options, pj_executable **out_executable);
void pj_executable_destroy(const pj_client *c, pj_executable *e); /* accepts NULL */
tp_status pj_executable_serialize(pj_client *c, pj_executable *e, char **out_data, size_t *out_len); /* malloced */
tp_status pj_executable_deserialize(pj_client *c, const char *data, size_t len, const pj_compile_options *options, pj_executable **out_executable);
/* Number of successful pj_compile calls of all clients in this process. */
int64_t pj_compile_count(void);

typedef struct pj_execution {
    pj_executable *executable;
    int device;
    int ninputs, noutputs;
    pj_buffer *const *inputs;         /* none may be NULL */
    const int64_t *keep;              /* inputs that must not be donated although the program aliases them */
    int nkeep;
    pj_buffer **outputs;              /* filled with noutputs buffers owned by the caller */
    bool want_event;
    pj_event *done;                   /* out, when want_event: completion of the whole program; owned by the caller */
} pj_execution;
/* Enqueues; small programs may run to their end inside.  On an error no output is made.  No allocation by us. */
tp_status pj_execute(pj_client *c, pj_execution *x);

/* One-time check that donation works on this plugin: a donated update with reads in flight before it gives right
 * values before and after, and inputs named in |keep| stay usable.  Cached per client; compiles two small programs
 * (not counted by pj_compile_count) the first time. */
bool pj_client_donation_works(pj_client *c);

#endif
