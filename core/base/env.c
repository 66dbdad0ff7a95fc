#include "base/env.h"

#include "base/strbuf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *def, *doc;
} table[TP_ENV_COUNT] = {
#define ENV(e, name, def, doc) {name, def, doc},
#include "base/env.def"
#undef ENV
};

const char *tp_env_name(tp_env e) { return table[e].name; }
const char *tp_env_default(tp_env e) { return table[e].def; }
const char *tp_env_doc(tp_env e) { return table[e].doc; }

const char *tp_env_get(tp_env e) {
    const char *v = getenv(table[e].name);
    return v && *v ? v : NULL;
}

tp_status tp_env_int(tp_env e, int64_t lo, int64_t hi, int64_t fallback, int64_t *out_value) {
    const char *v = tp_env_get(e);
    *out_value = fallback;
    if (!v) return NULL;
    char *end;
    errno = 0;
    long long n = strtoll(v, &end, 10);
    if (errno || *end || n < lo || n > hi)
        return TP_FAIL(TP_INVALID_ARGUMENT, TP_VALUE, "%s must be an integer from %lld to %lld; got '%s'", table[e].name,
                       (long long)lo, (long long)hi, v);
    *out_value = n;
    return NULL;
}

tp_status tp_env_word(tp_env e, int n, const char *const *words, int fallback, int *out_index) {
    const char *v = tp_env_get(e);
    *out_index = fallback;
    if (!v) return NULL;
    for (int i = 0; i < n; i++)
        if (!strcmp(v, words[i])) {
            *out_index = i;
            return NULL;
        }
    tp_strbuf list = {0};
    for (int i = 0; i < n; i++) tp_strbuf_printf(&list, i ? ", '%s'" : "'%s'", words[i]);
    tp_status s = TP_FAIL(TP_INVALID_ARGUMENT, TP_VALUE, "%s must be one of %s; got '%s'", table[e].name,
                          list.data ? list.data : "", v);
    tp_strbuf_finish(&list);
    return s;
}
