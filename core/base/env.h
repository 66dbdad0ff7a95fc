/* Environment variables: one table (env.def), one reader.  The environment is read, never written. */
#ifndef TP_BASE_ENV_H
#define TP_BASE_ENV_H

#include "base/status.h"

#include <stdint.h>

typedef enum {
#define ENV(e, name, def, doc) TP_ENV_##e,
#include "base/env.def"
#undef ENV
    TP_ENV_COUNT
} tp_env;

const char *tp_env_name(tp_env e);
const char *tp_env_default(tp_env e);
const char *tp_env_doc(tp_env e);
const char *tp_env_get(tp_env e); /* the value, or NULL when unset or empty; has the lifetime of the environment */
/* |e| as an integer in [lo, hi], |fallback| when unset.  A bad value is a ValueError that names the variable. */
tp_status tp_env_int(tp_env e, int64_t lo, int64_t hi, int64_t fallback, int64_t *out_value);
/* |e| as one of |n| words; the index goes to |out_index|; |fallback| when unset. */
tp_status tp_env_word(tp_env e, int n, const char *const *words, int fallback, int *out_index);

#endif
