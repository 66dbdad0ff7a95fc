// Tensors of the device.
#pragma once

#include "Allocator.h"

#include <ATen/core/Tensor.h>

namespace torch_pjrt {

// A tensor that owns |cell|, also when this throws.
at::Tensor make_tensor(tp_cell* cell, tp_dtype dtype, c10::IntArrayRef sizes, c10::IntArrayRef strides,
                       c10::DeviceIndex device);
// A tensor without a value: it reads as zeros and owns no device memory.
at::Tensor make_empty(c10::IntArrayRef sizes, c10::IntArrayRef strides, c10::ScalarType type, c10::DeviceIndex device);

} // namespace torch_pjrt
