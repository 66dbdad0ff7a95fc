// set_ and resize_: which storage a tensor reads, and how large that is.
#include "Bind.h"
#include "Factories.h"
#include "Guard.h"

#include <ATen/native/Resize.h>

namespace torch_pjrt {
namespace {

// Grows the storage of |t| until its sizes and strides fit.  A tensor without elements needs nothing.
void fit_storage(c10::TensorImpl& t) {
  if (t.numel() == 0) return;
  const size_t need = at::detail::computeStorageNbytes(t.sizes(), t.strides(), t.dtype().itemsize(),
                                                       static_cast<size_t>(t.storage_offset()));
  c10::StorageImpl& storage = *t.unsafe_storage().unsafeGetStorageImpl();
  if (need > storage.nbytes()) resize_storage(storage, need);
}

const at::Tensor& resize(const at::Tensor& self, c10::IntArrayRef size, std::optional<c10::MemoryFormat> format) {
  at::detail::check_size_nonnegative(size);
  c10::TensorImpl& impl = *self.unsafeGetTensorImpl();
  if (self.sizes() != size) {
    impl.set_sizes_contiguous(size);
    fit_storage(impl);
  }
  if (format) {
    TORCH_CHECK(*format != c10::MemoryFormat::Preserve, "Unsupported memory format", *format);
    impl.empty_tensor_restride(*format);
    fit_storage(impl);
  }
  return self;
}

const at::Tensor& resize_output(const at::Tensor& self, c10::IntArrayRef size, c10::Device device) {
  TORCH_CHECK(self.device() == device, "out Tensor doesn't have the correct device set; expected ", device, ", got ",
              self.device());
  at::native::resize_output(self, size);
  return self;
}

at::Tensor& set_strided(at::Tensor& self, at::Storage source, int64_t offset, c10::IntArrayRef size,
                        c10::IntArrayRef strides) {
  at::native::checkSetStorage(self, source, offset, size, strides);
  c10::TensorImpl& impl = *self.unsafeGetTensorImpl();
  impl.set_storage_offset(offset);
  if (strides.data()) {
    impl.set_sizes_and_strides(size, strides);
  } else {
    impl.set_sizes_contiguous(size);
  }
  fit_storage(impl);
  if (offset == 0 && impl.dim() <= TP_MAX_RANK && impl.numel() > 0)
    tp_cell_hint(cell_of(*impl.unsafe_storage().unsafeGetStorageImpl()), dtype_of(self.scalar_type()),
                 static_cast<int>(impl.dim()), impl.sizes().data(), impl.strides().data());
  return self;
}

at::Tensor& set_storage(at::Tensor& self, at::Storage source) {
  const auto size = static_cast<int64_t>(source.nbytes() / self.dtype().itemsize());
  return set_strided(self, std::move(source), 0, size, {});
}

at::Tensor& set_tensor(at::Tensor& self, const at::Tensor& source) {
  if (self.unsafeGetTensorImpl() == source.unsafeGetTensorImpl()) return self;
  return set_strided(self, source.storage(), source.storage_offset(), source.sizes(), source.strides());
}

at::Tensor& set_nothing(at::Tensor& self) {
  tp_cell* cell = nullptr;
  TP_THROW_IF(tp_cell_create(self.device().index(), 0, &cell));
  return set_strided(self, cell_storage(cell, self.device().index()), 0, {0}, {});
}

// Values live until their last use in program order, whatever stream is current.
void record_stream(at::Tensor&, c10::Stream) {}

} // namespace

void register_storage() {
  bind("resize_", TORCH_FN(resize));
  bind("_resize_output_", TORCH_FN(resize_output));
  bind("set_", TORCH_FN(set_nothing));
  bind("set_.source_Storage", TORCH_FN(set_storage));
  bind("set_.source_Storage_storage_offset", TORCH_FN(set_strided));
  bind("set_.source_Tensor", TORCH_FN(set_tensor));
  bind("record_stream", TORCH_FN(record_stream));
}

} // namespace torch_pjrt
