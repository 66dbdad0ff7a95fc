#include "base/dtype.h"

#include <stdio.h>

static const struct {
    const char *name, *hlo;
    int8_t torch;
    uint8_t bytes, cls;
} table[TP_DTYPE_COUNT] = {
    [TP_NO_DTYPE] = {"none", "none", -1, 0, TP_CLASS_NONE},
#define DTYPE(e, name, torch, hlo, pjrt, bytes, cls) [TP_##e] = {name, hlo, torch, bytes, TP_CLASS_##cls},
#include "base/dtype.def"
#undef DTYPE
};

size_t tp_dtype_size(tp_dtype t) { return table[t].bytes; }
const char *tp_dtype_name(tp_dtype t) { return table[t].name; }
const char *tp_dtype_hlo(tp_dtype t) { return table[t].hlo; }
tp_class tp_dtype_class(tp_dtype t) { return (tp_class)table[t].cls; }
int tp_dtype_to_torch(tp_dtype t) { return table[t].torch; }

tp_dtype tp_dtype_from_torch(int scalar_type) {
    switch (scalar_type) {
#define DTYPE(e, name, torch, hlo, pjrt, bytes, cls) \
    case torch: return TP_##e;
#include "base/dtype.def"
#undef DTYPE
    default: return TP_NO_DTYPE;
    }
}

tp_dtype tp_dtype_real(tp_dtype t) { return t == TP_C64 ? TP_F32 : t == TP_C128 ? TP_F64 : t; }

tp_dtype tp_dtype_uint(size_t bytes) {
    return bytes == 1 ? TP_U8 : bytes == 2 ? TP_U16 : bytes == 4 ? TP_U32 : bytes == 8 ? TP_U64 : TP_NO_DTYPE;
}

char *tp_type_format(const tp_type *t, char *text, size_t cap) {
    size_t n = (size_t)snprintf(text, cap, "%s[", tp_dtype_name((tp_dtype)t->dtype));
    for (int i = 0; i < t->rank && n < cap; i++)
        n += (size_t)snprintf(text + n, cap - n, i ? ", %lld" : "%lld", (long long)t->dims[i]);
    if (n < cap) snprintf(text + n, cap - n, "]");
    return text;
}
