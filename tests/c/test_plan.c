/* core/aten/plan.c and plan_step.c against a loop over bytes, on random views; test_plan PLUGIN [cases [seed]].
 * Programs are evaluated by eager_hlo.c, the plugin is not used. */
#include "check.h"
#include "eager_hlo.h"
#include "view_case.h"

#include "aten/plan.h"
#include "aten/plan_step.h"

#include <stdlib.h>
#include <time.h>

static long seen_op[16], seen_kind[4];

static tp_status make_plan(const view_case *c, bool slots, at_plan *p) {
    return at_plan_make(&c->base, c->base_strides, (tp_dtype)c->view.dtype, c->view.rank, c->view.dims, c->strides, c->offset, slots, p);
}

static bool same_words(const at_plan *a, const at_plan *b) {
    return a->nwords == b->nwords && a->nslots == b->nslots && a->kind == b->kind && !memcmp(a->words, b->words, a->nwords * sizeof *a->words);
}

static void make_starts(hlo_graph *g, const at_plan *p, hlo_val *starts) {
    for (int i = 0; i < p->nslots; i++) {
        eager_next_param(g, &p->starts[i]);
        starts[i] = hlo_param(g, &(tp_type){.dtype = TP_I64});
    }
}

static hlo_val make_param(hlo_graph *g, const tp_type *type, const unsigned char *data) {
    eager_next_param(g, data);
    return hlo_param(g, type);
}

static bool reads_right(const view_case *c, const at_plan *p, hlo_val base, hlo_graph *g) {
    static unsigned char want[CASE_BYTES];
    hlo_val starts[AT_PLAN_SLOTS], v;
    make_starts(g, p, starts);
    v = plan_read(g, base, p->words, p->nwords, starts);
    case_read(c, want);
    return !hlo_error(g) && tp_type_equal(hlo_type_of(g, v), &c->view) && !memcmp(eager_data(g, v), want, tp_type_bytes(&c->view));
}

static bool writes_right(const view_case *c, const at_plan *p, hlo_val base, hlo_graph *g, uint64_t *seed) {
    static unsigned char value[CASE_BYTES], want[CASE_BYTES], got[CASE_BYTES];
    hlo_val starts[AT_PLAN_SLOTS], v;
    for (size_t i = 0; i < tp_type_bytes(&c->view); i++) value[i] = (unsigned char)case_random(seed, c->view.dtype == TP_BOOL ? 2 : 256);
    make_starts(g, p, starts);
    if (p->kind == AT_PLAN_WHOLE) base = HLO_NONE;
    v = plan_write(g, base, make_param(g, &c->view, value), p->words, p->nwords, starts);
    if (hlo_error(g) || !tp_type_equal(hlo_type_of(g, v), &c->base)) return false;
    case_write(c, value, want);
    case_memory(c, eager_data(g, v), got);
    return !memcmp(got, want, tp_type_bytes(&c->base));
}

/* Windows that overlap: which of several values stays is not said, so all are equal. */
static bool writes_windows(const view_case *c, const at_plan *p, hlo_val base, hlo_graph *g) {
    static unsigned char value[CASE_BYTES], want[CASE_BYTES], got[CASE_BYTES];
    hlo_val starts[AT_PLAN_SLOTS], v;
    memset(value, 1, tp_type_bytes(&c->view));
    make_starts(g, p, starts);
    v = plan_write(g, base, make_param(g, &c->view, value), p->words, p->nwords, starts);
    if (hlo_error(g) || !tp_type_equal(hlo_type_of(g, v), &c->base)) return false;
    case_write(c, value, want);
    case_memory(c, eager_data(g, v), got);
    return !memcmp(got, want, tp_type_bytes(&c->base));
}

static void count_steps(const at_plan *p) {
    seen_kind[p->kind]++;
    for (int i = p->nwords ? 1 + PLAN_HEADER_RANK(p->words[0]) : 0; i < p->nwords;) {
        int64_t w = p->words[i++];
        int op = PLAN_STEP_OP(w), a = PLAN_STEP_A(w), b = PLAN_STEP_B(w);
        seen_op[op]++;
        i += op == PLAN_TRANSPOSE || op == PLAN_PAD ? 1 : op == PLAN_RESHAPE || op == PLAN_EMPTY ? a : op == PLAN_SLICE ? a * PLAN_ENTRY_WORDS
             : op == PLAN_GATHER                    ? 2 * b : op == PLAN_BROADCAST ? 1 + a : 0;
    }
}

static bool check_case(const view_case *c, uint64_t *seed) {
    static unsigned char base_bytes[CASE_BYTES];
    char text[512];
    at_plan p;
    bool slots = case_random(seed, 2), ok = true;
    tp_status s = make_plan(c, slots, &p);
    case_format(c, text, sizeof text);
    if (!check_that(!s, __FILE__, __LINE__, text, tp_status_message(s))) {
        tp_status_free(s);
        return false;
    }
    count_steps(&p);
    int cover = case_cover(c);
    int want = p.nwords == 0 ? AT_PLAN_IDENTITY : cover == 3 ? AT_PLAN_OVERLAP : cover == 2 ? AT_PLAN_WHOLE : AT_PLAN_PART;
    ok &= check_that(p.kind == want, __FILE__, __LINE__, "kind", text);
    hlo_graph *g = hlo_graph_create();
    case_base(c, c->memory, base_bytes);
    hlo_val base = make_param(g, &c->base, base_bytes);
    ok &= check_that(reads_right(c, &p, base, g), __FILE__, __LINE__, "read", text);
    if (p.kind == AT_PLAN_OVERLAP && !at_view_self_overlaps(c->view.rank, c->view.dims, c->strides))
        ok &= check_that(writes_windows(c, &p, base, g), __FILE__, __LINE__, "write of windows", text);
    if (p.kind != AT_PLAN_OVERLAP) ok &= check_that(writes_right(c, &p, base, g, seed), __FILE__, __LINE__, "write", text);
    if (hlo_error(g)) fprintf(stderr, "%s\n", tp_status_message(hlo_error(g)));
    hlo_graph_destroy(g);
    return ok;
}

static void test_random(long cases, uint64_t seed) {
    static view_case c;
    for (long i = 0; i < cases; i++) {
        uint64_t own = seed + (uint64_t)i * 7919;
        case_make(&c, &own);
        for (uint64_t k = case_random(&own, 6); k > 0; k--) case_change(&c, &own);
        if (!check_case(&c, &own) && check_failures > 20) return;
    }
    static const char *const names[16] = {"", "transpose", "reshape", "cast", "unpack", "pack", "pad", "slice", "gather", "broadcast", "empty"};
    for (int i = 1; i < 11; i++) {
        printf("%s %ld, ", names[i], seen_op[i]);
        CHECK(cases < 5000 || seen_op[i] > 10);
    }
    printf("\nidentity %ld, whole %ld, part %ld, overlap %ld\n", seen_kind[0], seen_kind[1], seen_kind[2], seen_kind[3]);
}

/* x[:, t] has one plan for all t, and so has x[:, t:t+n] with its start in a slot, whatever comes after. */
static void test_equal_words(long cases, uint64_t seed) {
    static view_case c, v;
    char text[512];
    for (long i = 0; i < cases && check_failures < 20; i++) {
        uint64_t own = seed + (uint64_t)i * 104729;
        case_make(&c, &own);
        if (c.view.rank == 0 || tp_type_numel(&c.view) == 0) continue;
        int d = (int)case_random(&own, c.view.rank);
        int64_t len = c.view.dims[d], size = 1 + (int64_t)case_random(&own, (uint64_t)len), step = 1 + (int64_t)case_random(&own, 2);
        bool select = case_random(&own, 2);
        if (select) size = 1;
        at_plan first, p;
        int64_t count = len - (size - 1) * step;
        for (int64_t t = 0; t < count; t++) {
            v = c;
            uint64_t tail = own;
            if (select)
                case_select(&v, d, t);
            else
                case_narrow(&v, d, t, size, step);
            if (case_random(&tail, 2) && v.view.rank > 1) {
                int64_t n = v.view.dims[0], m = v.strides[0];
                v.view.dims[0] = v.view.dims[1], v.strides[0] = v.strides[1];
                v.view.dims[1] = n, v.strides[1] = m;
            }
            if (!CHECK_OK(make_plan(&v, !select, t ? &p : &first))) return;
            if (t) check_that(same_words(&first, &p), __FILE__, __LINE__, "equal words", case_format(&v, text, sizeof text));
        }
    }
}

static tp_status plan_of(at_plan *p, bool slots, const tp_type *base, tp_dtype dtype, int rank, const int64_t *sizes, const int64_t *strides, int64_t offset) {
    int64_t own[TP_MAX_RANK];
    tp_contiguous_strides(base->rank, base->dims, own);
    return at_plan_make(base, own, dtype, rank, sizes, strides, offset, slots, p);
}
#define LIST(...) ((const int64_t[]){__VA_ARGS__})

/* The words of a plan after its header, as a short text: what kinds of steps there are. */
static const char *steps_of(const at_plan *p) {
    static char text[64];
    static const char letters[] = "?TRCUPpSGBE";
    int n = 0;
    for (int i = p->nwords ? 1 + PLAN_HEADER_RANK(p->words[0]) : 0; i < p->nwords && n < 60;) {
        int64_t w = p->words[i++];
        int op = PLAN_STEP_OP(w), a = PLAN_STEP_A(w), b = PLAN_STEP_B(w);
        text[n++] = letters[op];
        i += op == PLAN_TRANSPOSE || op == PLAN_PAD ? 1 : op == PLAN_RESHAPE || op == PLAN_EMPTY ? a : op == PLAN_SLICE ? a * PLAN_ENTRY_WORDS
             : op == PLAN_GATHER                    ? 2 * b : op == PLAN_BROADCAST ? 1 + a : 0;
    }
    text[n] = 0;
    return text;
}

/* The plans that matter for speed have no step too many. */
static void test_shape_of_plans(void) {
    at_plan p;
    tp_type b = tp_type_make(TP_F32, 3, LIST(4, 6, 8)), odd = tp_type_make(TP_U8, 1, LIST(7));
    CHECK_OK(plan_of(&p, false, &b, TP_F32, 3, LIST(4, 6, 8), LIST(48, 8, 1), 0));
    CHECK(p.kind == AT_PLAN_IDENTITY && p.nwords == 0);
    CHECK_OK(plan_of(&p, false, &b, TP_F32, 2, LIST(4, 8), LIST(48, 1), 16)); /* x[:, 2] */
    CHECK(!strcmp(steps_of(&p), "SR") && p.nslots == 1 && p.starts[0] == 2 && !at_plan_has_wide_slices(&p));
    CHECK_OK(plan_of(&p, false, &b, TP_F32, 3, LIST(4, 2, 8), LIST(48, 8, 1), 16)); /* x[:, 2:4] */
    CHECK(!strcmp(steps_of(&p), "S") && p.nslots == 0 && at_plan_has_wide_slices(&p));
    CHECK_OK(plan_of(&p, true, &b, TP_F32, 3, LIST(4, 2, 8), LIST(48, 8, 1), 16));
    CHECK(!strcmp(steps_of(&p), "S") && p.nslots == 1 && p.starts[0] == 2);
    CHECK_OK(plan_of(&p, false, &b, TP_F32, 3, LIST(4, 8, 6), LIST(48, 1, 8), 0)); /* x.mT */
    CHECK(!strcmp(steps_of(&p), "T") && p.kind == AT_PLAN_WHOLE);
    CHECK_OK(plan_of(&p, false, &b, TP_F32, 1, LIST(96), LIST(1), 48)); /* x[1:3].view(-1): rows first, then the merge */
    CHECK(!strcmp(steps_of(&p), "SR") && p.kind == AT_PLAN_PART);
    CHECK_OK(plan_of(&p, false, &b, TP_F32, 4, LIST(4, 6, 2, 4), LIST(48, 8, 4, 1), 0)); /* heads */
    CHECK(!strcmp(steps_of(&p), "R") && p.kind == AT_PLAN_WHOLE);
    CHECK_OK(plan_of(&p, false, &b, TP_F32, 4, LIST(4, 2, 6, 4), LIST(48, 4, 8, 1), 0)); /* heads, transposed */
    CHECK(!strcmp(steps_of(&p), "RT") && p.kind == AT_PLAN_WHOLE);
    CHECK_OK(plan_of(&p, false, &b, TP_F32, 4, LIST(5, 4, 6, 8), LIST(0, 48, 8, 1), 0)); /* expand */
    CHECK(!strcmp(steps_of(&p), "B") && p.kind == AT_PLAN_OVERLAP);
    CHECK_OK(plan_of(&p, false, &b, TP_F32, 4, LIST(4, 6, 3, 4), LIST(48, 8, 2, 1), 0)); /* unfold(2, 4, 2) */
    CHECK(!strcmp(steps_of(&p), "G") && p.kind == AT_PLAN_OVERLAP);
    CHECK_OK(plan_of(&p, false, &odd, TP_F32, 1, LIST(1), LIST(1), 0));
    CHECK(!strcmp(steps_of(&p), "pRCSC"));
    const int64_t channels_last[] = {48, 1, 6};
    CHECK_OK(at_plan_make(&b, channels_last, TP_F32, 3, LIST(4, 6, 2), channels_last, 12, false, &p)); /* needs no transpose */
    CHECK(!strcmp(steps_of(&p), "S"));
    CHECK_OK(at_plan_make(&b, channels_last, TP_F32, 2, LIST(4, 48), LIST(48, 1), 0, false, &p));
    CHECK(!strcmp(steps_of(&p), "TR") && p.kind == AT_PLAN_WHOLE);
}

static void test_errors(void) {
    at_plan p;
    tp_type b = tp_type_make(TP_F32, 2, LIST(4, 6));
    CHECK_FAILS(plan_of(&p, false, &b, TP_F32, 1, LIST(25), LIST(1), 0), "inside");
    CHECK_FAILS(plan_of(&p, false, &b, TP_F32, 1, LIST(1), LIST(1), 24), "inside");
    CHECK_FAILS(plan_of(&p, false, &b, TP_F32, 1, LIST(2), LIST(-1), 4), "inside");
    CHECK_FAILS(plan_of(&p, false, &b, TP_F32, 2, LIST(INT64_MAX, 3), LIST(INT64_MAX, 2), 0), "inside");
    CHECK_FAILS(plan_of(&p, false, &b, TP_F64, 1, LIST(13), LIST(1), 0), "float64[13]");
    CHECK_FAILS(plan_of(&p, false, &b, TP_F32, 17, LIST(1), LIST(1), 0), "16 dimensions; found 17");
    CHECK_OK(plan_of(&p, false, &b, TP_F32, 2, LIST(0, 5), LIST(5, 1), 1000));
    CHECK(p.kind == AT_PLAN_PART && p.nslots == 0);
}

static void test_strides(void) {
    CHECK(at_strides_dense(3, LIST(2, 3, 4), LIST(12, 4, 1)) && at_strides_dense(3, LIST(2, 3, 4), LIST(1, 8, 2)));
    CHECK(at_strides_dense(2, LIST(1, 4), LIST(99, 1)) && at_strides_dense(0, NULL, NULL));
    CHECK(!at_strides_dense(2, LIST(2, 3), LIST(4, 1)) && !at_strides_dense(2, LIST(2, 3), LIST(0, 1)) && !at_strides_dense(1, LIST(3), LIST(2)));
    CHECK(at_view_self_overlaps(2, LIST(2, 3), LIST(0, 1)) && !at_view_self_overlaps(2, LIST(1, 3), LIST(0, 1)));
    CHECK(!at_view_self_overlaps(2, LIST(3, 3), LIST(1, 1)));
}

static void time_plans(void) {
    static const struct {
        const char *name;
        int rank;
        int64_t sizes[4], strides[4], offset;
    } t[] = {{"select", 2, {4, 8}, {48, 1}, 16},      {"transpose", 3, {4, 8, 6}, {48, 1, 8}, 0}, {"slice", 3, {4, 2, 8}, {48, 8, 1}, 16},
             {"heads", 4, {4, 2, 6, 4}, {48, 4, 8, 1}, 0}, {"flatten", 1, {192}, {1}, 0},          {"identity", 3, {4, 6, 8}, {48, 8, 1}, 0}};
    tp_type b = tp_type_make(TP_F32, 3, LIST(4, 6, 8));
    at_plan p;
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        for (int k = 0; k < 200000; k++)
            tp_status_free(at_plan_make(&b, LIST(48, 8, 1), TP_F32, t[i].rank, t[i].sizes, t[i].strides, t[i].offset, false, &p));
        clock_gettime(CLOCK_MONOTONIC, &to);
        printf("%s %.0f ns, ", t[i].name, ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / 200000);
    }
    printf("\n");
}

int main(int argc, char **argv) {
    long cases = argc > 2 ? atol(argv[2]) : 20000;
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    test_strides();
    test_errors();
    test_shape_of_plans();
    test_equal_words(cases / 10, seed);
    test_random(cases, seed);
    time_plans();
    return check_result();
}
