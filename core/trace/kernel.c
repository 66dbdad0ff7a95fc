/* Kernels: rows specialised to static attributes and dense input types, found by hashing exactly those. */
#include "trace/device.h"

#include <stdlib.h>

enum { KEY_WORDS = 256, MAX_KERNELS = 32768, FLAT_INS = 64 };

/* The key being built: words on the stack, moved to the heap only by very long argument lists. */
typedef struct key_builder {
    uint64_t *words;
    size_t n, cap;
    bool failed;
    uint64_t small[KEY_WORDS];
    const tp_type *const *types; /* of the tensors, in order */
    size_t ntypes;
} key_builder;

static void put(key_builder *b, uint64_t w) {
    if (b->n == b->cap) {
        uint64_t *more = malloc(b->cap * 2 * sizeof *more);
        if (!more) {
            b->failed = true;
            return;
        }
        memcpy(more, b->words, b->n * sizeof *more);
        if (b->words != b->small) free(b->words);
        b->words = more;
        b->cap *= 2;
    }
    b->words[b->n++] = w;
}

static void put_bytes(key_builder *b, const void *data, size_t bytes) {
    const unsigned char *p = data;
    for (uint64_t w; bytes; p += sizeof w, bytes -= bytes < sizeof w ? bytes : sizeof w) {
        w = 0;
        memcpy(&w, p, bytes < sizeof w ? bytes : sizeof w);
        put(b, w);
    }
}

static void put_double(key_builder *b, double f) {
    uint64_t w;
    memcpy(&w, &f, sizeof w);
    put(b, w);
}

static bool is_slot(char letter, const tp_arg *a) {
    bool number = a->tag == TP_ARG_SCALAR || a->tag == TP_ARG_FLOAT;
    if (number && (letter == 'T' || letter == 'O' || letter == 'L')) return true;
    if (letter == 'a') return a->scalar.re != 1 || a->scalar.im != 0;
    return at_letter_is_slot(letter) || letter == 'N';
}

static uint64_t head(const tp_arg *a, char letter, uint64_t x, uint64_t y) {
    return (uint64_t)a->tag | (uint64_t)(unsigned char)letter << 8 | x << 16 | y << 40;
}

static void put_arg(key_builder *b, const tp_arg *a, char letter) {
    switch (a->tag) {
    case TP_ARG_TENSOR: {
        const tp_type *t = b->types[b->ntypes++];
        put(b, head(a, letter, t->dtype, t->rank));
        put_bytes(b, t->dims, t->rank * sizeof(int64_t));
        break;
    }
    case TP_ARG_SCALAR:
        put(b, head(a, letter, a->scalar.dtype, a->scalar.rank));
        if (is_slot(letter, a)) break;
        put(b, (uint64_t)a->scalar.i);
        put_double(b, a->scalar.re);
        put_double(b, a->scalar.im);
        break;
    case TP_ARG_LIST:
        put(b, head(a, letter, 0, a->n));
        for (uint32_t i = 0; i < a->n; i++) put_arg(b, &a->list[i], letter);
        break;
    case TP_ARG_INT:
    case TP_ARG_FLOAT:
        put(b, head(a, letter, 0, 0));
        if (is_slot(letter, a)) break;
        if (a->tag == TP_ARG_INT)
            put(b, (uint64_t)a->i);
        else
            put_double(b, a->f);
        break;
    case TP_ARG_INTS:
        put(b, head(a, letter, 0, a->n));
        if (!is_slot(letter, a)) put_bytes(b, a->ints, a->n * sizeof *a->ints);
        break;
    case TP_ARG_FLOATS:
        put(b, head(a, letter, 0, a->n));
        if (!is_slot(letter, a)) put_bytes(b, a->floats, a->n * sizeof *a->floats);
        break;
    case TP_ARG_STR:
        put(b, head(a, letter, 0, a->n));
        put_bytes(b, a->str, a->n);
        break;
    default: put(b, head(a, letter, 0, 0));
    }
}

/* ---- a miss: arguments as the lowering sees them */
typedef struct binder {
    at_in *flat;   /* list elements */
    size_t nflat, cap;
    const tp_type *const *types;
    size_t ntypes;
    uint8_t classes[2 * KEY_WORDS];
    int nslots;
} binder;

static void add_slot(binder *b, at_in *in, at_slot_class cls) {
    in->kind = AT_IN_SLOT;
    in->slot_class = (uint8_t)cls;
    if (b->nslots < (int)sizeof b->classes) b->classes[b->nslots] = (uint8_t)cls;
    b->nslots++;
}

static at_slot_class scalar_class(tp_dtype t) {
    return tp_dtype_is_complex(t) ? AT_SLOT_COMPLEX : tp_dtype_is_float(t) ? AT_SLOT_FLOAT : AT_SLOT_INT;
}

static void bind_arg(binder *b, at_in *in, const tp_arg *a, char letter);

static void bind_list(binder *b, at_in *in, const tp_arg *a, char letter) {
    in->kind = AT_IN_LIST;
    in->nelems = a->n;
    at_in *elems = b->flat + b->nflat;
    b->nflat += a->n;
    in->elems = elems;
    for (uint32_t i = 0; i < a->n; i++) {
        elems[i] = (at_in){.letter = (uint8_t)letter};
        if (a->tag == TP_ARG_LIST) {
            bind_arg(b, &elems[i], &a->list[i], letter);
        } else {
            elems[i].arg = a;
            elems[i].type = tp_type_make(a->tag == TP_ARG_INTS ? TP_I64 : TP_F64, 0, NULL);
            add_slot(b, &elems[i], a->tag == TP_ARG_INTS ? AT_SLOT_INT : AT_SLOT_FLOAT);
        }
    }
}

static void bind_arg(binder *b, at_in *in, const tp_arg *a, char letter) {
    in->letter = (uint8_t)letter;
    in->arg = a;
    in->kind = AT_IN_STATIC;
    if (a->tag == TP_ARG_NONE) {
        in->kind = AT_IN_NONE;
    } else if (a->tag == TP_ARG_TENSOR) {
        in->kind = AT_IN_TENSOR;
        in->type = *b->types[b->ntypes++];
    } else if (a->tag == TP_ARG_LIST || (is_slot(letter, a) && (a->tag == TP_ARG_INTS || a->tag == TP_ARG_FLOATS))) {
        bind_list(b, in, a, letter);
    } else if (a->tag == TP_ARG_SCALAR) {
        in->scalar_rank = a->scalar.rank;
        in->type = tp_type_make((tp_dtype)a->scalar.dtype, 0, NULL);
        if (is_slot(letter, a)) add_slot(b, in, scalar_class((tp_dtype)a->scalar.dtype));
    } else if (a->tag == TP_ARG_GENERATOR) {
        in->type = tp_type_make(TP_U64, 0, NULL);
        add_slot(b, in, AT_SLOT_RNG);
    } else if (is_slot(letter, a)) {
        in->type = tp_type_make(a->tag == TP_ARG_INT ? TP_I64 : TP_F64, 0, NULL);
        add_slot(b, in, a->tag == TP_ARG_INT ? AT_SLOT_INT : AT_SLOT_FLOAT);
    }
}

static size_t list_elements(const tp_arg *args, int n) {
    size_t total = 0;
    for (int i = 0; i < n; i++)
        if (args[i].tag == TP_ARG_LIST || args[i].tag == TP_ARG_INTS || args[i].tag == TP_ARG_FLOATS) total += args[i].n;
    return total;
}

static bool describe(tp_kernel *k, const binder *b, size_t ntensors) {
    const hlo_graph *g = k->fragment.graph;
    k->ntensors = (uint16_t)ntensors;
    k->nslots = (uint16_t)b->nslots;
    k->nouts = (uint16_t)(k->fragment.nouts + k->fragment.nchecks);
    k->slot_class = calloc(1, (size_t)b->nslots + 1);
    k->used = calloc(1, ntensors + 1);
    k->outs = calloc(k->nouts + 1u, sizeof *k->outs);
    if (!k->slot_class || !k->used || !k->outs) return false;
    memcpy(k->slot_class, b->classes, (size_t)b->nslots);
    for (int i = 0; i < b->nslots; i++) {
        k->nfloat = (uint16_t)(k->nfloat + (b->classes[i] == AT_SLOT_FLOAT) + 2 * (b->classes[i] == AT_SLOT_COMPLEX));
        k->nint = (uint16_t)(k->nint + (b->classes[i] == AT_SLOT_INT));
        k->nrng = (uint16_t)(k->nrng + 2 * (b->classes[i] == AT_SLOT_RNG));
    }
    for (size_t i = 0; i < ntensors; i++) k->used[i] = hlo_param_used(g, (int)i);
    for (int i = 0; i < k->nouts; i++) k->outs[i] = *hlo_output_type(g, i);
    return true;
}

static void lower_kernel(tp_kernel *k, bool count, const tp_arg *args, int nargs, const tp_type *const *types) {
    at_in small[FLAT_INS], in[AT_MAX_ARGS];
    binder b = {.types = types, .cap = list_elements(args, nargs)};
    b.flat = b.cap > FLAT_INS ? calloc(b.cap, sizeof *b.flat) : small;
    const row_info *info = row_info_get((int)(k->key[0] & 0xffff));
    if (!b.flat) {
        k->error = TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "out of host memory for the arguments of aten::%s", k->row->name);
        return;
    }
    for (int i = 0; i < nargs; i++) {
        in[i] = (at_in){0};
        bind_arg(&b, &in[i], &args[i], i < info->nargs ? info->letters[i] : 'i');
    }
    if (b.nslots > (int)sizeof b.classes)
        k->error = TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME, "aten::%s must have at most %zu numbers among its arguments; got %d",
                           k->row->name, sizeof b.classes, b.nslots);
    else
        k->error = at_lower(k->row, count ? k->row->count : k->row->lower, in, nargs, tp_precision_get(), &k->fragment);
    if (!k->error && !describe(k, &b, b.ntypes))
        k->error = TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "out of host memory for a kernel of aten::%s", k->row->name);
    if (b.flat != small) free(b.flat);
}

static void kernel_destroy(tp_kernel *k) {
    hlo_graph_destroy(k->fragment.graph);
    tp_status_free(k->error);
    free(k->slot_class);
    free(k->used);
    free(k->outs);
    free(k->key);
    free(k);
}

void kernel_trim_locked(tp_device *d, size_t keep) {
    if (d->kernels.count <= keep) return;
    uint64_t old = d->tick / 2; /* what was not used in the younger half of all uses goes first */
    for (int round = 0; round < 2 && d->kernels.count > keep; round++, old = UINT64_MAX) {
        size_t cursor = 0;
        for (tp_kernel *k; (k = tp_map_next(&d->kernels, &cursor));) {
            if (k->refs || k->last_use >= old) continue;
            tp_map_remove(&d->kernels, k->hash, k->key, k->key_len);
            kernel_destroy(k);
        }
    }
}

static tp_kernel *kernel_create(tp_device *d, const at_row *row, bool count, const key_builder *b, tp_hash128 hash,
                                const tp_arg *args, int nargs, const tp_type *const *types) {
    if (d->kernels.count >= MAX_KERNELS) kernel_trim_locked(d, MAX_KERNELS / 2);
    tp_kernel *k = calloc(1, sizeof *k);
    if (!k) return NULL;
    k->row = row;
    k->id = ++d->next_kernel_id;
    k->hash = hash;
    k->key_len = b->n * sizeof(uint64_t);
    k->key = malloc(k->key_len);
    if (!k->key || b->failed) {
        kernel_destroy(k);
        return NULL;
    }
    memcpy(k->key, b->words, k->key_len);
    lower_kernel(k, count, args, nargs, types);
    if (!tp_map_put(&d->kernels, hash, k->key, k->key_len, k)) {
        kernel_destroy(k);
        return NULL;
    }
    TP_LOG(TP_LOG_KERNEL, "%u aten::%s%s%s", k->id, row->name, k->error ? ": " : "", tp_status_message(k->error));
    return k;
}

tp_status kernel_find_locked(tp_device *d, const at_row *row, bool count, const tp_arg *args, int nargs,
                             const tp_type *const *types, tp_kernel **out_kernel) {
    key_builder b;
    b.words = b.small;
    b.n = b.ntypes = 0;
    b.cap = KEY_WORDS;
    b.failed = false;
    b.types = types;
    int id = (int)(row - at_row_get(0));
    const row_info *info = row_info_get(id);
    put(&b, (uint64_t)id | (uint64_t)count << 16 | (uint64_t)tp_precision_get() << 24 | (uint64_t)nargs << 32);
    for (int i = 0; i < nargs; i++) put_arg(&b, &args[i], i < info->nargs ? info->letters[i] : 'i');
    tp_hash128 hash = TP_HASH_SEED;
    for (size_t i = 0; i < b.n; i++) tp_hash_word(&hash, b.words[i]);
    tp_kernel *k = tp_map_get(&d->kernels, hash, b.words, b.n * sizeof(uint64_t));
    if (!k) k = kernel_create(d, row, count, &b, hash, args, nargs, types);
    if (b.words != b.small) free(b.words);
    *out_kernel = k;
    if (!k) return TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "out of host memory for a kernel of aten::%s", row->name);
    k->last_use = ++d->tick;
    return tp_status_retain(k->error);
}

/* ---- slots of one call */
typedef struct words {
    uint64_t *out;
    size_t n;
} words;

static void word_float(words *w, double f) { memcpy(&w->out[w->n++], &f, sizeof f); }

static void scalar_words(words *w, const tp_scalar *s) {
    at_slot_class cls = scalar_class((tp_dtype)s->dtype);
    if (cls == AT_SLOT_INT) {
        w->out[w->n++] = (uint64_t)s->i;
        return;
    }
    word_float(w, s->re);
    if (cls == AT_SLOT_COMPLEX) word_float(w, s->im);
}

static void arg_words(words *w, const tp_kernel *k, const at_row *row, const tp_arg *a, char letter) {
    if (a->tag == TP_ARG_LIST) {
        for (uint32_t i = 0; i < a->n; i++) arg_words(w, k, row, &a->list[i], letter);
        return;
    }
    if (a->tag == TP_ARG_GENERATOR) {
        uint64_t steps = at_philox_steps(row, tp_type_numel(&k->outs[0]));
        generator_take(a->gen, steps, &w->out[w->n]);
        w->n += 2;
        return;
    }
    if (a->tag == TP_ARG_NONE || a->tag == TP_ARG_TENSOR || !is_slot(letter, a)) return;
    if (a->tag == TP_ARG_SCALAR) scalar_words(w, &a->scalar);
    if (a->tag == TP_ARG_INT) w->out[w->n++] = (uint64_t)a->i;
    if (a->tag == TP_ARG_FLOAT) word_float(w, a->f);
    for (uint32_t i = 0; a->tag == TP_ARG_INTS && i < a->n; i++) w->out[w->n++] = (uint64_t)a->ints[i];
    for (uint32_t i = 0; a->tag == TP_ARG_FLOATS && i < a->n; i++) word_float(w, a->floats[i]);
}

void kernel_slot_words(const tp_kernel *k, const at_row *row, const tp_arg *args, int nargs, uint64_t *out) {
    const row_info *info = row_info_get((int)(row - at_row_get(0)));
    words w = {out, 0};
    for (int i = 0; i < nargs; i++) arg_words(&w, k, row, &args[i], i < info->nargs ? info->letters[i] : 'i');
}
