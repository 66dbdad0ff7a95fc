/* What the trace knows of rows beyond the op table: their letters, foreach targets, and the internal rows it runs. */
#include "trace/device.h"

#include <stdlib.h>

internal_rows tp_rows;
static row_info *infos;

static tp_status parse_letters(const at_row *r, row_info *info) {
    for (const char *p = r->signature; *p; p++) {
        if (*p == '?') continue;
        if (info->nargs == AT_MAX_ARGS - 1)
            return TP_FAIL(TP_INTERNAL, TP_RUNTIME, "a row must have at most %d arguments; aten::%s has more", AT_MAX_ARGS - 1, r->name);
        info->letters[info->nargs++] = *p;
        info->random = info->random || *p == 'G';
    }
    if (r->draws) {
        info->letters[info->nargs++] = 'G';
        info->random = true;
    }
    return NULL;
}

static tp_status find(const char *name, int *out_row) {
    *out_row = at_row_find(name);
    if (*out_row >= 0) return NULL;
    return TP_FAIL(TP_INTERNAL, TP_RUNTIME, "the op table must have the row %s; it is missing", name);
}

static bool takes_masks(const char *name) {
    return !strncmp(name, "index.Tensor", 12) || !strncmp(name, "index_put", 9) || !strncmp(name, "_index_put_impl", 15) ||
           !strncmp(name, "_unsafe_index", 13);
}

tp_status row_table_init(void) {
    int n = at_row_count();
    infos = calloc((size_t)n, sizeof *infos);
    if (!infos) return TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "out of host memory for the op table");
    for (int i = 0; i < n; i++) {
        const at_row *r = at_row_get(i);
        infos[i].target = -1;
        TP_TRY(parse_letters(r, &infos[i]));
        if (r->kind == AT_FOREACH) TP_TRY(find(r->target, &infos[i].target));
        infos[i].index = takes_masks(r->name);
        infos[i].validate = at_validator_of(r);
    }
    TP_TRY(find("_tp_read", &tp_rows.read));
    TP_TRY(find("_tp_write", &tp_rows.write));
    TP_TRY(find("_tp_convert", &tp_rows.convert));
    TP_TRY(find("_tp_fill", &tp_rows.fill));
    TP_TRY(find("_tp_conj", &tp_rows.conj));
    TP_TRY(find("_tp_neg", &tp_rows.neg));
    return find("nonzero", &tp_rows.nonzero);
}

const row_info *row_info_get(int row) { return &infos[row]; }
