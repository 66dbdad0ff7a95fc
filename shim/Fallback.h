// The counted CPU fallback.
#pragma once

#include <torch/library.h>

namespace torch_pjrt {

torch::CppFunction fallback_kernel();

} // namespace torch_pjrt
