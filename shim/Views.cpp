// Views are PyTorch metadata only: the functions are the CPU device's own.
#include "Bind.h"
#include "Factories.h"

#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/is_set_to_native.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_as_complex_native.h>
#include <ATen/ops/view_as_real_native.h>
#include <ATen/ops/view_native.h>

namespace torch_pjrt {

void register_views() {
  bind("as_strided", TORCH_FN(at::native::as_strided_tensorimpl));
  bind("is_set_to", TORCH_FN(at::native::is_set_to));
  bind("view", TORCH_FN(at::native::view));
  bind("_reshape_alias", TORCH_FN(at::native::_reshape_alias));
  bind("unfold", TORCH_FN(at::native::unfold));
  bind("view_as_real", TORCH_FN(at::native::view_as_real));
  bind("view_as_complex", TORCH_FN(at::native::view_as_complex));
}

} // namespace torch_pjrt
