#include "aten/plan.h"

#include "aten/lower.h"
#include "aten/plan_step.h"

static hlo_val run_plan(low *l, bool write) {
    hlo_val starts[AT_PLAN_SLOTS];
    int nwords, arg = write ? 2 : 1, n = nelems(l, arg + 1);
    const int64_t *words = ints(l, arg, &nwords);
    for (int i = 0; i < n && i < AT_PLAN_SLOTS; i++) starts[i] = slot_elem(l, arg + 1, i);
    return write ? plan_write(l->g, in(l, 0), in(l, 1), words, nwords, starts) : plan_read(l->g, in(l, 0), words, nwords, starts);
}

void low_plan_read(low *l) { out(l, 0, run_plan(l, false)); }
void low_plan_write(low *l) { out(l, 0, run_plan(l, true)); }
