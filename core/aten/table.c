/* aten.def as an array, and by name. */
#include "aten/lower.h"
#include "base/hash.h"

#include <pthread.h>

static const at_row rows[] = {
#define LOWER(n, sig, s, outs, fn) {.name = n, .signature = sig, .kind = AT_ROW, .strides = AT_##s, .nouts = outs, .lower = fn},
#define EFFECT(n, sig, s, outs, fn, first, second)                                                                       \
    {.name = n, .signature = sig, .kind = AT_ROW, .strides = AT_##s, .nouts = outs, .lower = fn, .neffects = 2, .effects = {first, second}},
#define DRAW(n, sig, s, outs, fn) {.name = n, .signature = sig, .kind = AT_ROW, .strides = AT_##s, .nouts = outs, .lower = fn, .draws = true},
#define POINT(n, sig, fn, o, r) \
    {.name = n, .signature = sig, .kind = AT_ROW, .strides = AT_ITERATOR, .nouts = 1, .lower = fn, .op = o, .rule = r},
#define REDUCE(n, sig, outs, fn, o, r) {.name = n, .signature = sig, .kind = AT_ROW, .nouts = outs, .lower = fn, .op = o, .rule = r},
#define SIZED(n, sig, outs, fn, count_fn) {.name = n, .signature = sig, .kind = AT_SIZED, .nouts = outs, .lower = fn, .count = count_fn},
#define FOREACH(n, sig, outs, to) {.name = n, .signature = sig, .kind = AT_FOREACH, .nouts = outs, .target = to},
#define CPU(n, why) {.name = n, .signature = "", .kind = AT_CPU, .reason = why},
#define INTERNAL(n, sig, outs, fn) {.name = n, .signature = sig, .kind = AT_INTERNAL, .nouts = outs, .lower = fn},
#include "aten/aten.def"
#undef LOWER
#undef DRAW
#undef EFFECT
#undef REDUCE
#undef POINT
#undef SIZED
#undef FOREACH
#undef CPU
#undef INTERNAL
};

enum { ROWS = sizeof rows / sizeof *rows, SLOTS = 4096 };
_Static_assert(ROWS < SLOTS / 2, "the name table must stay sparse");

static uint16_t by_name[SLOTS]; /* row + 1; 0: empty */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static size_t slot_of(const char *name) {
    tp_hash128 h = TP_HASH_SEED;
    tp_hash_bytes(&h, name, strlen(name));
    return h.lo % SLOTS;
}

static void fill_names(void) {
    for (int i = 0; i < ROWS; i++) {
        size_t at = slot_of(rows[i].name);
        while (by_name[at]) at = (at + 1) % SLOTS;
        by_name[at] = (uint16_t)(i + 1);
    }
}

int at_row_count(void) { return ROWS; }
const at_row *at_row_get(int row) { return &rows[row]; }

int at_row_find(const char *name) {
    pthread_once(&once, fill_names);
    for (size_t at = slot_of(name); by_name[at]; at = (at + 1) % SLOTS)
        if (!strcmp(rows[by_name[at] - 1].name, name)) return by_name[at] - 1;
    return -1;
}
