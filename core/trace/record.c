/* Recording: a call joins the trace. */
#include "trace/device.h"

#include <stdlib.h>

static bool grow(void **items, uint32_t *cap, uint32_t need, size_t size) {
    if (need <= *cap) return true;
    uint32_t more = *cap ? *cap * 2 : 1024;
    while (more < need) more *= 2;
    void *p = realloc(*items, more * size);
    if (!p) return false;
    *items = p;
    *cap = more;
    return true;
}

static bool make_room(tp_trace *t, uint32_t nins, uint32_t nouts, uint32_t nwords) {
    return grow((void **)&t->calls, &t->cap_calls, t->ncalls + 1, sizeof *t->calls) &&
           grow((void **)&t->ins, &t->cap_ins, t->nins + nins, sizeof *t->ins) &&
           grow((void **)&t->outs, &t->cap_outs, t->nouts + nouts, sizeof *t->outs) &&
           grow((void **)&t->words, &t->cap_words, t->nwords + nwords, sizeof *t->words);
}

static tp_status no_memory(const tp_kernel *k) {
    return TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "out of host memory while recording aten::%s", k->row->name);
}

tp_status record_locked(tp_device *d, tp_kernel *k, tp_value *const *ins, const uint64_t *words, int nwanted, tp_value **out_values) {
    tp_trace *t = &d->trace;
    uint32_t nwords = (uint32_t)k->nfloat + k->nint + k->nrng;
    if (!make_room(t, k->ntensors, k->nouts, nwords)) return no_memory(k);
    for (int i = 0; i < nwanted; i++) {
        out_values[i] = value_create_locked(d, &k->outs[i]);
        if (!out_values[i]) {
            for (dead_list unused = DEAD_LIST; i > 0;) {
                out_values[--i]->state = VALUE_CONSUMED;
                value_release_locked(d, out_values[i], &unused);
            }
            return no_memory(k);
        }
        out_values[i]->out = t->nouts + (uint32_t)i;
        value_charge_locked(d, out_values[i]);
        t->bytes += out_values[i]->bytes;
    }
    trace_call *c = &t->calls[t->ncalls++];
    *c = (trace_call){.kernel = k, .ins = t->nins, .nins = k->ntensors, .outs = t->nouts, .words = t->nwords};
    k->refs++;
    for (uint32_t i = 0; i < k->ntensors; i++) {
        tp_value *v = k->used[i] ? ins[i] : NULL;
        t->ins[t->nins++] = v;
        if (!v) continue;
        v->refs++;
        v->uses++;
    }
    for (int i = 0; i < k->nouts; i++) t->outs[t->nouts++] = i < nwanted ? out_values[i] : NULL;
    if (nwords) memcpy(t->words + t->nwords, words, nwords * sizeof *words);
    t->nwords += nwords;
    d->marks++;
    return NULL;
}

tp_status record_row_locked(tp_device *d, int row, const tp_arg *args, int nargs, tp_value *const *values, tp_value **out_value) {
    const tp_type *types[4];
    int n = 0;
    for (int i = 0; i < nargs; i++)
        if (args[i].tag == TP_ARG_TENSOR) {
            types[n] = &values[n]->type;
            n++;
        }
    tp_kernel *k;
    const at_row *r = at_row_get(row);
    TP_TRY(kernel_find_locked(d, r, false, args, nargs, types, &k));
    uint64_t words[2 * AT_MAX_ARGS];
    kernel_slot_words(k, r, args, nargs, words);
    return record_locked(d, k, values, words, 1, out_value);
}
