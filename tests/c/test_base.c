/* The layer base: arena, strbuf, hash, map, dtype, env, log, status. */
#include "base/arena.h"
#include "base/dtype.h"
#include "base/env.h"
#include "base/log.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "check.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- arena */

static bool all_zero(const unsigned char *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (p[i]) return false;
    return true;
}

static void arena_gives_zeroed_aligned_memory(void) {
    tp_arena a = {0};
    bool zeroed = true, aligned = true, kept = true;
    unsigned char *blocks[200];
    for (size_t i = 0; i < 200; i++) {
        size_t n = i * 37 % 5000 + 1; /* some share a block, some get their own */
        blocks[i] = tp_arena_alloc(&a, n);
        zeroed &= all_zero(blocks[i], n);
        aligned &= (uintptr_t)blocks[i] % 16 == 0;
        memset(blocks[i], (int)i, n);
    }
    for (size_t i = 0; i < 200; i++) {
        size_t n = i * 37 % 5000 + 1;
        kept &= blocks[i][0] == (unsigned char)i && blocks[i][n - 1] == (unsigned char)i;
    }
    CHECK(zeroed);
    CHECK(aligned);
    CHECK(kept);
    tp_arena_finish(&a);
    CHECK(!a.head);
    CHECK(tp_arena_alloc(&a, 8) != NULL); /* empty and ready again */
    tp_arena_finish(&a);
    tp_arena_finish(&a);
}

static void arena_copies_and_formats(void) {
    tp_arena a = {0};
    char *copy = tp_arena_copy(&a, "abc", 4);
    CHECK(!strcmp(copy, "abc"));
    CHECK(tp_arena_copy(&a, NULL, 0) != NULL);
    CHECK(!strcmp(tp_arena_printf(&a, "%s[%d]", "x", 12), "x[12]"));
    char *wide = tp_arena_printf(&a, "%20000d", 7);
    CHECK(wide && strlen(wide) == 20000 && wide[19999] == '7');
    tp_arena_finish(&a);
}

/* A big block goes behind the current one: small allocations go on filling the latter. */
static void arena_keeps_the_room_of_its_block(void) {
    tp_arena a = {0};
    unsigned char *first = tp_arena_alloc(&a, 16);
    tp_arena_alloc(&a, 100000);
    unsigned char *second = tp_arena_alloc(&a, 16);
    CHECK(second == first + 16);
    tp_arena_finish(&a);
}

/* ---- strbuf */

static void strbuf_grows(void) {
    tp_strbuf b = {0};
    for (int i = 0; i < 1000; i++) tp_strbuf_printf(&b, "%d,", i);
    CHECK(b.len == 10 * 2 + 90 * 3 + 900 * 4);
    CHECK(strlen(b.data) == b.len);
    CHECK(!strncmp(b.data, "0,1,2,", 6));
    size_t len = 0;
    char *text = tp_strbuf_take(&b, &len);
    CHECK(text && len == strlen(text));
    CHECK(!b.data && !b.len && !b.cap);
    free(text);
}

static void strbuf_takes_long_and_odd_pieces(void) {
    tp_strbuf b = {0};
    tp_strbuf_printf(&b, "%255d|%256d|%5000d", 1, 2, 3); /* about the size of its stack buffer, and beyond */
    CHECK(b.len == 255 + 1 + 256 + 1 + 5000);
    tp_strbuf_put(&b, "a\0b", 3);
    CHECK(b.data[b.len - 2] == 0 && b.data[b.len - 1] == 'b' && b.data[b.len] == 0);
    tp_strbuf_puts(&b, "");
    tp_strbuf_finish(&b);
    CHECK(!b.data);
    char *empty = tp_strbuf_take(&b, NULL);
    CHECK(empty && !*empty);
    free(empty);
}

static void strbuf_failure_is_sticky(void) {
    tp_strbuf b = {0};
    tp_strbuf_puts(&b, "kept");
    b.failed = true; /* as a failed growth leaves it */
    tp_strbuf_puts(&b, "ignored");
    tp_strbuf_printf(&b, "%d", 1);
    CHECK(b.len == 4);
    size_t len = 9;
    CHECK(!tp_strbuf_take(&b, &len));
    CHECK(len == 0 && !b.data && !b.failed);
}

/* ---- hash and map */

static bool hashes_equal(tp_hash128 a, tp_hash128 b) { return a.lo == b.lo && a.hi == b.hi; }

static tp_hash128 hash_of(const void *data, size_t len) { return tp_map_hash(data, len); }

/* Every pair of neighbours (one byte longer, one bit flipped) must differ in both lanes. */
static void hash_separates_neighbours(void) {
    unsigned char zeros[64] = {0};
    bool lengths = true, bits = true;
    for (size_t n = 0; n < 63; n++) {
        tp_hash128 a = hash_of(zeros, n), b = hash_of(zeros, n + 1);
        lengths &= a.lo != b.lo && a.hi != b.hi;
    }
    tp_hash128 none = hash_of(zeros, 40);
    for (size_t i = 0; i < 40 * 8; i++) {
        zeros[i / 8] ^= (unsigned char)(1u << (i % 8));
        tp_hash128 h = hash_of(zeros, 40);
        bits &= h.lo != none.lo && h.hi != none.hi;
        zeros[i / 8] ^= (unsigned char)(1u << (i % 8));
    }
    CHECK(lengths);
    CHECK(bits);
    CHECK(hashes_equal(hash_of(zeros, 40), none));
}

/* Consecutive words must fill a table evenly: it is indexed with the low bits of the low lane. */
static void hash_spreads_small_words(void) {
    enum { N = 40000, BUCKETS = 65536 };
    unsigned *filled = calloc(BUCKETS, sizeof *filled);
    unsigned worst = 0;
    for (uint64_t i = 0; filled && i < N; i++) {
        tp_hash128 h = TP_HASH_SEED;
        tp_hash_word(&h, i);
        unsigned *slot = &filled[h.lo & (BUCKETS - 1)];
        if (++*slot > worst) worst = *slot;
    }
    CHECK(filled && worst <= 12); /* a random function stays below 9 with probability 0.99 */
    free(filled);
}

static void map_holds_what_was_put(void) {
    enum { N = 20000 };
    static uint64_t keys[N];
    static int values[N];
    tp_map m = {0};
    bool put = true, found = true, gone = true;
    for (size_t i = 0; i < N; i++) {
        keys[i] = i * 7919;
        put &= tp_map_put(&m, tp_map_hash(&keys[i], 8), &keys[i], 8, &values[i]);
    }
    CHECK(put && m.count == N);
    for (size_t i = 0; i < N; i++) found &= tp_map_get(&m, tp_map_hash(&keys[i], 8), &keys[i], 8) == &values[i];
    CHECK(found);
    for (size_t i = 0; i < N; i += 2) gone &= tp_map_remove(&m, tp_map_hash(&keys[i], 8), &keys[i], 8) == &values[i];
    for (size_t i = 0; i < N; i += 2) gone &= !tp_map_get(&m, tp_map_hash(&keys[i], 8), &keys[i], 8);
    CHECK(gone && m.count == N / 2);
    size_t visited = 0, cursor = 0;
    bool odd = true;
    for (int *v; (v = tp_map_next(&m, &cursor));) odd &= (v - values) % 2 == 1, visited++;
    CHECK(odd && visited == N / 2);
    tp_map_finish(&m);
    CHECK(!tp_map_get(&m, tp_map_hash(&keys[1], 8), &keys[1], 8));
}

static void map_compares_keys_in_full(void) {
    tp_map m = {0};
    int one, two, three;
    tp_hash128 same = {5, 6}; /* a collision of all 128 bits */
    CHECK(tp_map_put(&m, same, "a", 1, &one));
    CHECK(tp_map_put(&m, same, "b", 1, &two));
    CHECK(tp_map_get(&m, same, "a", 1) == &one && tp_map_get(&m, same, "b", 1) == &two);
    CHECK(!tp_map_get(&m, same, "ab", 2));
    CHECK(tp_map_put(&m, same, "a", 1, &three) && m.count == 2); /* replaces */
    CHECK(tp_map_get(&m, same, "a", 1) == &three);
    CHECK(tp_map_remove(&m, same, "a", 1) == &three);
    CHECK(!tp_map_remove(&m, same, "a", 1));
    CHECK(tp_map_get(&m, same, "b", 1) == &two); /* found behind the removed slot */
    tp_map_finish(&m);
}

/* Putting and removing for ever must not fill the table with removed slots. */
static void map_does_not_grow_by_churn(void) {
    tp_map m = {0};
    int v;
    bool ok = true;
    for (uint64_t i = 0; i < 100000; i++) {
        tp_hash128 h = tp_map_hash(&i, 8);
        ok &= tp_map_put(&m, h, &i, 8, &v) && tp_map_remove(&m, h, &i, 8) == &v;
    }
    CHECK(ok && m.count == 0 && m.cap <= 128);
    tp_map_finish(&m);
}

/* ---- dtype */

static void dtypes_agree_with_their_table(void) {
    bool torch = true, size = true, named = true;
    for (int i = 1; i < TP_DTYPE_COUNT; i++) {
        tp_dtype t = (tp_dtype)i;
        torch &= tp_dtype_from_torch(tp_dtype_to_torch(t)) == t;
        size &= tp_dtype_size(t) > 0 && tp_dtype_size(t) <= 16;
        named &= *tp_dtype_name(t) && *tp_dtype_hlo(t) && tp_dtype_class(t) != TP_CLASS_NONE;
    }
    CHECK(torch);
    CHECK(size);
    CHECK(named);
    CHECK(tp_dtype_to_torch(TP_NO_DTYPE) == -1 && tp_dtype_size(TP_NO_DTYPE) == 0);
    CHECK(tp_dtype_from_torch(99) == TP_NO_DTYPE && tp_dtype_from_torch(-1) == TP_NO_DTYPE);
    CHECK(!strcmp(tp_dtype_name(TP_BF16), "bfloat16") && !strcmp(tp_dtype_hlo(TP_BOOL), "i1"));
}

static void dtype_relations(void) {
    CHECK(tp_dtype_real(TP_C64) == TP_F32 && tp_dtype_real(TP_C128) == TP_F64 && tp_dtype_real(TP_I8) == TP_I8);
    CHECK(tp_dtype_uint(4) == TP_U32 && tp_dtype_uint(3) == TP_NO_DTYPE && tp_dtype_uint(16) == TP_NO_DTYPE);
    CHECK(tp_dtype_is_int(TP_U8) && tp_dtype_is_int(TP_I64) && !tp_dtype_is_int(TP_BOOL) && !tp_dtype_is_int(TP_F32));
    CHECK(tp_dtype_is_float(TP_F8E5M2) && !tp_dtype_is_float(TP_C64) && tp_dtype_is_complex(TP_C64));
}

static void types_compare_and_format(void) {
    char text[64], small[12];
    tp_type a = tp_type_make(TP_F32, 2, (int64_t[]){2, 3}), b = a;
    CHECK(!strcmp(tp_type_format(&a, text, sizeof text), "float32[2, 3]"));
    CHECK(!strcmp(tp_type_format(&a, small, sizeof small), "float32[2, "));
    b.dims[2] = 99; /* beyond the rank: means nothing */
    CHECK(tp_type_equal(&a, &b));
    b.dims[1] = 4;
    CHECK(!tp_type_equal(&a, &b));
    CHECK(tp_type_numel(&a) == 6 && tp_type_bytes(&a) == 24);
    tp_type scalar = tp_type_make(TP_I64, 0, NULL);
    CHECK(tp_type_numel(&scalar) == 1 && !strcmp(tp_type_format(&scalar, text, sizeof text), "int64[]"));
    int64_t strides[3];
    tp_contiguous_strides(3, (int64_t[]){2, 0, 5}, strides);
    CHECK(strides[0] == 5 && strides[1] == 5 && strides[2] == 1);
}

/* ---- env and log */

static void env_reads_numbers_and_words(void) {
    int64_t n = -1;
    int w = -1;
    const char *const words[] = {"strict", "defer"};
    unsetenv("TORCH_PJRT_CPU_DEVICES");
    CHECK(!tp_env_get(TP_ENV_CPU_DEVICES));
    CHECK_OK(tp_env_int(TP_ENV_CPU_DEVICES, 1, 64, 3, &n));
    CHECK(n == 3);
    setenv("TORCH_PJRT_CPU_DEVICES", "", 1);
    CHECK(!tp_env_get(TP_ENV_CPU_DEVICES)); /* empty is unset */
    setenv("TORCH_PJRT_CPU_DEVICES", "64", 1);
    CHECK_OK(tp_env_int(TP_ENV_CPU_DEVICES, 1, 64, 3, &n));
    CHECK(n == 64);
    setenv("TORCH_PJRT_MODE", "defer", 1);
    CHECK_OK(tp_env_word(TP_ENV_MODE, 2, words, 0, &w));
    CHECK(w == 1);
    unsetenv("TORCH_PJRT_MODE");
    CHECK_OK(tp_env_word(TP_ENV_MODE, 2, words, 0, &w));
    CHECK(w == 0);
}

static void env_names_what_is_wrong(void) {
    int64_t n;
    int w;
    const char *const words[] = {"strict", "defer"};
    const char *const bad[] = {"0", "65", "4x", "four", "99999999999999999999", "-1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        setenv("TORCH_PJRT_CPU_DEVICES", bad[i], 1);
        tp_status s = tp_env_int(TP_ENV_CPU_DEVICES, 1, 64, 1, &n);
        CHECK(tp_status_kind(s) == TP_VALUE && strstr(tp_status_message(s), bad[i]));
        CHECK_FAILS(s, "TORCH_PJRT_CPU_DEVICES must be an integer from 1 to 64");
        CHECK(n == 1);
    }
    setenv("TORCH_PJRT_MODE", "eager", 1);
    CHECK_FAILS(tp_env_word(TP_ENV_MODE, 2, words, 0, &w), "must be one of 'strict', 'defer'; got 'eager'");
    unsetenv("TORCH_PJRT_MODE");
    unsetenv("TORCH_PJRT_CPU_DEVICES");
}

static void env_table_is_complete(void) {
    bool ok = true;
    for (int i = 0; i < TP_ENV_COUNT; i++)
        ok &= !strncmp(tp_env_name((tp_env)i), "TORCH_PJRT_", 11) && *tp_env_doc((tp_env)i) && tp_env_default((tp_env)i);
    CHECK(ok);
}

/* What |f| writes on stderr. */
static void captured(void (*f)(void), char *out, size_t cap) {
    int ends[2], saved = dup(2);
    out[0] = 0;
    if (saved < 0 || pipe(ends)) return;
    fflush(stderr);
    dup2(ends[1], 2);
    f();
    fflush(stderr);
    dup2(saved, 2);
    close(saved);
    close(ends[1]);
    ssize_t n = read(ends[0], out, cap - 1);
    close(ends[0]);
    out[n > 0 ? n : 0] = 0;
}

static void log_one_line(void) { TP_LOG(TP_LOG_CUT, "%d calls", 3); }

static void log_topics(void) {
    char text[512];
    setenv("TORCH_PJRT_LOG", "cut,,kernels,launch", 1);
    captured(tp_log_init, text, sizeof text);
    CHECK(strstr(text, "TORCH_PJRT_LOG has no topic 'kernels'") != NULL);
    CHECK(tp_log_mask == (1u << TP_LOG_CUT | 1u << TP_LOG_LAUNCH));
    captured(log_one_line, text, sizeof text);
    CHECK(!strcmp(text, "torch-pjrt cut: 3 calls\n"));
    unsetenv("TORCH_PJRT_LOG");
    tp_log_init();
    captured(log_one_line, text, sizeof text);
    CHECK(tp_log_mask == 0 && !*text);
}

/* ---- status */

static tp_status fails(void) { return TP_FAIL(TP_OUT_OF_RANGE, TP_INDEX, "index must be below %d; got %d", 3, 7); }

static tp_status passes_on(tp_status s, bool *out_went_on) {
    *out_went_on = false;
    TP_TRY(s);
    *out_went_on = true;
    return NULL;
}

static void status_carries_code_kind_and_place(void) {
    bool went_on;
    tp_status s = passes_on(fails(), &went_on);
    CHECK(s && !went_on);
    CHECK(tp_status_code(s) == TP_OUT_OF_RANGE && tp_status_kind(s) == TP_INDEX);
    CHECK(strstr(tp_status_origin(s), "test_base.c:") != NULL);
    char *origin = strdup(tp_status_origin(s));
    s = tp_status_prefix(s, "aten::%s", "select.int");
    CHECK(!strcmp(tp_status_message(s), "aten::select.int: index must be below 3; got 7"));
    CHECK(tp_status_code(s) == TP_OUT_OF_RANGE && tp_status_kind(s) == TP_INDEX);
    CHECK(!strcmp(tp_status_origin(s), origin));
    free(origin);
    tp_status_free(s);
}

static void status_null_is_ok(void) {
    bool went_on;
    CHECK_OK(passes_on(NULL, &went_on));
    CHECK(went_on);
    CHECK(tp_status_code(NULL) == TP_OK && !*tp_status_message(NULL) && !*tp_status_origin(NULL));
    CHECK(!tp_status_prefix(NULL, "x") && !tp_status_retain(NULL));
    tp_status_free(NULL);
}

/* A prefixed error is new: other holders of the old one still read the old message. */
static void status_is_shared(void) {
    tp_status s = fails(), t = tp_status_retain(s);
    CHECK(s == t);
    s = tp_status_prefix(s, "read");
    CHECK(!strcmp(tp_status_message(t), "index must be below 3; got 7"));
    CHECK(!strncmp(tp_status_message(s), "read: ", 6));
    tp_status_free(t);
    tp_status_free(s);
}

int main(void) {
    arena_gives_zeroed_aligned_memory();
    arena_copies_and_formats();
    arena_keeps_the_room_of_its_block();
    strbuf_grows();
    strbuf_takes_long_and_odd_pieces();
    strbuf_failure_is_sticky();
    hash_separates_neighbours();
    hash_spreads_small_words();
    map_holds_what_was_put();
    map_compares_keys_in_full();
    map_does_not_grow_by_churn();
    dtypes_agree_with_their_table();
    dtype_relations();
    types_compare_and_format();
    env_reads_numbers_and_words();
    env_names_what_is_wrong();
    env_table_is_complete();
    log_topics();
    status_carries_code_kind_and_place();
    status_null_is_ok();
    status_is_shared();
    return check_result();
}
