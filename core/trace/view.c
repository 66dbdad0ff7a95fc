/* Reading and writing views of cells: plans are recorded as calls of their own; a view that is its whole base is not. */
#include "aten/plan.h"
#include "trace/device.h"

#include <stdlib.h>

void view_type(const tp_view *view, tp_type *out_type) {
    out_type->dtype = view->dtype;
    out_type->rank = view->rank;
    if (view->rank) memcpy(out_type->dims, view->sizes, view->rank * sizeof(int64_t));
}

bool view_is_whole(const tp_view *view) {
    int64_t n = tp_numel(view->rank, view->sizes);
    return view->offset == 0 && (size_t)n * tp_dtype_size((tp_dtype)view->dtype) == view->cell->nbytes &&
           at_strides_dense(view->rank, view->sizes, view->strides);
}

static bool is_identity(const tp_cell *c, const tp_view *v) {
    if (!c->based || v->offset || v->dtype != c->base.dtype || v->rank != c->base.rank) return false;
    for (int i = 0; i < v->rank; i++)
        if (v->sizes[i] != c->base.dims[i] || (v->strides[i] != c->strides[i] && v->sizes[i] > 1)) return false;
    return true;
}

/* A base for a cell that has none: the view itself if it is whole, else a row of its dtype, else of bytes. */
static void choose_base(tp_cell *c, const tp_view *view) {
    tp_type type;
    if (view_is_whole(view)) {
        view_type(view, &type);
        cell_set_base(c, &type, view->strides);
        return;
    }
    size_t size = tp_dtype_size((tp_dtype)view->dtype);
    tp_dtype dtype = c->nbytes % size ? TP_U8 : (tp_dtype)view->dtype;
    int64_t n = (int64_t)(c->nbytes / tp_dtype_size(dtype)), one = 1;
    type = tp_type_make(dtype, 1, &n);
    cell_set_base(c, &type, &one);
}

static tp_arg int_list(const int64_t *ints, int n) { return (tp_arg){.tag = TP_ARG_INTS, .n = (uint32_t)n, .ints = ints}; }

/* |sizes| of |dtype| filled with one number. */
tp_status record_fill_locked(tp_device *d, const tp_type *type, const tp_scalar *number, tp_value **out_value) {
    const tp_arg args[3] = {int_list(type->dims, type->rank), {.tag = TP_ARG_INT, .i = type->dtype}, {.tag = TP_ARG_SCALAR, .scalar = *number}};
    return record_row_locked(d, tp_rows.fill, args, 3, NULL, out_value);
}

static tp_status zeros(tp_device *d, const tp_type *type, tp_value **out_value) {
    return record_fill_locked(d, type, &(tp_scalar){.dtype = TP_I64, .rank = TP_NUMBER}, out_value);
}

/* Bytes that lie in memory order of |strides|, put in row-major order of |type|. */
static raw_bytes *raw_in_order(const raw_bytes *raw, const tp_type *type, const int64_t *strides) {
    raw_bytes *out = raw_create(NULL, raw->size);
    if (!out) return NULL;
    size_t size = tp_dtype_size((tp_dtype)type->dtype);
    int64_t index[TP_MAX_RANK] = {0}, at = 0;
    for (int64_t i = 0, n = tp_type_numel(type); i < n; i++) {
        memcpy(out->data + (size_t)i * size, raw->data + (size_t)at * size, size);
        for (int k = type->rank - 1; k >= 0; k--) {
            at += strides[k];
            if (++index[k] < type->dims[k]) break;
            at -= strides[k] * type->dims[k];
            index[k] = 0;
        }
    }
    return out;
}

/* Raw bytes get the base that the first typed use asks for. */
tp_status view_settle_raw_locked(tp_device *d, const tp_view *view, dead_list *dead) {
    tp_cell *c = view->cell;
    choose_base(c, view);
    raw_bytes *raw = c->value->raw;
    int64_t row_major[TP_MAX_RANK];
    tp_contiguous_strides(c->base.rank, c->base.dims, row_major);
    bool ordered = true;
    for (int i = 0; i < c->base.rank; i++) ordered = ordered && (c->base.dims[i] <= 1 || c->strides[i] == row_major[i]);
    raw_bytes *typed = ordered ? raw : raw_in_order(raw, &c->base, c->strides);
    tp_value *v = typed ? value_from_raw_locked(d, &c->base, typed) : NULL;
    if (typed && typed != raw) raw_release(typed);
    if (!v) {
        c->based = false;
        return TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "out of host memory for %zu bytes", c->nbytes);
    }
    value_release_locked(d, c->value, dead);
    c->value = v;
    return NULL;
}

/* After this |c| has a base and a value. */
static tp_status settle(tp_device *d, const tp_view *view, dead_list *dead) {
    tp_cell *c = view->cell;
    if (!c->value) {
        if (!c->based) choose_base(c, view);
        return zeros(d, &c->base, &c->value);
    }
    return c->based ? NULL : view_settle_raw_locked(d, view, dead);
}

/* ---- wide slices: static until a third distinct start of the same plan */
enum { MAX_SLICES = 16384 };
typedef struct slice_entry {
    uint64_t seen[2];
    int nseen;
    size_t len;
    int64_t words[];
} slice_entry;

static bool wants_slots(tp_device *d, const at_plan *p) {
    size_t len = p->nwords * sizeof *p->words;
    tp_hash128 h = tp_map_hash(p->words, len), s = TP_HASH_SEED;
    for (int i = 0; i < p->nslots; i++) tp_hash_word(&s, (uint64_t)p->starts[i]);
    slice_entry *e = tp_map_get(&d->slices, h, p->words, len);
    if (!e) {
        if (d->slices.count >= MAX_SLICES) return true;
        e = calloc(1, sizeof *e + len);
        if (!e) return true;
        memcpy(e->words, p->words, len);
        e->len = len;
        if (!tp_map_put(&d->slices, h, e->words, len, e)) {
            free(e);
            return true;
        }
    }
    if (e->nseen > 2) return true;
    for (int i = 0; i < e->nseen; i++)
        if (e->seen[i] == s.lo) return false;
    if (e->nseen < 2)
        e->seen[e->nseen] = s.lo;
    return ++e->nseen > 2;
}

static tp_status make_plan(tp_device *d, const tp_view *v, at_plan *p) {
    const tp_cell *c = v->cell;
    TP_TRY(at_plan_make(&c->base, c->strides, (tp_dtype)v->dtype, v->rank, v->sizes, v->strides, v->offset, false, p));
    if (!at_plan_has_wide_slices(p)) return NULL;
    at_plan moving;
    TP_TRY(at_plan_make(&c->base, c->strides, (tp_dtype)v->dtype, v->rank, v->sizes, v->strides, v->offset, true, &moving));
    if (wants_slots(d, &moving)) *p = moving;
    return NULL;
}

static tp_status apply_row(tp_device *d, int row, tp_value **io_value, dead_list *dead) {
    const tp_arg arg = {.tag = TP_ARG_TENSOR};
    tp_value *out;
    TP_TRY(record_row_locked(d, row, &arg, 1, io_value, &out));
    value_release_locked(d, *io_value, dead);
    *io_value = out;
    return NULL;
}

/* conj and neg are their own inverses, so this serves reads and writes. */
static tp_status resolve_bits(tp_device *d, const tp_view *view, tp_value **io_value, dead_list *dead) {
    tp_status s = NULL;
    if (view->conj) s = apply_row(d, tp_rows.conj, io_value, dead);
    if (!s && view->neg) s = apply_row(d, tp_rows.neg, io_value, dead);
    return s;
}

tp_status view_read_locked(tp_device *d, const tp_view *view, tp_value **out_value, dead_list *dead) {
    tp_cell *c = view->cell;
    tp_type type;
    *out_value = NULL;
    view_type(view, &type);
    if (!tp_type_numel(&type)) return zeros(d, &type, out_value);
    TP_TRY(settle(d, view, dead));
    if (__builtin_expect(is_identity(c, view), 1)) {
        *out_value = value_retain(c->value);
    } else {
        at_plan p;
        TP_TRY(make_plan(d, view, &p));
        if (p.kind == AT_PLAN_IDENTITY) {
            *out_value = value_retain(c->value);
        } else {
            const tp_arg args[3] = {{.tag = TP_ARG_TENSOR}, int_list(p.words, p.nwords), int_list(p.starts, p.nslots)};
            TP_TRY(record_row_locked(d, tp_rows.read, args, 3, &c->value, out_value));
        }
    }
    if (__builtin_expect(!view->conj && !view->neg, 1)) return NULL;
    tp_status s = resolve_bits(d, view, out_value, dead);
    if (s) {
        value_release_locked(d, *out_value, dead);
        *out_value = NULL;
    }
    return s;
}

static tp_status write_plan(tp_device *d, const tp_view *view, tp_value *v, dead_list *dead) {
    tp_cell *c = view->cell;
    if (c->value || !view_is_whole(view)) TP_TRY(settle(d, view, dead));
    at_plan p;
    TP_TRY(make_plan(d, view, &p));
    TP_TRY(overlap_check_self(view));
    tp_value *values[2] = {c->value, v}, *out;
    bool whole = p.kind == AT_PLAN_IDENTITY || p.kind == AT_PLAN_WHOLE;
    const tp_arg args[4] = {{.tag = whole ? TP_ARG_NONE : TP_ARG_TENSOR}, {.tag = TP_ARG_TENSOR}, int_list(p.words, p.nwords),
                            int_list(p.starts, p.nslots)};
    TP_TRY(record_row_locked(d, tp_rows.write, args, 4, whole ? values + 1 : values, &out));
    cell_swap_locked(d, c, out, dead);
    return NULL;
}

tp_status view_write_locked(tp_device *d, const tp_view *view, tp_value *v, dead_list *dead) {
    tp_cell *c = view->cell;
    if (!tp_numel(view->rank, view->sizes)) return NULL;
    tp_value *held = value_retain(v);
    tp_status s = resolve_bits(d, view, &held, dead);
    bool fresh = !c->value || !c->based;
    if (!s && fresh && view_is_whole(view)) { /* the first whole writer decides the base */
        tp_type type;
        view_type(view, &type);
        cell_set_base(c, &type, view->strides);
    }
    if (!s && is_identity(c, view)) {
        cell_swap_locked(d, c, held, dead);
        return NULL;
    }
    if (!s) s = write_plan(d, view, held, dead);
    value_release_locked(d, held, dead);
    return s;
}
