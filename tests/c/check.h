/* Checks for the C tests: each failure prints where and why, the program goes on, and main returns check_result(). */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include "base/status.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static atomic_int check_count, check_failures;

static inline bool check_that(bool ok, const char *file, int line, const char *what, const char *detail) {
    check_count++;
    if (ok) return true;
    check_failures++;
    fprintf(stderr, "%s:%d: failed: %s%s%s\n", file, line, what, *detail ? ": " : "", detail);
    return false;
}

/* Takes ownership of |s|. */
static inline bool check_ok(tp_status s, const char *file, int line, const char *what) {
    bool ok = check_that(!s, file, line, what, tp_status_message(s));
    tp_status_free(s);
    return ok;
}

/* Takes ownership of |s|, which must be an error whose message contains |part|. */
static inline bool check_fails(tp_status s, const char *part, const char *file, int line, const char *what) {
    bool ok = check_that(s && strstr(tp_status_message(s), part), file, line, what,
                         s ? tp_status_message(s) : "succeeded");
    tp_status_free(s);
    return ok;
}

/* 0 if every check held; prints how many there were. */
static inline int check_result(void) {
    printf("%d checks, %d failed\n", atomic_load(&check_count), atomic_load(&check_failures));
    return check_failures != 0;
}

#define CHECK(cond) check_that((cond), __FILE__, __LINE__, #cond, "")
#define CHECK_OK(status) check_ok((status), __FILE__, __LINE__, #status)
#define CHECK_FAILS(status, part) check_fails((status), (part), __FILE__, __LINE__, #status)

#endif
