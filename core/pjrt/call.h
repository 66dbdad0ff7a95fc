/* Inside core/pjrt: how a plugin entry point is called, and what a client holds.
 *
 * PJRT passes every call one Args struct that carries its own size.  PJRT_ARGS fills the size in; PJRT_HAS says whether
 * the plugin's table is long enough to hold an entry point; pj_call makes the call and is the one place where a
 * PJRT_Error becomes a tp_status. */
#ifndef TP_PJRT_CALL_H
#define TP_PJRT_CALL_H

#include "pjrt/pjrt.h"

#include <pjrt_c_api.h>
#include <stdatomic.h>

#define PJRT_ARGS(fn, ...) ((fn##_Args){.struct_size = fn##_Args_STRUCT_SIZE, __VA_ARGS__})
#define PJRT_HAS(api, fn) ((api)->struct_size > offsetof(PJRT_Api, fn) && (api)->fn)

/* Calls |fn| of |api| with a pointer to its Args; an absent entry point is TP_UNIMPLEMENTED. */
#define pj_call(api, fn, args) \
    (__builtin_expect(PJRT_HAS(api, fn), 1) ? pj_status((api), #fn, (api)->fn(args)) : pj_absent(#fn))

/* The plugin's error as a status that names |fn|; destroys |error|.  NULL for NULL. */
tp_status pj_error_take(const PJRT_Api *api, const char *fn, PJRT_Error *error);
tp_status pj_absent(const char *fn);

static inline tp_status pj_status(const PJRT_Api *api, const char *fn, PJRT_Error *error) {
    return __builtin_expect(error != NULL, 0) ? pj_error_take(api, fn, error) : NULL;
}

typedef struct pj_device {
    PJRT_Device *device;
    int id;     /* the plugin's number for it, as device assignments use it */
    char *kind; /* owned */
} pj_device;

struct pj_client {
    const PJRT_Api *api;
    PJRT_Client *client;
    char *path, *platform, *version; /* owned */
    pj_device *devices;              /* addressable ones; owned */
    int ndevices;
    bool host_memory;    /* the platform is "cpu" */
    bool host_pointers;  /* and a probe read back what it had uploaded through the buffer's address */
    atomic_int donation; /* DONATION_* of donation.c */
};

/* Loads the library at |path|, checks its version and initializes it.  The library stays loaded. */
tp_status pj_plugin_load(const char *path, const PJRT_Api **out_api);

/* File descriptor 2 pointed at a memory file, so that what a plugin prints while it opens can be dropped or quoted.
 * One at a time per process: the caller holds the lock of pj_client_open. */
typedef struct pj_silence {
    int saved, sink; /* -1: stderr could not be redirected and was left alone */
} pj_silence;
void pj_silence_begin(pj_silence *s);
/* Restores stderr.  What was written meanwhile: malloced, owned by the caller; NULL if nothing was. */
char *pj_silence_end(pj_silence *s);

/* PJRT's code of an element type; PJRT_Buffer_Type_INVALID if it has none. */
PJRT_Buffer_Type pj_buffer_type(tp_dtype t);

/* Sets |c|->host_pointers. */
void pj_buffer_probe(pj_client *c);

/* pj_compile, but not counted. */
tp_status pj_compile_uncounted(pj_client *c, const char *stablehlo, size_t len, const pj_compile_options *options,
                               pj_executable **out_executable);

static inline PJRT_Buffer *pj_buffer_raw(pj_buffer *b) { return (PJRT_Buffer *)b; }
static inline PJRT_Event *pj_event_raw(pj_event *e) { return (PJRT_Event *)e; }
static inline PJRT_LoadedExecutable *pj_executable_raw(pj_executable *e) { return (PJRT_LoadedExecutable *)e; }

/* RuntimeError naming the count unless |device| is one of |c|'s. */
tp_status pj_check_device(const pj_client *c, int device);

#endif
