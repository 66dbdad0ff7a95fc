/* Hash table from a byte-string key to a pointer.  The key bytes are compared in full on each hit; they are borrowed
 * from the caller, who keeps them alive (usually inside the value) until the entry is removed.  Not thread-safe. */
#ifndef TP_BASE_MAP_H
#define TP_BASE_MAP_H

#include "base/hash.h"

#include <stdbool.h>

typedef struct tp_map_entry {
    tp_hash128 hash;
    const void *key; /* NULL: empty; &tp_map_gone: removed */
    size_t key_len;
    void *value;
} tp_map_entry;

typedef struct tp_map {
    tp_map_entry *slots;
    size_t cap, count, used; /* cap is a power of two; used counts removed slots too */
} tp_map;

tp_hash128 tp_map_hash(const void *key, size_t len);
void *tp_map_get(const tp_map *m, tp_hash128 hash, const void *key, size_t len);             /* NULL when absent */
bool tp_map_put(tp_map *m, tp_hash128 hash, const void *key, size_t len, void *value);       /* false when memory is short; replaces */
void *tp_map_remove(tp_map *m, tp_hash128 hash, const void *key, size_t len);                /* the value, or NULL */
void tp_map_finish(tp_map *m);
/* for (size_t i = 0; (v = tp_map_next(m, &i)); ) visits every value; the map must not grow meanwhile. */
void *tp_map_next(const tp_map *m, size_t *cursor);

#endif
