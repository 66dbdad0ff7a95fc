/* The language lowerings are written in.
 *
 * A lowering is `void low_x(low *l)`: it reads the arguments of one call by position, builds nodes in l->g, and names its
 * outputs.  Declared here for every row of aten.def by itself: a row plus a function is a new op.  Errors are sticky
 * (those of the graph): after the first, accessors return HLO_NONE, 0 or an empty list and builders ignore it, so
 * bodies do not check.  Where a value read here decides a loop or a division, test failed(l) first.
 *
 * Arguments are counted from 0 as in the signature.  A number or a 0-dim CPU tensor may stand at a T, L or O position (a
 * slot): in(), in_as(), promote() and arg_type() treat it as a rank-0 tensor.  One low, one thread. */
#ifndef TP_ATEN_LOWER_H
#define TP_ATEN_LOWER_H

#include "aten/op.h"
#include "base/arena.h"

typedef struct low low;
struct low {
    hlo_graph *g;
    const at_row *row;
    const at_in *in;
    int n;
    hlo_precision precision; /* for f32 dot and conv */
    at_fragment *frag;
    /* lower.c's own */
    const hlo_val *values;   /* parameters bound to arguments, list elements in place */
    const int *first;        /* argument -> its first value */
    tp_arena arena;          /* texts; ends with the lowering */
    int nouts;
    hlo_val outs[AT_MAX_OUTS], violated[AT_MAX_CHECKS];
};

/* ---- errors */
/* The first error of this lowering.  Words are PyTorch's, or: what must hold; what was found. */
void fail(low *l, tp_kind kind, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
bool failed(const low *l);
/* |violated|: bool, any rank; true somewhere if PyTorch's CPU device would raise.  |message| is copied. */
void check(low *l, hlo_val violated, tp_kind kind, const char *message);
/* A string with the lifetime of |l|. */
const char *text(low *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* "[2, 3]" and "2x3", with the lifetime of |l|. */
const char *sizes_text(low *l, int rank, const int64_t *sizes);
const char *sizes_by_x(low *l, int rank, const int64_t *sizes);
/* PyTorch's ScalarType name: "Float", "Long"; and the C++ name its messages print: "float", "long int", "c10::Half". */
const char *scalar_type_name(tp_dtype t);
const char *cpp_type_name(tp_dtype t);

/* ---- arguments: tensors and run-time numbers */
bool has(const low *l, int i);                    /* argument i is given (not None, not beyond the call's arguments) */
bool is_slot(const low *l, int i);                /* a run-time number, also one in a tensor's place */
hlo_val in(low *l, int i);                        /* tensor i as it is, or a number as a rank-0 value of its own dtype; HLO_NONE if absent */
hlo_val in_as(low *l, int i, tp_dtype dtype);     /* cast(in(i), dtype) */
/* in_as(i, opmath(dtype)), where a tensor is cast to |dtype| on the way and a number is not: what PyTorch's CPU kernels
 * compute with when the common dtype is |dtype|. */
hlo_val in_op(low *l, int i, tp_dtype dtype);
hlo_val num(low *l, int i, tp_dtype dtype);       /* a number as a rank-0 value of |dtype|; HLO_NONE if absent */
const tp_type *arg_type(const low *l, int i);     /* of tensor or number i; a none type if absent */
int nelems(const low *l, int i);                  /* elements of list i (tensors, Scalars, ints that are slots); 0 if absent */
hlo_val elem(low *l, int i, int k);               /* element k of a tensor list; HLO_NONE if that element is absent */
hlo_val slot_elem(low *l, int i, int k);          /* element k of a slot list: i64, f64 or complex128, rank 0 */
hlo_val rng(low *l, int i);                       /* generator i: u64[2] = seed, offset */

/* ---- arguments: static values */
int64_t inum(low *l, int i);                      /* i, b, d, m, l letters; 0 if absent */
int64_t iopt(low *l, int i, int64_t absent);
bool flag(low *l, int i);                         /* false if absent */
double snum(low *l, int i);                       /* x, y, i, b letters; the real part of a complex one; 0 if absent */
double sopt(low *l, int i, double absent);
const tp_scalar *scalar_of(low *l, int i);        /* a static Scalar with its dtype; NULL if absent */
const int64_t *ints(low *l, int i, int *out_n);   /* I, B letters; NULL and 0 if absent */
const double *floats(low *l, int i, int *out_n);
tp_dtype dtype_opt(low *l, int i, tp_dtype absent);
tp_dtype dtype_of(low *l, int i);                 /* a given ScalarType */
const char *str(low *l, int i);                   /* NUL-terminated, lifetime of |l|; "" if absent */
int dim(low *l, int i, int rank);                 /* integer i as a dimension of a tensor of |rank|, wrapped; IndexError if out of range */
int wrap_dim(low *l, int64_t d, int rank);
/* Bit mask of the dimensions listed by integers i; absent or empty means all of them iff |empty_is_all|.  Errors of PyTorch. */
uint32_t dims_mask(low *l, int i, int rank, bool empty_is_all);

/* ---- dtypes */
tp_dtype promote_types(tp_dtype a, tp_dtype b);   /* torch.promote_types; TP_NO_DTYPE where PyTorch refuses */
tp_dtype promote(low *l, int first, int count);   /* torch.result_type over the given ones of these arguments */
tp_dtype opmath(tp_dtype t);                      /* float16, bfloat16, float8 -> float32; complex32 does not exist here */
tp_dtype floating(tp_dtype t);                    /* integers and bool -> float32, PyTorch's default dtype */
tp_dtype sum_type(tp_dtype t);                    /* integers and bool -> int64 */

/* ---- nodes.  un, bin, cmp, sel and bcast are those of hlo/graph.h on l->g. */
static inline hlo_val un(low *l, hlo_op op, hlo_val a) { return hlo_un(l->g, op, a); }
static inline hlo_val bin(low *l, hlo_op op, hlo_val a, hlo_val b) { return hlo_bin(l->g, op, a, b); }
static inline hlo_val cmp(low *l, hlo_dir dir, hlo_val a, hlo_val b) { return hlo_compare(l->g, dir, a, b); }
static inline hlo_val add(low *l, hlo_val a, hlo_val b) { return hlo_bin(l->g, HLO_ADD, a, b); }
static inline hlo_val sub(low *l, hlo_val a, hlo_val b) { return hlo_bin(l->g, HLO_SUB, a, b); }
static inline hlo_val mul(low *l, hlo_val a, hlo_val b) { return hlo_bin(l->g, HLO_MUL, a, b); }
static inline hlo_val quo(low *l, hlo_val a, hlo_val b) { return hlo_bin(l->g, HLO_DIV, a, b); }
hlo_val sel(low *l, hlo_val pred, hlo_val on_true, hlo_val on_false); /* all three broadcast to one shape */
hlo_val konst(low *l, tp_dtype dtype, double value);       /* rank 0 */
hlo_val konst_like(low *l, hlo_val a, double value);       /* rank 0, a's dtype */
hlo_val full(low *l, tp_dtype dtype, int rank, const int64_t *sizes, double value);
hlo_val bcast(low *l, hlo_val a, int rank, const int64_t *sizes);  /* NumPy rules, to exactly these sizes */
hlo_val bcast_as(low *l, hlo_val a, hlo_val like);
hlo_val iota(low *l, tp_dtype dtype, hlo_val like, int d);          /* like's shape, counting along d */
/* PyTorch's conversion: float -> integer truncates (narrow integers wrap), to bool is != 0, complex -> real drops the
 * imaginary part, double -> half rounds through float. */
hlo_val cast(low *l, hlo_val a, tp_dtype dtype);
tp_dtype dt(const low *l, hlo_val a);
int rank_of(const low *l, hlo_val a);
int64_t size_of(const low *l, hlo_val a, int d);
const tp_type *type_of(const low *l, hlo_val a);           /* until the next builder call */
int64_t numel_of(const low *l, hlo_val a);
hlo_val is_nan(low *l, hlo_val a);                         /* bool; false everywhere for integers; complex: either part */
/* The sizes the given arguments broadcast to; RuntimeError in PyTorch's words. */
tp_type broadcast_type(low *l, int n, const hlo_val *vals);
/* Reduces the dimensions in |mask| with a binary |op|; |keep| leaves them with size 1. */
hlo_val reduce(low *l, hlo_op op, hlo_val a, double init, uint32_t mask, bool keep);
hlo_val reduce_from(low *l, hlo_op op, hlo_val a, hlo_val init, uint32_t mask, bool keep);
hlo_val squeeze_mask(low *l, hlo_val a, uint32_t mask);    /* drops dimensions of size 1 */
hlo_val unsqueeze_mask(low *l, hlo_val a, uint32_t mask);  /* the inverse: |mask| in the result's numbering */
double lowest(tp_dtype t);                                 /* -inf, or the least integer; identity of max */
double highest(tp_dtype t);
/* Least and greatest value as a rank-0 node: exact for 64-bit integers, where lowest() and highest() are not. */
hlo_val konst_lowest(low *l, tp_dtype t);
hlo_val konst_highest(low *l, tp_dtype t);

/* ---- results */
void out(low *l, int k, hlo_val v);
/* Output k does not exist in this call: no result, and an argument it would be written into stays as it is. */
void out_absent(low *l, int k);
void out_as(low *l, int k, hlo_val v, tp_dtype dtype);     /* out(k, cast(v, dtype)) */

/* ---- families of rows: what at_row.rule says, for the functions that POINT rows share */
enum {
    VARIANCE = 1, DEVIATION = 2, WITH_MEAN = 4, /* low_var */
    INTS_TO_FLOAT = 1,   /* pointwise: integers and bool are computed as float32 */
    INTS_AS_THEY_ARE = 2, /* integers and bool are the result */
    NO_BOOL = 4,
    NO_COMPLEX = 8,
    NO_FLOAT = 16,       /* integers and bool only */
    REVERSED = 32,       /* operands change places */
    LOGICAL = 64,        /* computed on x != 0 */
};
/* What CPU can and we cannot, or neither can: NotImplementedError naming the dtype. */
void refuse_dtype(low *l, tp_dtype t);
/* Broadcasts |vals| to one shape; RuntimeError in PyTorch's words. */
void together(low *l, int n, hlo_val *vals);

/* ---- lowerings, one declaration per row */
#define LOWER(name, signature, strides, nouts, fn) void fn(low *l);
#define POINT(name, signature, fn, op, rule) void fn(low *l);
#define DRAW(name, signature, strides, nouts, fn) void fn(low *l);
#define EFFECT(name, signature, strides, nouts, fn, first, second) void fn(low *l);
#define REDUCE(name, signature, nouts, fn, op, rule) void fn(low *l);
#define SIZED(name, signature, nouts, fn, count_fn) void fn(low *l); void count_fn(low *l);
#define FOREACH(name, signature, nouts, target)
#define CPU(name, reason)
#define INTERNAL(name, signature, nouts, fn) void fn(low *l);
#include "aten/aten.def"
#undef LOWER
#undef POINT
#undef DRAW
#undef EFFECT
#undef REDUCE
#undef SIZED
#undef FOREACH
#undef CPU
#undef INTERNAL

#endif
