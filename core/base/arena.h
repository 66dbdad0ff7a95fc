/* Bump allocator for objects that die together.  Not thread-safe: one arena, one thread. */
#ifndef TP_BASE_ARENA_H
#define TP_BASE_ARENA_H

#include <stddef.h>

typedef struct tp_arena {
    struct tp_arena_block *head;
} tp_arena;

/* A zeroed tp_arena is empty and ready. */
void *tp_arena_alloc(tp_arena *a, size_t bytes); /* zeroed, 16-byte aligned; has the lifetime of |a|; aborts never: NULL when memory is short */
void *tp_arena_copy(tp_arena *a, const void *src, size_t bytes);
char *tp_arena_printf(tp_arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void tp_arena_finish(tp_arena *a); /* frees everything; |a| is empty again */

#endif
