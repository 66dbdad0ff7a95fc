// Scaled dot product attention: PyTorch's composite, with the memory layout of its fused CPU kernel.  Heads are split off
// and merged back by transposes in every model, and `.view` after the merge works only on that layout.
#include "Register.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/scaled_dot_product_attention_native.h>
#include <torch/library.h>

namespace torch_pjrt {
namespace {

at::Tensor attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, const std::optional<at::Tensor>& mask,
                     double dropout, bool causal, std::optional<double> scale, bool grouped) {
  const at::Tensor out = at::native::scaled_dot_product_attention(query, key, value, mask, dropout, causal, scale, grouped);
  return out.dim() == 4 ? out.transpose(1, 2).contiguous().transpose(1, 2) : out;
}

} // namespace

void register_attention() {
  for (const auto key : {c10::DispatchKey::PrivateUse1, c10::DispatchKey::AutogradPrivateUse1})
    aten_library(key).impl("scaled_dot_product_attention", attention);
}

} // namespace torch_pjrt
