// The counted CPU fallback.
#pragma once

#include <torch/library.h>

namespace torch_pjrt {

torch::CppFunction fallback_kernel();
// The same, for a call whose row refuses its dtypes.
void run_on_host(const c10::OperatorHandle& op, torch::jit::Stack* stack);

} // namespace torch_pjrt
