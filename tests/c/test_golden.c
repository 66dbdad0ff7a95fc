/* Golden pairs: each line of a .aten file is one call of a row; its lowering is printed and compared with the .mlir file of
 * the same stem, so that a change to a lowering is read as a diff.
 *   test_golden FOLDER            compares
 *   test_golden FOLDER --update   writes the .mlir files
 *   test_golden FOLDER PLUGIN     compares, and compiles each program with the plugin
 * A call: `name argument ...`, an argument being float32[2,3], {tensor,tensor}, a number, [1,2], true, "text", float32,
 * none, or gen. */
#include "aten/op.h"
#include "base/strbuf.h"
#include "check.h"
#include "pjrt/pjrt.h"

#include <dirent.h>
#include <stdlib.h>

enum { MAX_TOKENS = AT_MAX_ARGS, MAX_LIST = 16, LINE = 1024 };

static int64_t int_pool[256];
static double float_pool[64];
static tp_arg arg_pool[64];
static at_in elem_pool[64];
static int nint, nfloat, narg, nelem;

static tp_dtype dtype_named(const char *name, size_t len) {
    for (int t = 1; t < TP_DTYPE_COUNT; t++)
        if (strlen(tp_dtype_name((tp_dtype)t)) == len && !strncmp(tp_dtype_name((tp_dtype)t), name, len)) return (tp_dtype)t;
    return TP_NO_DTYPE;
}

static bool parse_tensor(const char *text, tp_type *out) {
    const char *bracket = strchr(text, '[');
    tp_dtype t = bracket ? dtype_named(text, (size_t)(bracket - text)) : TP_NO_DTYPE;
    if (!t) return false;
    *out = tp_type_make(t, 0, NULL);
    for (const char *p = bracket + 1; *p && *p != ']'; p += *p == ',') out->dims[out->rank++] = strtoll(p, (char **)(uintptr_t)&p, 10);
    return true;
}

static tp_scalar parse_number(const char *text) {
    bool whole = !strpbrk(text, ".enia");
    tp_scalar s = {.dtype = whole ? TP_I64 : TP_F64, .re = strtod(text, NULL)};
    s.i = whole ? strtoll(text, NULL, 10) : 0;
    return s;
}

static void slot(at_in *in, at_slot_class cls, tp_dtype dtype) {
    in->kind = AT_IN_SLOT;
    in->slot_class = (uint8_t)cls;
    in->type = tp_type_make(dtype, 0, NULL);
}

static void parse_ints(at_in *in, tp_arg *a, const char *text) {
    a->tag = in->letter == 'F' ? TP_ARG_FLOATS : TP_ARG_INTS;
    a->ints = int_pool + nint;
    if (in->letter == 'F') a->floats = float_pool + nfloat;
    for (const char *p = text + 1; *p && *p != ']'; p += *p == ',', a->n++) {
        if (in->letter == 'F')
            float_pool[nfloat++] = strtod(p, (char **)(uintptr_t)&p);
        else
            int_pool[nint++] = strtoll(p, (char **)(uintptr_t)&p, 10);
    }
    if (in->letter != 'N') return;
    in->kind = AT_IN_LIST;
    in->elems = elem_pool + nelem;
    in->nelems = a->n;
    for (uint32_t i = 0; i < a->n; i++) {
        elem_pool[nelem] = (at_in){.letter = 'N', .arg = a};
        slot(&elem_pool[nelem++], AT_SLOT_INT, TP_I64);
    }
}

static void parse_list(at_in *in, char *text) {
    in->kind = AT_IN_LIST;
    in->elems = elem_pool + nelem;
    text[strlen(text) - 1] = 0;
    for (char *save, *p = strtok_r(text + 1, ";", &save); p; p = strtok_r(NULL, ";", &save)) {
        at_in *e = &elem_pool[nelem++];
        *e = (at_in){.letter = in->letter, .kind = parse_tensor(p, &e->type) ? AT_IN_TENSOR : AT_IN_NONE};
        if (e->kind == AT_IN_TENSOR) parse_tensor(p, &e->type);
        in->nelems++;
    }
}

static void parse_argument(at_in *in, char letter, char *text) {
    tp_arg *a = &arg_pool[narg++];
    *in = (at_in){.letter = (uint8_t)letter, .kind = AT_IN_STATIC, .arg = a};
    *a = (tp_arg){.tag = TP_ARG_INT};
    tp_type type;
    if (!strcmp(text, "none")) {
        in->kind = AT_IN_NONE;
        a->tag = TP_ARG_NONE;
    } else if (!strcmp(text, "gen")) {
        slot(in, AT_SLOT_RNG, TP_U64);
    } else if (*text == '{') {
        parse_list(in, text);
    } else if (*text == '[') {
        parse_ints(in, a, text);
    } else if (*text == '"') {
        *a = (tp_arg){.tag = TP_ARG_STR, .n = (uint32_t)strlen(text) - 2, .str = text + 1};
    } else if (!strcmp(text, "true") || !strcmp(text, "false")) {
        a->i = *text == 't';
    } else if (parse_tensor(text, &type)) {
        in->kind = AT_IN_TENSOR;
        in->type = type;
    } else if (letter == 'd') {
        a->i = dtype_named(text, strlen(text));
    } else {
        tp_scalar s = parse_number(text);
        if (letter == 'a' && s.re == 1) *a = (tp_arg){.tag = TP_ARG_SCALAR, .scalar = s};
        else if (letter == 'a' || letter == 's' || letter == 'T') slot(in, s.dtype == TP_I64 ? AT_SLOT_INT : AT_SLOT_FLOAT, (tp_dtype)s.dtype);
        else if (letter == 'f') slot(in, AT_SLOT_FLOAT, TP_F64);
        else if (letter == 'n') slot(in, AT_SLOT_INT, TP_I64);
        else if (letter == 'x') *a = (tp_arg){.tag = TP_ARG_SCALAR, .scalar = s};
        else if (letter == 'y') *a = (tp_arg){.tag = TP_ARG_FLOAT, .f = s.re};
        else a->i = s.i;
    }
}

/* Words may hold blanks only inside brackets. */
static int split(char *line, char **words) {
    int n = 0;
    for (char *save, *p = strtok_r(line, " \n", &save); p && n < MAX_TOKENS; p = strtok_r(NULL, " \n", &save)) words[n++] = p;
    return n;
}

/* Appends the program of one call. */
static bool lower_line(const char *line, tp_strbuf *out) {
    char copy[LINE], *words[MAX_TOKENS];
    snprintf(copy, sizeof copy, "%s", line);
    int n = split(copy, words), row = n ? at_row_find(words[0]) : -1;
    if (!CHECK(row >= 0)) return false;
    nint = nfloat = narg = nelem = 0;
    const at_row *r = at_row_get(row);
    at_in in[MAX_TOKENS];
    const char *letter = r->signature;
    for (int i = 1; i < n; i++) {
        parse_argument(&in[i - 1], *letter ? *letter : 'i', words[i]);
        if (*letter) letter += 1 + (letter[1] == '?');
    }
    at_fragment f = {0};
    char *text = NULL;
    size_t len = 0;
    bool ok = CHECK_OK(at_lower(r, r->lower, in, n - 1, HLO_DEFAULT, &f)) && CHECK_OK(hlo_print(f.graph, "golden", NULL, &text, &len));
    if (ok) tp_strbuf_printf(out, "// %s%s%s", line, line[strlen(line) - 1] == '\n' ? "" : "\n", text);
    hlo_graph_destroy(f.graph);
    free(text);
    return ok;
}

static char *read_file(const char *path) {
    FILE *f = fopen(path, "r");
    tp_strbuf b = {0};
    char line[LINE];
    while (f && fgets(line, sizeof line, f)) tp_strbuf_puts(&b, line);
    if (f) fclose(f);
    return f ? tp_strbuf_take(&b, NULL) : NULL;
}

static void compile_all(pj_client *client, char *text) {
    for (char *p = strstr(text, "module @"), *next; p; p = next) {
        next = strstr(p + 1, "// ");
        size_t len = next ? (size_t)(next - p) : strlen(p);
        pj_executable *e = NULL;
        if (!CHECK_OK(pj_compile(client, p, len, &(pj_compile_options){0, -1}, &e))) fprintf(stderr, "%.*s\n", (int)len, p);
        pj_executable_destroy(client, e);
        next = next ? strstr(next, "module @") : NULL;
    }
}

static void run_file(const char *folder, const char *stem, bool update, pj_client *client) {
    char path[LINE], line[LINE];
    snprintf(path, sizeof path, "%s/%s.aten", folder, stem);
    FILE *f = fopen(path, "r");
    if (!CHECK(f != NULL)) return;
    tp_strbuf b = {0};
    while (fgets(line, sizeof line, f))
        if (*line != '#' && *line != '\n' && !lower_line(line, &b)) fprintf(stderr, "  in %s: %s", path, line);
    fclose(f);
    snprintf(path, sizeof path, "%s/%s.mlir", folder, stem);
    char *text = tp_strbuf_take(&b, NULL);
    if (update) {
        f = fopen(path, "w");
        if (CHECK(f != NULL)) CHECK(fputs(text, f) >= 0 && fclose(f) == 0);
    }
    char *golden = read_file(path);
    if (!CHECK(golden && text && !strcmp(golden, text))) fprintf(stderr, "  %s differs: look at it after test_golden --update\n", path);
    if (client && text) compile_all(client, text);
    free(golden);
    free(text);
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    bool update = argc > 2 && !strcmp(argv[2], "--update");
    pj_client *client = NULL;
    if (argc > 2 && !update && !CHECK_OK(pj_client_open(argv[2], &(pj_open_options){1}, &client))) return check_result();
    DIR *folder = opendir(argv[1]);
    int files = 0;
    for (struct dirent *e; folder && (e = readdir(folder));) {
        char *dot = strrchr(e->d_name, '.');
        if (!dot || strcmp(dot, ".aten")) continue;
        *dot = 0;
        run_file(argv[1], e->d_name, update, client);
        files++;
    }
    if (folder) closedir(folder);
    CHECK(files > 0);
    return check_result();
}
