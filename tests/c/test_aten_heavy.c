/* Lowerings of linear algebra, indexing, sorting, windows, norms and losses: inferred types and the words of errors, one
 * line per call; and, if the program is given a plugin that compiles StableHLO, that it takes each fragment.
 *
 * A call is written as the row's name and its arguments: f32[2,3] a tensor, - an absent argument, { .. } a list of
 * tensors, <1,2> integers, 3 a static number, #2 or #2.5 a run-time one, 'sum' a string, %f32 a dtype.  What is expected
 * is the outputs' types, in the same notation (_ for an output the call does not have), or ! and part of the message. */
#include "aten/lower.h"
#include "check.h"
#include "pjrt/pjrt.h"

#include <stdlib.h>

typedef struct call_case {
    const char *call, *expect;
} call_case;

/* ---- reading the notation */
enum { MAX_ELEMENTS = 8 };

typedef struct reader {
    const char *at;
    at_in in[AT_MAX_ARGS], elements[AT_MAX_ARGS][MAX_ELEMENTS];
    tp_arg args[AT_MAX_ARGS];
    int64_t ints[AT_MAX_ARGS][16];
    int n;
    bool bad;
} reader;

static const struct {
    const char *word;
    tp_dtype dtype;
} dtype_words[] = {
    {"b8", TP_BOOL}, {"u8", TP_U8},   {"i16", TP_I16}, {"i32", TP_I32}, {"i64", TP_I64},
    {"f16", TP_F16}, {"bf16", TP_BF16}, {"f32", TP_F32}, {"f64", TP_F64}, {"c64", TP_C64},
};

static tp_dtype read_dtype(reader *r) {
    for (size_t i = 0; i < sizeof dtype_words / sizeof *dtype_words; i++) {
        size_t len = strlen(dtype_words[i].word);
        if (strncmp(r->at, dtype_words[i].word, len) != 0) continue;
        r->at += len;
        return dtype_words[i].dtype;
    }
    r->bad = true;
    return TP_NO_DTYPE;
}

static int read_ints(reader *r, char close, int64_t *out_ints) {
    int n = 0;
    r->at++;
    while (*r->at && *r->at != close) {
        char *end;
        out_ints[n++] = strtoll(r->at, &end, 10);
        r->at = *end == ',' ? end + 1 : end;
    }
    if (*r->at) r->at++;
    else r->bad = true;
    return n;
}

static at_in read_tensor(reader *r) {
    int64_t dims[16];
    tp_dtype t = read_dtype(r);
    int rank = *r->at == '[' ? read_ints(r, ']', dims) : 0;
    return (at_in){.kind = AT_IN_TENSOR, .letter = 'T', .type = tp_type_make(t, rank, dims)};
}

static at_in read_run_time(reader *r, char letter) {
    char *end;
    strtod(++r->at, &end);
    bool whole = !memchr(r->at, '.', (size_t)(end - r->at)) && letter != 'f';
    r->at = end;
    at_in a = {.kind = AT_IN_SLOT, .letter = (uint8_t)letter, .slot_class = whole ? AT_SLOT_INT : AT_SLOT_FLOAT};
    a.type = tp_type_make(whole ? TP_I64 : TP_F64, 0, NULL);
    return a;
}

static void read_static(reader *r, tp_arg *a, char letter) {
    char *end;
    double v = strtod(r->at, &end);
    bool whole = !memchr(r->at, '.', (size_t)(end - r->at));
    if (end == r->at) r->bad = true;
    r->at = end;
    if (letter == 'y') *a = (tp_arg){.tag = TP_ARG_FLOAT, .f = v};
    else if (letter == 'x')
        *a = (tp_arg){.tag = TP_ARG_SCALAR, .scalar = {.dtype = (uint8_t)(whole ? TP_I64 : TP_F64), .i = (int64_t)v, .re = v}};
    else *a = (tp_arg){.tag = TP_ARG_INT, .i = (int64_t)v};
}

static void read_list(reader *r, int k, at_in *in) {
    in->kind = AT_IN_LIST;
    in->elems = r->elements[k];
    r->at++;
    while (*r->at && *r->at != '}') {
        while (*r->at == ' ') r->at++;
        if (*r->at == '}' || in->nelems == MAX_ELEMENTS) break;
        r->elements[k][in->nelems] = *r->at == '-' ? (at_in){.kind = AT_IN_NONE} : read_tensor(r);
        if (*r->at == '-') r->at++;
        in->nelems++;
        if (r->bad) return;
    }
    if (*r->at) r->at++;
}

static void read_argument(reader *r, char letter) {
    int k = r->n++;
    at_in *in = &r->in[k];
    tp_arg *a = &r->args[k];
    *in = (at_in){.kind = AT_IN_STATIC, .letter = (uint8_t)letter, .arg = a};
    if (*r->at == '-' && (r->at[1] == ' ' || !r->at[1])) {
        *in = (at_in){.kind = AT_IN_NONE};
        r->at++;
    } else if (*r->at == '{') {
        read_list(r, k, in);
    } else if (*r->at == '<') {
        a->tag = TP_ARG_INTS;
        a->n = (uint32_t)read_ints(r, '>', r->ints[k]);
        a->ints = r->ints[k];
    } else if (*r->at == '#') {
        *in = read_run_time(r, letter);
    } else if (*r->at == '\'') {
        const char *end = strchr(r->at + 1, '\'');
        *a = (tp_arg){.tag = TP_ARG_STR, .n = (uint32_t)(end - r->at - 1), .str = r->at + 1};
        r->at = end + 1;
    } else if (*r->at == '%') {
        r->at++;
        *a = (tp_arg){.tag = TP_ARG_INT, .i = (int64_t)read_dtype(r)};
    } else if (letter == 'T') {
        *in = read_tensor(r);
    } else {
        read_static(r, a, letter);
    }
}

static const at_row *read_call(reader *r, const char *call) {
    char name[80] = "";
    size_t len = strcspn(call, " ");
    if (len < sizeof name) memcpy(name, call, len);
    int row = at_row_find(name);
    *r = (reader){.at = call + len};
    if (row < 0) return NULL;
    const char *letter = at_row_get(row)->signature;
    for (; !r->bad && *r->at; r->at++) {
        if (*r->at == ' ') continue;
        while (*letter == '?') letter++;
        read_argument(r, *letter ? *letter : 'i');
        if (*letter) letter++;
        if (!*r->at) break;
    }
    return at_row_get(row);
}

/* ---- running it */
static pj_client *client; /* NULL: nothing is compiled */

static void type_text(const tp_type *t, char *text_out, size_t cap) {
    const char *word = "?";
    for (size_t i = 0; i < sizeof dtype_words / sizeof *dtype_words; i++)
        if (dtype_words[i].dtype == t->dtype) word = dtype_words[i].word;
    int at = snprintf(text_out, cap, "%s%s", word, t->rank ? "[" : "");
    for (int d = 0; d < t->rank; d++)
        at += snprintf(text_out + at, cap - (size_t)at, "%s%lld%s", d ? "," : "", (long long)t->dims[d], d == t->rank - 1 ? "]" : "");
}

static void outputs_text(const at_fragment *f, char *text_out, size_t cap) {
    size_t at = 0;
    text_out[0] = 0;
    for (int k = 0; k < f->nouts && at + 64 < cap; k++) {
        if (k) text_out[at++] = ' ';
        if (f->absent >> k & 1) snprintf(text_out + at, cap - at, "_");
        else type_text(hlo_output_type(f->graph, k), text_out + at, cap - at);
        at += strlen(text_out + at);
    }
}

static void compile(const at_fragment *f, int line, const char *call) {
    char *program = NULL;
    size_t len = 0;
    pj_executable *e = NULL;
    if (!client || !check_ok(hlo_print(f->graph, "heavy", NULL, &program, &len), __FILE__, line, call)) return;
    check_ok(pj_compile(client, program, len, &(pj_compile_options){.device = 0, .optimization_level = 0}, &e), __FILE__, line, call);
    pj_executable_destroy(client, e);
    free(program);
}

static void run_case(const call_case *c, int line) {
    static reader r;
    char made[512];
    at_fragment f;
    const at_row *row = read_call(&r, c->call);
    if (!check_that(row && !r.bad, __FILE__, line, "the row exists and the call can be read", c->call)) return;
    tp_status s = at_lower(row, row->lower, r.in, r.n, HLO_HIGHEST, &f);
    if (*c->expect == '!') {
        if (!s) hlo_graph_destroy(f.graph);
        check_fails(s, c->expect + 1, __FILE__, line, c->call);
        return;
    }
    if (!check_ok(s, __FILE__, line, c->call)) return;
    outputs_text(&f, made, sizeof made);
    if (!check_that(!strcmp(made, c->expect), __FILE__, line, c->call, made)) fprintf(stderr, "  expected %s\n", c->expect);
    compile(&f, line, c->call);
    hlo_graph_destroy(f.graph);
}

static void run_cases(const call_case *cases, size_t n) {
    for (size_t i = 0; i < n; i++) run_case(&cases[i], (int)i + 1);
}
#define RUN(cases) run_cases(cases, sizeof cases / sizeof *cases)

/* ---- the cases */
static const call_case products[] = {
    {"mm f32[2,3] f32[3,4]", "f32[2,4]"},
    {"mm bf16[2,3] bf16[3,4]", "bf16[2,4]"},
    {"mm i64[2,3] i64[3,4]", "i64[2,4]"},
    {"mm f32[2,0] f32[0,4]", "f32[2,4]"},
    {"mm f32[2,3] f32[2,3]", "!mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"},
    {"mm f32[2] f32[2,3]", "!self must be a matrix"},
    {"mm f32[2,3] f64[3,4]", "!expected m1 and m2 to have the same dtype, but got: float != double"},
    {"mm b8[2,3] b8[3,4]", "!\"addmm_impl_cpu_\" not implemented for 'Bool'"},
    {"addmm f32[4] f32[2,3] f32[3,4] 1 1", "f32[2,4]"},
    {"addmm f16[2,4] f16[2,3] f16[3,4] 0.5 2", "f16[2,4]"},
    {"addmm f32[5] f32[2,3] f32[3,2] 1 1",
     "!The expanded size of the tensor (2) must match the existing size (5) at non-singleton dimension 1.  Target sizes: [2, 2].  Tensor sizes: [5]"},
    {"addmm i64[4] f32[2,3] f32[3,4] 1 1", "!self and mat2 must have the same dtype, but got Long and Float"},
    {"_addmm_activation f32[4] f32[2,3] f32[3,4] 1 1 1", "f32[2,4]"},
    {"mv f32[2,3] f32[3]", "f32[2]"},
    {"mv f32[2,3] f32[2]", "!size mismatch, got input (2), mat (2x3), vec (2)"},
    {"addmv f32[2] f32[2,3] f32[3] 1 1", "f32[2]"},
    {"addmv f32[2,2] f32[2,3] f32[3] 1 1", "!vector + matrix @ vector expected, got 2, 2, 1"},
    {"dot f32[3] f32[3]", "f32"},
    {"dot f32[0] f32[0]", "f32"},
    {"dot f32[3] f32[4]", "!inconsistent tensor size, expected tensor [3] and src [4] to have the same number of elements"},
    {"dot f32[3,2] f32[3]", "!1D tensors expected, but got 2D and 1D tensors"},
    {"vdot c64[3] c64[3]", "c64"},
    {"bmm f32[2,3,4] f32[2,4,5]", "f32[2,3,5]"},
    {"bmm f32[2,3,4] f32[3,4,4]", "!Expected size for first two dimensions of batch2 tensor to be: [2, 4] but got: [3, 4]."},
    {"baddbmm f32[5] f32[2,3,4] f32[2,4,5] 1 1", "f32[2,3,5]"},
    {"addbmm f32[5] f32[2,3,4] f32[2,4,5] 1 1", "f32[3,5]"},
    {"addr f32[2,3] f32[2] f32[3] 1 1", "f32[2,3]"},
};

static const call_case norms[] = {
    {"native_layer_norm f32[2,3,4] <3,4> f32[3,4] - #0.1", "f32[2,3,4] f32[2,1,1] f32[2,1,1]"},
    {"native_layer_norm f16[2,4] <4> f32[4] f32[4] #0.1", "f16[2,4] f32[2,1] f32[2,1]"},
    {"native_layer_norm f32[2,4] <3> - - #0.1", "!Given normalized_shape=[3], expected input with shape [*, 3], but got input of size[2, 4]"},
    {"native_layer_norm i64[2,4] <4> - - #0.1", "!\"LayerNormKernelImpl\" not implemented for 'Long'"},
    {"native_layer_norm_backward f32[2,4] f32[2,4] <4> f32[2,1] f32[2,1] f32[4] f32[4] <1,1,1>", "f32[2,4] f32[4] f32[4]"},
    {"native_layer_norm_backward f32[2,4] f32[2,4] <4> f32[2,1] f32[2,1] - - <1,0,0>", "f32[2,4] _ _"},
    {"native_group_norm f32[2,4,3] f32[4] f32[4] 2 4 3 2 #0.1", "f32[2,4,3] f32[2,2] f32[2,2]"},
    {"native_group_norm f32[2,4,3] - - 2 4 3 3 #0.1", "!Expected number of channels in input to be divisible by num_groups"},
    {"native_group_norm_backward f32[2,4,3] f32[2,4,3] f32[2,2] f32[2,2] f32[4] 2 4 3 2 <1,1,1>", "f32[2,4,3] f32[4] f32[4]"},
    {"_native_batch_norm_legit.no_stats f32[4,3,2] f32[3] f32[3] 1 #0.1 #0.1", "f32[4,3,2] f32[3] f32[3]"},
    {"_native_batch_norm_legit_functional f32[4,3] f32[3] f32[3] f32[3] f32[3] 1 #0.1 #0.1", "f32[4,3] f32[3] f32[3] f32[3] f32[3]"},
    {"_native_batch_norm_legit_no_training f32[4,3] f32[3] f32[3] f32[3] f32[3] #0.1 #0.1", "f32[4,3] f32[0] f32[0]"},
    {"native_batch_norm_backward f32[4,3] f32[4,3] f32[3] f32[3] f32[3] f32[3] f32[3] 1 #0.1 <1,1,0>", "f32[4,3] f32[3] _"},
    {"_softmax f32[2,3] 1 0", "f32[2,3]"},
    {"_softmax f16[2,3] 1 1", "f32[2,3]"},
    {"_softmax f32[2] 2 0", "!Dimension out of range (expected to be in range of [-1, 0], but got 2)"},
    {"_log_softmax f32[] 0 0", "f32"},
    {"_log_softmax i64[2] 0 0", "!\"log_softmax_lastdim_kernel_impl\" not implemented for 'Long'"},
    {"_softmax_backward_data f32[2,3] f32[2,3] 1 %f32", "f32[2,3]"},
    {"_log_softmax_backward_data f32[2,3] f32[2,3] 1 %f16", "f16[2,3]"},
};

static const call_case losses[] = {
    {"nll_loss_forward f32[4,3] i64[4] - 1 -100", "f32 f32"},
    {"nll_loss_forward f32[4,3] i64[4] f32[3] 0 -100", "f32[4] f32"},
    {"nll_loss_forward f32[4,3] i64[3] - 1 -100", "!size mismatch (got input: [4, 3], target: [3])"},
    {"nll_loss_forward f32[4,3] i32[4] - 1 -100", "!expected target dtype to be Long or Byte, but got Int"},
    {"nll_loss_backward f32[] f32[4,3] i64[4] - 1 -100 f32[]", "f32[4,3]"},
    {"nll_loss_backward f32[2] f32[4,3] i64[4] - 1 -100 f32[]", "!Expected a single element grad_output tensor, but got: [2]"},
    {"nll_loss2d_forward f32[2,3,4,5] i64[2,4,5] - 0 -100", "f32[2,4,5] f32"},
    {"nll_loss2d_backward f32[] f32[2,3,4,5] i64[2,4,5] - 1 -100 f32[]", "f32[2,3,4,5]"},
    {"mse_loss f32[2,3] f32[3] 0", "f32[2,3]"},
    {"mse_loss i64[2] i64[2] 1", "!\"mse_cpu\" not implemented for 'Long'"},
    {"mse_loss_backward f32[] f32[2,3] f32[2,3] 1", "f32[2,3]"},
    {"smooth_l1_loss f32[2] f64[2] 0 0.5", "f64[2]"},
    {"smooth_l1_loss f32[2] f32[2] 0 -0.5", "!smooth_l1_loss does not support negative values for beta."},
    {"smooth_l1_loss_backward f32[] f32[2] f32[2] 1 0.5", "f32[2]"},
    {"huber_loss f32[2] f32[2] 1 0.5", "f32"},
    {"huber_loss_backward f32[] f32[2] f32[2] 1 0.5", "f32[2]"},
    {"binary_cross_entropy f16[2,3] f16[2,3] - 1", "f16"},
    {"binary_cross_entropy f32[2] f64[2] - 1", "!Found dtype Double but expected Float"},
    {"binary_cross_entropy_backward f32[] f32[2,3] f32[2,3] f32[3] 1", "f32[2,3]"},
    {"binary_cross_entropy_with_logits f32[2,3] f32[2,3] f32[3] f32[3] 2", "f32"},
};

static const call_case indexing[] = {
    {"index.Tensor f32[3,4,5,6] { - i64[2,1] - i64[3] }", "f32[2,3,3,5]"},
    {"index.Tensor f32[3,4,5,6] { - i64[2,1] i32[3] }", "f32[3,2,3,6]"},
    {"index.Tensor f32[3,0] { i64[2] }", "f32[2,0]"},
    {"index.Tensor f32[0,4] { i64[1] }", "!index is out of bounds for dimension with size 0"},
    {"index.Tensor f32[3] { i64[2] i64[2] }", "!too many indices for tensor of dimension 1 (got 2)"},
    {"index.Tensor f32[3,4] { i64[2] i64[3] }", "!indexing tensors could not be broadcast together with shapes [2], [3]"},
    {"index.Tensor f32[3] { f32[2] }", "!tensors used as indices must be long, int, byte or bool tensors"},
    {"_unsafe_index.Tensor f32[3,4] { i64[2] }", "f32[2,4]"},
    {"index_put f32[3,4] { - i64[2] } f32[3,2] 0", "f32[3,4]"},
    {"index_put b8[3] { i64[2] } b8[] 1", "b8[3]"},
    {"index_put f32[3] { i64[2] } f32[3] 0", "!shape mismatch: value tensor of shape [3] cannot be broadcast to indexing result of shape [2]"},
    {"index_put f32[3] { i64[2] } f64[2] 0", "!Index put requires the source and destination dtypes match"},
    {"_index_put_impl f32[3] { i64[2] } f32[2] 1 1", "f32[3]"},
    {"_unsafe_index_put f32[3] { i64[2] } f32[2] 0", "f32[3]"},
    {"take f32[3,2] i64[2,2]", "f32[2,2]"},
    {"take f32[0] i64[2]", "!take(): tried to take from an empty tensor"},
    {"put f32[3,2] i64[2] f32[2] 1", "f32[3,2]"},
    {"gather f32[3,4] 0 i64[2,4] 0", "f32[2,4]"},
    {"gather f32[3,4] 0 i64[2,5] 0", "!Size does not match at dimension 1 expected index [2, 5] to be no larger than self [3, 4] apart from dimension 0"},
    {"gather f32[3] 0 i64[0,4] 0", "f32[0,4]"},
    {"scatter.src f32[3,4] 0 i64[2,4] f32[3,4]", "f32[3,4]"},
    {"scatter.src f32[3,4] 0 i64[2,4] f64[2,4]", "!scatter(): Expected self.dtype to be equal to src.dtype"},
    {"scatter.value f32[3,4] 1 i64[2,4] #2.5", "f32[3,4]"},
    {"scatter.reduce f32[3,4] 1 i64[2,4] f32[3,4] 'multiply'", "f32[3,4]"},
    {"scatter.value_reduce f32[3,4] 1 i64[2,4] #2 'add'", "f32[3,4]"},
    {"scatter_add bf16[3,4] 1 i64[2,4] bf16[3,4]", "bf16[3,4]"},
    {"scatter_reduce.two i64[3,4] 0 i64[2,4] i64[2,4] 'mean' 0", "i64[3,4]"},
    {"scatter_reduce.two f32[3,4] 0 i64[2,4] f32[2,4] 'x' 1", "!reduce argument must be either sum, prod, mean, amax or amin, got x"},
    {"index_select f32[3,4] 1 i64[5]", "f32[3,5]"},
    {"index_select f32[] 0 i64[1]", "f32"},
    {"index_select f32[3,4] 0 i64[2,2]", "!index_select(): Index is supposed to be a vector"},
    {"index_add f32[3,4] 0 i64[2] f32[2,4] #1", "f32[3,4]"},
    {"index_add f32[3,4] 0 i64[2] f32[3,4] #1", "!index_add_(): Number of indices (2) should be equal to source.size(dim): (3), for dim: 0"},
    {"index_reduce f32[3,4] 0 i64[2] f32[2,4] 'amax' 0", "f32[3,4]"},
    {"index_fill.int_Scalar f32[3,4] 0 i64[2] #1.5", "f32[3,4]"},
    {"index_fill.int_Tensor f32[3,4] 0 i64[2] f32[1]", "!index_fill_ only supports a 0-dimensional value tensor"},
    {"index_copy f32[3,4] 0 i64[2] f32[2,4]", "f32[3,4]"},
    {"index_copy f32[3,4] 0 i64[2] f32[2,3]", "!index_copy_(): Source/destination tensor must have same slice shapes."},
    {"embedding f32[4,3] i64[2,2] -1 0 0", "f32[2,2,3]"},
    {"embedding f32[4,3] i16[2] -1 0 0", "!Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int"},
    {"embedding_dense_backward f16[2,3] i64[2] 4 1 1", "f16[4,3]"},
    {"nonzero f32[3,4] 5", "i64[5,2]"},
    {"nonzero f32[] 1", "i64[1,0]"},
    {"nonzero_static b8[3,4] 5 -1", "i64[5,2]"},
    {"masked_select f32[4] b8[3,4] 7", "f32[7]"},
    {"masked_select f32[4] i64[4] 1", "!masked_select: expected BoolTensor for mask"},
    {"masked_scatter f32[4] b8[3,4] f32[12]", "f32[3,4]"},
};

static const call_case joins[] = {
    {"cat { f32[2,3] f32[4,3] f32[0] } 0", "f32[6,3]"},
    {"cat { f32[2] i64[3] } 0", "f32[5]"},
    {"cat { f32[2,3] f32[2,4] } 0", "!Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 for tensor number 1 in the list."},
    {"cat { } 0", "!torch.cat(): expected a non-empty list of Tensors"},
    {"stack { f32[2,3] f32[2,3] } -1", "f32[2,3,2]"},
    {"stack { f32[2] f32[3] } 0", "!stack expects each tensor to be equal size, but got [2] at entry 0 and [3] at entry 1"},
    {"repeat f32[2,3] <4,1,2>", "f32[4,2,6]"},
    {"repeat f32[2,3] <2>", "!Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"},
    {"flip f32[2,3] <0,-1>", "f32[2,3]"},
    {"flip f32[2,3] <0,0>", "!dim 0 appears multiple times in the list of dims"},
    {"roll f32[2,3] <4,-1> <0,1>", "f32[2,3]"},
    {"roll f32[2,3] <> <>", "!`shifts` required"},
    {"tril f32[2,3] #1", "f32[2,3]"},
    {"triu b8[4,2,3] #-1", "b8[4,2,3]"},
    {"tril f32[3] #0", "!tril: input tensor must have at least 2 dimensions"},
    {"trace i32[3,4]", "i64"},
    {"constant_pad_nd f32[2,3] <1,2,-1,0> #1.5", "f32[1,6]"},
    {"constant_pad_nd f32[2,3] <1> #1.5", "!Length of pad must be even but instead it equals 1"},
};

static const call_case orders[] = {
    {"sort.stable f32[3,4] 1 0 1", "f32[3,4] i64[3,4]"},
    {"sort.stable c64[3] 1 0 1", "!Sort does not support complex dtypes on CPU"},
    {"topk f32[3,4] 2 1 1 1", "f32[3,2] i64[3,2]"},
    {"topk f32[3,400] 2 1 1 1", "f32[3,2] i64[3,2]"},
    {"topk f32[3,4] 5 1 1 1", "!selected index k out of range"},
    {"cummax f32[5,2] 0", "f32[5,2] i64[5,2]"},
    {"cummin i64[5] 0", "i64[5] i64[5]"},
    {"kthvalue f32[3,4] 2 1 0", "f32[3] i64[3]"},
    {"kthvalue f32[3,0] 1 1 0", "!kthvalue(): Expected reduction dim 1 to have non-zero size."},
    {"median f32[3,4]", "f32"},
    {"median.dim f32[3,4] 0 1", "f32[1,4] i64[1,4]"},
    {"nanmedian f32[3]", "f32"},
    {"nanmedian.dim f32[3,4] 1 0", "f32[3] i64[3]"},
    {"searchsorted.Tensor f32[9] f32[2,3] 1 0 - -", "i32[2,3]"},
    {"searchsorted.Tensor f32[2,9] f32[3,3] 0 0 - -", "!boundaries tensor should be 1 dimension or the first N-1 dimensions"},
    {"searchsorted.Scalar f32[9] #1 0 1 - -", "i64"},
    {"bucketize.Tensor f32[2,3] f32[4] 0 0", "i64[2,3]"},
    {"bucketize.Scalar #1.5 f32[4] 0 0", "i64"},
    {"_unique2 i64[7] 1 1 1 3", "i64[3] i64[7] i64[3]"},
    {"_unique2 f32[2,3] 1 0 0 3", "f32[3] i64[0] i64[0]"},
    {"unique_consecutive i64[7] 1 0 - 3", "i64[3] i64[7] i64[0]"},
    {"bincount i64[7] f32[7] 0 4", "f32[4]"},
    {"bincount f32[7] - 0 4", "!\"bincount_cpu\" not implemented for 'Float'"},
    {"repeat_interleave.Tensor i32[3] - 5", "i32[5]"},
};

static const call_case windows[] = {
    {"convolution_overrideable f32[2,4,8,8] f32[6,4,3,3] f32[6] <2,2> <1,1> <1,1> 0 <0,0> 1", "f32[2,6,4,4]"},
    {"convolution_overrideable bf16[2,4,8] bf16[6,2,3] - <1> <1> <1> 0 <0> 2", "bf16[2,6,8]"},
    {"convolution_overrideable f32[2,4,5,5,5] f32[4,3,2,2,2] - <2,2,2> <0,0,0> <1,1,1> 1 <1,1,1> 1", "f32[2,3,11,11,11]"},
    {"convolution_overrideable f32[0,4,8,8] f32[6,4,3,3] f32[6] <1,1> <0,0> <1,1> 0 <0,0> 1", "f32[0,6,6,6]"},
    {"convolution_overrideable f32[2,4,8,8] f64[6,4,3,3] - <1,1> <0,0> <1,1> 0 <0,0> 1", "!Input type (float) and weight type (double) should be the same"},
    {"convolution_backward_overrideable f32[2,6,4,4] f32[2,4,8,8] f32[6,2,3,3] <2,2> <1,1> <1,1> 0 <0,0> 2 <1,1,1>",
     "f32[2,4,8,8] f32[6,2,3,3] f32[6]"},
    {"convolution_backward_overrideable f32[2,6,9] f32[2,4,4] f32[4,6,3] <2> <0> <1> 1 <0> 1 <0,1,0>", "_ f32[4,6,3] _"},
    {"max_pool2d_with_indices f32[2,3,7,7] <3,3> <2,2> <1,1> <1,1> 1", "f32[2,3,4,4] i64[2,3,4,4]"},
    {"max_pool2d_with_indices f32[1,2,2] <5,5> <2,2> <0,0> <1,1> 0", "!Output size is too small"},
    {"max_pool2d_with_indices_backward f32[2,3,4,4] f32[2,3,7,7] <3,3> <2,2> <1,1> <1,1> 1 i64[2,3,4,4]", "f32[2,3,7,7]"},
    {"max_pool2d_with_indices_backward f32[1,2,2] f32[1,9,9] <8,8> <1,1> <0,0> <1,1> 0 i64[1,2,2]", "f32[1,9,9]"},
    {"max_pool3d_with_indices f32[3,4,4,4] <2,2,2> <> <0,0,0> <1,1,1> 0", "f32[3,2,2,2] i64[3,2,2,2]"},
    {"max_pool3d_with_indices_backward f32[3,2,2,2] f32[3,4,4,4] <2,2,2> <> <0,0,0> <1,1,1> 0 i64[3,2,2,2]", "f32[3,4,4,4]"},
    {"avg_pool2d f16[2,3,7,7] <3> <2> <1> 1 0 -", "f16[2,3,4,4]"},
    {"avg_pool2d f32[1,4,4] <2,2> <> <2,2> 0 1 -", "!pad should be at most half of effective kernel size"},
    {"avg_pool2d_backward f32[2,3,4,4] f32[2,3,7,7] <3> <2> <1> 1 0 -", "f32[2,3,7,7]"},
    {"avg_pool3d f32[3,4,4,4] <2,2,2> <> <0> 0 1 5", "f32[3,2,2,2]"},
    {"avg_pool3d_backward f32[3,2,2,2] f32[3,4,4,4] <2,2,2> <> <0> 0 1 -", "f32[3,4,4,4]"},
    {"_adaptive_avg_pool2d f32[2,3,8,6] <1,4>", "f32[2,3,1,4]"},
    {"_adaptive_avg_pool2d f32[4,4] <1,4>", "!adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got [4, 4]"},
    {"_adaptive_avg_pool2d_backward f32[2,3,1,4] f32[2,3,8,6]", "f32[2,3,8,6]"},
    {"_adaptive_avg_pool3d f32[3,4,5,6] <1,2,3>", "f32[3,1,2,3]"},
    {"_adaptive_avg_pool3d_backward f32[3,1,2,3] f32[3,4,5,6]", "f32[3,4,5,6]"},
    {"adaptive_max_pool2d f32[3,7,6] <3,4>", "f32[3,3,4] i64[3,3,4]"},
    {"adaptive_max_pool2d_backward f32[3,3,4] f32[3,7,6] i64[3,3,4]", "f32[3,7,6]"},
    {"adaptive_max_pool3d f32[3,5,7,6] <2,3,4>", "f32[3,2,3,4] i64[3,2,3,4]"},
    {"adaptive_max_pool3d_backward f32[3,2,3,4] f32[3,5,7,6] i64[3,2,3,4]", "f32[3,5,7,6]"},
};

static const call_case samples[] = {
    {"upsample_nearest1d f32[2,3,4] <8> -", "f32[2,3,8]"},
    {"upsample_nearest1d_backward f32[2,3,8] <8> <2,3,4> -", "f32[2,3,4]"},
    {"upsample_nearest2d u8[2,3,4,5] <3,7> - -", "u8[2,3,3,7]"},
    {"upsample_nearest2d f32[3,4,5] <3,7> - -", "!It is expected input_size equals to 4, but got size 3"},
    {"upsample_nearest2d f32[1,3,0,5] <3,7> - -", "!Input and output sizes should be greater than 0, but got input (H: 0, W: 5) output (H: 3, W: 7)"},
    {"upsample_nearest2d_backward f32[2,3,3,7] <3,7> <2,3,4,5> - -", "f32[2,3,4,5]"},
    {"upsample_nearest3d f32[1,2,3,4,5] <6,6,6> - - -", "f32[1,2,6,6,6]"},
    {"upsample_nearest3d_backward f32[1,2,6,6,6] <6,6,6> <1,2,3,4,5> - - -", "f32[1,2,3,4,5]"},
    {"_upsample_nearest_exact1d f32[2,3,4] <6> 1.5", "f32[2,3,6]"},
    {"_upsample_nearest_exact1d_backward f32[2,3,6] <6> <2,3,4> 1.5", "f32[2,3,4]"},
    {"_upsample_nearest_exact2d f32[2,3,4,5] <3,7> - -", "f32[2,3,3,7]"},
    {"_upsample_nearest_exact2d_backward f32[2,3,3,7] <3,7> <2,3,4,5> - -", "f32[2,3,4,5]"},
    {"_upsample_nearest_exact3d f32[1,2,3,4,5] <6,6,6> - - -", "f32[1,2,6,6,6]"},
    {"_upsample_nearest_exact3d_backward f32[1,2,6,6,6] <6,6,6> <1,2,3,4,5> - - -", "f32[1,2,3,4,5]"},
    {"upsample_linear1d f32[2,3,4] <6> 0 -", "f32[2,3,6]"},
    {"upsample_linear1d_backward f32[2,3,6] <6> <2,3,4> 1 -", "f32[2,3,4]"},
    {"upsample_bilinear2d bf16[2,3,4,5] <3,7> 1 - -", "bf16[2,3,3,7]"},
    {"upsample_bilinear2d i64[2,3,4,5] <3,7> 1 - -", "!not implemented for 'Long'"},
    {"upsample_bilinear2d_backward f32[2,3,3,7] <3,7> <2,3,4,5> 0 - -", "f32[2,3,4,5]"},
    {"upsample_bilinear2d_backward f32[2,3,3,6] <3,7> <2,3,4,5> 0 - -", "!Expected grad_output to have the same shape as output; output.size(3) = 7"},
    {"upsample_bicubic2d f32[2,3,4,5] <8,7> 0 2.0 1.4", "f32[2,3,8,7]"},
    {"upsample_bicubic2d_backward f32[2,3,8,7] <8,7> <2,3,4,5> 0 - -", "f32[2,3,4,5]"},
    {"upsample_trilinear3d f32[1,2,3,4,5] <6,6,6> 0 - - -", "f32[1,2,6,6,6]"},
    {"upsample_trilinear3d_backward f32[1,2,6,6,6] <6,6,6> <1,2,3,4,5> 0 - - -", "f32[1,2,3,4,5]"},
    {"reflection_pad1d f32[2,3,4] <1,2>", "f32[2,3,7]"},
    {"reflection_pad1d f32[1,2] <3,1>", "!Argument #4: Padding size should be less than the corresponding input dimension, but got: padding (3, 1) at dimension 1 of input [1, 2]"},
    {"reflection_pad1d_backward f32[2,3,7] f32[2,3,4] <1,2>", "f32[2,3,4]"},
    {"reflection_pad2d f32[3,4,5] <1,2,0,3>", "f32[3,7,8]"},
    {"reflection_pad2d_backward f32[3,7,8] f32[3,4,5] <1,2,0,3>", "f32[3,4,5]"},
    {"reflection_pad3d f32[2,3,4,5] <1,1,1,1,1,1>", "f32[2,5,6,7]"},
    {"reflection_pad3d_backward f32[2,5,6,7] f32[2,3,4,5] <1,1,1,1,1,1>", "f32[2,3,4,5]"},
    {"replication_pad1d f32[2,3,4] <5,-2>", "f32[2,3,7]"},
    {"replication_pad1d f32[1,2] <-3,1>", "!input (W: 2) is too small. Calculated output W: 0"},
    {"replication_pad1d_backward f32[2,3,7] f32[2,3,4] <5,-2>", "f32[2,3,4]"},
    {"replication_pad2d f32[3,4,5] <1,2,0,3>", "f32[3,7,8]"},
    {"replication_pad2d_backward f32[3,7,8] f32[3,4,5] <1,2,0,3>", "f32[3,4,5]"},
    {"replication_pad3d f32[2,3,4,5] <1,1,1,1,1,1>", "f32[2,5,6,7]"},
    {"replication_pad3d_backward f32[2,5,6,7] f32[2,3,4,5] <1,1,1,1,1,1>", "f32[2,3,4,5]"},
};

int main(int argc, char **argv) {
    static pj_client *opened; /* lives as long as the process */
    if (argc > 1) CHECK_OK(pj_client_open(argv[1], &(pj_open_options){.cpu_devices = 1}, &opened));
    /* The fake plugin runs a few programs of its own only. */
    if (opened && strncmp(pj_client_version(opened), "fake", 4)) client = opened;
    RUN(products);
    RUN(norms);
    RUN(losses);
    RUN(indexing);
    RUN(joins);
    RUN(orders);
    RUN(windows);
    RUN(samples);
    return check_result();
}
