/* The trace on a plugin given as argv[1]: cells, views, cuts, donation, marks, errors, threads.  Values are checked only
 * where a plugin that computes is given (argv[2] = "real"). */
#include "check.h"
#include "trace/device.h"

#include <stdlib.h>
#include <unistd.h>

static bool real;

static tp_view view_of(tp_cell *c, tp_dtype dtype, int rank, const int64_t *sizes, const int64_t *strides) {
    return (tp_view){.cell = c, .dtype = (uint8_t)dtype, .rank = (uint8_t)rank, .sizes = sizes, .strides = strides};
}

static tp_arg tensor(tp_view v) { return (tp_arg){.tag = TP_ARG_TENSOR, .view = v}; }
static tp_arg number(double x) {
    return (tp_arg){.tag = TP_ARG_SCALAR, .scalar = {.dtype = TP_F64, .rank = TP_NUMBER, .re = x}};
}

static const int64_t four = 4, one = 1;

static tp_cell *new_row(const float *data) {
    tp_cell *c = NULL;
    CHECK_OK(tp_cell_create(0, 16, &c));
    tp_view v = view_of(c, TP_F32, 1, &four, &one);
    if (data) CHECK_OK(tp_write(&v, data, 16));
    return c;
}

static void expect(tp_cell *c, float a, float b, float e, float f) {
    float got[4], want[4] = {a, b, e, f};
    tp_view v = view_of(c, TP_F32, 1, &four, &one);
    CHECK_OK(tp_read(&v, got, 16));
    if (real) CHECK(!memcmp(got, want, 16));
}

static tp_cell *add(tp_cell *a, tp_cell *b, bool in_place) {
    int row = at_row_find("add.Tensor");
    const int8_t writes[1] = {0};
    tp_arg args[3] = {tensor(view_of(a, TP_F32, 1, &four, &one)), tensor(view_of(b, TP_F32, 1, &four, &one)), number(1)};
    tp_result r;
    CHECK_OK(tp_call(row, -1, args, 3, in_place ? writes : NULL, &r));
    return in_place ? NULL : r.cell;
}

static void test_modes_agree(void) {
    const float x[4] = {1, 2, 3, 4};
    for (int mode = TP_STRICT; mode <= TP_DEFER; mode++) {
        CHECK_OK(tp_mode_set((tp_mode)mode, false));
        tp_cell *a = new_row(x), *b = new_row(x);
        tp_cell *c = add(a, b, false);
        add(c, a, true);
        add(c, b, true);
        expect(c, 4, 8, 12, 16);
        expect(a, 1, 2, 3, 4);
        tp_cell_release(a), tp_cell_release(b), tp_cell_release(c);
    }
    CHECK_OK(tp_mode_set(TP_STRICT, false));
}

static void test_empty_reads_zero(void) {
    tp_cell *c = new_row(NULL);
    expect(c, 0, 0, 0, 0);
    tp_cell_release(c);
}

/* Storages copied as bytes keep their base; writes to the copy leave the original alone. */
static void test_byte_copy_shares(void) {
    const float x[4] = {1, 2, 3, 4};
    const int64_t sixteen = 16;
    tp_cell *a = new_row(x), *b = NULL;
    CHECK_OK(tp_cell_create(0, 16, &b));
    tp_view from = view_of(a, TP_U8, 1, &sixteen, &one), to = view_of(b, TP_U8, 1, &sixteen, &one);
    CHECK_OK(tp_copy(&to, &from));
    CHECK(a->value == b->value && b->base.dtype == TP_F32);
    add(b, a, true);
    expect(b, 2, 4, 6, 8);
    expect(a, 1, 2, 3, 4);
    tp_cell_release(a), tp_cell_release(b);
}

static void test_slots_make_no_kernels(void) {
    const float x[4] = {1, 2, 3, 4};
    tp_cell *a = new_row(x);
    int row = at_row_find("mul.Tensor");
    size_t before = 0;
    for (int i = 0; i < 5; i++) {
        tp_arg args[2] = {tensor(view_of(a, TP_F32, 1, &four, &one)), number(1.5 + i)};
        tp_result r;
        CHECK_OK(tp_call(row, -1, args, 2, NULL, &r));
        expect(r.cell, (1.5f + (float)i), 2 * (1.5f + (float)i), 3 * (1.5f + (float)i), 4 * (1.5f + (float)i));
        tp_cell_release(r.cell);
        if (i == 0) before = a->device->kernels.count;
    }
    CHECK(a->device->kernels.count == before);
    tp_cell_release(a);
}

static void test_errors_leave_the_device_usable(void) {
    const float x[4] = {1, 2, 3, 4};
    const int64_t three = 3;
    tp_cell *a = new_row(x), *b = new_row(x);
    tp_arg args[3] = {tensor(view_of(a, TP_F32, 1, &four, &one)), tensor(view_of(b, TP_F32, 1, &three, &one)), number(1)};
    tp_result r;
    CHECK_FAILS(tp_call(at_row_find("add.Tensor"), -1, args, 3, NULL, &r), "must match the size of tensor");
    CHECK_FAILS(tp_device_check(9), "device count");
    add(a, b, true);
    expect(a, 2, 4, 6, 8);
    tp_cell_release(a), tp_cell_release(b);
}

static void test_marks(void) {
    const float x[4] = {1, 2, 3, 4};
    CHECK_OK(tp_mode_set(TP_DEFER, false));
    tp_cell *a = new_row(x), *b = new_row(x);
    add(a, b, true);
    uint64_t mark = tp_mark(0);
    CHECK(a->device->trace.ncalls == 1);
    CHECK_OK(tp_mark_wait(0, mark));
    bool done = false;
    CHECK_OK(tp_mark_done(0, mark, &done));
    CHECK(done && a->device->trace.ncalls == 0);
    tp_cell_release(a), tp_cell_release(b);
    CHECK_OK(tp_mode_set(TP_STRICT, false));
}

static void *hammer(void *arg) {
    const float x[4] = {1, 1, 1, 1};
    tp_cell *shared = arg, *mine = new_row(x);
    for (int i = 0; i < 200; i++) {
        tp_cell *sum = add(mine, shared, false);
        add(mine, shared, true);
        tp_cell_release(sum);
    }
    expect(mine, 201, 201, 201, 201);
    tp_cell_release(mine);
    return NULL;
}

static void test_threads(void) {
    const float x[4] = {1, 1, 1, 1};
    for (int mode = TP_STRICT; mode <= TP_DEFER; mode++) {
        CHECK_OK(tp_mode_set((tp_mode)mode, false));
        tp_cell *shared = new_row(x);
        pthread_t threads[8];
        for (int i = 0; i < 8; i++) pthread_create(&threads[i], NULL, hammer, shared);
        for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL);
        CHECK_OK(tp_synchronize(-1));
        tp_cell_release(shared);
    }
    CHECK_OK(tp_mode_set(TP_STRICT, false));
}

static void test_ledger(void) {
    tp_memory before, during, after;
    CHECK_OK(tp_synchronize(-1));
    tp_memory_get(0, &before);
    const float x[4] = {1, 2, 3, 4};
    tp_cell *a = new_row(x), *b = new_row(x), *c = add(a, b, false);
    CHECK_OK(tp_synchronize(-1));
    tp_memory_get(0, &during);
    CHECK(during.allocated == before.allocated + 48);
    for (int i = 0; i < 3; i++) add(a, b, true);
    CHECK_OK(tp_synchronize(-1));
    tp_memory_get(0, &during);
    CHECK(during.allocated == before.allocated + 48);
    tp_cell_release(a), tp_cell_release(b), tp_cell_release(c);
    tp_memory_get(0, &after);
    CHECK(after.allocated == before.allocated);
}

static void test_resize_keeps_the_front(void) {
    const float x[4] = {1, 2, 3, 4};
    tp_cell *c = new_row(x);
    void *address = tp_cell_address(c);
    CHECK_OK(tp_cell_resize(c, 1024));
    CHECK(tp_cell_address(c) != address && tp_cell_at(tp_cell_address(c)) == c);
    expect(c, 1, 2, 3, 4);
    CHECK_OK(tp_cell_resize(c, 16));
    expect(c, 1, 2, 3, 4);
    tp_cell_release(c);
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    real = argc > 2 && !strcmp(argv[2], "real");
    setenv("TORCH_PJRT_PLUGIN", argv[1], 1);
    tp_init(&(tp_hooks){NULL, NULL, NULL});
    test_empty_reads_zero();
    test_modes_agree();
    test_byte_copy_shares();
    test_slots_make_no_kernels();
    test_errors_leave_the_device_usable();
    test_marks();
    test_threads();
    test_ledger();
    test_resize_keeps_the_front();
    tp_shutdown();
    return check_result();
}
