#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tp_arena_block {
    struct tp_arena_block *next;
    size_t used, cap;
    _Alignas(16) unsigned char data[];
};

enum { BLOCK_BYTES = 8192 };

void *tp_arena_alloc(tp_arena *a, size_t bytes) {
    bytes = (bytes + 15) & ~(size_t)15;
    struct tp_arena_block *b = a->head;
    if (!b || b->cap - b->used < bytes) {
        size_t cap = bytes > BLOCK_BYTES / 4 ? bytes : BLOCK_BYTES;
        struct tp_arena_block *fresh = malloc(sizeof *fresh + cap);
        if (!fresh) return NULL;
        fresh->used = 0;
        fresh->cap = cap;
        if (b && cap == bytes) { /* a big one goes behind, so that the current block's room is not lost */
            fresh->next = b->next;
            b->next = fresh;
        } else {
            fresh->next = b;
            a->head = fresh;
        }
        b = fresh;
    }
    void *p = b->data + b->used;
    b->used += bytes;
    memset(p, 0, bytes);
    return p;
}

void *tp_arena_copy(tp_arena *a, const void *src, size_t bytes) {
    void *p = tp_arena_alloc(a, bytes ? bytes : 1);
    if (p && bytes) memcpy(p, src, bytes);
    return p;
}

char *tp_arena_printf(tp_arena *a, const char *fmt, ...) {
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *text = n < 0 ? NULL : tp_arena_alloc(a, (size_t)n + 1);
    if (text) vsnprintf(text, (size_t)n + 1, fmt, again);
    va_end(again);
    return text;
}

void tp_arena_finish(tp_arena *a) {
    for (struct tp_arena_block *b = a->head, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    a->head = NULL;
}
