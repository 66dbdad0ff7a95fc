/* The op table: its rows, type promotion, the words of errors, inferred types, strides of results. */
#include "aten/lower.h"
#include "check.h"

#include <stdlib.h>

/* ---- rows */
static int letters_of(const char *signature) {
    int n = 0;
    for (const char *p = signature; *p; p++) {
        if (*p == '?') continue;
        if (!strchr("TLOasxXfynibIBFdmlDSGN", *p)) return -1;
        n++;
    }
    return n;
}

static void check_row(int i) {
    const at_row *r = at_row_get(i);
    char where[160];
    snprintf(where, sizeof where, "row %d, %s", i, r->name);
    bool found = at_row_find(r->name) == i, internal = !strncmp(r->name, "_tp_", 4);
    check_that(found, __FILE__, __LINE__, "a row is found by its name, which no other row has", where);
    int n = letters_of(r->signature);
    check_that(n >= 0 && n < AT_MAX_ARGS, __FILE__, __LINE__, "a signature has known letters", where);
    check_that(internal == (r->kind == AT_INTERNAL), __FILE__, __LINE__, "internal rows begin with _tp_", where);
    if (r->kind == AT_CPU) {
        check_that(r->reason && *r->reason, __FILE__, __LINE__, "a fallback has a reason", where);
        return;
    }
    check_that(r->nouts >= 1 && r->nouts <= AT_MAX_OUTS, __FILE__, __LINE__, "a row has outputs", where);
    check_that((r->kind == AT_SIZED) == (r->count != NULL), __FILE__, __LINE__, "sized rows, and only they, count", where);
    if (r->kind != AT_FOREACH) {
        check_that(r->lower != NULL, __FILE__, __LINE__, "a row has a lowering", where);
        return;
    }
    int target = r->target ? at_row_find(r->target) : -1;
    check_that(target >= 0, __FILE__, __LINE__, "a foreach row's target is a row", where);
    if (target < 0) return;
    check_that(at_row_get(target)->nouts == r->nouts, __FILE__, __LINE__, "a foreach row has its target's outputs", where);
    check_that(letters_of(at_row_get(target)->signature) >= n, __FILE__, __LINE__, "a target takes the list's arguments", where);
}

static void test_rows(void) {
    CHECK(at_row_count() > 300);
    for (int i = 0; i < at_row_count(); i++) check_row(i);
    CHECK(at_row_find("no.such_row") == -1);
    CHECK(at_row_find("") == -1);
}

/* ---- promotion */
static const tp_dtype kinds[] = {TP_BOOL, TP_U8, TP_U16, TP_U32, TP_U64, TP_I8, TP_I16, TP_I32, TP_I64, TP_F16, TP_BF16, TP_F32, TP_F64, TP_C64, TP_C128};
enum { NKINDS = sizeof kinds / sizeof *kinds };

/* torch.promote_types, row by row in the order of |kinds|; - where it raises. */
static const char *const promotions[NKINDS] = {
    "BOOL U8 - - - I8 I16 I32 I64 F16 BF16 F32 F64 C64 C128",
    "U8 U8 - - - I16 I16 I32 I64 F16 BF16 F32 F64 C64 C128",
    "- - U16 - - - - - - F16 BF16 F32 F64 - -",
    "- - - U32 - - - - - F16 BF16 F32 F64 - -",
    "- - - - U64 - - - - F16 BF16 F32 F64 - -",
    "I8 I16 - - - I8 I16 I32 I64 F16 BF16 F32 F64 C64 C128",
    "I16 I16 - - - I16 I16 I32 I64 F16 BF16 F32 F64 C64 C128",
    "I32 I32 - - - I32 I32 I32 I64 F16 BF16 F32 F64 C64 C128",
    "I64 I64 - - - I64 I64 I64 I64 F16 BF16 F32 F64 C64 C128",
    "F16 F16 F16 F16 F16 F16 F16 F16 F16 F16 F32 F32 F64 C64 C128",
    "BF16 BF16 BF16 BF16 BF16 BF16 BF16 BF16 BF16 F32 BF16 F32 F64 C64 C128",
    "F32 F32 F32 F32 F32 F32 F32 F32 F32 F32 F32 F32 F64 C64 C128",
    "F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 C128 C128",
    "C64 C64 - - - C64 C64 C64 C64 C64 C64 C64 C128 C64 C128",
    "C128 C128 - - - C128 C128 C128 C128 C128 C128 C128 C128 C128 C128",
};

static const char *dtype_word(tp_dtype t) {
    static const char *const words[TP_DTYPE_COUNT] = {
        [TP_NO_DTYPE] = "-",
#define DTYPE(e, name, torch, hlo, pjrt, bytes, cls) [TP_##e] = #e,
#include "base/dtype.def"
#undef DTYPE
    };
    return words[t];
}

static void test_promote_types(void) {
    for (int i = 0; i < NKINDS; i++) {
        char row[256] = "";
        for (int j = 0; j < NKINDS; j++) {
            if (j) strcat(row, " ");
            strcat(row, dtype_word(promote_types(kinds[i], kinds[j])));
        }
        check_that(!strcmp(row, promotions[i]), __FILE__, __LINE__, dtype_word(kinds[i]), row);
    }
    CHECK(promote_types(TP_F8E5M2, TP_F32) == TP_NO_DTYPE);
    CHECK(promote_types(TP_F8E5M2, TP_F8E5M2) == TP_F8E5M2);
    CHECK(promote_types(TP_NO_DTYPE, TP_I8) == TP_I8);
}

/* ---- lowering one call */
static at_in tensor(tp_dtype t, int rank, const int64_t *dims) {
    return (at_in){.kind = AT_IN_TENSOR, .letter = 'T', .type = tp_type_make(t, rank, dims)};
}

#define TENSOR(t, ...) tensor((t), (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (int64_t[]){__VA_ARGS__})
#define TENSOR0(t) tensor((t), 0, NULL)

static at_in number(tp_dtype t, char letter, int rank) {
    at_slot_class cls = tp_dtype_is_complex(t) ? AT_SLOT_COMPLEX : tp_dtype_is_float(t) ? AT_SLOT_FLOAT : AT_SLOT_INT;
    return (at_in){.kind = AT_IN_SLOT, .letter = (uint8_t)letter, .slot_class = (uint8_t)cls, .scalar_rank = (uint8_t)rank,
                   .type = tp_type_make(t, 0, NULL)};
}

#define NUMBER(t) number((t), 's', TP_NUMBER)
#define ZERO_DIM(t) number((t), 'T', TP_ZERO_DIM)

static at_in fixed(const tp_arg *a, char letter) {
    return (at_in){.kind = a->tag == TP_ARG_NONE ? AT_IN_NONE : AT_IN_STATIC, .letter = (uint8_t)letter, .arg = a};
}

#define INT(v) fixed(&(tp_arg){.tag = TP_ARG_INT, .i = (v)}, 'i')
#define INTS(...) \
    fixed(&(tp_arg){.tag = TP_ARG_INTS, .n = sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), .ints = (int64_t[]){__VA_ARGS__}}, 'I')
#define NO_ARG fixed(&(tp_arg){.tag = TP_ARG_NONE}, 'i')
#define RNG ((at_in){.kind = AT_IN_SLOT, .letter = 'G', .slot_class = AT_SLOT_RNG, .type = tp_type_make(TP_U64, 0, NULL)})

static tp_status lower_call(const char *name, const at_in *in, int n, at_fragment *out) {
    int row = at_row_find(name);
    *out = (at_fragment){0};
    if (row < 0) return TP_FAIL(TP_NOT_FOUND, TP_RUNTIME, "no row %s", name);
    return at_lower(at_row_get(row), at_row_get(row)->lower, in, n, HLO_DEFAULT, out);
}

/* The call lowers, and its first output is |text|. */
static void gives(int line, const char *name, const at_in *in, int n, const char *text) {
    at_fragment f;
    char found[256] = "";
    if (check_ok(lower_call(name, in, n, &f), __FILE__, line, name)) {
        tp_type_format(hlo_output_type(f.graph, 0), found, sizeof found);
        check_that(!strcmp(found, text), __FILE__, line, name, found);
        check_that(f.nouts == at_row_get(at_row_find(name))->nouts, __FILE__, line, name, "number of outputs");
    }
    hlo_graph_destroy(f.graph);
}

/* The call fails with |kind| and these words. */
static void refuses(int line, const char *name, const at_in *in, int n, tp_kind kind, const char *words) {
    at_fragment f;
    tp_status s = lower_call(name, in, n, &f);
    bool right = s && tp_status_kind(s) == kind && !strcmp(tp_status_message(s), words);
    check_that(right, __FILE__, line, name, s ? tp_status_message(s) : "succeeded");
    tp_status_free(s);
    hlo_graph_destroy(f.graph);
}

#define COUNT(...) ((int)(sizeof((at_in[]){__VA_ARGS__}) / sizeof(at_in)))
#define GIVES(text, name, ...) gives(__LINE__, (name), (at_in[]){__VA_ARGS__}, COUNT(__VA_ARGS__), (text))
#define REFUSES(kind, words, name, ...) refuses(__LINE__, (name), (at_in[]){__VA_ARGS__}, COUNT(__VA_ARGS__), (kind), (words))

static void test_result_types(void) {
    GIVES("float32[2, 3]", "mul.Tensor", TENSOR(TP_F32, 2, 3), TENSOR(TP_F32, 3));
    GIVES("float64[3]", "mul.Tensor", TENSOR(TP_F32, 3), TENSOR(TP_F64, 3));
    GIVES("float32[3]", "mul.Tensor", TENSOR(TP_F32, 3), TENSOR0(TP_F64));      /* 0-dim tensors count less */
    GIVES("float32[3]", "mul.Tensor", TENSOR(TP_F32, 3), ZERO_DIM(TP_F64));
    GIVES("bfloat16[3]", "mul.Tensor", TENSOR(TP_BF16, 3), NUMBER(TP_F64));     /* numbers least */
    GIVES("float32[3]", "mul.Tensor", TENSOR(TP_I64, 3), NUMBER(TP_F64));
    GIVES("float64[3]", "mul.Tensor", TENSOR(TP_I64, 3), ZERO_DIM(TP_F64));
    GIVES("int8[3]", "mul.Tensor", TENSOR(TP_I8, 3), NUMBER(TP_I64));
    GIVES("int64[3]", "mul.Tensor", TENSOR(TP_BOOL, 3), NUMBER(TP_I64));
    GIVES("uint16[3]", "mul.Tensor", TENSOR(TP_U16, 3), NUMBER(TP_I64));
    GIVES("complex64[3]", "mul.Tensor", TENSOR(TP_F32, 3), NUMBER(TP_C128));
    GIVES("complex128[3]", "mul.Tensor", TENSOR(TP_F64, 3), NUMBER(TP_C128));
    GIVES("float64[]", "mul.Tensor", TENSOR0(TP_F32), ZERO_DIM(TP_F64));
    GIVES("float32[3]", "div.Tensor", TENSOR(TP_I32, 3), TENSOR(TP_I64, 3));
    GIVES("int64[3]", "floor_divide", TENSOR(TP_I32, 3), TENSOR(TP_I64, 3));
    GIVES("bool[3]", "eq.Scalar", TENSOR(TP_I32, 3), NUMBER(TP_F64));
    GIVES("float32[3]", "clamp", TENSOR(TP_I32, 3), NUMBER(TP_F64), NO_ARG);
    GIVES("bool[3]", "add.Tensor", TENSOR(TP_BOOL, 3), TENSOR(TP_BOOL, 3), NUMBER(TP_BOOL));
    GIVES("float32[0, 4]", "exp", TENSOR(TP_I64, 0, 4));
    GIVES("int64[2, 1]", "sum.dim_IntList", TENSOR(TP_I8, 2, 5), INTS(-1), INT(1), NO_ARG);
    GIVES("bfloat16[]", "mean", TENSOR(TP_BF16, 2, 5), NO_ARG);
    GIVES("float32[5]", "max.dim", TENSOR(TP_F32, 2, 5), INT(0), INT(0));
    GIVES("float32[2, 5]", "uniform", TENSOR(TP_F32, 2, 5), NUMBER(TP_F64), NUMBER(TP_F64), RNG);
    GIVES("float32[600]", "native_dropout", TENSOR(TP_F32, 600), NUMBER(TP_F64), INT(1), RNG);
}

static void test_errors(void) {
    REFUSES(TP_RUNTIME, "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1", "mul.Tensor",
            TENSOR(TP_F32, 2, 3), TENSOR(TP_F32, 4));
    REFUSES(TP_INDEX, "Dimension out of range (expected to be in range of [-2, 1], but got 3)", "sum.dim_IntList", TENSOR(TP_F32, 2, 3),
            INTS(3), INT(0), NO_ARG);
    REFUSES(TP_INDEX, "Dimension out of range (expected to be in range of [-1, 0], but got 3)", "cumsum", TENSOR0(TP_F32), INT(3), NO_ARG);
    REFUSES(TP_RUNTIME, "dim 1 appears multiple times in the list of dims", "sum.dim_IntList", TENSOR(TP_F32, 2, 3), INTS(1, -1), INT(0), NO_ARG);
    REFUSES(TP_RUNTIME, "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Long", "mean",
            TENSOR(TP_I64, 3), NO_ARG);
    REFUSES(TP_INDEX, "max(): Expected reduction dim 0 to have non-zero size.", "max.dim", TENSOR(TP_F32, 0, 3), INT(0), INT(0));
    REFUSES(TP_RUNTIME, "Promotion for Float8 Types is not supported, attempted to promote Float8_e5m2 and Float", "mul.Tensor",
            TENSOR(TP_F8E5M2, 3), TENSOR(TP_F32, 3));
    REFUSES(TP_RUNTIME, "Promotion for uint16, uint32, uint64 types is not supported, attempted to promote UInt16 and Long", "mul.Tensor",
            TENSOR(TP_U16, 3), TENSOR(TP_I64, 3));
    REFUSES(TP_NOT_IMPLEMENTED, "\"bitwise_and_cpu\" not implemented for 'Float'", "bitwise_and.Tensor", TENSOR(TP_F32, 3), TENSOR(TP_F32, 3));
    REFUSES(TP_RUNTIME, "where expected condition to be a boolean tensor, but got a tensor with dtype Float", "where.self", TENSOR(TP_F32, 3),
            TENSOR(TP_F32, 3), TENSOR(TP_F32, 3));
    REFUSES(TP_RUNTIME, "torch.clamp: At least one of 'min' or 'max' must not be None", "clamp", TENSOR(TP_F32, 3), NO_ARG, NO_ARG);
    REFUSES(TP_RUNTIME, "expected dtype float for `end` but got dtype double", "lerp.Scalar", TENSOR(TP_F32, 3), TENSOR(TP_F64, 3), NUMBER(TP_F64));
}

/* Parameters: tensors first, then one per slot (two for a complex number); a check adds a bool[] output. */
static void test_fragment_layout(void) {
    at_fragment f;
    at_in in[2] = {number(TP_C128, 'T', TP_NUMBER), TENSOR(TP_C64, 3)};
    if (CHECK_OK(lower_call("mul.Tensor", in, 2, &f))) {
        CHECK(hlo_param_count(f.graph) == 3);
        CHECK(hlo_param_type(f.graph, 0)->dtype == TP_C64);
        CHECK(hlo_param_type(f.graph, 1)->dtype == TP_F64 && hlo_param_type(f.graph, 2)->dtype == TP_F64);
    }
    hlo_graph_destroy(f.graph);
    at_in divide[2] = {TENSOR(TP_I32, 3), TENSOR(TP_I32, 3)};
    if (CHECK_OK(lower_call("floor_divide", divide, 2, &f))) {
        CHECK(f.nouts == 1 && f.nchecks == 1 && hlo_output_count(f.graph) == 2);
        CHECK(f.checks[0].kind == TP_RUNTIME && !strcmp(f.checks[0].message, "ZeroDivisionError"));
        CHECK(hlo_output_type(f.graph, 1)->dtype == TP_BOOL && hlo_output_type(f.graph, 1)->rank == 0);
    }
    hlo_graph_destroy(f.graph);
}

/* Equal calls lower to equal text: a kernel's program depends on its key only. */
static void test_deterministic(void) {
    at_in in[3] = {TENSOR(TP_BF16, 4, 1), TENSOR(TP_F32, 5), NUMBER(TP_I64)};
    char *first = NULL;
    for (int round = 0; round < 2; round++) {
        at_fragment f;
        char *text = NULL;
        if (CHECK_OK(lower_call("add.Tensor", in, 3, &f))) CHECK_OK(hlo_print(f.graph, "m", NULL, &text, NULL));
        if (round) CHECK(first && text && !strcmp(first, text));
        hlo_graph_destroy(f.graph);
        if (round) free(text);
        else first = text;
    }
    free(first);
}

/* ---- strides: what PyTorch's CPU device gives */
static tp_arg view_arg(tp_dtype t, int rank, const int64_t *sizes, const int64_t *strides) {
    return (tp_arg){.tag = TP_ARG_TENSOR, .view = {.dtype = (uint8_t)t, .rank = (uint8_t)rank, .sizes = sizes, .strides = strides}};
}

static void strides_are(int line, const char *name, const tp_arg *args, int nargs, tp_type out, const int64_t *want) {
    int64_t found[TP_MAX_RANK];
    at_out_strides(at_row_get(at_row_find(name)), args, nargs, 0, &out, found);
    check_that(!memcmp(found, want, out.rank * sizeof(int64_t)), __FILE__, line, name, "strides");
}

#define D(...) ((const int64_t[]){__VA_ARGS__})
static void test_strides(void) {
    tp_type t23 = tp_type_make(TP_F32, 2, D(2, 3)), t342 = tp_type_make(TP_F32, 3, D(3, 4, 2));
    tp_arg row_major = view_arg(TP_F32, 2, D(2, 3), D(3, 1)), transposed = view_arg(TP_F32, 2, D(2, 3), D(1, 2));
    tp_arg gaps = view_arg(TP_F32, 2, D(2, 3), D(2, 8)), spread = view_arg(TP_F32, 2, D(2, 3), D(0, 1));
    tp_arg column = view_arg(TP_F32, 1, D(3), D(1)), numeral = {.tag = TP_ARG_SCALAR};
    strides_are(__LINE__, "exp", &row_major, 1, t23, D(3, 1));
    strides_are(__LINE__, "exp", &transposed, 1, t23, D(1, 2));
    strides_are(__LINE__, "exp", &gaps, 1, t23, D(1, 2));
    strides_are(__LINE__, "exp", &spread, 1, t23, D(3, 1));
    strides_are(__LINE__, "mul.Tensor", (tp_arg[]){row_major, transposed}, 2, t23, D(3, 1)); /* the first operand decides */
    strides_are(__LINE__, "mul.Tensor", (tp_arg[]){transposed, row_major}, 2, t23, D(1, 2));
    strides_are(__LINE__, "mul.Tensor", (tp_arg[]){transposed, column}, 2, t23, D(1, 2));
    strides_are(__LINE__, "mul.Tensor", (tp_arg[]){spread, transposed}, 2, t23, D(1, 2));
    strides_are(__LINE__, "mul.Tensor", (tp_arg[]){transposed, numeral}, 2, t23, D(1, 2));
    tp_arg broadcast = view_arg(TP_F32, 3, D(1, 4, 2), D(1, 0, 16)), late = view_arg(TP_F32, 3, D(3, 4, 2), D(2, 6, 1));
    strides_are(__LINE__, "mul.Tensor", (tp_arg[]){broadcast, late}, 2, t342, D(2, 6, 1));
    tp_arg last = view_arg(TP_F32, 4, D(2, 3, 4, 5), D(60, 1, 15, 3));
    strides_are(__LINE__, "relu", &last, 1, tp_type_make(TP_F32, 4, D(2, 3, 4, 5)), D(60, 1, 15, 3));
    strides_are(__LINE__, "zero", &gaps, 1, t23, D(1, 2));
    strides_are(__LINE__, "zero", &transposed, 1, t23, D(1, 2));
    strides_are(__LINE__, "masked_fill.Scalar", (tp_arg[]){transposed, row_major, numeral}, 3, t23, D(3, 1));
}

/* ---- random numbers */
static void test_philox_steps(void) {
    const at_row *r = at_row_get(at_row_find("uniform"));
    CHECK(at_philox_steps(r, 0) == 0);
    CHECK(at_philox_steps(r, 1) > 0);
    for (int64_t n = 1; n < 5000; n += 37) CHECK(at_philox_steps(r, n) >= (uint64_t)n); /* float64 pairs take a block an element */
}

int main(void) {
    test_rows();
    test_promote_types();
    test_result_types();
    test_errors();
    test_fragment_layout();
    test_deterministic();
    test_strides();
    test_philox_steps();
    return check_result();
}
