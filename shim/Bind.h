// Binding of hand-written kernels.
#pragma once

#include "Register.h"

#include <torch/library.h>

namespace torch_pjrt {

template <class F>
void bind(const char* name, F&& kernel) {
  note_handwritten(name);
  aten_library(c10::DispatchKey::PrivateUse1).impl(name, std::forward<F>(kernel));
}

} // namespace torch_pjrt
