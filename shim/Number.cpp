#include "Number.h"

#include <ATen/ops/_local_scalar_dense_native.h>

namespace torch_pjrt {

tp_scalar number_of(const c10::Scalar& s) {
  tp_scalar number{};
  number.rank = TP_NUMBER;
  if (s.isComplex()) {
    const auto z = s.toComplexDouble();
    number.dtype = TP_C128;
    number.re = z.real();
    number.im = z.imag();
  } else if (s.isFloatingPoint()) {
    number.dtype = TP_F64;
    number.re = s.toDouble();
  } else if (s.isBoolean()) {
    number.dtype = TP_BOOL;
    number.i = s.toBool();
    number.re = static_cast<double>(number.i);
  } else if (s.type() == c10::kUInt64) {
    number.dtype = TP_U64;
    number.i = static_cast<int64_t>(s.toUInt64());
    number.re = static_cast<double>(s.toUInt64());
  } else {
    number.dtype = TP_I64;
    number.i = s.toLong();
    number.re = static_cast<double>(number.i);
  }
  return number;
}

tp_scalar number_of(const at::Tensor& t) {
  const bool lazy = t.is_conj() || t.is_neg();
  tp_scalar number = number_of(at::native::_local_scalar_dense_cpu(lazy ? t.resolve_conj().resolve_neg() : t));
  if (!t.unsafeGetTensorImpl()->is_wrapped_number()) {
    number.dtype = static_cast<uint8_t>(dtype_of(t.scalar_type()));
    number.rank = TP_ZERO_DIM;
  }
  return number;
}

c10::Scalar scalar_of(const tp_scalar& s) {
  switch (tp_dtype_class(static_cast<tp_dtype>(s.dtype))) {
    case TP_CLASS_BOOL: return s.i != 0;
    case TP_CLASS_UINT: return s.dtype == TP_U64 ? c10::Scalar(static_cast<uint64_t>(s.i)) : c10::Scalar(s.i);
    case TP_CLASS_SINT: return s.i;
    case TP_CLASS_COMPLEX: return c10::complex<double>(s.re, s.im);
    case TP_CLASS_FLOAT:
    case TP_CLASS_NONE: break;
  }
  return s.re;
}

} // namespace torch_pjrt
