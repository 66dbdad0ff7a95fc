/* The core as the shim sees it.
 *
 * A torch Storage owns a *cell*; ops are *rows* called with tagged arguments that name views of cells; results come
 * back as new cells.  Recording, cutting, compiling and launching happen behind these functions.
 *
 * Threads: every function may be called from any thread, with or without the GIL.  Functions marked (waits) may block:
 * they drop the GIL through tp_hooks, return TP_INTERRUPTED when a signal handler raised, and never hold a lock while
 * they wait or call a plugin.  After fork, in the child, every function that returns a status fails with a RuntimeError
 * and releases do nothing.
 *
 * Ownership: tp_status is owned by the caller (NULL is OK).  Arguments are borrowed for the call. */
#ifndef TP_H
#define TP_H

#include "aten/op.h"
#include "base/env.h"

typedef struct tp_cell tp_cell;
typedef struct tp_generator tp_generator;

/* ---- process */
typedef struct tp_hooks {
    void *(*release_gil)(void);        /* drops the GIL if this thread holds it; a token, or NULL if it did not */
    void (*acquire_gil)(void *token);  /* takes it back; accepts NULL */
    bool (*interrupted)(void *token);  /* takes the GIL for a moment (token as above), runs pending signal handlers on the main thread; true if one raised (the Python error stays set) */
} tp_hooks;

/* Reads the environment (a bad value is a ValueError kept and raised at first use of the device).  Opens nothing. */
void tp_init(const tp_hooks *hooks);
/* The plugin that would be used: path into |out_path|.  Opens nothing. |embedded| is the path of the embedded CPU plugin, found by Python; may be NULL. */
void tp_set_embedded_plugin(const char *path);
tp_status tp_plugin_path(const char **out_path);
bool tp_hardware_found(void);      /* a TPU's PCI function is present, or TORCH_PJRT_PLUGIN is set */
int tp_device_count(void);         /* never opens a plugin, never changes in a process */
tp_status tp_device_check(int device); /* RuntimeError naming the device count if there is no such device; opens nothing */
bool tp_is_open(void);             /* a plugin has been opened */
tp_status tp_open(void);           /* (waits) opens the plugin now; later calls do it by themselves */
tp_status tp_device_kind(int device, const char **out_name); /* opens; "cpu", "TPU v6 lite"; has the lifetime of the process */
void tp_shutdown(void);            /* (waits) at exit: drains the launcher, joins the pool, 10 s at most; then every release is a no-op */

/* ---- modes: process-wide, take effect at the call (the traces are cut first) */
typedef enum { TP_STRICT = 0, TP_DEFER = 1 } tp_mode;
tp_status tp_mode_get(tp_mode *out_mode, bool *out_blocking);
tp_status tp_mode_set(tp_mode mode, bool blocking); /* (waits) if anything was pending and |blocking| */
void tp_precision_set(hlo_precision p);  /* of f32 dot and conv; part of kernel keys */
hlo_precision tp_precision_get(void);
int64_t tp_compile_count(void);    /* successful plugin compiles in this process; opens nothing */

/* ---- cells */
/* A cell of |nbytes| without a value (it reads as zeros and owns no device memory). Opens nothing. */
tp_status tp_cell_create(int device, size_t nbytes, tp_cell **out_cell);
void tp_cell_release(tp_cell *c);              /* never waits; accepts NULL */
void *tp_cell_address(const tp_cell *c);       /* the number data_ptr() shows: unmapped, 512-byte aligned, disjoint among live cells; NULL for 0 bytes */
tp_cell *tp_cell_at(const void *address);      /* the live cell whose address this is (legacy pickle); NULL if none. Borrowed */
size_t tp_cell_nbytes(const tp_cell *c);
int tp_cell_device(const tp_cell *c);
/* The shape a storage is for, as a factory or set_() says: used as the base until the first whole writer.  Taken by cells
 * without a value, or with bytes that nobody has read as something yet: a loaded model gets the bases it was saved with. */
void tp_cell_hint(tp_cell *c, tp_dtype dtype, int rank, const int64_t *sizes, const int64_t *strides);
/* Changes the byte size; leading bytes are kept, new ones read as zeros.  Gives a new address on growth. */
tp_status tp_cell_resize(tp_cell *c, size_t nbytes);

/* ---- ops */
typedef struct tp_result {
    tp_cell *cell;               /* owned by the caller; NULL for an output that was written into an argument or is absent */
    uint8_t dtype, rank;
    int64_t sizes[TP_MAX_RANK], strides[TP_MAX_RANK];
} tp_result;

/* Runs row |row| on |args| (one per signature letter).  |device|: where it runs if no argument is a tensor, else -1.
 * |writes|: NULL, or for output k the argument it is written into (in-place), -1 for a new result.  For AT_FOREACH rows
 * that argument is a list, and outputs are numbered element * nouts + k.  |out_results| has at_row.nouts entries (times
 * the list length for AT_FOREACH), all filled on success, none to release on failure; cell is NULL for an output that does
 * not exist in this call (at_fragment.absent).
 * The errors PyTorch's CPU device raises are raised here, at the call. (waits) for AT_SIZED rows, failed checks, back-pressure. */
tp_status tp_call(int row, int device, const tp_arg *args, int nargs, const int8_t *writes, tp_result *out_results);

/* dst <- src: same sizes after broadcasting src, any dtypes, any devices of ours. (waits) across devices. */
tp_status tp_copy(const tp_view *dst, const tp_view *src);
/* Fills dst with one number. */
tp_status tp_fill(const tp_view *dst, const tp_scalar *value);
/* Dense row-major host bytes of the view (bool one byte each, conj/neg resolved); |bytes| = numel * size. (waits) */
tp_status tp_read(const tp_view *src, void *dst, size_t bytes);
/* The view's elements from dense row-major host bytes; |data| is copied before this returns. */
tp_status tp_write(const tp_view *dst, const void *data, size_t bytes);
/* The one element of a view as a number of its dtype (rank field 0). (waits) */
tp_status tp_item(const tp_view *src, tp_scalar *out_value);

/* ---- order: marks are positions in a device's trace */
uint64_t tp_mark(int device);                                     /* position after the last recorded call; no cut */
tp_status tp_mark_done(int device, uint64_t mark, bool *out_done); /* cuts if the mark is in the pending trace */
tp_status tp_mark_wait(int device, uint64_t mark);                /* (waits) */
tp_status tp_synchronize(int device);                             /* (waits) -1: all devices */

/* ---- memory of values (buffers and results in flight), bytes */
typedef struct tp_memory {
    int64_t allocated, peak;          /* now, and highest since the last reset */
    int64_t total_allocated, total_freed; /* since process start */
    int64_t num_allocs, num_frees, num_ooms;
    int64_t limit;                    /* TORCH_PJRT_MEMORY_LIMIT or the plugin's figure; -1: unknown */
} tp_memory;
void tp_memory_get(int device, tp_memory *out);  /* zeros before the device is opened */
void tp_memory_reset_peak(int device);
tp_status tp_empty_cache(void);                  /* drops executables, kernels and slot operands not in use */

/* ---- random numbers: Philox (seed, offset) pairs on the host */
tp_generator *tp_generator_create(int device);   /* owned by the caller; NULL when memory is short */
void tp_generator_destroy(tp_generator *g);
tp_generator *tp_default_generator(int device);  /* has the lifetime of the process; opens nothing */
void tp_generator_get(tp_generator *g, uint64_t *out_seed, uint64_t *out_offset);
void tp_generator_set(tp_generator *g, uint64_t seed, uint64_t offset);

#endif
