// Numbers between PyTorch and the core.
#pragma once

#include "Allocator.h"

#include <ATen/core/Tensor.h>

namespace torch_pjrt {

tp_scalar number_of(const c10::Scalar& s);   // a Python number: rank TP_NUMBER
tp_scalar number_of(const at::Tensor& t);    // a 0-dim CPU tensor, read now; a wrapped number keeps rank TP_NUMBER
c10::Scalar scalar_of(const tp_scalar& s);   // of the class of |s|'s dtype

} // namespace torch_pjrt
