/* Counts heap allocations whose caller lies in a watched range of code: the extension's text.  Preloaded, it stands in
 * front of malloc and operator new; what PyTorch, Python or a plugin allocate is served and not counted.  An allocation
 * that our code makes as its last act (a tail call) is counted for its caller instead, so look at optimised code with
 * that in mind.  Threads: any. */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SITES = 64 };
typedef struct site {
    _Atomic uintptr_t address; /* after the call, from the start of the range */
    _Atomic uint64_t count, bytes;
} site;

static _Atomic uintptr_t low, high;
static site sites[SITES];
static _Atomic uint64_t lost;

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

/* Counting from now on in [from, to); forgets what was counted. */
void malloc_count_watch(uintptr_t from, uintptr_t to);
/* The i-th place that allocated: offset, count and bytes; 0 when there is no i-th. */
int malloc_count_site(int i, uint64_t out[3]);
uint64_t malloc_count_lost(void); /* allocations at more places than there is room for */

void malloc_count_watch(uintptr_t from, uintptr_t to) {
    atomic_store(&high, 0);
    memset(sites, 0, sizeof sites);
    atomic_store(&lost, 0);
    atomic_store(&low, from);
    atomic_store(&high, to);
}

int malloc_count_site(int i, uint64_t out[3]) {
    if (i < 0 || i >= SITES || !atomic_load(&sites[i].count)) return 0;
    out[0] = atomic_load(&sites[i].address) - 1;
    out[1] = atomic_load(&sites[i].count);
    out[2] = atomic_load(&sites[i].bytes);
    return 1;
}

uint64_t malloc_count_lost(void) { return atomic_load(&lost); }

static void count(const void *caller, size_t bytes) {
    uintptr_t at = (uintptr_t)caller, from = atomic_load_explicit(&low, memory_order_relaxed);
    if (at < from || at >= atomic_load_explicit(&high, memory_order_relaxed)) return;
    at -= from;
    for (int i = 0; i < SITES; i++) {
        uintptr_t none = 0;
        if (atomic_load(&sites[i].address) == at + 1 || atomic_compare_exchange_strong(&sites[i].address, &none, at + 1) || none == at + 1) {
            atomic_fetch_add(&sites[i].count, 1);
            atomic_fetch_add(&sites[i].bytes, bytes);
            return;
        }
    }
    atomic_fetch_add(&lost, 1);
}

#define COUNTED(name, parameters, bytes, call)          \
    void *name parameters;                              \
    void *name parameters {                             \
        count(__builtin_return_address(0), (bytes));    \
        return call;                                    \
    }

COUNTED(malloc, (size_t n), n, __libc_malloc(n))
COUNTED(calloc, (size_t n, size_t size), n * size, __libc_calloc(n, size))
COUNTED(realloc, (void *p, size_t n), n, __libc_realloc(p, n))
COUNTED(aligned_alloc, (size_t align, size_t n), n, __libc_memalign(align, n))
COUNTED(memalign, (size_t align, size_t n), n, __libc_memalign(align, n))
/* operator new in its usual forms; a failure kills the measurement, which no program would survive anyway */
COUNTED(_Znwm, (size_t n), n, __libc_malloc(n))
COUNTED(_Znam, (size_t n), n, __libc_malloc(n))
COUNTED(_ZnwmRKSt9nothrow_t, (size_t n, const void *tag), n, ((void)tag, __libc_malloc(n)))
COUNTED(_ZnwmSt11align_val_t, (size_t n, size_t align), n, __libc_memalign(align, n))

int posix_memalign(void **out, size_t align, size_t n);
int posix_memalign(void **out, size_t align, size_t n) {
    count(__builtin_return_address(0), n);
    *out = __libc_memalign(align, n);
    return *out ? 0 : 12; /* ENOMEM */
}
