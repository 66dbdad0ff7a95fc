/* Status by pointer: NULL is OK, anything else is a heap-allocated error that the holder owns.
 *
 * An error carries PJRT's numeric code (1-16, absl's numbering), the kind of Python exception it becomes, a message
 * in two parts (what must hold; what was found), and the place it was made.  Errors are reference counted, because a
 * poisoned value hands the same error to every reader.  All functions are thread-safe. */
#ifndef TP_BASE_STATUS_H
#define TP_BASE_STATUS_H

#include <stdarg.h>
#include <stdbool.h>

typedef enum {
    TP_OK = 0,
    TP_CANCELLED = 1,
    TP_UNKNOWN = 2,
    TP_INVALID_ARGUMENT = 3,
    TP_DEADLINE_EXCEEDED = 4,
    TP_NOT_FOUND = 5,
    TP_ALREADY_EXISTS = 6,
    TP_PERMISSION_DENIED = 7,
    TP_RESOURCE_EXHAUSTED = 8,
    TP_FAILED_PRECONDITION = 9,
    TP_ABORTED = 10,
    TP_OUT_OF_RANGE = 11,
    TP_UNIMPLEMENTED = 12,
    TP_INTERNAL = 13,
    TP_UNAVAILABLE = 14,
    TP_DATA_LOSS = 15,
    TP_UNAUTHENTICATED = 16,
} tp_code;

/* Which Python exception an error becomes: RuntimeError, IndexError, ValueError, TypeError, NotImplementedError,
 * torch.OutOfMemoryError, torch.linalg.LinAlgError, KeyboardInterrupt (a wait was interrupted by a signal). */
typedef enum {
    TP_RUNTIME = 0,
    TP_INDEX,
    TP_VALUE,
    TP_TYPE,
    TP_NOT_IMPLEMENTED,
    TP_OUT_OF_MEMORY,
    TP_LINALG,
    TP_INTERRUPTED,
} tp_kind;

typedef struct tp_error *tp_status;

/* Never returns NULL: when memory is short a static error is returned.  Owned by the caller. */
tp_status tp_status_make(tp_code code, tp_kind kind, const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* Puts "<formatted>: " in front of |s|'s message.  Takes ownership of |s|, returns the new owner's error. */
tp_status tp_status_prefix(tp_status s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

tp_code tp_status_code(tp_status s);           /* TP_OK for NULL */
tp_kind tp_status_kind(tp_status s);
const char *tp_status_message(tp_status s);    /* "" for NULL; has the lifetime of |s| */
const char *tp_status_origin(tp_status s);     /* "file:line" where it was made; has the lifetime of |s| */
tp_status tp_status_retain(tp_status s);       /* accepts NULL */
void tp_status_free(tp_status s);              /* releases one reference; accepts NULL */

#define TP_FAIL(code, kind, ...) tp_status_make((code), (kind), __FILE__, __LINE__, __VA_ARGS__)
#define TP_TRY(expr)                       \
    do {                                   \
        tp_status try_status_ = (expr);    \
        if (__builtin_expect(try_status_ != 0, 0)) return try_status_; \
    } while (0)

#endif
