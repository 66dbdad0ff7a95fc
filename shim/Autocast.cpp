// torch.autocast("tpu"): PyTorch's own op lists at the device's lower precision.
#include "Register.h"

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <torch/library.h>

namespace torch_pjrt {

using namespace at;
using namespace at::autocast;

// In half precision the logarithm of a rounded probability overflows; PyTorch refuses this on its other devices too.
static Tensor refuse_binary_cross_entropy(const Tensor&, const Tensor&, const std::optional<Tensor>&, int64_t) {
  TORCH_CHECK(false, "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast: use "
              "binary_cross_entropy_with_logits or BCEWithLogitsLoss, which combine it with the sigmoid before it");
}

void register_autocast() {
  static auto* all = new torch::Library(torch::Library::IMPL, "_", DispatchKey::AutocastPrivateUse1, __FILE__, __LINE__);
  all->fallback(torch::CppFunction::makeFallthrough());
  torch::Library& m = aten_library(DispatchKey::AutocastPrivateUse1);
#define LOWER(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, lower_precision_fp)
#define FP32(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32)
#define FP32_SET_OPT_DTYPE(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32_set_opt_dtype)
#define PROMOTE(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, promote)
  AT_FORALL_LOWER_PRECISION_FP(LOWER)
  AT_FORALL_FP32(FP32)
  AT_FORALL_FP32_SET_OPT_DTYPE(FP32_SET_OPT_DTYPE)
  AT_FORALL_DIFFERENT_REDISPATCH_SIGNATURE(KERNEL_DIFFERENT_REDISPATCH_SIGNATURE_PRIVATEUSEONE)
  AT_FORALL_PROMOTE(PROMOTE)
  KERNEL_PRIVATEUSEONE(cat, promote)
  KERNEL_PRIVATEUSEONE(stack, promote)
  m.impl("binary_cross_entropy", TORCH_FN(refuse_binary_cross_entropy));
}

} // namespace torch_pjrt
