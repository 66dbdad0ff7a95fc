/* Programs: call lists joined into one StableHLO function, compiled once in the pool. */
#include "cache/pool.h"
#include "trace/device.h"

#include "base/strbuf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>


typedef struct compile_job {
    tp_device *device;
    tp_program *program;
    tp_type *in_types;
    bool aliases;            /* some input is donated, and the plugin can */
    uint32_t ncalls;
    tp_kernel *kernels[];
} compile_job;

/* ---- joining the fragments */
typedef struct joiner {
    hlo_graph *g;
    const tp_program *program;
    const uint32_t *key;         /* cursor */
    hlo_val *inputs, *locals, *outs;
    uint32_t nlocals, nouts;
    hlo_val floats, ints, rngs;  /* slot operands */
    uint32_t ifloat, iint, irng;
} joiner;

/* Element |i| of a 1-d operand as a rank-0 value; row i of the RNG operand as u64[2]. */
static hlo_val operand_element(hlo_graph *g, hlo_val operand, int64_t i, bool row) {
    int64_t start[2] = {i, 0}, limit[2] = {i + 1, 2}, step[2] = {1, 1}, two = 2;
    hlo_val part = hlo_slice(g, operand, start, limit, step);
    return hlo_reshape(g, part, row ? 1 : 0, &two);
}

static hlo_val slot_operand_param(hlo_graph *g, tp_dtype dtype, uint32_t n, bool rows) {
    if (!n) return HLO_NONE;
    int64_t dims[2] = {rows ? n / 2 : n, 2};
    tp_type type = tp_type_make(dtype, rows ? 2 : 1, dims);
    return hlo_param(g, &type);
}

/* For a parameter that the fragment does not read. */
static hlo_val any_value(hlo_graph *g, const tp_type *type) {
    return hlo_broadcast_to(g, hlo_const_int(g, (tp_dtype)type->dtype, 0), type->rank, type->dims);
}

static void join_call(joiner *j, const tp_kernel *k) {
    uint32_t nparams = (uint32_t)hlo_param_count(k->fragment.graph);
    hlo_val small[64], outs[AT_MAX_OUTS + AT_MAX_CHECKS];
    hlo_val *args = nparams > 64 ? calloc(nparams, sizeof *args) : small;
    if (!args) {
        hlo_set_error(j->g, TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "out of host memory while joining a program"));
        return;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < k->ntensors; i++, n++) {
        uint32_t w = *j->key++;
        if (w == KEY_ABSENT)
            args[n] = any_value(j->g, hlo_param_type(k->fragment.graph, (int)i));
        else
            args[n] = w & KEY_LOCAL ? j->locals[w & ~KEY_LOCAL] : j->inputs[w];
    }
    for (int i = 0; i < k->nslots; i++) {
        uint8_t cls = k->slot_class[i];
        if (cls == AT_SLOT_INT) args[n++] = operand_element(j->g, j->ints, j->iint++, false);
        if (cls == AT_SLOT_RNG) args[n++] = operand_element(j->g, j->rngs, j->irng++, true);
        if (cls == AT_SLOT_FLOAT || cls == AT_SLOT_COMPLEX) args[n++] = operand_element(j->g, j->floats, j->ifloat++, false);
        if (cls == AT_SLOT_COMPLEX) args[n++] = operand_element(j->g, j->floats, j->ifloat++, false);
    }
    hlo_inline(j->g, k->fragment.graph, args, outs);
    uint32_t mask = *j->key++;
    for (uint32_t i = 0; i < k->nouts; i++) {
        j->locals[j->nlocals++] = outs[i];
        if (mask >> i & 1) j->outs[j->nouts++] = outs[i];
    }
    if (args != small) free(args);
}

static tp_status join(const compile_job *job, char **out_text, size_t *out_len) {
    const tp_program *p = job->program;
    uint32_t locals = 0;
    for (uint32_t c = 0; c < job->ncalls; c++) locals += job->kernels[c]->nouts;
    joiner j = {.g = hlo_graph_create(), .program = p, .key = p->key};
    hlo_val *vals = calloc((size_t)p->nins + locals + p->nouts + 1, sizeof *vals);
    tp_status s = NULL;
    if (!j.g || !vals) {
        s = TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "out of host memory while joining a program");
        goto done;
    }
    j.inputs = vals;
    j.locals = vals + p->nins;
    j.outs = j.locals + locals;
    for (uint32_t i = 0; i < p->nins; i++) j.inputs[i] = hlo_param(j.g, &job->in_types[i]);
    j.floats = slot_operand_param(j.g, TP_F64, p->nfloat, false);
    j.ints = slot_operand_param(j.g, TP_I64, p->nint, false);
    j.rngs = slot_operand_param(j.g, TP_U64, p->nrng, true);
    for (uint32_t c = 0; c < job->ncalls; c++) {
        j.key++; /* the kernel's id */
        join_call(&j, job->kernels[c]);
    }
    hlo_set_outputs(j.g, (int)j.nouts, j.outs);
    s = tp_status_retain(hlo_error(j.g));
    uint32_t nparams = p->nins + (p->nfloat > 0) + (p->nint > 0) + (p->nrng > 0);
    int *alias = s ? NULL : calloc(nparams + 1u, sizeof *alias);
    for (uint32_t i = 0; alias && i < nparams; i++) alias[i] = i < p->nins && job->aliases ? p->alias[i] : -1;
    if (!s) s = hlo_print(j.g, "torch_pjrt", alias, out_text, out_len);
    free(alias);
done:
    free(vals);
    hlo_graph_destroy(j.g);
    return s;
}

const char *program_calls(const tp_program *p) { return p->calls ? p->calls : "some ops"; }

/* ---- compiling, on a pool thread */
static void dump(const tp_program *p, const char *text, size_t len) {
    const char *folder = tp_env_get(TP_ENV_DUMP);
    if (!folder) return;
    tp_strbuf path = {0};
    tp_strbuf_printf(&path, "%s/%016llx%016llx.mlir", folder, (unsigned long long)p->hash.hi, (unsigned long long)p->hash.lo);
    FILE *f = path.data ? fopen(path.data, "w") : NULL;
    if (!f || fwrite(text, 1, len, f) != len)
        fprintf(stderr, "torch-pjrt: cannot write %s: %s\n", path.data ? path.data : "a program", strerror(errno));
    if (f) fclose(f);
    tp_strbuf_finish(&path);
}

static tp_status compile(compile_job *job, pj_executable **out_executable) {
    const tp_program *p = job->program;
    char *text = NULL;
    size_t len = 0;
    for (uint32_t i = 0; i < p->nins; i++) job->aliases = job->aliases || p->alias[i] >= 0;
    if (job->aliases) job->aliases = pj_client_donation_works(tp_client());
    tp_status s = join(job, &text, &len);
    if (!s) {
        dump(p, text, len);
        s = pj_compile(tp_client(), text, len, &(pj_compile_options){job->device->index, -1}, out_executable);
    }
    free(text);
    return s ? tp_status_prefix(s, "compiling a program of %s", program_calls(p)) : NULL;
}

static void finish_job(compile_job *job, pj_executable *executable, tp_status s) {
    tp_device *d = job->device;
    tp_program *p = job->program;
    pthread_mutex_lock(&d->mutex);
    p->executable = executable;
    p->aliases = job->aliases;
    p->error = s;
    p->state = s ? PROGRAM_FAILED : PROGRAM_READY;
    for (uint32_t c = 0; c < job->ncalls; c++) job->kernels[c]->refs--;
    program_release_locked(d, p);
    pthread_cond_signal(&d->launchable);
    device_wake_locked(d);
    pthread_mutex_unlock(&d->mutex);
    free(job->in_types);
    free(job);
}

static void run_job(void *arg) {
    compile_job *job = arg;
    pj_executable *executable = NULL;
    tp_status s = compile(job, &executable);
    TP_LOG(TP_LOG_PROGRAM, "device %d: %u calls, %u inputs, %u outputs%s%s", job->device->index, job->ncalls, job->program->nins,
           job->program->nouts, s ? ": " : "", tp_status_message(s));
    finish_job(job, executable, s);
}

static void program_free(tp_program *p) {
    free(p->outs);
    free(p->alias);
    free(p->key);
    free(p->calls);
    tp_status_free(p->error);
    free(p);
}

static bool fill_program(tp_program *p, const program_shape *shape) {
    p->nins = shape->nins;
    p->nouts = shape->nouts;
    p->nfloat = shape->nfloat;
    p->nint = shape->nint;
    p->nrng = shape->nrng;
    p->hash = shape->hash;
    p->nwords = shape->nwords;
    p->outs = calloc(p->nouts + 1u, sizeof *p->outs);
    p->alias = calloc(p->nins + 1u, sizeof *p->alias);
    p->key = malloc(p->nwords * sizeof *p->key + 1);
    if (!p->outs || !p->alias || !p->key) return false;
    for (uint32_t i = 0; i < p->nouts; i++) p->outs[i] = *shape->out_types[i];
    memcpy(p->alias, shape->alias, p->nins * sizeof *p->alias);
    memcpy(p->key, shape->key, p->nwords * sizeof *p->key);
    return true;
}

/* "aten::add.Tensor, aten::mul.Tensor": malloced, NULL when memory is short. */
static char *describe_calls(tp_kernel *const *kernels, uint32_t n) {
    enum { NAMED = 6 };
    tp_strbuf b = {0};
    for (uint32_t c = 0; c < n && c < NAMED; c++) tp_strbuf_printf(&b, "%saten::%s", c ? ", " : "", kernels[c]->row->name);
    if (n > NAMED) tp_strbuf_printf(&b, " and %u more", n - NAMED);
    return tp_strbuf_take(&b, NULL);
}

/* A program that failed to compile is not remembered: what was missing then may be there now. */
tp_program *program_find_locked(tp_device *d, const uint32_t *key, uint32_t nwords, tp_hash128 *out_hash) {
    *out_hash = tp_map_hash(key, nwords * sizeof *key);
    tp_program *p = tp_map_get(&d->programs, *out_hash, key, nwords * sizeof *key);
    if (!p || p->state != PROGRAM_FAILED || p->refs) return p;
    tp_map_remove(&d->programs, p->hash, p->key, nwords * sizeof *key);
    program_free(p);
    return NULL;
}

static compile_job *make_job(tp_device *d, tp_program *p, const program_shape *shape) {
    compile_job *job = calloc(1, sizeof *job + shape->ncalls * sizeof *job->kernels);
    if (!job) return NULL;
    job->device = d;
    job->program = p;
    job->ncalls = shape->ncalls;
    job->in_types = calloc(shape->nins + 1u, sizeof *job->in_types);
    if (!job->in_types) {
        free(job);
        return NULL;
    }
    p->calls = describe_calls(shape->kernels, shape->ncalls);
    for (uint32_t i = 0; i < shape->nins; i++) job->in_types[i] = *shape->in_types[i];
    memcpy(job->kernels, shape->kernels, shape->ncalls * sizeof *job->kernels);
    return job;
}

tp_program *program_create_locked(tp_device *d, const program_shape *shape) {
    tp_program *p = calloc(1, sizeof *p);
    compile_job *job = p && fill_program(p, shape) ? make_job(d, p, shape) : NULL;
    if (!job || !tp_map_put(&d->programs, p->hash, p->key, p->nwords * sizeof *p->key, p)) {
        if (job) free(job->in_types);
        free(job);
        if (p) program_free(p);
        return NULL;
    }
    p->refs = 1; /* the job's */
    for (uint32_t c = 0; c < job->ncalls; c++) job->kernels[c]->refs++;
    tp_status s = cc_pool_submit(run_job, job);
    if (s) { /* finish_job would take the mutex */
        p->state = PROGRAM_FAILED;
        p->error = s;
        p->refs--;
        for (uint32_t c = 0; c < job->ncalls; c++) job->kernels[c]->refs--;
        free(job->in_types);
        free(job);
    }
    return p;
}

void program_release_locked(tp_device *d, tp_program *p) {
    (void)d;
    p->refs--;
}

/* Executables are destroyed by the caller, outside the mutex. */
static size_t evict_locked(tp_device *d, size_t keep, pj_executable **out_executables, size_t cap) {
    size_t n = 0;
    uint64_t old = d->tick / 2;
    for (int round = 0; round < 2 && d->programs.count > keep; round++, old = UINT64_MAX) {
        size_t cursor = 0;
        for (tp_program *p; n < cap && (p = tp_map_next(&d->programs, &cursor));) {
            if (p->refs || p->last_use >= old) continue;
            tp_map_remove(&d->programs, p->hash, p->key, p->nwords * sizeof *p->key);
            if (p->executable) out_executables[n++] = p->executable;
            program_free(p);
        }
    }
    return n;
}

void program_trim(tp_device *d, size_t keep) {
    pj_executable *gone[64];
    for (size_t n = 1; n;) {
        pthread_mutex_lock(&d->mutex);
        n = evict_locked(d, keep, gone, sizeof gone / sizeof *gone);
        pthread_mutex_unlock(&d->mutex);
        for (size_t i = 0; i < n; i++) pj_executable_destroy(tp_client(), gone[i]);
    }
}
