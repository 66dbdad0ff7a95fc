#include "base/status.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tp_error {
    atomic_uint refs; /* 0 marks a static error, which is never freed */
    tp_code code;
    tp_kind kind;
    char *origin;
    char *message;
};

static char no_memory_text[] = "out of host memory while reporting an error";
static char no_origin_text[] = "base/status.c";
static struct tp_error no_memory = {
    .code = TP_RESOURCE_EXHAUSTED, .kind = TP_OUT_OF_MEMORY, .origin = no_origin_text, .message = no_memory_text};

static char *format(const char *fmt, va_list args) {
    char *text = NULL;
    return vasprintf(&text, fmt, args) < 0 ? NULL : text;
}

tp_status tp_status_make(tp_code code, tp_kind kind, const char *file, int line, const char *fmt, ...) {
    struct tp_error *e = calloc(1, sizeof *e);
    if (!e) return &no_memory;
    va_list args;
    va_start(args, fmt);
    e->message = format(fmt, args);
    va_end(args);
    if (asprintf(&e->origin, "%s:%d", file, line) < 0) e->origin = NULL;
    e->code = code;
    e->kind = kind;
    atomic_init(&e->refs, 1);
    if (!e->message || !e->origin) {
        tp_status_free(e);
        return &no_memory;
    }
    return e;
}

tp_status tp_status_prefix(tp_status s, const char *fmt, ...) {
    if (!s || atomic_load(&s->refs) == 0) return s;
    va_list args;
    va_start(args, fmt);
    char *head = format(fmt, args);
    va_end(args);
    tp_status out = NULL;
    if (head) {
        out = tp_status_make(s->code, s->kind, "", 0, "%s: %s", head, s->message);
        if (out != &no_memory) {
            free(out->origin);
            out->origin = strdup(s->origin);
        }
        free(head);
    } else {
        out = &no_memory;
    }
    tp_status_free(s);
    return out;
}

tp_code tp_status_code(tp_status s) { return s ? s->code : TP_OK; }
tp_kind tp_status_kind(tp_status s) { return s ? s->kind : TP_RUNTIME; }
const char *tp_status_message(tp_status s) { return s ? s->message : ""; }
const char *tp_status_origin(tp_status s) { return s && s->origin ? s->origin : ""; }

tp_status tp_status_retain(tp_status s) {
    if (s && atomic_load(&s->refs) > 0) atomic_fetch_add(&s->refs, 1);
    return s;
}

void tp_status_free(tp_status s) {
    if (!s || s == &no_memory) return;
    if (atomic_fetch_sub(&s->refs, 1) > 1) return;
    free(s->message);
    free(s->origin);
    free(s);
}
