/* A script of calls on the fake plugin in which the Nth plugin call fails, for every N: nothing aborts, hangs or leaks, the
 * failure is an error somewhere, and afterwards the device works.  Each N runs in a child process of its own, since a
 * plugin opens once.  argv[1]: the
 * fake plugin; argv[2], optional: the N to begin with. */
#include "check.h"
#include "trace/device.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_CALLS = 2000, CHILD_SECONDS = 60 };

static const int64_t sizes[2] = {2, 4}, strides[2] = {4, 1}, column[1] = {2}, column_strides[1] = {4};
static int errors;

static void note(tp_status s) {
    errors += s != NULL;
    tp_status_free(s);
}

static tp_view whole(tp_cell *c) { return (tp_view){.cell = c, .dtype = TP_F32, .rank = 2, .sizes = sizes, .strides = strides}; }
static tp_arg tensor(tp_view v) { return (tp_arg){.tag = TP_ARG_TENSOR, .view = v}; }

static tp_cell *fresh(void) {
    const float data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    tp_cell *c = NULL;
    note(tp_cell_create(0, sizeof data, &c));
    tp_view v = c ? whole(c) : (tp_view){0};
    if (c) note(tp_write(&v, data, sizeof data));
    return c;
}

static void call(const char *name, tp_cell *a, tp_arg b, bool in_place) {
    const int8_t writes[1] = {0};
    const tp_arg alpha = {.tag = TP_ARG_SCALAR, .scalar = {.dtype = TP_F64, .re = 2.5}};
    const tp_arg args[3] = {tensor(whole(a)), b, alpha};
    tp_result r = {.cell = NULL};
    note(tp_call(at_row_find(name), -1, args, strcmp(name, "add.Tensor") ? 2 : 3, in_place ? writes : NULL, &r));
    tp_cell_release(r.cell);
}

static void script(void) {
    tp_cell *a = fresh(), *b = fresh();
    float got[8];
    if (!a || !b) return;
    tp_view va = whole(a);
    tp_view part = {.cell = a, .dtype = TP_F32, .rank = 1, .offset = 1, .sizes = column, .strides = column_strides};
    for (int round = 0; round < 2; round++) {
        call("add.Tensor", a, tensor(whole(b)), false);
        call("add.Tensor", a, tensor(whole(b)), true);
        call("mul.Tensor", a, (tp_arg){.tag = TP_ARG_SCALAR, .scalar = {.dtype = TP_F64, .re = 1.5}}, true);
        note(tp_fill(&part, &(tp_scalar){.dtype = TP_I64}));
        note(tp_read(&va, got, sizeof got));
        note(tp_read(&part, got, 8));
    }
    note(tp_synchronize(-1));
    tp_cell_release(a), tp_cell_release(b);
}

/* Exit status of the child: 0 fewer than |n| calls were made, 1 checks failed, 2 the nth failed. */
static int run_child(const char *plugin, int n) {
    char text[16];
    snprintf(text, sizeof text, "%d", n);
    setenv("FAKE_PJRT_FAIL_AT", text, 1);
    setenv("TORCH_PJRT_PLUGIN", plugin, 1);
    alarm(CHILD_SECONDS);
    check_failures = 0;
    tp_init(&(tp_hooks){NULL, NULL, NULL});
    script();
    note(tp_mode_set(TP_DEFER, false));
    script();
    void *library = dlopen(plugin, RTLD_NOW | RTLD_NOLOAD);
    long (*live)(void) = NULL, (*faults)(void) = NULL, (*calls)(void) = NULL;
    void (*reset)(void) = NULL;
    if (library) { /* POSIX's way to turn an object pointer into a function pointer */
        *(void **)&live = dlsym(library, "fake_live_objects");
        *(void **)&faults = dlsym(library, "fake_faults");
        *(void **)&calls = dlsym(library, "fake_call_count");
        *(void **)&reset = dlsym(library, "fake_reset");
    }
    bool reached = !calls || calls() >= n;
    if (reset && tp_is_open()) {
        CHECK(faults() == 0);
        setenv("FAKE_PJRT_FAIL_AT", "0", 1);
        reset();
        errors = 0;
        script();
        CHECK(errors == 0);
        CHECK_OK(tp_empty_cache());
        for (int ms = 0; live() && ms < 2000; ms++) usleep(1000); /* the launcher destroys what died after it wakes us */
        CHECK(live() == 0);
        CHECK(faults() == 0);
    }
    tp_shutdown();
    return check_failures ? 1 : reached ? 2 : 0;
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = argc > 2 ? atoi(argv[2]) : 1, status = 0;
    for (; n < MAX_CALLS; n++) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) _exit(run_child(argv[1], n));
        waitpid(child, &status, 0);
        if (!CHECK(WIFEXITED(status) && WEXITSTATUS(status) != 1)) fprintf(stderr, "  with the failure at plugin call %d: exit %d, signal %d\n", n, WEXITSTATUS(status), WTERMSIG(status));
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
    }
    CHECK(n > 20 && n < MAX_CALLS);
    printf("failures at %d plugin calls\n", n - 1);
    return check_result();
}
