/* Checks of run-time numbers: what PyTorch refuses whatever the tensors are.  A lowering cannot see these values. */
#include "aten/op.h"

static double number(const tp_arg *a) {
    return a->tag == TP_ARG_FLOAT ? a->f : a->tag == TP_ARG_INT ? (double)a->i : a->tag == TP_ARG_SCALAR ? a->scalar.re : 0;
}

static tp_status uniform(const tp_arg *args, int n) {
    (void)n;
    double from = number(&args[1]), to = number(&args[2]);
    if (from <= to) return NULL;
    return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME, "uniform_ expects to return a [from, to) range, but found from=%g > to=%g", from, to);
}

static tp_status normal(const tp_arg *args, int n) {
    (void)n;
    if (number(&args[2]) >= 0) return NULL;
    return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME, "normal expects std >= 0.0, but found std %g", number(&args[2]));
}

static tp_status bernoulli(const tp_arg *args, int n) {
    (void)n;
    double p = number(&args[1]);
    if (p >= 0 && p <= 1) return NULL;
    return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME, "bernoulli_ expects p to be in [0, 1], but got p=%g", p);
}

static tp_status exponential(const tp_arg *args, int n) {
    (void)n;
    if (number(&args[1]) > 0) return NULL;
    return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME, "exponential_ expects lambda > 0.0, but found lambda=%g", number(&args[1]));
}

static tp_status dropout(const tp_arg *args, int n) {
    (void)n;
    double p = number(&args[1]);
    if (p >= 0 && p <= 1) return NULL;
    return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME, "dropout probability has to be between 0 and 1, but got %g", p);
}

static tp_status random_range(const tp_arg *from, const tp_arg *to) {
    int64_t low = from ? from->i : 0;
    if (to->tag != TP_ARG_INT || low < to->i) return NULL;
    return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME, "random_ expects 'from' to be less than 'to', but got from=%lld >= to=%lld",
                   (long long)low, (long long)to->i);
}

static tp_status random_from(const tp_arg *args, int n) {
    (void)n;
    return random_range(&args[1], &args[2]);
}

static tp_status random_to(const tp_arg *args, int n) {
    (void)n;
    return random_range(NULL, &args[1]);
}

static const struct {
    const char *row;
    at_validator check;
} table[] = {
    {"bernoulli.p", bernoulli}, {"exponential", exponential}, {"native_dropout", dropout}, {"normal_functional", normal},
    {"random.from", random_from}, {"random.to", random_to}, {"uniform", uniform},
};

at_validator at_validator_of(const at_row *row) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].row, row->name)) return table[i].check;
    return NULL;
}
