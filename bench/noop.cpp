// PyTorch's own share of an op: `add` of tensors of a device nobody uses here (HPU), whose kernel does nothing.
// Python's argument parser, autograd's kernel and the dispatcher run as they do for any device.
#include <c10/core/StorageImpl.h>
#include <c10/core/TensorImpl.h>
#include <torch/library.h>

namespace {

at::Tensor tensor_without_data(at::IntArrayRef sizes) {
  c10::Storage storage(c10::Storage::use_byte_size_t{}, 16, c10::DataPtr(nullptr, c10::Device(c10::kHPU, 0)), nullptr, false);
  auto t = at::detail::make_tensor<c10::TensorImpl>(std::move(storage), c10::DispatchKeySet(c10::DispatchKey::HPU),
                                                    caffe2::TypeMeta::Make<float>());
  t.unsafeGetTensorImpl()->set_sizes_contiguous(sizes);
  return t;
}

at::Tensor returns_its_argument(const at::Tensor& self, const at::Tensor&, const at::Scalar&) { return self; }
at::Tensor makes_a_tensor(const at::Tensor& self, const at::Tensor&) { return tensor_without_data(self.sizes()); }

at::Tensor make(int64_t n) { return tensor_without_data({n}); }
int64_t impl_bytes() { return sizeof(c10::TensorImpl); }
int64_t storage_bytes() { return sizeof(c10::StorageImpl); }

} // namespace

TORCH_LIBRARY(torch_pjrt_bench, m) {
  m.def("make(int n) -> Tensor", make);
  m.def("impl_bytes() -> int", impl_bytes);
  m.def("storage_bytes() -> int", storage_bytes);
}

TORCH_LIBRARY_IMPL(aten, HPU, m) {
  m.impl("add.Tensor", returns_its_argument);
  m.impl("maximum", makes_a_tensor);
}
