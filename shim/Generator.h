// PyTorch's generator over the core's (seed, offset) pair.  State is 16 bytes: seed, offset.  Never touches a device.
#pragma once

#include "Core.h"

#include <ATen/core/Generator.h>
#include <c10/core/GeneratorImpl.h>

namespace torch_pjrt {

const at::Generator& default_generator(c10::DeviceIndex index); // has the lifetime of the process; opens nothing
at::Generator make_generator(c10::DeviceIndex index);
// The core's generator behind |g|; RuntimeError if |g| is of another device type.  Borrowed.
tp_generator* generator_of(const at::Generator& g);

} // namespace torch_pjrt
