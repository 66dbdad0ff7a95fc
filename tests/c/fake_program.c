#include "fake_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    PJRT_Buffer_Type type;
    size_t bytes;
} elements[] = {
    {"i1", PJRT_Buffer_Type_PRED, 1},
    {"ui8", PJRT_Buffer_Type_U8, 1},
    {"ui16", PJRT_Buffer_Type_U16, 2},
    {"ui32", PJRT_Buffer_Type_U32, 4},
    {"ui64", PJRT_Buffer_Type_U64, 8},
    {"i8", PJRT_Buffer_Type_S8, 1},
    {"i16", PJRT_Buffer_Type_S16, 2},
    {"i32", PJRT_Buffer_Type_S32, 4},
    {"i64", PJRT_Buffer_Type_S64, 8},
    {"f8E5M2", PJRT_Buffer_Type_F8E5M2, 1},
    {"f8E4M3FN", PJRT_Buffer_Type_F8E4M3FN, 1},
    {"f8E5M2FNUZ", PJRT_Buffer_Type_F8E5M2FNUZ, 1},
    {"f8E4M3FNUZ", PJRT_Buffer_Type_F8E4M3FNUZ, 1},
    {"f16", PJRT_Buffer_Type_F16, 2},
    {"bf16", PJRT_Buffer_Type_BF16, 2},
    {"f32", PJRT_Buffer_Type_F32, 4},
    {"f64", PJRT_Buffer_Type_F64, 8},
    {"complex<f32>", PJRT_Buffer_Type_C64, 8},
    {"complex<f64>", PJRT_Buffer_Type_C128, 16},
};
enum { ELEMENTS = sizeof elements / sizeof *elements };

size_t fake_element_bytes(PJRT_Buffer_Type t) {
    for (int i = 0; i < ELEMENTS; i++)
        if (elements[i].type == t) return elements[i].bytes;
    return 0;
}

/* |p| is behind "tensor<".  The text behind the closing '>', or NULL. */
static const char *read_type(const char *p, fake_type *t) {
    t->rank = 0;
    t->bytes = 1;
    while (*p >= '0' && *p <= '9') {
        char *end;
        int64_t d = strtoll(p, &end, 10);
        if (*end != 'x' || t->rank == FAKE_DIMS) return NULL;
        t->dims[t->rank++] = d;
        t->bytes *= (size_t)d;
        p = end + 1;
    }
    for (int i = 0; i < ELEMENTS; i++) {
        size_t n = strlen(elements[i].name);
        if (strncmp(p, elements[i].name, n) || p[n] != '>') continue;
        t->element = elements[i].type;
        t->bytes *= elements[i].bytes;
        return p + n + 1;
    }
    return NULL;
}

/* The text behind the bracket that closes the one at |p|, or NULL. */
static const char *behind(const char *p, char open, char close) {
    int depth = 0;
    for (; *p; p++) {
        if (*p == open) depth++;
        if (*p == close && --depth == 0) return p + 1;
    }
    return NULL;
}

/* All tensor types in [p, end); the donation written behind a type is of that one.  -1 if there are too many. */
static int read_types(const char *p, const char *end, fake_type *types, int *donor) {
    static const char type_mark[] = "tensor<", alias_mark[] = "tf.aliasing_output = ";
    int n = 0;
    while (p && p < end) {
        if (!strncmp(p, type_mark, sizeof type_mark - 1)) {
            if (n == FAKE_VALUES) return -1;
            p = read_type(p + sizeof type_mark - 1, &types[n++]);
        } else if (donor && n && !strncmp(p, alias_mark, sizeof alias_mark - 1)) {
            long k = strtol(p + sizeof alias_mark - 1, NULL, 10);
            if (k >= 0 && k < FAKE_VALUES) donor[k] = n - 1;
            p++;
        } else {
            p++;
        }
    }
    return p ? n : -1;
}

/* "(types) -> type" or "(types) -> (types)" at |p|. */
static const char *read_signature(const char *p, fake_program *out) {
    const char *end = behind(p, '(', ')');
    int n = end ? read_types(p, end, out->inputs, out->donor) : -1;
    if (n < 0) return "main must have tensor arguments";
    out->ninputs = (size_t)n;
    const char *results = strstr(end, "->");
    if (!results) return "main must have a result list";
    results += 2;
    while (*results == ' ') results++;
    end = *results == '(' ? behind(results, '(', ')') : strchr(results, '>');
    if (end && *results != '(') end = behind(results + strlen("tensor"), '<', '>');
    n = end ? read_types(results, end, out->outputs, NULL) : -1;
    if (n < 0) return "main must have tensor results";
    out->noutputs = (size_t)n;
    return NULL;
}

/* The dictionaries of arg_attrs = [{...}, {...}], one per argument. */
static void read_arg_attrs(const char *p, fake_program *out) {
    static const char alias_mark[] = "tf.aliasing_output = ";
    const char *end = behind(p, '[', ']');
    int arg = -1, depth = 0;
    for (; end && p < end; p++) {
        if (*p == '{' && depth++ == 0) arg++;
        if (*p == '}') depth--;
        if (strncmp(p, alias_mark, sizeof alias_mark - 1)) continue;
        long k = strtol(p + sizeof alias_mark - 1, NULL, 10);
        if (k >= 0 && k < FAKE_VALUES) out->donor[k] = arg;
    }
}

static const char *read_main(const char *text, fake_program *out) {
    const char *pretty = strstr(text, "@main("), *name = strstr(text, "sym_name = \"main\"");
    if (pretty) return read_signature(pretty + strlen("@main"), out);
    if (!name) return "a program must have a function main";
    const char *start = text, *next;
    while ((next = strstr(start + 1, "\"func.func\"")) && next < name) start = next;
    const char *attrs = strstr(start, "arg_attrs = ["), *type = strstr(start, "function_type = ");
    if (!type) return "main must have a function_type";
    if (attrs && attrs < strstr(start, "}>")) read_arg_attrs(attrs, out);
    return read_signature(type + strlen("function_type = "), out);
}

static uint64_t varint(const unsigned char **p, const unsigned char *end) {
    uint64_t v = 0;
    for (int shift = 0; *p < end && shift < 64; shift += 7) {
        unsigned char byte = *(*p)++;
        v |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) break;
    }
    return v;
}

/* Narrows [*p, *end) to the contents of submessage |field|, or returns the varint |field|; false if it is not there. */
static bool find_field(const unsigned char **p, const unsigned char **end, uint64_t field, uint64_t *out_value) {
    while (*p < *end) {
        uint64_t tag = varint(p, *end), v = varint(p, *end);
        if ((tag & 7) == 2 && v > (uint64_t)(*end - *p)) return false;
        if (tag >> 3 == field) {
            *out_value = v;
            if ((tag & 7) == 2) *end = *p + v;
            return true;
        }
        if ((tag & 7) == 2) *p += v;
    }
    return false;
}

/* executable_build_options.device_assignment.computation_devices.replica_device_ids */
static bool read_device(const char *options, size_t len, int *out_device) {
    const unsigned char *p = (const unsigned char *)options, *end = p + len;
    uint64_t v = 0;
    if (!find_field(&p, &end, 3, &v) || !find_field(&p, &end, 9, &v) || !find_field(&p, &end, 3, &v) ||
        !find_field(&p, &end, 1, &v))
        return false;
    *out_device = (int)v;
    return true;
}

/* Whether |text| has the operation |name| on the first argument twice. */
static bool applies(const char *text, const char *name) {
    char generic[64], pretty[64];
    snprintf(generic, sizeof generic, "stablehlo.%s\"(%%arg0, %%arg0)", name);
    snprintf(pretty, sizeof pretty, "stablehlo.%s %%arg0, %%arg0", name);
    return strstr(text, generic) || strstr(text, pretty);
}

const char *fake_program_read(const char *text, size_t len, const char *options, size_t options_len,
                              fake_program *out_program) {
    if (!options_len) return "compile options must not be empty (a real plugin would abort)";
    if (!read_device(options, options_len, &out_program->device)) return "compile options must name a device";
    for (int i = 0; i < FAKE_VALUES; i++) out_program->donor[i] = -1;
    free(out_program->text);
    out_program->text = strndup(text, len);
    out_program->len = len;
    if (!out_program->text) return "out of memory";
    const char *wrong = read_main(out_program->text, out_program);
    if (wrong) return wrong;
    for (size_t k = 0; k < FAKE_VALUES; k++)
        if (out_program->donor[k] >= (int)out_program->ninputs) return "an aliased argument must exist";
    bool unary = out_program->ninputs == 1 && out_program->noutputs == 1 &&
                 out_program->inputs[0].element == PJRT_Buffer_Type_F32;
    if (unary && applies(out_program->text, "add")) out_program->op = '+';
    if (unary && applies(out_program->text, "multiply")) out_program->op = '*';
    return NULL;
}
