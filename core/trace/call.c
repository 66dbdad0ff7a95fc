/* One op: from tagged arguments to a recorded call and its results. */
#include "aten/plan.h"
#include "trace/call.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- errors of writing into an argument, in PyTorch's words */
static const char *const scalar_type_names[TP_DTYPE_COUNT] = {
    [TP_BOOL] = "Bool", [TP_U8] = "Byte", [TP_U16] = "UInt16", [TP_U32] = "UInt32", [TP_U64] = "UInt64", [TP_I8] = "Char",
    [TP_I16] = "Short", [TP_I32] = "Int", [TP_I64] = "Long", [TP_F8E5M2] = "Float8_e5m2", [TP_F8E4M3FN] = "Float8_e4m3fn",
    [TP_F8E5M2FNUZ] = "Float8_e5m2fnuz", [TP_F8E4M3FNUZ] = "Float8_e4m3fnuz", [TP_F16] = "Half", [TP_BF16] = "BFloat16",
    [TP_F32] = "Float", [TP_F64] = "Double", [TP_C64] = "ComplexFloat", [TP_C128] = "ComplexDouble",
};

/* c10::canCast */
static bool can_cast(tp_dtype from, tp_dtype to) {
    if (tp_dtype_is_complex(from) && !tp_dtype_is_complex(to)) return false;
    if (tp_dtype_is_float(from) && (tp_dtype_is_int(to) || to == TP_BOOL)) return false;
    return from == TP_BOOL || to != TP_BOOL;
}

static void format_sizes(int rank, const int64_t *sizes, char *text, size_t cap) {
    size_t n = (size_t)snprintf(text, cap, "[");
    for (int i = 0; i < rank && n < cap; i++) n += (size_t)snprintf(text + n, cap - n, i ? ", %lld" : "%lld", (long long)sizes[i]);
    if (n < cap) snprintf(text + n, cap - n, "]");
}

static tp_status check_write(const tp_view *out, const tp_type *result) {
    if (!can_cast((tp_dtype)result->dtype, (tp_dtype)out->dtype))
        return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME, "result type %s can't be cast to the desired output type %s",
                       scalar_type_names[result->dtype], scalar_type_names[out->dtype]);
    if (out->rank != result->rank || memcmp(out->sizes, result->dims, out->rank * sizeof(int64_t)) != 0) {
        char a[256], b[256];
        format_sizes(out->rank, out->sizes, a, sizeof a);
        format_sizes(result->rank, result->dims, b, sizeof b);
        return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME, "output with shape %s doesn't match the broadcast shape %s", a, b);
    }
    return NULL;
}

/* ---- the call's tensors */
static size_t count_tensors(const tp_arg *args, int n) {
    size_t total = 0;
    for (int i = 0; i < n; i++) {
        if (args[i].tag == TP_ARG_TENSOR) total++;
        if (args[i].tag == TP_ARG_LIST) total += count_tensors(args[i].list, (int)args[i].n);
    }
    return total;
}

static void collect(const tp_arg *args, int n, call_tensors *t) {
    for (int i = 0; i < n; i++) {
        if (args[i].tag == TP_ARG_LIST) collect(args[i].list, (int)args[i].n, t);
        if (args[i].tag != TP_ARG_TENSOR) continue;
        view_type(&args[i].view, &t->types[t->n]);
        t->type_pointers[t->n] = &t->types[t->n];
        t->views[t->n++] = &args[i].view;
    }
}

static tp_status tensors_init(call_tensors *t, const at_row *r, const tp_arg *args, int nargs) {
    size_t n = count_tensors(args, nargs);
    t->n = 0;
    t->block = NULL;
    t->types = t->small_types;
    t->type_pointers = t->small_pointers;
    t->views = t->small_views;
    t->values = t->small_values;
    if (n > FEW_TENSORS) {
        unsigned char *p = t->block = malloc(n * (sizeof(tp_type) + 3 * sizeof(void *)));
        if (!p) return TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "out of host memory for the arguments of aten::%s", r->name);
        t->types = (tp_type *)(void *)p, p += n * sizeof(tp_type);
        t->type_pointers = (const tp_type **)(void *)p, p += n * sizeof(void *);
        t->views = (const tp_view **)(void *)p, p += n * sizeof(void *);
        t->values = (tp_value **)(void *)p;
    }
    collect(args, nargs, t);
    return NULL;
}

static void tensors_finish(call_tensors *t) { free(t->block); }

/* Values of the tensors the kernel reads; NULL for the others. */
static tp_status read_tensors_locked(tp_device *d, const tp_kernel *k, call_tensors *t, dead_list *dead) {
    size_t i = 0;
    tp_status s = NULL;
    for (; i < t->n && !s; i++) {
        t->values[i] = NULL;
        if (k->used[i]) s = view_read_locked(d, t->views[i], &t->values[i], dead);
    }
    if (!s) return NULL;
    while (i-- > 0) value_release_locked(d, t->values[i], dead);
    return s;
}

/* ---- recording one kernel with reads before it */
tp_status call_record_locked(tp_device *d, const at_row *r, bool count, const tp_arg *args, int nargs, call_tensors *t, bool checks,
                             tp_kernel **out_kernel, tp_value **out_values, dead_list *dead) {
    tp_kernel *k;
    uint64_t small[64], *words = small;
    TP_TRY(kernel_find_locked(d, r, count, args, nargs, t->type_pointers, &k));
    *out_kernel = k;
    size_t bytes = 0, nwords = (size_t)k->nfloat + k->nint + k->nrng;
    for (int i = 0; i < k->fragment.nouts; i++) bytes += tp_type_bytes(&k->outs[i]);
    k->refs++; /* the caller's, until call_end: reserving memory may let go of the mutex */
    TP_TRY(memory_reserve_locked(d, bytes, dead));
    TP_TRY(read_tensors_locked(d, k, t, dead));
    tp_status s = NULL;
    if (nwords > sizeof small / sizeof *small) words = malloc(nwords * sizeof *words);
    if (!words) s = TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "out of host memory for the numbers of aten::%s", r->name);
    if (!s) {
        kernel_slot_words(k, r, args, nargs, words);
        s = record_locked(d, k, t->values, words, checks ? k->nouts : k->fragment.nouts, out_values);
    }
    for (size_t i = 0; i < t->n; i++) value_release_locked(d, t->values[i], dead);
    if (words != small) free(words);
    return s;
}

/* ---- results */
static tp_status write_result_locked(tp_device *d, const tp_view *out, tp_value *v, dead_list *dead) {
    tp_value *held = value_retain(v);
    tp_status s = convert_locked(d, &held, (tp_dtype)out->dtype, dead);
    if (!s) s = view_write_locked(d, out, held, dead);
    value_release_locked(d, held, dead);
    return s;
}

static tp_status new_result_locked(tp_device *d, const at_row *r, const tp_arg *args, int nargs, int k, tp_value *v, tp_result *out) {
    tp_cell *c = cell_create_locked(d, v->bytes);
    if (!c) return TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "out of host memory for a result of aten::%s", r->name);
    out->cell = c;
    out->dtype = v->type.dtype;
    out->rank = v->type.rank;
    memcpy(out->sizes, v->type.dims, v->type.rank * sizeof(int64_t));
    at_out_strides(r, args, nargs, k, &v->type, out->strides);
    if (v->bytes) {
        c->value = value_retain(v);
        cell_set_base(c, &v->type, out->strides);
    }
    return NULL;
}

static tp_status results_locked(tp_device *d, const call_request *q, tp_value *const *values, uint8_t absent, dead_list *dead) {
    for (int i = 0; i < q->row->nouts; i++) q->results[i].cell = NULL;
    for (int k = 0; k < q->row->nouts; k++) {
        if (absent >> k & 1) continue;
        int target = q->writes ? q->writes[k] : -1;
        if (target >= 0 && q->args[target].tag == TP_ARG_TENSOR)
            TP_TRY(write_result_locked(d, &q->args[target].view, values[k], dead));
        else if (target < 0)
            TP_TRY(new_result_locked(d, q->row, q->args, q->nargs, k, values[k], &q->results[k]));
    }
    for (int e = 0; e < q->row->neffects; e++) {
        int k = q->row->nouts + e;
        const tp_arg *target = &q->args[q->row->effects[e]];
        if (target->tag == TP_ARG_TENSOR && !(absent >> k & 1)) TP_TRY(write_result_locked(d, &target->view, values[k], dead));
    }
    return NULL;
}

static void drop_results(const call_request *q) {
    for (int k = 0; k < q->row->nouts; k++) {
        tp_cell_release(q->results[k].cell);
        q->results[k].cell = NULL;
    }
}

static tp_status check_writes(const call_request *q, const tp_kernel *k) {
    if (!q->writes) return NULL;
    for (int i = 0; i < q->row->nouts; i++) {
        int target = q->writes[i];
        if (target < 0 || q->args[target].tag != TP_ARG_TENSOR || k->fragment.absent >> i & 1) continue;
        const tp_view *out = &q->args[target].view;
        TP_TRY(check_write(out, &k->outs[i]));
        TP_TRY(overlap_check_self(out));
        for (int a = 0; q->row->strides == AT_ITERATOR && a < q->nargs; a++)
            if (a != target && q->args[a].tag == TP_ARG_TENSOR) TP_TRY(overlap_check_pair(out, &q->args[a].view));
    }
    return NULL;
}

/* ---- conditions on data */
static tp_status read_checks(tp_device *d, const tp_kernel *k, tp_value *const *flags) {
    for (int i = 0; i < k->fragment.nchecks; i++) {
        unsigned char violated = 0;
        TP_TRY(value_download(d, flags[i], &violated, 1));
        if (violated) return TP_FAIL(TP_OUT_OF_RANGE, (tp_kind)k->fragment.checks[i].kind, "%s", k->fragment.checks[i].message);
    }
    return NULL;
}

/* Cuts, runs, and reads the flags, letting go of the mutex meanwhile. */
static tp_status run_checks_locked(tp_device *d, const tp_kernel *k, tp_value *const *flags, dead_list *dead) {
    tp_launch *l = NULL;
    tp_status s = cut_locked(d, "index check", true, &l, dead);
    tp_status t = device_leave(d, l, dead);
    if (!s) s = t;
    else tp_status_free(t);
    if (!s) s = read_checks(d, k, flags);
    pthread_mutex_lock(&d->mutex);
    return s;
}

/* ---- the end of a call */
static bool wants_cut(const tp_device *d) {
    return tp_strict_on() || d->trace.ncalls >= TRACE_MAX_CALLS || d->trace.bytes > TRACE_MAX_BYTES;
}

tp_status call_leave(tp_device *d, tp_status s, dead_list *dead) {
    tp_launch *l = NULL;
    if (wants_cut(d)) {
        tp_status t = cut_locked(d, tp_strict_on() ? "strict" : "size", true, &l, dead);
        if (!s) s = t;
        else tp_status_free(t);
    }
    tp_status t = device_leave(d, l, dead);
    if (!s && !t && tp_blocking_on()) t = tp_synchronize(d->index);
    if (!s) return t;
    tp_status_free(t);
    return s;
}

tp_status call_one(const call_request *q) {
    tp_device *d;
    call_tensors t;
    tp_value *values[AT_MAX_OUTS + AT_MAX_CHECKS] = {NULL};
    tp_kernel *k = NULL;
    dead_list dead = DEAD_LIST;
    for (int i = 0; i < q->row->nouts; i++) q->results[i].cell = NULL;
    TP_TRY(tensors_init(&t, q->row, q->args, q->nargs));
    tp_status s = device_enter(q->device, &d);
    if (s) {
        tensors_finish(&t);
        return s;
    }
    if (q->writes) { /* what must be refused is refused before anything is recorded */
        s = kernel_find_locked(d, q->row, false, q->args, q->nargs, t.type_pointers, &k);
        if (!s) s = check_writes(q, k);
        k = NULL;
    }
    bool checks = tp_checks_on();
    if (!s) s = call_record_locked(d, q->row, false, q->args, q->nargs, &t, checks, &k, values, &dead);
    if (!s && checks && k->fragment.nchecks) s = run_checks_locked(d, k, values + k->fragment.nouts, &dead);
    if (!s) s = results_locked(d, q, values, k->fragment.absent, &dead);
    for (int i = 0; i < AT_MAX_OUTS + AT_MAX_CHECKS; i++)
        if (values[i]) value_release_locked(d, values[i], &dead);
    if (k) k->refs--;
    s = call_leave(d, s, &dead);
    tensors_finish(&t);
    if (s) drop_results(q);
    return s;
}

/* ---- sizes that depend on data: count, read, run */
tp_status call_sized(const call_request *q) {
    tp_device *d;
    call_tensors t;
    tp_value *count = NULL;
    tp_kernel *k = NULL;
    dead_list dead = DEAD_LIST;
    tp_launch *l = NULL;
    TP_TRY(tensors_init(&t, q->row, q->args, q->nargs));
    tp_status s = device_enter(q->device, &d);
    if (s) {
        tensors_finish(&t);
        return s;
    }
    s = call_record_locked(d, q->row, true, q->args, q->nargs, &t, false, &k, &count, &dead);
    if (!s) s = cut_locked(d, "size read", true, &l, &dead);
    if (k) k->refs--;
    tp_status left = device_leave(d, l, &dead);
    if (!s) s = left;
    else tp_status_free(left);
    int64_t n = 0;
    if (!s) s = value_download(d, count, &n, sizeof n);
    if (count) value_drop(d, count);
    tensors_finish(&t);
    if (s) return s;
    tp_arg args[AT_MAX_ARGS];
    memcpy(args, q->args, (size_t)q->nargs * sizeof *args);
    args[q->nargs] = (tp_arg){.tag = TP_ARG_INT, .i = n};
    call_request again = *q;
    again.args = args;
    again.nargs = q->nargs + 1;
    return call_one(&again);
}
