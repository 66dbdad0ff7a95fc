/* What one device owns: its trace, cells, values, kernels, programs, launch queue.  Private to core/trace.
 *
 * One mutex per device guards everything in this header but the launch section's note.  It is a leaf: while it is held
 * nothing calls PyTorch, Python, a plugin, or waits.  A function named *_locked needs the mutex held. */
#ifndef TP_TRACE_DEVICE_H
#define TP_TRACE_DEVICE_H

#include "base/log.h"
#include "base/map.h"
#include "pjrt/pjrt.h"
#include "tp.h"

#include <pthread.h>
#include <stdatomic.h>

enum {
    TP_MAX_DEVICES = 64,
    TRACE_MAX_CALLS = 256,               /* the size limit of a cut */
    TRACE_MAX_BYTES = 64 << 20,          /* results of pending calls that make a cut */
    INFLIGHT_MAX_PROGRAMS = 64,
    INFLIGHT_MAX_BYTES = 256 << 20,
    INSTANT_LAUNCHES = 8,
};

typedef struct tp_device tp_device;
typedef struct tp_value tp_value;
typedef struct tp_kernel tp_kernel;
typedef struct tp_program tp_program;
typedef struct tp_launch tp_launch;

/* ---- values (value.c) */
typedef enum {
    VALUE_PENDING,  /* output |out| of the trace */
    VALUE_QUEUED,   /* of a program that is cut but not launched */
    VALUE_READY,    /* has a buffer (whose contents may still be on their way) */
    VALUE_RAW,      /* has host bytes, dense in |type|'s order; a launch or a read turns them into a buffer */
    VALUE_POISONED, /* the program that makes it failed */
    VALUE_CONSUMED, /* its buffer was donated */
} value_state;

/* Host bytes shared by raw values of different types. */
typedef struct raw_bytes {
    atomic_uint refs;
    size_t size;
    _Alignas(64) unsigned char data[];
} raw_bytes;

struct tp_value {
    uint32_t refs;           /* all holders: cells, pending calls, launches, reads */
    uint32_t uses;           /* those of them that are pending calls */
    uint32_t launches;       /* those of them that are launches not settled yet */
    uint8_t state;           /* value_state */
    bool charged;            /* counted in the ledger */
    uint32_t out;            /* PENDING: index into trace.outs */
    uint32_t next_out;       /* the pending output that replaced this value in its cell, or UINT32_MAX */
    uint64_t next_epoch;     /* trace epoch for which next_out holds */
    uint64_t seen_epoch;     /* cut.c: numbered as program input |seen| in this cut */
    uint32_t seen;
    size_t bytes;
    union {
        pj_buffer *buffer;   /* READY */
        raw_bytes *raw;      /* RAW */
        tp_status error;     /* POISONED */
        tp_value *next_free;
    };
    tp_type type;
};

/* Buffers and host bytes whose last reference went while the mutex was held; destroyed after it is released. */
typedef struct dead_list {
    int n, cap, nevents;
    pj_buffer **items;
    pj_buffer *small[16];
    pj_event *events[16];
} dead_list;
#define DEAD_LIST ((dead_list){.n = 0, .cap = 0, .nevents = 0, .items = NULL})

/* ---- kernels (kernel.c) */
struct tp_kernel {
    uint32_t id, refs;       /* refs: pending calls and programs being compiled */
    uint64_t last_use;
    const at_row *row;
    at_fragment fragment;    /* graph NULL when |error| */
    tp_status error;         /* a remembered failure */
    uint16_t ntensors;       /* parameters that are tensors */
    uint16_t nouts;          /* outputs proper and checks */
    uint16_t nfloat, nint, nrng; /* slot words by operand */
    uint16_t nslots;
    uint8_t *slot_class;     /* at_slot_class per slot */
    bool *used;              /* per tensor parameter: the fragment reads it */
    tp_type *outs;
    tp_hash128 hash;
    size_t key_len;
    uint64_t *key;
};

/* ---- the trace: pending calls in program order */
typedef struct trace_call {
    tp_kernel *kernel;
    uint32_t ins, nins;      /* trace.ins[ins ..], a reference and a use each; NULL where the kernel does not read it */
    uint32_t outs;           /* trace.outs[outs .. outs + kernel->nouts), no reference; NULL once dead */
    uint32_t words;          /* trace.words[words ..]: slot words in slot order */
} trace_call;

typedef struct tp_trace {
    trace_call *calls;
    tp_value **ins, **outs;
    uint64_t *words;
    uint32_t ncalls, nins, nouts, nwords;
    uint32_t cap_calls, cap_ins, cap_outs, cap_words;
    uint64_t epoch;          /* counts cuts */
    size_t bytes;            /* of outputs recorded since the cut */
} tp_trace;

/* ---- programs (program.c) */
typedef enum { PROGRAM_COMPILING, PROGRAM_READY, PROGRAM_FAILED } program_state;

struct tp_program {
    uint8_t state;           /* program_state */
    bool aliases;            /* compiled with the aliases below */
    uint8_t instant;         /* launches in a row that had run when execute returned, up to INSTANT_LAUNCHES */
    uint32_t refs;           /* launches and the compile job */
    uint64_t last_use;
    uint32_t nins, nouts;    /* value inputs and outputs, slot operands apart */
    uint32_t nfloat, nint, nrng;
    tp_type *outs;
    int32_t *alias;          /* per input: the output that may take its buffer, or -1 */
    pj_executable *executable;
    tp_status error;
    char *calls;             /* names of its ops, for messages; NULL when memory was short */
    tp_hash128 hash;
    uint32_t nwords;
    uint32_t *key;           /* the call list: see cut.c */
};

/* ---- launches (launch.c) */
struct tp_launch {
    tp_launch *next;
    tp_program *program;
    uint64_t end_mark;
    size_t bytes;            /* of its outputs */
    tp_value **values;       /* nins inputs, then nouts outputs; a reference each */
    uint32_t cap_values;
    uint64_t *words;         /* float words, int words, rng words */
    uint32_t cap_words;
    pj_buffer **buffers;     /* scratch of the launch: inputs, slot operands, outputs */
    int64_t *keep;           /* inputs that must not be donated this time */
    int nkeep;
    bool want_event;
    uint32_t cap_buffers;
    tp_status failure;       /* of the program or of an input, found when it is prepared */
};

/* A launched program that has not run to its end.  Its completion callback takes the mutex and sets |done|. */
typedef struct inflight {
    tp_device *device;
    pj_event *event;
    uint64_t end_mark;
    size_t bytes;
    bool done;
} inflight;
enum { RING = 2 * INFLIGHT_MAX_PROGRAMS };

typedef struct slot_operand {
    uint64_t hash, last_use;
    uint8_t cls;
    uint32_t n;
    uint64_t words[8];
    pj_buffer *buffer;
} slot_operand;
enum { SLOT_OPERANDS = 512 };

struct tp_device {
    pthread_mutex_t mutex;
    pthread_cond_t changed;    /* for waiters: a launch ended, an event fired, a program is compiled */
    pthread_cond_t launchable; /* for the launcher thread */
    int index;
    int waiters;

    tp_trace trace;
    uint64_t marks;            /* calls recorded */
    uint64_t cut_mark;         /* calls cut */
    uint64_t done_mark;        /* calls whose programs have run */
    uint64_t tick;             /* use counter of kernels and programs */

    tp_map kernels, programs, slices;
    uint32_t next_kernel_id;
    tp_value *free_values;
    tp_cell *free_cells[64];   /* by size class; each keeps its address */
    tp_launch *free_launches;
    void *slabs;               /* all slabs of values and cells, for the leak checker's benefit */

    tp_launch *queue_first, *queue_last;
    int queued;
    bool launching;            /* somebody, perhaps outside the mutex, is running the head launch or an inline one */
    bool launcher_started;
    pthread_t launcher;

    inflight ring[RING];       /* in launch order */
    uint32_t ring_first, ring_count;
    size_t ring_bytes;

    slot_operand slots[SLOT_OPERANDS]; /* touched only by whoever set |launching| */
    uint64_t slot_tick;

    tp_memory memory;
    tp_generator *generator;
};

/* ---- process (process.c, open.c) */
extern atomic_bool tp_forked, tp_closing;
extern tp_hooks tp_host;
tp_status tp_usable(void);             /* NULL unless forked or closing or a bad environment value */
pj_client *tp_client(void);            /* NULL before tp_open */
tp_status tp_device_get(int index, tp_device **out_device); /* opens the plugin */
tp_device *tp_device_peek(int index);  /* the struct, opening nothing; |index| valid */
bool tp_checks_on(void);
bool tp_blocking_on(void);
bool tp_strict_on(void);

/* ---- values */
tp_value *value_create_locked(tp_device *d, const tp_type *type); /* refs 1, PENDING, uncharged; NULL when memory is short */
static inline tp_value *value_retain(tp_value *v) { v->refs++; return v; }
void value_release_locked(tp_device *d, tp_value *v, dead_list *dead); /* accepts NULL */
void value_charge_locked(tp_device *d, tp_value *v);
/* The ledger's peak is noted at cuts and transfers: an op that will donate never holds both of its buffers. */
void memory_note_peak_locked(tp_device *d);
void value_uncharge_locked(tp_device *d, tp_value *v);
tp_value *value_from_raw_locked(tp_device *d, const tp_type *type, raw_bytes *raw); /* takes a reference of its own */
raw_bytes *raw_create(const void *data, size_t size); /* data NULL: zeros; refs 1 */
void raw_release(raw_bytes *r);
void dead_add(dead_list *dead, pj_buffer *b);
void dead_finish(dead_list *dead);     /* without the mutex: destroys the buffers */
/* (waits) Without the mutex, holding a reference: until |v| is READY, RAW or POISONED; a poisoned one's error is returned. */
tp_status value_wait(tp_device *d, tp_value *v);
/* Checks the ledger's limit for |bytes| more. (waits, dropping the mutex: nothing pending may be relied on) */
tp_status memory_reserve_locked(tp_device *d, size_t bytes, dead_list *dead);

/* ---- transfer.c; without the mutex, holding a reference to |v| */
tp_status value_download(tp_device *d, tp_value *v, void *dst, size_t bytes); /* (waits) dense row-major bytes of |v| */
void value_drop(tp_device *d, tp_value *v);
tp_status tp_copy_across(const tp_view *dst, const tp_view *src);             /* (waits) sizes agree, devices differ */

/* ---- waiting (wait.c) */
/* Waits on d->changed for a moment with the mutex held on entry and exit, GIL dropped by the caller. */
void device_nap_locked(tp_device *d);
void device_wake_locked(tp_device *d);
typedef struct gil_pause {
    void *token;
    bool paused;
} gil_pause;
void gil_drop(gil_pause *p);
void gil_take(gil_pause *p);
tp_status gil_poll(gil_pause *p);      /* TP_INTERRUPTED if a signal handler raised */
/* (waits) until |e| is ready; its error is returned. Does not destroy it. */
tp_status event_wait(pj_event *e);

/* ---- kernels */
/* The kernel of |row| (or of its count function) for these arguments; |types|: dense types of the tensors in order.
 * A failure is remembered and returned (retained). The result is valid until the mutex is released unless retained. */
tp_status kernel_find_locked(tp_device *d, const at_row *row, bool count, const tp_arg *args, int nargs,
                             const tp_type *const *types, tp_kernel **out_kernel);
/* Slot words of a call in slot order. Advances generators. |out| has room for kernel->nslots * 2 words. */
void kernel_slot_words(const tp_kernel *k, const at_row *row, const tp_arg *args, int nargs, uint64_t *out);
void kernel_trim_locked(tp_device *d, size_t keep);

/* ---- recording (record.c) */
/* Appends a call. |ins|: one per tensor parameter, borrowed, NULL where unused. Makes output values (refs 1) for the
 * first |nwanted| outputs, none for the rest. */
tp_status record_locked(tp_device *d, tp_kernel *k, tp_value *const *ins, const uint64_t *words, int nwanted, tp_value **out_values);
/* One internal call found and recorded: args[i] of tag TENSOR stand for values[]. One output. */
tp_status record_row_locked(tp_device *d, int row, const tp_arg *args, int nargs, tp_value *const *values, tp_value **out_value);

/* ---- cut, launch */
/* Turns the pending calls into a launch: it joins the queue, or with |inline_ok|, if nothing is queued and the program is
 * compiled, goes to *out_inline with d->launching set; launch_run must then be called without the mutex. */
tp_status cut_locked(tp_device *d, const char *why, bool inline_ok, tp_launch **out_inline, dead_list *dead);
void launch_enqueue_locked(tp_device *d, tp_launch *l);
void launch_prepare_locked(const tp_device *d, tp_launch *l);
bool launch_can_inline_locked(const tp_device *d, const tp_program *p);
tp_launch *launch_create_locked(tp_device *d, uint32_t nvalues, uint32_t nwords);
/* Without the mutex: runs a prepared launch, clears d->launching, frees |l|.  The failure its outputs were poisoned with
 * is also returned. */
tp_status launch_run(tp_device *d, tp_launch *l);
/* Ends a public call: releases the mutex, runs an inline launch, destroys what died, applies back-pressure.  Returns the
 * inline launch's failure or TP_INTERRUPTED. */
tp_status device_leave(tp_device *d, tp_launch *inline_launch, dead_list *dead);
/* Begins one: checks fork and exit, opens the plugin, takes the mutex. */
tp_status device_enter(int index, tp_device **out_device);
tp_status device_flush(tp_device *d, const char *why); /* without the mutex: cuts what is pending */
void launch_reap_locked(tp_device *d, dead_list *dead); /* retires finished programs at the head of the ring */
/* Buffer of slot words, cached by content but for RNG; the launching thread's, borrowed until the launch ends or, when
 * *out_owned, owned by it. */
tp_status slot_operand_get(tp_device *d, at_slot_class cls, const uint64_t *words, uint32_t n, pj_buffer **out_buffer, bool *out_owned);
void slot_operands_drop(tp_device *d);

void device_drain(tp_device *d, int timeout_ms);       /* (waits) at exit */

/* ---- programs */
tp_program *program_find_locked(tp_device *d, const uint32_t *key, uint32_t nwords, tp_hash128 *out_hash);
void program_release_locked(tp_device *d, tp_program *p);
void program_trim(tp_device *d, size_t keep);      /* without the mutex: destroys executables not in use, oldest first */
enum { MAX_PROGRAMS = 4096 };
/* Words of a program's key: see cut.c. */
#define KEY_LOCAL UINT32_C(0x80000000)
#define KEY_ABSENT UINT32_C(0x7fffffff)
const char *program_calls(const tp_program *p);  /* for messages; has the lifetime of |p| */
typedef struct program_shape { /* what cut.c knows of a new program */
    const uint32_t *key;
    uint32_t nwords;
    tp_hash128 hash;
    uint32_t nins, nouts, nfloat, nint, nrng;
    const tp_type *const *in_types;
    const tp_type *const *out_types;
    const int32_t *alias;
    tp_kernel *const *kernels;   /* of its calls, in order */
    uint32_t ncalls;
} program_shape;
tp_program *program_create_locked(tp_device *d, const program_shape *shape); /* starts the compile; NULL when memory is short */

/* ---- cells and views (cell.c, view.c) */
struct tp_cell {
    tp_device *device;
    uintptr_t address;
    size_t nbytes;
    uint8_t size_class;
    bool live;
    bool based;              /* |base| and |strides| mean something */
    tp_value *value;         /* NULL: reads as zeros */
    uint64_t version;
    tp_type base;
    int64_t strides[TP_MAX_RANK];
    tp_cell *next_free;
};
tp_cell *cell_create_locked(tp_device *d, size_t nbytes);
void cell_release_locked(tp_device *d, tp_cell *c, dead_list *dead);
tp_status cell_move_locked(tp_cell *c);   /* a new address that fits c->nbytes */
void cell_set_base(tp_cell *c, const tp_type *type, const int64_t *strides);
/* Gives |c| the value |v| (takes over the reference); the old one is released and, if pending work replaces it, linked for donation. */
void cell_swap_locked(tp_device *d, tp_cell *c, tp_value *v, dead_list *dead);

/* A dense array of |type| filled with one number: a call of _tp_fill. */
tp_status record_fill_locked(tp_device *d, const tp_type *type, const tp_scalar *number, tp_value **out_value);
void view_type(const tp_view *view, tp_type *out_type);
/* The view's dense value, recording plans as needed; a new reference. */
/* Gives the raw bytes of |view|'s cell, which has no base, the base that |view| asks for. */
tp_status view_settle_raw_locked(tp_device *d, const tp_view *view, dead_list *dead);
tp_status view_read_locked(tp_device *d, const tp_view *view, tp_value **out_value, dead_list *dead);
/* Writes |v| (the view's dense type; borrowed) through the view. */
tp_status view_write_locked(tp_device *d, const tp_view *view, tp_value *v, dead_list *dead);
bool view_is_whole(const tp_view *view);  /* dense, and covers its cell's bytes exactly */
/* PyTorch's overlap rules for an in-place op writing |out| while reading |in|. */
tp_status overlap_check_self(const tp_view *out);
tp_status overlap_check_pair(const tp_view *out, const tp_view *in);

/* ---- generators: (seed, offset) now, then offset += steps */
void generator_take(tp_generator *g, uint64_t steps, uint64_t out_snapshot[2]);

/* ---- internal rows, found once */
typedef struct internal_rows {
    int read, write, convert, fill, conj, neg, nonzero;
} internal_rows;
extern internal_rows tp_rows;
typedef struct row_info {
    uint8_t nargs;
    char letters[AT_MAX_ARGS];
    int target;              /* AT_FOREACH */
    bool index;              /* takes mask index lists */
    bool random;             /* has a generator */
    at_validator validate;   /* or NULL */
} row_info;
const row_info *row_info_get(int row);
tp_status row_table_init(void);

#endif
