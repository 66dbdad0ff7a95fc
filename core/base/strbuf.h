/* Growing text buffer.  A failed growth makes the buffer sticky-failed: appends are ignored and take() returns NULL. */
#ifndef TP_BASE_STRBUF_H
#define TP_BASE_STRBUF_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tp_strbuf {
    char *data; /* NUL-terminated once anything was appended */
    size_t len, cap;
    bool failed;
} tp_strbuf;

void tp_strbuf_put(tp_strbuf *b, const char *text, size_t len);
void tp_strbuf_puts(tp_strbuf *b, const char *text);
void tp_strbuf_printf(tp_strbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *tp_strbuf_take(tp_strbuf *b, size_t *out_len); /* malloced, owned by the caller; NULL if failed; |out_len| may be NULL; |b| is empty again */
void tp_strbuf_finish(tp_strbuf *b);

#endif
