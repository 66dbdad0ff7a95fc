/* XLA_FLAGS: whitespace-separated --name or --name=value, the value perhaps in quotes; or, if the text does not start
 * with '-', the name of a file of such flags.  A plugin ends the process on a name or value it does not know. */
#include "pjrt/pjrt.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

typedef enum { BOOL, INT, FLOAT, TEXT } kind;

static const struct {
    const char *name;
    kind kind;
} table[] = {
#define FLAG(name, kind) {#name, kind},
#include "pjrt/xla_flags.def"
#undef FLAG
};

static const char *const kind_names[] = {"true or false", "an integer", "a number", "a text"};

enum { VALUE_MAX = 4096, FILE_MAX = 1 << 20 };

/* One flag of the text. */
typedef struct flag {
    const char *start, *end; /* as written, for messages */
    const char *name;
    size_t name_len;
    char value[VALUE_MAX];
    bool has_value, bad; /* bad: cannot be read as a flag at all */
} flag;

static const char *skip_blanks(const char *p) {
    while (isspace((unsigned char)*p)) p++;
    return p;
}

static const char *read_value(flag *f, const char *p) {
    char quote = *p == '\'' || *p == '"' ? *p++ : 0;
    size_t n = 0;
    for (; *p && (quote ? *p != quote : !isspace((unsigned char)*p)); p++) {
        if (n + 1 == VALUE_MAX || *p == '\\') f->bad = true;
        if (n + 1 < VALUE_MAX) f->value[n++] = *p;
    }
    f->value[n] = 0;
    if (quote && *p == quote) {
        p++;
        if (*p && !isspace((unsigned char)*p)) f->bad = true;
    } else if (quote) {
        f->bad = true;
    }
    return p;
}

static const char *read_flag(flag *f, const char *p) {
    f->start = p;
    f->bad = strncmp(p, "--", 2) != 0;
    f->has_value = false;
    f->value[0] = 0;
    if (!f->bad) p += 2;
    f->name = p;
    while (isalnum((unsigned char)*p) || *p == '_' || *p == '-') p++;
    f->name_len = (size_t)(p - f->name);
    if (*p == '=') {
        f->has_value = true;
        p = read_value(f, p + 1);
    }
    if (*p && !isspace((unsigned char)*p)) f->bad = true;
    while (*p && !isspace((unsigned char)*p)) p++;
    f->end = p;
    return p;
}

static bool value_fits(const flag *f, kind k) {
    static const char *const words[] = {"true", "false", "1", "0"};
    char *end;
    if (k == BOOL && !f->has_value) return true;
    if (!f->has_value) return false;
    if (k == TEXT) return true;
    if (k == BOOL) {
        for (int i = 0; i < 4; i++)
            if (!strcasecmp(f->value, words[i])) return true;
        return false;
    }
    if (!*f->value || isspace((unsigned char)*f->value)) return false;
    errno = 0;
    if (k == INT) {
        long v = strtol(f->value, &end, 10);
        return !*end && !errno && v >= INT32_MIN && v <= INT32_MAX;
    }
    (void)strtof(f->value, &end);
    return !*end && !errno;
}

static tp_status check_flag(const flag *f) {
    int len = f->end - f->start > 200 ? 200 : (int)(f->end - f->start);
    if (f->bad)
        return TP_FAIL(TP_INVALID_ARGUMENT, TP_VALUE,
                       "XLA_FLAGS must be a list of --name or --name=value; got '%.*s'", len, f->start);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strlen(table[i].name) != f->name_len || strncmp(table[i].name, f->name, f->name_len)) continue;
        if (value_fits(f, table[i].kind)) return NULL;
        return TP_FAIL(TP_INVALID_ARGUMENT, TP_VALUE, "XLA_FLAGS: --%s must be %s; got '%.*s'", table[i].name,
                       kind_names[table[i].kind], len, f->start);
    }
    return TP_FAIL(TP_INVALID_ARGUMENT, TP_VALUE,
                   "XLA_FLAGS must hold only flags that plugins are known to accept (others end the process); got '%.*s'",
                   len, f->start);
}

static tp_status check_list(const char *text) {
    flag f;
    for (const char *p = skip_blanks(text); *p; p = skip_blanks(p)) {
        p = read_flag(&f, p);
        TP_TRY(check_flag(&f));
    }
    return NULL;
}

static tp_status check_file(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file)
        return TP_FAIL(TP_INVALID_ARGUMENT, TP_VALUE,
                       "XLA_FLAGS must be flags or the name of a readable file of flags; got '%.200s': %s", path,
                       strerror(errno));
    char *text = malloc(FILE_MAX);
    size_t n = text ? fread(text, 1, FILE_MAX - 1, file) : 0;
    bool whole = text && !ferror(file) && fgetc(file) == EOF;
    fclose(file);
    if (text) text[n] = 0;
    tp_status s = whole ? check_list(text)
                        : TP_FAIL(TP_INVALID_ARGUMENT, TP_VALUE,
                                  "the file XLA_FLAGS names must be readable and under %d bytes; got '%.200s'",
                                  FILE_MAX, path);
    free(text);
    return s;
}

tp_status pj_check_xla_flags(const char *flags) {
    const char *start = flags ? skip_blanks(flags) : "";
    if (!*start) return NULL;
    return *start == '-' ? check_list(start) : check_file(flags);
}
