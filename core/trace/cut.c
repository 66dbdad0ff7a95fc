/* The cut: the pending calls become a launch of a program.
 *
 * A program's key is its call list, in 32-bit words: for each call that is needed, the kernel's id, then one word per
 * tensor it reads (an earlier output as KEY_LOCAL | index among the program's outputs of all calls, or a program input
 * number), then the live outputs of each call, and last the donations.  Kernel ids are never used twice in a process, so
 * equal words mean equal programs. */
#include "trace/device.h"

#include <stdlib.h>

/* Work space of a cut. */
typedef struct cut_space {
    uint32_t *key;
    tp_value **ins, **outs;
    tp_kernel **kernels;
    const tp_type **in_types, **out_types;
    int32_t *alias;
    bool *needed;
    uint32_t nkey, nins, nouts, ncalls, nwords;
    uint32_t nfloat, nint, nrng;
    bool *live;
} cut_space;

/* |small|: memory of the caller's that serves if it is enough. */
enum { SMALL_SPACE = 16384 };
static bool space_make(cut_space *s, const tp_trace *t, unsigned char *small, void **out_block) {
    size_t in_max = t->nins + 1u, out_max = t->nouts + 1u, calls = t->ncalls + 1u;
    size_t key_max = calls * 2 + in_max * 3 + out_max + 8;
    size_t bytes = key_max * 4 + in_max * 24 + out_max * 17 + calls * 9 + 128;
    unsigned char *p = bytes <= SMALL_SPACE ? small : malloc(bytes);
    *out_block = p == small ? NULL : p;
    if (!p) return false;
    *s = (cut_space){0};
    s->ins = (tp_value **)(void *)p, p += in_max * 8;
    s->in_types = (const tp_type **)(void *)p, p += in_max * 8;
    s->outs = (tp_value **)(void *)p, p += out_max * 8;
    s->out_types = (const tp_type **)(void *)p, p += out_max * 8;
    s->kernels = (tp_kernel **)(void *)p, p += calls * 8;
    s->key = (uint32_t *)(void *)p, p += key_max * 4;
    s->alias = (int32_t *)(void *)p, p += in_max * 4;
    s->needed = (bool *)p, p += calls;
    s->live = (bool *)p;
    return true;
}

static bool is_live(const tp_value *v) { return v && v->refs > v->uses; }

/* Backwards: a call is needed if an output of it lives on or feeds a needed call. */
static void find_needed(cut_space *s, const tp_trace *t) {
    for (uint32_t i = 0; i < t->nouts; i++) s->live[i] = is_live(t->outs[i]);
    for (uint32_t c = t->ncalls; c-- > 0;) {
        const trace_call *call = &t->calls[c];
        bool needed = false;
        for (uint32_t k = 0; k < call->kernel->nouts; k++) needed = needed || s->live[call->outs + k];
        s->needed[c] = needed;
        for (uint32_t i = 0; needed && i < call->nins; i++) {
            tp_value *v = t->ins[call->ins + i];
            if (v && v->state == VALUE_PENDING) s->live[v->out] = true;
        }
    }
}

static uint32_t number_input(cut_space *s, tp_value *v, uint64_t epoch) {
    if (v->seen_epoch != epoch) {
        v->seen_epoch = epoch;
        v->seen = s->nins;
        s->in_types[s->nins] = &v->type;
        s->alias[s->nins] = -1;
        s->ins[s->nins++] = v;
    }
    return v->seen;
}

/* Outputs of needed calls are numbered in order; |seen| of a pending value holds its number. */
static void build_key(cut_space *s, tp_trace *t, uint64_t epoch) {
    uint32_t local = 0;
    for (uint32_t c = 0; c < t->ncalls; c++) {
        if (!s->needed[c]) continue;
        const trace_call *call = &t->calls[c];
        s->kernels[s->ncalls++] = call->kernel;
        s->key[s->nkey++] = call->kernel->id;
        for (uint32_t i = 0; i < call->nins; i++) {
            tp_value *v = t->ins[call->ins + i];
            s->key[s->nkey++] = !v ? KEY_ABSENT : v->state == VALUE_PENDING ? KEY_LOCAL | v->seen : number_input(s, v, epoch);
        }
        uint32_t mask = 0;
        for (uint32_t k = 0; k < call->kernel->nouts; k++, local++) {
            tp_value *v = t->outs[call->outs + k];
            if (v) v->seen = local;
            if (!is_live(v)) continue;
            mask |= UINT32_C(1) << k;
            s->out_types[s->nouts] = &v->type;
            s->outs[s->nouts++] = v;
        }
        s->key[s->nkey++] = mask;
        s->nfloat += call->kernel->nfloat;
        s->nint += call->kernel->nint;
        s->nrng += call->kernel->nrng;
    }
}

/* The output that ends in the cell which held |v|, if it lives on and has v's type. */
static int32_t successor(const cut_space *s, const tp_trace *t, const tp_value *v) {
    const tp_value *w = v;
    while (w->next_epoch == t->epoch && w->next_out != UINT32_MAX) {
        w = t->outs[w->next_out];
        if (!w) return -1;
    }
    if (w == v || !is_live(w) || !tp_type_equal(&w->type, &v->type)) return -1;
    for (uint32_t i = 0; i < s->nouts; i++)
        if (s->outs[i] == w) return (int32_t)i;
    return -1;
}

/* An input may be donated if only the pending calls hold it, or launches that go before, and a call of this program
 * replaced it in its cell.  What still holds it when its launch goes keeps it (launch_prepare_locked): how far the
 * launcher has got must not choose between two programs. */
static void choose_donations(cut_space *s, const tp_trace *t) {
    for (uint32_t i = 0; i < s->nins; i++) {
        const tp_value *v = s->ins[i];
        if (v->next_epoch != t->epoch || v->refs != v->uses + v->launches || v->bytes == 0) continue;
        int32_t out = successor(s, t, v);
        if (out < 0) continue;
        bool taken = false;
        for (uint32_t j = 0; j < i; j++) taken = taken || s->alias[j] == out;
        if (taken) continue;
        s->alias[i] = out;
        s->key[s->nkey++] = i;
        s->key[s->nkey++] = (uint32_t)out;
    }
}

/* Slot words by operand: floats, ints, rng, each in call order. */
static void gather_words(const cut_space *s, const tp_trace *t, uint64_t *out) {
    uint64_t *f = out, *n = f + s->nfloat, *r = n + s->nint;
    for (uint32_t c = 0; c < t->ncalls; c++) {
        if (!s->needed[c]) continue;
        const tp_kernel *k = t->calls[c].kernel;
        const uint64_t *w = t->words + t->calls[c].words;
        for (int i = 0; i < k->nslots; i++) {
            uint8_t cls = k->slot_class[i];
            if (cls == AT_SLOT_INT) *n++ = *w++;
            if (cls == AT_SLOT_FLOAT || cls == AT_SLOT_COMPLEX) *f++ = *w++;
            if (cls == AT_SLOT_COMPLEX) *f++ = *w++;
            if (cls == AT_SLOT_RNG) *r++ = *w++, *r++ = *w++;
        }
    }
}

static tp_launch *build_launch(tp_device *d, cut_space *s) {
    tp_hash128 hash;
    tp_program *p = program_find_locked(d, s->key, s->nkey, &hash);
    if (!p)
        p = program_create_locked(d, &(program_shape){s->key, s->nkey, hash, s->nins, s->nouts, s->nfloat, s->nint, s->nrng,
                                                      s->in_types, s->out_types, s->alias, s->kernels, s->ncalls});
    tp_launch *l = p ? launch_create_locked(d, s->nins + s->nouts, s->nfloat + s->nint + s->nrng) : NULL;
    if (!l) return NULL;
    l->program = p;
    p->refs++;
    p->last_use = ++d->tick;
    for (uint32_t i = 0; i < s->nins; i++) {
        l->values[i] = value_retain(s->ins[i]);
        s->ins[i]->launches++;
    }
    for (uint32_t i = 0; i < s->nouts; i++) {
        l->values[s->nins + i] = value_retain(s->outs[i]);
        s->outs[i]->launches++;
        l->bytes += s->outs[i]->bytes;
    }
    gather_words(s, &d->trace, l->words);
    l->end_mark = d->marks;
    return l;
}

/* The trace lets go of what it holds; outputs become queued, or poisoned with |error|. */
static void empty_trace(tp_device *d, tp_status error, dead_list *dead) {
    tp_trace *t = &d->trace;
    for (uint32_t i = 0; i < t->nouts; i++) {
        tp_value *v = t->outs[i];
        if (!v || (!error && !is_live(v))) continue;
        v->state = error ? VALUE_POISONED : VALUE_QUEUED;
        if (error) v->error = tp_status_retain(error);
    }
    for (uint32_t i = 0; i < t->nins; i++) {
        if (!t->ins[i]) continue;
        t->ins[i]->uses--;
        value_release_locked(d, t->ins[i], dead);
    }
    for (uint32_t c = 0; c < t->ncalls; c++) t->calls[c].kernel->refs--;
    t->ncalls = t->nins = t->nouts = t->nwords = 0;
    t->bytes = 0;
    t->epoch++;
    d->cut_mark = d->marks;
}

tp_status cut_locked(tp_device *d, const char *why, bool inline_ok, tp_launch **out_inline, dead_list *dead) {
    tp_trace *t = &d->trace;
    *out_inline = NULL;
    if (!t->ncalls) return NULL;
    memory_note_peak_locked(d);
    _Alignas(16) unsigned char small[SMALL_SPACE];
    cut_space s;
    void *block;
    tp_launch *l = NULL;
    bool ok = space_make(&s, t, small, &block);
    if (ok) {
        find_needed(&s, t);
        build_key(&s, t, t->epoch);
        choose_donations(&s, t);
        if (s.nouts) l = build_launch(d, &s);
        ok = l || !s.nouts;
    }
    TP_LOG(TP_LOG_CUT, "device %d: %u calls, %u needed, %u outputs: %s", d->index, t->ncalls, ok ? s.ncalls : 0, ok ? s.nouts : 0, why);
    tp_status status = NULL;
    if (!ok) status = TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "out of host memory while cutting %u calls", t->ncalls);
    uint64_t mark = d->marks;
    empty_trace(d, status, dead);
    free(block);
    if (l && inline_ok && launch_can_inline_locked(d, l->program)) {
        d->launching = true;
        launch_prepare_locked(d, l);
        *out_inline = l;
    } else if (l) {
        launch_enqueue_locked(d, l);
    } else if (!d->queued && !d->launching && !d->ring_count) {
        d->done_mark = mark;
    }
    return status;
}
