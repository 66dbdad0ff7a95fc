#include "base/strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(tp_strbuf *b, size_t more) {
    if (b->failed) return false;
    if (b->len + more + 1 <= b->cap) return true;
    size_t cap = b->cap ? b->cap * 2 : 256;
    while (cap < b->len + more + 1) cap *= 2;
    char *data = realloc(b->data, cap);
    if (!data) {
        b->failed = true;
        return false;
    }
    b->data = data;
    b->cap = cap;
    return true;
}

void tp_strbuf_put(tp_strbuf *b, const char *text, size_t len) {
    if (!reserve(b, len)) return;
    memcpy(b->data + b->len, text, len);
    b->len += len;
    b->data[b->len] = 0;
}

void tp_strbuf_puts(tp_strbuf *b, const char *text) { tp_strbuf_put(b, text, strlen(text)); }

void tp_strbuf_printf(tp_strbuf *b, const char *fmt, ...) {
    char small[256];
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int n = vsnprintf(small, sizeof small, fmt, args);
    va_end(args);
    if (n >= 0 && (size_t)n < sizeof small) {
        tp_strbuf_put(b, small, (size_t)n);
    } else if (n >= 0 && reserve(b, (size_t)n)) {
        vsnprintf(b->data + b->len, (size_t)n + 1, fmt, again);
        b->len += (size_t)n;
    }
    va_end(again);
}

char *tp_strbuf_take(tp_strbuf *b, size_t *out_len) {
    if (!b->data) tp_strbuf_put(b, "", 0);
    char *data = b->failed ? NULL : b->data;
    if (out_len) *out_len = data ? b->len : 0;
    if (b->failed) free(b->data);
    *b = (tp_strbuf){0};
    return data;
}

void tp_strbuf_finish(tp_strbuf *b) {
    free(b->data);
    *b = (tp_strbuf){0};
}
