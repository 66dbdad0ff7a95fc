/* One lowering: parameters bound to arguments, typed access to them, outputs. */
#include "aten/lower.h"

#include "base/map.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- binding */
static size_t count_values(const at_in *in, int n) {
    size_t total = 0;
    for (int i = 0; i < n; i++) total += in[i].kind == AT_IN_LIST ? in[i].nelems : 1;
    return total;
}

static void bind_tensor(hlo_graph *g, const at_in *a, hlo_val *v) {
    if (a->kind == AT_IN_TENSOR) *v = hlo_param(g, &a->type);
}

static hlo_val slot_param(hlo_graph *g, tp_dtype dtype) {
    tp_type t = tp_type_make(dtype, 0, NULL);
    return hlo_param(g, &t);
}

/* A number as a rank-0 value of its own dtype. */
static void bind_slot(hlo_graph *g, const at_in *a, hlo_val *v) {
    if (a->kind != AT_IN_SLOT) return;
    tp_dtype own = (tp_dtype)a->type.dtype;
    if (a->slot_class == AT_SLOT_RNG) {
        int64_t two = 2;
        tp_type t = tp_type_make(TP_U64, 1, &two);
        *v = hlo_param(g, &t);
    } else if (a->slot_class == AT_SLOT_COMPLEX) {
        hlo_val re = slot_param(g, TP_F64), im = slot_param(g, TP_F64);
        *v = hlo_convert(g, hlo_complex(g, re, im), own);
    } else if (a->slot_class == AT_SLOT_FLOAT) {
        *v = slot_param(g, TP_F64);
        if (own == TP_F16 || own == TP_BF16) *v = hlo_convert(g, *v, TP_F32);
        *v = hlo_convert(g, *v, own);
    } else {
        *v = slot_param(g, TP_I64);
        *v = own == TP_BOOL ? hlo_compare(g, HLO_NE, *v, hlo_const_int(g, TP_I64, 0)) : hlo_convert(g, *v, own);
    }
}

static void bind_all(hlo_graph *g, const at_in *in, int n, hlo_val *values, int *first,
                     void (*bind)(hlo_graph *, const at_in *, hlo_val *)) {
    int at = 0;
    for (int i = 0; i < n; i++) {
        first[i] = at;
        if (in[i].kind != AT_IN_LIST)
            bind(g, &in[i], &values[at++]);
        else
            for (uint32_t k = 0; k < in[i].nelems; k++) bind(g, &in[i].elems[k], &values[at++]);
    }
}

static tp_status finish(low *l) {
    hlo_val all[AT_MAX_OUTS + AT_MAX_CHECKS];
    at_fragment *f = l->frag;
    if (!hlo_error(l->g))
        for (int k = 0; k < l->nouts; k++)
            if (hlo_is_none(l->outs[k])) fail(l, TP_RUNTIME, "the lowering of aten::%s must give output %d; it did not", l->row->name, k);
    if (hlo_error(l->g)) return tp_status_retain(hlo_error(l->g));
    f->nouts = l->nouts;
    memcpy(all, l->outs, (size_t)f->nouts * sizeof *all);
    memcpy(all + f->nouts, l->violated, (size_t)f->nchecks * sizeof *all);
    hlo_set_outputs(l->g, f->nouts + f->nchecks, all);
    return tp_status_retain(hlo_error(l->g));
}

tp_status at_lower(const at_row *row, void (*lower)(struct low *l), const at_in *in, int n, hlo_precision precision,
                   at_fragment *out_fragment) {
    int first[AT_MAX_ARGS];
    hlo_val small[64], *values = small;
    size_t nvalues = count_values(in, n);
    *out_fragment = (at_fragment){0};
    if (n > AT_MAX_ARGS || !lower)
        return TP_FAIL(TP_INTERNAL, TP_RUNTIME, "aten::%s must have a lowering and at most %d arguments; got %d", row->name, AT_MAX_ARGS, n);
    hlo_graph *g = hlo_graph_create();
    values = nvalues > 64 ? calloc(nvalues, sizeof *values) : memset(small, 0, sizeof small);
    if (!g || !values) {
        hlo_graph_destroy(g);
        return TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "out of host memory for a kernel of aten::%s", row->name);
    }
    bind_all(g, in, n, values, first, bind_tensor);
    bind_all(g, in, n, values, first, bind_slot);
    low l = {.g = g, .row = row, .in = in, .n = n, .precision = precision, .frag = out_fragment, .values = values, .first = first};
    lower(&l);
    tp_status s = finish(&l);
    tp_arena_finish(&l.arena);
    if (values != small) free(values);
    if (s) {
        hlo_graph_destroy(g);
        *out_fragment = (at_fragment){0};
        return s;
    }
    out_fragment->graph = g;
    return NULL;
}

/* ---- errors */
static tp_code code_of(tp_kind kind) {
    switch (kind) {
    case TP_INDEX: return TP_OUT_OF_RANGE;
    case TP_NOT_IMPLEMENTED: return TP_UNIMPLEMENTED;
    case TP_OUT_OF_MEMORY: return TP_RESOURCE_EXHAUSTED;
    default: return TP_INVALID_ARGUMENT;
    }
}

void fail(low *l, tp_kind kind, const char *fmt, ...) {
    char message[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    hlo_set_error(l->g, TP_FAIL(code_of(kind), kind, "%s", message));
}

bool failed(const low *l) { return hlo_error(l->g) != NULL; }

const char *text(low *l, const char *fmt, ...) {
    char buffer[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(buffer, sizeof buffer, fmt, ap);
    va_end(ap);
    const char *kept = tp_arena_printf(&l->arena, "%s", buffer);
    return kept ? kept : "";
}

static const char *join_sizes(low *l, const char *before, const char *between, const char *after, int rank, const int64_t *sizes) {
    char buffer[512];
    size_t n = (size_t)snprintf(buffer, sizeof buffer, "%s", before);
    for (int i = 0; i < rank && n < sizeof buffer; i++)
        n += (size_t)snprintf(buffer + n, sizeof buffer - n, "%s%lld", i ? between : "", (long long)sizes[i]);
    return text(l, "%s%s", buffer, after);
}

const char *sizes_text(low *l, int rank, const int64_t *sizes) { return join_sizes(l, "[", ", ", "]", rank, sizes); }
const char *sizes_by_x(low *l, int rank, const int64_t *sizes) { return join_sizes(l, "", "x", "", rank, sizes); }

/* Messages outlive the lowering, and equal ones are shared: there are few. */
static const char *intern(const char *message) {
    static tp_map messages;
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    size_t len = strlen(message);
    tp_hash128 h = tp_map_hash(message, len);
    pthread_mutex_lock(&mutex);
    char *found = tp_map_get(&messages, h, message, len);
    if (!found && (found = strdup(message)) && !tp_map_put(&messages, h, found, len, found)) {
        free(found);
        found = NULL;
    }
    pthread_mutex_unlock(&mutex);
    return found ? found : "a value is out of range";
}

void check(low *l, hlo_val violated, tp_kind kind, const char *message) {
    at_fragment *f = l->frag;
    if (failed(l)) return;
    if (f->nchecks == AT_MAX_CHECKS) {
        fail(l, TP_RUNTIME, "the lowering of aten::%s must make at most %d checks; it makes more", l->row->name, AT_MAX_CHECKS);
        return;
    }
    f->checks[f->nchecks] = (at_check){.kind = (uint8_t)kind, .message = intern(message)};
    l->violated[f->nchecks++] = reduce(l, HLO_OR, violated, 0, UINT32_MAX, false);
}

/* ---- access */
static const at_in none_in = {.kind = AT_IN_NONE};
static const at_in *arg(const low *l, int i) { return i >= 0 && i < l->n ? &l->in[i] : &none_in; }

bool has(const low *l, int i) { return arg(l, i)->kind != AT_IN_NONE; }
bool is_slot(const low *l, int i) { return arg(l, i)->kind == AT_IN_SLOT; }

hlo_val in(low *l, int i) {
    const at_in *a = arg(l, i);
    return a->kind == AT_IN_TENSOR || a->kind == AT_IN_SLOT ? l->values[l->first[i]] : HLO_NONE;
}

hlo_val in_as(low *l, int i, tp_dtype dtype) { return cast(l, in(l, i), dtype); }

hlo_val in_op(low *l, int i, tp_dtype dtype) {
    hlo_val v = in(l, i);
    return cast(l, is_slot(l, i) ? v : cast(l, v, dtype), opmath(dtype));
}

hlo_val num(low *l, int i, tp_dtype dtype) {
    const at_in *a = arg(l, i);
    if (a->kind != AT_IN_STATIC || !a->arg) return in_as(l, i, dtype);
    if (a->arg->tag == TP_ARG_INT) return hlo_const_int(l->g, dtype, a->arg->i);
    const tp_scalar *s = scalar_of(l, i);
    if (!s) return konst(l, dtype, snum(l, i));
    if (s->dtype == TP_I64 || s->dtype == TP_U64 || s->dtype == TP_BOOL)
        return cast(l, hlo_const_int(l->g, (tp_dtype)s->dtype, s->i), dtype);
    if (tp_dtype_is_complex((tp_dtype)s->dtype))
        return cast(l, hlo_complex(l->g, konst(l, TP_F64, s->re), konst(l, TP_F64, s->im)), dtype);
    return cast(l, konst(l, TP_F64, s->re), dtype);
}

const tp_type *arg_type(const low *l, int i) { return &arg(l, i)->type; }
int nelems(const low *l, int i) { return arg(l, i)->kind == AT_IN_LIST ? (int)arg(l, i)->nelems : 0; }

static hlo_val list_value(low *l, int i, int k) { return k >= 0 && k < nelems(l, i) ? l->values[l->first[i] + k] : HLO_NONE; }

hlo_val elem(low *l, int i, int k) { return list_value(l, i, k); }

hlo_val slot_elem(low *l, int i, int k) {
    hlo_val v = list_value(l, i, k);
    tp_dtype t = dt(l, v);
    return tp_dtype_is_complex(t) ? cast(l, v, TP_C128) : cast(l, v, tp_dtype_is_float(t) ? TP_F64 : TP_I64);
}

hlo_val rng(low *l, int i) { return arg(l, i)->slot_class == AT_SLOT_RNG ? in(l, i) : HLO_NONE; }

/* ---- static values */
static const tp_arg *static_arg(const low *l, int i) {
    static const tp_arg none = {.tag = TP_ARG_NONE};
    const at_in *a = arg(l, i);
    return a->kind == AT_IN_STATIC && a->arg ? a->arg : &none;
}

const tp_scalar *scalar_of(low *l, int i) {
    const tp_arg *a = static_arg(l, i);
    return a->tag == TP_ARG_SCALAR ? &a->scalar : NULL;
}

int64_t iopt(low *l, int i, int64_t absent) {
    const tp_arg *a = static_arg(l, i);
    if (a->tag == TP_ARG_INT) return a->i;
    return a->tag == TP_ARG_SCALAR ? a->scalar.i : absent;
}

int64_t inum(low *l, int i) { return iopt(l, i, 0); }
bool flag(low *l, int i) { return iopt(l, i, 0) != 0; }

double sopt(low *l, int i, double absent) {
    const tp_arg *a = static_arg(l, i);
    if (a->tag == TP_ARG_FLOAT) return a->f;
    if (a->tag == TP_ARG_INT) return (double)a->i;
    return a->tag == TP_ARG_SCALAR ? a->scalar.re : absent;
}

double snum(low *l, int i) { return sopt(l, i, 0); }

const int64_t *ints(low *l, int i, int *out_n) {
    const tp_arg *a = static_arg(l, i);
    *out_n = a->tag == TP_ARG_INTS ? (int)a->n : 0;
    return a->tag == TP_ARG_INTS ? a->ints : NULL;
}

const double *floats(low *l, int i, int *out_n) {
    const tp_arg *a = static_arg(l, i);
    *out_n = a->tag == TP_ARG_FLOATS ? (int)a->n : 0;
    return a->tag == TP_ARG_FLOATS ? a->floats : NULL;
}

tp_dtype dtype_opt(low *l, int i, tp_dtype absent) { return (tp_dtype)iopt(l, i, (int64_t)absent); }

tp_dtype dtype_of(low *l, int i) {
    tp_dtype t = dtype_opt(l, i, TP_NO_DTYPE);
    if (t == TP_NO_DTYPE) fail(l, TP_TYPE, "aten::%s must be given a dtype as argument %d; got none", l->row->name, i);
    return t;
}

const char *str(low *l, int i) {
    const tp_arg *a = static_arg(l, i);
    return a->tag == TP_ARG_STR ? text(l, "%.*s", (int)a->n, a->str) : "";
}

/* ---- dimensions */
int wrap_dim(low *l, int64_t d, int rank) {
    int n = rank > 0 ? rank : 1; /* a 0-dim tensor has the dimensions of a 1-dim one */
    if (d < -n || d >= n) {
        fail(l, TP_INDEX, "Dimension out of range (expected to be in range of [%d, %d], but got %lld)", -n, n - 1, (long long)d);
        return 0;
    }
    return (int)(d < 0 ? d + n : d);
}

int dim(low *l, int i, int rank) { return wrap_dim(l, inum(l, i), rank); }

uint32_t dims_mask(low *l, int i, int rank, bool empty_is_all) {
    uint32_t mask = 0, all = rank ? (1u << rank) - 1 : 1u;
    const tp_arg *a = static_arg(l, i);
    if (a->tag == TP_ARG_INT) return 1u << wrap_dim(l, a->i, rank);
    int n;
    const int64_t *dims = ints(l, i, &n);
    if (!n) return empty_is_all ? all : 0;
    for (int k = 0; k < n; k++) {
        int d = wrap_dim(l, dims[k], rank);
        if (mask >> d & 1) fail(l, TP_RUNTIME, "dim %d appears multiple times in the list of dims", d);
        mask |= 1u << d;
    }
    return mask;
}

/* ---- results */
void out(low *l, int k, hlo_val v) {
    if (k < 0 || k >= AT_MAX_OUTS) {
        fail(l, TP_RUNTIME, "aten::%s must have at most %d outputs; got number %d", l->row->name, AT_MAX_OUTS, k);
        return;
    }
    l->outs[k] = v;
    if (k >= l->nouts) l->nouts = k + 1;
}

void out_absent(low *l, int k) {
    out(l, k, konst(l, TP_BOOL, 0));
    l->frag->absent |= (uint8_t)(1u << k);
}

void out_as(low *l, int k, hlo_val v, tp_dtype dtype) { out(l, k, cast(l, v, dtype)); }
