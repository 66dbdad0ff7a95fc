/* 128-bit in-memory hash of a stream of words: two lanes of a multiply-and-fold mix with different odd constants.
 * For hash tables and content keys inside one process, always followed by a full compare; not for disk, not
 * cryptographic. */
#ifndef TP_BASE_HASH_H
#define TP_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct tp_hash128 {
    uint64_t lo, hi;
} tp_hash128;

#define TP_HASH_SEED ((tp_hash128){UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xc2b2ae3d27d4eb4f)})

static inline uint64_t tp_hash_fold(uint64_t a, uint64_t b) {
    __extension__ unsigned __int128 p = (unsigned __int128)a * b;
    return (uint64_t)p ^ (uint64_t)(p >> 64);
}

static inline void tp_hash_word(tp_hash128 *h, uint64_t w) {
    h->lo = tp_hash_fold(h->lo ^ w, UINT64_C(0xa0761d6478bd642f)) + UINT64_C(0x8ebc6af09c88c6e3);
    h->hi = tp_hash_fold(h->hi + w, UINT64_C(0xe7037ed1a0b428db)) ^ UINT64_C(0x589965cc75374cc3);
}

static inline void tp_hash_bytes(tp_hash128 *h, const void *data, size_t len) {
    const unsigned char *p = (const unsigned char *)data;
    uint64_t w;
    for (; len >= 8; p += 8, len -= 8) {
        memcpy(&w, p, 8);
        tp_hash_word(h, w);
    }
    w = (uint64_t)len << 56;
    memcpy(&w, p, len);
    tp_hash_word(h, w ^ ((uint64_t)len << 60));
}

#endif
