/* Slot operands: all run-time numbers of a program, one operand per dtype; recently used ones stay on the device. */
#include "trace/device.h"

static const tp_dtype dtypes[] = {[AT_SLOT_FLOAT] = TP_F64, [AT_SLOT_INT] = TP_I64, [AT_SLOT_COMPLEX] = TP_F64, [AT_SLOT_RNG] = TP_U64};

enum { WAYS = 4 };

static tp_status upload(tp_device *d, at_slot_class cls, const uint64_t *words, uint32_t n, pj_buffer **out_buffer) {
    int64_t dims[2] = {cls == AT_SLOT_RNG ? n / 2 : n, 2};
    tp_type type = tp_type_make(dtypes[cls], cls == AT_SLOT_RNG ? 2 : 1, dims);
    return pj_buffer_from_host(tp_client(), d->index, &type, words, out_buffer);
}

tp_status slot_operand_get(tp_device *d, at_slot_class cls, const uint64_t *words, uint32_t n, pj_buffer **out_buffer, bool *out_owned) {
    slot_operand *set, *victim;
    *out_owned = cls == AT_SLOT_RNG || n > sizeof set->words / sizeof *set->words;
    if (*out_owned) return upload(d, cls, words, n, out_buffer);
    tp_hash128 h = TP_HASH_SEED;
    for (uint32_t i = 0; i < n; i++) tp_hash_word(&h, words[i]);
    uint64_t hash = h.lo ^ (uint64_t)cls ^ (uint64_t)n << 8;
    set = victim = &d->slots[hash % (SLOT_OPERANDS / WAYS) * WAYS];
    for (slot_operand *o = set; o < set + WAYS; o++) {
        if (o->buffer && o->hash == hash && o->cls == cls && o->n == n && !memcmp(o->words, words, n * sizeof *words)) {
            o->last_use = ++d->slot_tick;
            *out_buffer = o->buffer;
            return NULL;
        }
        if (!o->buffer || (victim->buffer && o->last_use < victim->last_use)) victim = o;
    }
    pj_buffer *fresh;
    TP_TRY(upload(d, cls, words, n, &fresh));
    if (victim->buffer) pj_buffer_destroy(tp_client(), victim->buffer);
    *victim = (slot_operand){.hash = hash, .last_use = ++d->slot_tick, .cls = (uint8_t)cls, .n = n, .buffer = fresh};
    memcpy(victim->words, words, n * sizeof *words);
    *out_buffer = fresh;
    return NULL;
}

void slot_operands_drop(tp_device *d) {
    for (slot_operand *o = d->slots; o < d->slots + SLOT_OPERANDS; o++) {
        if (o->buffer) pj_buffer_destroy(tp_client(), o->buffer);
        o->buffer = NULL;
    }
}
