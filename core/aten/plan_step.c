#include "aten/plan_step.h"

enum { MAX_STEPS = 64 };

typedef struct step {
    plan_op op;
    int a, b, c;
    const int64_t *w;      /* operands */
    const hlo_val *starts; /* the slots this step takes */
    tp_type in, out;
} step;

typedef struct decoded {
    tp_type base;
    int n;
    step steps[MAX_STEPS];
} decoded;

/* ---- words to steps */

static const int64_t *decode_slice(step *s, const int64_t *w, const hlo_val **starts) {
    for (int i = 0; i < s->a; i++, w += PLAN_ENTRY_WORDS) {
        s->out.dims[w[0] & (PLAN_SLOT - 1)] = w[2];
        if (w[0] & PLAN_SLOT) ++*starts;
    }
    return w;
}

static const int64_t *decode_gather(step *s, const int64_t *w, const hlo_val **starts) {
    int n = s->b;
    memmove(&s->out.dims[s->a + n], &s->in.dims[s->a + 1], (size_t)(s->in.rank - s->a - 1) * sizeof(int64_t));
    for (int i = 0; i < n; i++, w += 2) s->out.dims[s->a + i] = w[0];
    s->out.rank = (uint8_t)(s->in.rank + n - 1);
    ++*starts;
    return w;
}

static void decode_cast(step *s) {
    size_t have = tp_dtype_size((tp_dtype)s->in.dtype), want = tp_dtype_size((tp_dtype)s->a);
    s->out.dtype = (uint8_t)s->a;
    if (have > want) s->out.dims[s->out.rank++] = (int64_t)(have / want);
    if (have < want) s->out.rank--;
}

/* Fills |s| from the words at |w|, given s->in; returns the words after it. */
static const int64_t *decode_step(step *s, const int64_t *w, const hlo_val **starts, tp_dtype view) {
    s->op = PLAN_STEP_OP(*w);
    s->a = PLAN_STEP_A(*w);
    s->b = PLAN_STEP_B(*w);
    s->c = PLAN_STEP_C(*w++);
    s->w = w;
    s->starts = *starts;
    s->out = s->in;
    switch (s->op) {
    case PLAN_TRANSPOSE:
        for (int i = 0; i < s->in.rank; i++) s->out.dims[i] = s->in.dims[(uint64_t)*w >> 4 * i & 15];
        return w + 1;
    case PLAN_RESHAPE: s->out = tp_type_make((tp_dtype)s->in.dtype, s->a, w); return w + s->a;
    case PLAN_EMPTY: s->out = tp_type_make(view, s->a, w); return w + s->a;
    case PLAN_CAST: decode_cast(s); return w;
    case PLAN_UNPACK:
        s->out.dtype = (uint8_t)tp_dtype_real((tp_dtype)s->in.dtype);
        s->out.dims[s->out.rank++] = 2;
        return w;
    case PLAN_PACK:
        s->out.dtype = s->in.dtype == TP_F32 ? TP_C64 : TP_C128;
        s->out.rank--;
        return w;
    case PLAN_PAD: s->out.dims[s->a] += *w; return w + 1;
    case PLAN_SLICE: return decode_slice(s, w, starts);
    case PLAN_GATHER: return decode_gather(s, w, starts);
    case PLAN_BROADCAST: s->out = tp_type_make((tp_dtype)s->in.dtype, s->a, w + 1); return w + 1 + s->a;
    }
    return w;
}

static void decode(decoded *d, const int64_t *words, int nwords, const hlo_val *starts) {
    const int64_t *end = words + nwords, *w = words;
    int rank = PLAN_HEADER_RANK(*w);
    d->base = tp_type_make(PLAN_HEADER_BASE(*w), rank, w + 1);
    d->n = 0;
    tp_type type = d->base;
    for (w += 1 + rank; w < end && d->n < MAX_STEPS; type = d->steps[d->n++].out) {
        d->steps[d->n].in = type;
        w = decode_step(&d->steps[d->n], w, &starts, PLAN_HEADER_VIEW(*words));
    }
}

/* ---- building blocks */

static hlo_val zero(hlo_graph *g, tp_dtype dtype) {
    static const unsigned char bits[16];
    tp_type scalar = {.dtype = (uint8_t)dtype};
    return hlo_const_bits(g, &scalar, bits);
}

static hlo_val bits(hlo_graph *g, hlo_val v, tp_dtype from, tp_dtype to) { return from == to ? v : hlo_bitcast(g, v, to); }

/* The same bits as |to|; bool, which has no bitcast, goes through its byte. */
static hlo_val recast(hlo_graph *g, hlo_val v, tp_dtype from, tp_dtype to) {
    if (from == to) return v;
    if (from == TP_BOOL) {
        v = hlo_convert(g, v, TP_U8);
        from = TP_U8;
    }
    if (to == TP_BOOL) return hlo_compare(g, HLO_NE, recast(g, v, from, TP_U8), zero(g, TP_U8));
    size_t have = tp_dtype_size(from), want = tp_dtype_size(to);
    if (have == want) return bits(g, v, from, to);
    tp_dtype narrow = tp_dtype_uint(have), wide = tp_dtype_uint(want);
    return bits(g, hlo_bitcast(g, bits(g, v, from, narrow), wide), wide, to);
}

static hlo_val unpack(hlo_graph *g, hlo_val v, const tp_type *pairs) {
    tp_type part = *pairs;
    part.dims[part.rank - 1] = 1;
    hlo_val parts[2] = {hlo_reshape(g, hlo_un(g, HLO_REAL, v), part.rank, part.dims),
                        hlo_reshape(g, hlo_un(g, HLO_IMAG, v), part.rank, part.dims)};
    return hlo_concat(g, 2, parts, part.rank - 1);
}

static hlo_val pack(hlo_graph *g, hlo_val v, const tp_type *pairs) {
    int64_t start[TP_MAX_RANK] = {0}, limit[TP_MAX_RANK], one[TP_MAX_RANK];
    hlo_val part[2];
    int last = pairs->rank - 1;
    for (int i = 0; i <= last; i++) {
        limit[i] = pairs->dims[i];
        one[i] = 1;
    }
    for (int k = 0; k < 2; k++) {
        start[last] = k;
        limit[last] = k + 1;
        part[k] = hlo_reshape(g, hlo_slice(g, v, start, limit, one), last, pairs->dims);
    }
    return hlo_complex(g, part[0], part[1]);
}

/* ---- slices */

typedef struct window {
    bool dynamic, strided;
    int64_t start[TP_MAX_RANK], span[TP_MAX_RANK], limit[TP_MAX_RANK], step[TP_MAX_RANK], low[TP_MAX_RANK];
    hlo_val at[TP_MAX_RANK]; /* starts as values */
} window;

static void take_window(hlo_graph *g, const step *s, window *win) {
    const hlo_val *slot = s->starts;
    *win = (window){0};
    for (int i = 0; i < s->in.rank; i++) {
        win->limit[i] = win->span[i] = s->in.dims[i];
        win->step[i] = 1;
    }
    for (const int64_t *w = s->w; w < s->w + s->a * PLAN_ENTRY_WORDS; w += PLAN_ENTRY_WORDS) {
        int64_t i = w[0] & (PLAN_SLOT - 1);
        win->step[i] = w[3];
        win->span[i] = (w[2] - 1) * w[3] + 1;
        win->start[i] = w[1];
        win->limit[i] = w[1] + win->span[i];
        win->strided |= w[3] > 1;
        if (w[0] & PLAN_SLOT) {
            win->dynamic = true;
            win->at[i] = *slot++;
        }
    }
    for (int i = 0; i < s->in.rank; i++)
        if (hlo_is_none(win->at[i])) win->at[i] = hlo_const_int(g, TP_I64, win->start[i]);
}

static hlo_val read_slice(hlo_graph *g, hlo_val v, const step *s) {
    window win;
    take_window(g, s, &win);
    if (!win.dynamic) return hlo_slice(g, v, win.start, win.limit, win.step);
    v = hlo_dynamic_slice(g, v, win.at, win.span);
    return win.strided ? hlo_slice(g, v, win.low, win.span, win.step) : v;
}

/* True at the elements of the window that its steps hit. */
static hlo_val hit_mask(hlo_graph *g, const window *win, int rank) {
    tp_type index = tp_type_make(TP_I32, rank, win->span);
    hlo_val mask = HLO_NONE;
    for (int i = 0; i < rank; i++) {
        if (win->step[i] == 1) continue;
        if (index.dims[i] > INT32_MAX) index.dtype = TP_I64;
        hlo_val every = hlo_const_int(g, (tp_dtype)index.dtype, win->step[i]);
        hlo_val hit = hlo_compare(g, HLO_EQ, hlo_bin(g, HLO_REM, hlo_iota(g, &index, i), every), hlo_const_int(g, (tp_dtype)index.dtype, 0));
        mask = hlo_is_none(mask) ? hit : hlo_bin(g, HLO_AND, mask, hit);
    }
    return mask;
}

static hlo_val write_slice(hlo_graph *g, hlo_val old, hlo_val update, const step *s) {
    window win;
    int64_t interior[TP_MAX_RANK];
    take_window(g, s, &win);
    if (win.strided) {
        for (int i = 0; i < s->in.rank; i++) interior[i] = win.step[i] - 1;
        hlo_val spread = hlo_pad(g, update, zero(g, (tp_dtype)s->in.dtype), win.low, win.low, interior);
        hlo_val span = hlo_dynamic_slice(g, old, win.at, win.span);
        update = hlo_select(g, hit_mask(g, &win, s->in.rank), spread, span);
    }
    return hlo_dynamic_update(g, old, update, win.at);
}

/* ---- gather */

/* slot + sum of index * step, over the step's new dimensions. */
static hlo_val gather_indices(hlo_graph *g, const step *s) {
    tp_type type = tp_type_make(s->in.dims[s->a] > INT32_MAX ? TP_I64 : TP_I32, s->b, &s->out.dims[s->a]);
    hlo_val at = hlo_convert(g, s->starts[0], (tp_dtype)type.dtype);
    for (int i = 0; i < s->b; i++)
        at = hlo_bin(g, HLO_ADD, at, hlo_bin(g, HLO_MUL, hlo_iota(g, &type, i), hlo_const_int(g, (tp_dtype)type.dtype, s->w[2 * i + 1])));
    return at;
}

/* The dimensions of |out| that are not indices, in order; returns their number. */
static int other_dims(const step *s, int64_t *out_dims) {
    int n = 0;
    for (int i = 0; i < s->out.rank; i++)
        if (i < s->a || i >= s->a + s->b) out_dims[n++] = i;
    return n;
}

static hlo_val read_gather(hlo_graph *g, hlo_val v, const step *s) {
    hlo_gather_dims dims = {.ncollapsed = 1, .nmap = 1, .index_vector_dim = s->b};
    dims.noffset = other_dims(s, dims.offset);
    dims.collapsed[0] = dims.map[0] = s->a;
    for (int i = 0; i < s->in.rank; i++) dims.slice_sizes[i] = i == s->a ? 1 : s->in.dims[i];
    return hlo_gather(g, v, gather_indices(g, s), &dims);
}

static hlo_val write_gather(hlo_graph *g, hlo_val old, hlo_val update, const step *s) {
    hlo_scatter_dims dims = {.ninserted = 1, .nmap = 1, .index_vector_dim = s->b, .unique = s->c};
    dims.nwindow = other_dims(s, dims.window);
    dims.inserted[0] = dims.map[0] = s->a;
    return hlo_scatter(g, HLO_OP_NONE, old, gather_indices(g, s), update, &dims);
}

/* ---- steps */

static hlo_val transpose(hlo_graph *g, hlo_val v, const step *s, bool inverse) {
    int64_t perm[TP_MAX_RANK];
    for (int i = 0; i < s->in.rank; i++) {
        int64_t from = (int64_t)((uint64_t)*s->w >> 4 * i & 15);
        if (inverse)
            perm[from] = i;
        else
            perm[i] = from;
    }
    return hlo_transpose(g, v, perm);
}

static hlo_val pad_end(hlo_graph *g, hlo_val v, const step *s) {
    int64_t low[TP_MAX_RANK] = {0}, high[TP_MAX_RANK] = {0};
    high[s->a] = *s->w;
    return hlo_pad(g, v, zero(g, (tp_dtype)s->in.dtype), low, high, low);
}

static hlo_val drop_end(hlo_graph *g, hlo_val v, const step *s) {
    int64_t low[TP_MAX_RANK] = {0}, one[TP_MAX_RANK];
    for (int i = 0; i < s->in.rank; i++) one[i] = 1;
    return hlo_slice(g, v, low, s->in.dims, one);
}

static hlo_val spread(hlo_graph *g, hlo_val v, const step *s) {
    int64_t from[TP_MAX_RANK];
    int n = 0;
    for (int i = 0; i < s->a; i++)
        if (*s->w >> i & 1) from[n++] = i;
    return hlo_broadcast(g, v, s->a, s->out.dims, from);
}

static hlo_val forward(hlo_graph *g, hlo_val v, const step *s) {
    switch (s->op) {
    case PLAN_TRANSPOSE: return transpose(g, v, s, false);
    case PLAN_RESHAPE: return hlo_reshape(g, v, s->out.rank, s->out.dims);
    case PLAN_CAST: return recast(g, v, (tp_dtype)s->in.dtype, (tp_dtype)s->out.dtype);
    case PLAN_UNPACK: return unpack(g, v, &s->out);
    case PLAN_PACK: return pack(g, v, &s->in);
    case PLAN_PAD: return pad_end(g, v, s);
    case PLAN_SLICE: return read_slice(g, v, s);
    case PLAN_GATHER: return read_gather(g, v, s);
    case PLAN_BROADCAST: return spread(g, v, s);
    case PLAN_EMPTY: return hlo_broadcast(g, zero(g, (tp_dtype)s->out.dtype), s->out.rank, s->out.dims, NULL);
    }
    return HLO_NONE;
}

/* The array before step |s|, which was |old|, so that the step gives |v|. */
static hlo_val backward(hlo_graph *g, hlo_val old, hlo_val v, const step *s) {
    switch (s->op) {
    case PLAN_TRANSPOSE: return transpose(g, v, s, true);
    case PLAN_RESHAPE: return hlo_reshape(g, v, s->in.rank, s->in.dims);
    case PLAN_CAST: return recast(g, v, (tp_dtype)s->out.dtype, (tp_dtype)s->in.dtype);
    case PLAN_UNPACK: return pack(g, v, &s->out);
    case PLAN_PACK: return unpack(g, v, &s->in);
    case PLAN_PAD: return drop_end(g, v, s);
    case PLAN_SLICE: return write_slice(g, old, v, s);
    case PLAN_GATHER: return write_gather(g, old, v, s);
    case PLAN_BROADCAST:
        hlo_set_error(g, TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME, "a view that is written to must not be expanded; found a plan that broadcasts"));
        return HLO_NONE;
    case PLAN_EMPTY: return hlo_is_none(old) ? hlo_broadcast(g, zero(g, (tp_dtype)s->in.dtype), s->in.rank, s->in.dims, NULL) : old;
    }
    return HLO_NONE;
}

/* ---- entry */

static void check_type(hlo_graph *g, hlo_val v, const tp_type *want, const char *what) {
    char found[160], wanted[160];
    if (hlo_error(g) || tp_type_equal(hlo_type_of(g, v), want)) return;
    hlo_set_error(g, TP_FAIL(TP_INTERNAL, TP_RUNTIME, "a plan's %s must be %s; found %s", what, tp_type_format(want, wanted, sizeof wanted),
                             tp_type_format(hlo_type_of(g, v), found, sizeof found)));
}

hlo_val plan_read(hlo_graph *g, hlo_val base, const int64_t *words, int nwords, const hlo_val *starts) {
    decoded d;
    if (nwords == 0) return base;
    decode(&d, words, nwords, starts);
    check_type(g, base, &d.base, "base");
    hlo_val v = base;
    for (int i = 0; i < d.n; i++) v = forward(g, v, &d.steps[i]);
    return v;
}

hlo_val plan_write(hlo_graph *g, hlo_val base, hlo_val value, const int64_t *words, int nwords, const hlo_val *starts) {
    decoded d;
    hlo_val old[MAX_STEPS] = {{0}};
    if (nwords == 0) return value;
    decode(&d, words, nwords, starts);
    if (!hlo_is_none(base)) check_type(g, base, &d.base, "base");
    check_type(g, value, d.n ? &d.steps[d.n - 1].out : &d.base, "value");
    old[0] = base;
    for (int i = 1; i < d.n && !hlo_is_none(base); i++) old[i] = forward(g, old[i - 1], &d.steps[i - 1]);
    hlo_val v = value;
    for (int i = d.n; i-- > 0;) {
        plan_op op = d.steps[i].op;
        if (hlo_is_none(base) && (op == PLAN_SLICE || op == PLAN_GATHER))
            hlo_set_error(g, TP_FAIL(TP_INTERNAL, TP_RUNTIME, "a write of a part must be given the base; found none"));
        v = backward(g, old[i], v, &d.steps[i]);
    }
    return v;
}
