#include "base/map.h"

#include <stdlib.h>

static const char gone;

tp_hash128 tp_map_hash(const void *key, size_t len) {
    tp_hash128 h = TP_HASH_SEED;
    tp_hash_bytes(&h, key, len);
    return h;
}

static bool same(const tp_map_entry *e, tp_hash128 hash, const void *key, size_t len) {
    return e->key != &gone && e->hash.lo == hash.lo && e->hash.hi == hash.hi && e->key_len == len &&
           memcmp(e->key, key, len) == 0;
}

static tp_map_entry *find(const tp_map *m, tp_hash128 hash, const void *key, size_t len) {
    if (!m->cap) return NULL;
    for (size_t i = (size_t)hash.lo & (m->cap - 1);; i = (i + 1) & (m->cap - 1)) {
        tp_map_entry *e = &m->slots[i];
        if (!e->key) return NULL;
        if (same(e, hash, key, len)) return e;
    }
}

void *tp_map_get(const tp_map *m, tp_hash128 hash, const void *key, size_t len) {
    tp_map_entry *e = find(m, hash, key, len);
    return e ? e->value : NULL;
}

static void insert(tp_map *m, tp_map_entry entry) {
    size_t i = (size_t)entry.hash.lo & (m->cap - 1);
    while (m->slots[i].key) i = (i + 1) & (m->cap - 1);
    m->slots[i] = entry;
    m->count++;
    m->used++;
}

static bool grow(tp_map *m) {
    tp_map bigger = {.cap = m->count * 4 < 64 ? 64 : m->cap};
    while (bigger.cap < m->count * 4) bigger.cap *= 2;
    bigger.slots = calloc(bigger.cap, sizeof *bigger.slots);
    if (!bigger.slots) return false;
    for (size_t i = 0; i < m->cap; i++)
        if (m->slots[i].key && m->slots[i].key != &gone) insert(&bigger, m->slots[i]);
    free(m->slots);
    *m = bigger;
    return true;
}

bool tp_map_put(tp_map *m, tp_hash128 hash, const void *key, size_t len, void *value) {
    tp_map_entry *e = find(m, hash, key, len);
    if (e) {
        e->key = key;
        e->value = value;
        return true;
    }
    if ((m->used + 1) * 2 > m->cap && !grow(m)) return false;
    insert(m, (tp_map_entry){hash, key, len, value});
    return true;
}

void *tp_map_remove(tp_map *m, tp_hash128 hash, const void *key, size_t len) {
    tp_map_entry *e = find(m, hash, key, len);
    if (!e) return NULL;
    void *value = e->value;
    *e = (tp_map_entry){.key = &gone};
    m->count--;
    return value;
}

void tp_map_finish(tp_map *m) {
    free(m->slots);
    *m = (tp_map){0};
}

void *tp_map_next(const tp_map *m, size_t *cursor) {
    while (*cursor < m->cap) {
        const tp_map_entry *e = &m->slots[(*cursor)++];
        if (e->key && e->key != &gone) return e->value;
    }
    return NULL;
}
