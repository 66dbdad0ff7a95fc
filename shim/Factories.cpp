#include "Factories.h"

#include "Bind.h"
#include "Guard.h"

#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>

namespace torch_pjrt {

at::Tensor make_tensor(tp_cell* cell, tp_dtype dtype, c10::IntArrayRef sizes, c10::IntArrayRef strides,
                       c10::DeviceIndex device) {
  at::Tensor t = at::detail::make_tensor<c10::TensorImpl>(
      cell_storage(cell, device), c10::DispatchKeySet(c10::DispatchKey::PrivateUse1),
      c10::scalarTypeToTypeMeta(scalar_type_of(dtype)));
  t.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides);
  return t;
}

at::Tensor make_empty(c10::IntArrayRef sizes, c10::IntArrayRef strides, c10::ScalarType type, c10::DeviceIndex device) {
  const tp_dtype dtype = dtype_of(type);
  const size_t nbytes = at::detail::computeStorageNbytes(sizes, strides, tp_dtype_size(dtype));
  tp_cell* cell = nullptr;
  TP_THROW_IF(tp_cell_create(device, nbytes, &cell));
  at::Tensor t = make_tensor(cell, dtype, sizes, strides, device);
  if (sizes.size() <= TP_MAX_RANK)
    tp_cell_hint(cell, dtype, static_cast<int>(sizes.size()), sizes.data(), strides.data());
  return t;
}

namespace {

c10::DeviceIndex check_options(std::optional<c10::Layout> layout, std::optional<c10::Device> device,
                               std::optional<bool> pin_memory) {
  TORCH_CHECK(c10::layout_or_default(layout) == c10::kStrided, "a tensor on ", c10::get_privateuse1_backend(),
              " must have layout torch.strided; got ", *layout);
  TORCH_CHECK(!pin_memory.value_or(false), "Only dense CPU tensors can be pinned");
  return device ? device_index(*device) : current_device();
}

at::Tensor empty_strided(c10::IntArrayRef sizes, c10::IntArrayRef strides, std::optional<c10::ScalarType> dtype,
                         std::optional<c10::Layout> layout, std::optional<c10::Device> device,
                         std::optional<bool> pin_memory) {
  const c10::DeviceIndex index = check_options(layout, device, pin_memory);
  at::detail::check_size_nonnegative(sizes);
  return make_empty(sizes, strides, c10::dtype_or_default(dtype), index);
}

at::Tensor empty(c10::IntArrayRef sizes, std::optional<c10::ScalarType> dtype, std::optional<c10::Layout> layout,
                 std::optional<c10::Device> device, std::optional<bool> pin_memory,
                 std::optional<c10::MemoryFormat> format) {
  const c10::DeviceIndex index = check_options(layout, device, pin_memory);
  at::detail::check_size_nonnegative(sizes);
  const auto order = format.value_or(c10::MemoryFormat::Contiguous);
  c10::SmallVector<int64_t, TP_MAX_RANK> strides(sizes.size());
  if (order == c10::MemoryFormat::ChannelsLast) {
    TORCH_CHECK(sizes.size() == 4, "required rank 4 tensor to use channels_last format");
    const auto last = c10::get_channels_last_strides_2d(sizes);
    strides.assign(last.begin(), last.end());
  } else if (order == c10::MemoryFormat::ChannelsLast3d) {
    TORCH_CHECK(sizes.size() == 5, "required rank 5 tensor to use channels_last_3d format");
    const auto last = c10::get_channels_last_strides_3d(sizes);
    strides.assign(last.begin(), last.end());
  } else {
    TORCH_CHECK(order == c10::MemoryFormat::Contiguous, "unsupported memory format option ", order);
    tp_contiguous_strides(static_cast<int>(sizes.size()), sizes.data(), strides.data());
  }
  return make_empty(sizes, strides, c10::dtype_or_default(dtype), index);
}

// A tensor without a value reads as zeros, so nothing is computed.  It lacks the ZeroTensor key: ops on it are merely not
// skipped.
at::Tensor efficient_zeros(c10::IntArrayRef sizes, std::optional<c10::ScalarType> dtype, std::optional<c10::Layout> layout,
                           std::optional<c10::Device> device, std::optional<bool> pin_memory) {
  return empty(sizes, dtype, layout, device, pin_memory, std::nullopt);
}

// PyTorch's own would make an empty tensor and call arange.start_out; the row gives its value at once.
at::Tensor arange_from(const c10::Scalar& start, const c10::Scalar& end, std::optional<c10::ScalarType> dtype,
                       std::optional<c10::Layout> layout, std::optional<c10::Device> device,
                       std::optional<bool> pin_memory) {
  return at::arange(start, end, 1, dtype, layout, device ? *device : c10::Device(kDevice, current_device()), pin_memory);
}

at::Tensor arange(const c10::Scalar& end, std::optional<c10::ScalarType> dtype, std::optional<c10::Layout> layout,
                  std::optional<c10::Device> device, std::optional<bool> pin_memory) {
  return arange_from(0, end, dtype, layout, device, pin_memory);
}

} // namespace

void register_factories() {
  bind("empty.memory_format", TORCH_FN(empty));
  bind("empty_strided", TORCH_FN(empty_strided));
  if (at_row_find("arange.start_step") >= 0) {
    bind("arange", TORCH_FN(arange));
    bind("arange.start", TORCH_FN(arange_from));
  }
  bind("_efficientzerotensor", TORCH_FN(efficient_zeros));
}

} // namespace torch_pjrt
