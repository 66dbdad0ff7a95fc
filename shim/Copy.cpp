// Copies between host and device and among devices, and the ops of one number: fill_, item(), equal.
#include "Bind.h"
#include "Factories.h"
#include "Guard.h"
#include "Number.h"

#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/core/LegacyTypeDispatch.h>

#include <algorithm>

namespace torch_pjrt {
namespace {

void check_broadcast(const at::Tensor& dst, const at::Tensor& src) {
  if (dst.sizes() == src.sizes()) return;
  const auto shape = at::infer_size_dimvector(dst.sizes(), src.sizes());
  TORCH_CHECK(c10::IntArrayRef(shape) == dst.sizes(), "output with shape ", dst.sizes(),
              " doesn't match the broadcast shape ", c10::IntArrayRef(shape));
}

// |view| with its dimensions in the order in which |host|, dense, lies in memory: then host bytes are row-major.
struct PermutedView {
  PermutedView(const tp_view& original, const at::Tensor& host) : view(original) {
    int order[TP_MAX_RANK];
    for (int i = 0; i < view.rank; i++) order[i] = i;
    // The stride of a dimension of size 1 says nothing: those go last.
    const auto step = [&](int d) { return host.size(d) == 1 ? 0 : host.stride(d); };
    std::stable_sort(order, order + view.rank, [&](int a, int b) { return step(a) > step(b); });
    for (int i = 0; i < view.rank; i++) {
      sizes[i] = original.sizes[order[i]];
      view_strides[i] = original.strides[order[i]];
    }
    view.sizes = sizes;
    view.strides = view_strides;
  }
  tp_view view;
  int64_t sizes[TP_MAX_RANK], view_strides[TP_MAX_RANK];
};

void fill(const at::Tensor& dst, const tp_scalar& value) {
  tp_view view = view_of(dst);
  // Filling is idempotent, so PyTorch allows it on expanded tensors: each broadcast dimension is written once.
  int64_t sizes[TP_MAX_RANK];
  for (int i = 0; i < view.rank; i++)
    sizes[i] = view.strides[i] == 0 && view.sizes[i] > 1 ? 1 : view.sizes[i];
  view.sizes = sizes;
  TP_THROW_IF(tp_fill(&view, &value));
}

void upload(const at::Tensor& src, const at::Tensor& dst) {
  if (dst.numel() == 0) return;
  if (src.numel() == 1 && dst.numel() > 1) return fill(dst, number_of(src.dim() ? src.reshape({}) : src));
  at::Tensor host = src.resolve_conj().resolve_neg();
  if (host.scalar_type() != dst.scalar_type()) host = host.to(dst.scalar_type());
  if (host.sizes() != dst.sizes()) host = host.expand(dst.sizes());
  if (!host.is_non_overlapping_and_dense()) host = host.contiguous();
  const PermutedView to(view_of(dst), host);
  TP_THROW_IF(tp_write(&to.view, host.const_data_ptr(), host.nbytes()));
}

void download(const at::Tensor& src, const at::Tensor& dst) {
  if (dst.numel() == 0) return;
  const bool direct = src.scalar_type() == dst.scalar_type() && src.sizes() == dst.sizes() && !dst.is_conj() &&
                      !dst.is_neg() && dst.is_non_overlapping_and_dense();
  at::Tensor host = direct ? dst : at::Tensor(at::detail::empty_cpu(src.sizes(), src.scalar_type()));
  const PermutedView from(view_of(src), host);
  TP_THROW_IF(tp_read(&from.view, host.mutable_data_ptr(), host.nbytes()));
  if (!direct) dst.copy_(host);
}

at::Tensor copy_from(const at::Tensor& self, const at::Tensor& dst, bool) {
  at::AutoDispatchBelowADInplaceOrView guard;
  check_broadcast(dst, self);
  const bool from_us = self.device().type() == kDevice, to_us = dst.device().type() == kDevice;
  TORCH_CHECK((from_us || self.is_cpu()) && (to_us || dst.is_cpu()), "a copy must be between ",
              c10::get_privateuse1_backend(), " and cpu; got ", self.device(), " to ", dst.device());
  if (dst.numel() == 0) return dst;
  if (to_us) at::assert_no_internal_overlap(dst);
  if (!from_us) {
    upload(self, dst);
  } else if (!to_us) {
    download(self, dst);
  } else {
    if (self.storage().is_alias_of(dst.storage()) && self.sizes() == dst.sizes()) at::assert_no_partial_overlap(dst, self);
    const tp_view to = view_of(dst), from = view_of(self);
    TP_THROW_IF(tp_copy(&to, &from));
  }
  return dst;
}

at::Tensor copy_from_and_resize(const at::Tensor& self, const at::Tensor& dst) {
  if (dst.sizes() != self.sizes()) dst.resize_(self.sizes());
  return copy_from(self, dst, false);
}

c10::Scalar item(const at::Tensor& self) {
  const tp_view view = view_of(self);
  tp_scalar value{};
  TP_THROW_IF(tp_item(&view, &value));
  return scalar_of(value);
}

// Scalar::to raises "value cannot be converted to type ... without overflow", as PyTorch's CPU fill_ does.
void check_fits(const c10::Scalar& value, c10::ScalarType type) {
  switch (type) {
#define CASE(ctype, name) \
  case c10::ScalarType::name: (void)value.to<ctype>(); break;
    AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(CASE)
#undef CASE
    default: break;
  }
}

at::Tensor& fill_scalar(at::Tensor& self, const c10::Scalar& value) {
  check_fits(value, self.scalar_type());
  if (self.numel()) fill(self, number_of(value));
  return self;
}

bool equal(const at::Tensor& self, const at::Tensor& other) {
  TORCH_CHECK(self.device() == other.device(), "Expected all tensors to be on the same device, but found at least two "
              "devices, ", self.device(), " and ", other.device(), "! (in aten::equal)");
  if (self.sizes() != other.sizes()) return false;
  return self.numel() == 0 || self.eq(other).all().item<bool>();
}

at::Tensor& fill_tensor(at::Tensor& self, const at::Tensor& value) {
  TORCH_CHECK(value.dim() == 0, "fill_ only supports 0-dimension value tensor but got tensor with ", value.dim(),
              " dimensions.");
  if (value.is_cpu()) return self.fill_(value.item());
  copy_from(value, self, false);
  return self;
}

at::Tensor& zero(at::Tensor& self) { return fill_scalar(self, 0); }

} // namespace

void register_copies() {
  bind("_copy_from", TORCH_FN(copy_from));
  bind("_copy_from_and_resize", TORCH_FN(copy_from_and_resize));
  bind("_local_scalar_dense", TORCH_FN(item));
  bind("fill_.Scalar", TORCH_FN(fill_scalar));
  bind("fill_.Tensor", TORCH_FN(fill_tensor));
  bind("equal", TORCH_FN(equal));
  bind("zero_", TORCH_FN(zero));
  // The conj and neg bits are part of a view here.  Without these, resolving a bit (clone, copy_, _copy_from) would ask
  // for the resolved tensor again, without end.
  aten_library(c10::DispatchKey::Conjugate).impl("_copy_from", torch::CppFunction::makeFallthrough());
  aten_library(c10::DispatchKey::Negative).impl("_copy_from", torch::CppFunction::makeFallthrough());
}

} // namespace torch_pjrt
