/* Embedding lookups and the gradient of their table. */
#include "aten/index.h"

static bool check_indices_type(low *l, int i, const char *fn) {
    tp_dtype t = (tp_dtype)arg_type(l, i)->dtype;
    if (!failed(l) && t != TP_I64 && t != TP_I32)
        fail(l, TP_RUNTIME,
             "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got torch.%sTensor instead "
             "(while checking arguments for %s)", scalar_type_name(t), fn);
    return !failed(l);
}

void low_embedding(low *l) {
    hlo_val table = in(l, 0), index = in(l, 1);
    if (!failed(l) && rank_of(l, table) != 2) fail(l, TP_RUNTIME, "'weight' must be 2-D");
    if (!check_indices_type(l, 1, "embedding")) return;
    int64_t n = size_of(l, table, 0);
    if (n == 0 && numel_of(l, index)) fail(l, TP_RUNTIME, "index_select(): self indexing axis dim should be positive");
    check(l, outside(l, index, 0, n), TP_INDEX, "index out of range in self");
    out(l, 0, take_rows(l, table, index, 0));
}

/* grad_output, indices, num_weights, padding_idx, scale_grad_by_freq.  Rows are summed in opmath and rounded once. */
void low_embedding_dense_backward(low *l) {
    hlo_val g = in(l, 0), index = in(l, 1);
    if (!check_indices_type(l, 1, "embedding_dense_backward")) return;
    tp_dtype t = dt(l, g), wide = opmath(t);
    int rank = rank_of(l, g);
    if (rank < 1) fail(l, TP_RUNTIME, "embedding_dense_backward must be given a gradient of at least 1 dimension; got 0");
    if (failed(l)) return;
    int64_t n = numel_of(l, index), width = size_of(l, g, rank - 1), rows = inum(l, 2);
    g = reshape(l, cast(l, g, wide), 2, (int64_t[]){n, width});
    index = cast(l, flatten(l, index), TP_I64);
    hlo_val nowhere = hlo_const_int(l->g, TP_I64, rows);
    index = sel(l, cmp(l, HLO_EQ, index, hlo_const_int(l->g, TP_I64, inum(l, 3))), nowhere, index);
    if (flag(l, 4)) {
        hlo_val count = put_rows(l, HLO_ADD, full(l, TP_I32, 1, &rows, 0), index, full(l, TP_I32, 1, &n, 1), 0);
        hlo_val freq = bin(l, HLO_MAX, take_rows(l, count, index, 0), konst(l, TP_I32, 1));
        g = quo(l, g, reshape(l, cast(l, freq, wide), 2, (int64_t[]){n, 1}));
    }
    hlo_val none = full(l, wide, 2, (int64_t[]){rows, width}, 0);
    out_as(l, 0, put_rows(l, HLO_ADD, none, index, g, 0), t);
}
