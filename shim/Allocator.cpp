#include "Allocator.h"

#include "Guard.h"

#include <unistd.h>

namespace torch_pjrt {
namespace {

void release_cell(void* cell) { tp_cell_release(static_cast<tp_cell*>(cell)); }

struct Allocator final : c10::DeviceAllocator {
  c10::DataPtr allocate(size_t nbytes) override {
    const c10::DeviceIndex device = current_device();
    tp_cell* cell = nullptr;
    TP_THROW_IF(tp_cell_create(device, nbytes, &cell));
    return cell_pointer(cell, device);
  }

  // The context is the cell, not the pointer, so the raw interface cannot be had.
  bool is_simple_data_ptr(const c10::DataPtr& ptr) const override { return ptr.get_deleter() == &release_cell; }

  void copy_data(void* dest, const void* src, size_t count) const override {
    tp_cell *to = tp_cell_at(dest), *from = tp_cell_at(src);
    TORCH_CHECK(to && from, "copy_data: both pointers must be addresses of live storages of this device");
    const int64_t size = static_cast<int64_t>(count), stride = 1;
    tp_view view{};
    view.dtype = TP_U8;
    view.rank = 1;
    view.sizes = &size;
    view.strides = &stride;
    tp_view source = view;
    view.cell = to;
    source.cell = from;
    TP_THROW_IF(tp_copy(&view, &source));
  }

  bool initialized() override { return tp_is_open(); }
  void emptyCache(c10::MempoolId_t) override { TP_THROW_IF(tp_empty_cache()); }

  // Values are freed after their last use in program order, whatever stream is current.
  void recordStream(const c10::DataPtr&, c10::Stream) override {}

  c10::CachingDeviceAllocator::DeviceStats getDeviceStats(c10::DeviceIndex device) override {
    TP_THROW_IF(tp_device_check(device));
    tp_memory memory{};
    tp_memory_get(device, &memory);
    c10::CachingDeviceAllocator::DeviceStats stats;
    c10::CachingAllocator::Stat bytes, count;
    bytes.current = memory.allocated;
    bytes.peak = memory.peak;
    bytes.allocated = memory.total_allocated;
    bytes.freed = memory.total_freed;
    count.current = memory.num_allocs - memory.num_frees;
    count.peak = count.current;
    count.allocated = memory.num_allocs;
    count.freed = memory.num_frees;
    constexpr auto kAll = static_cast<size_t>(c10::CachingAllocator::StatType::AGGREGATE);
    stats.allocation[kAll] = stats.active[kAll] = stats.segment[kAll] = count;
    stats.allocated_bytes[kAll] = stats.active_bytes[kAll] = stats.requested_bytes[kAll] = stats.reserved_bytes[kAll] = bytes;
    stats.num_ooms = memory.num_ooms;
    stats.num_device_alloc = memory.num_allocs;
    stats.num_device_free = memory.num_frees;
    return stats;
  }

  // The core counts since the start of the process; there is nothing smaller to reset.
  void resetAccumulatedStats(c10::DeviceIndex device) override { TP_THROW_IF(tp_device_check(device)); }

  void resetPeakStats(c10::DeviceIndex device) override {
    TP_THROW_IF(tp_device_check(device));
    tp_memory_reset_peak(device);
  }

  // A device whose limit is unknown is a host plugin: its memory is the host's.
  std::pair<size_t, size_t> getMemoryInfo(c10::DeviceIndex device) override {
    TP_THROW_IF(tp_device_check(device));
    tp_memory memory{};
    tp_memory_get(device, &memory);
    const int64_t total =
        memory.limit >= 0 ? memory.limit : static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    const int64_t free = std::max<int64_t>(total - memory.allocated, 0);
    return {static_cast<size_t>(free), static_cast<size_t>(total)};
  }
};

constexpr auto kFromTorch = [] {
  std::array<uint8_t, 64> table{};
#define DTYPE(e, name, torch, hlo, pjrt, bytes, cls) table[torch] = TP_##e;
#include "base/dtype.def"
#undef DTYPE
  return table;
}();

[[noreturn]] C10_NOINLINE void refuse_dtype(c10::ScalarType type) {
  std::string names;
#define DTYPE(e, name, torch, hlo, pjrt, bytes, cls) names += names.empty() ? name : ", " name;
#include "base/dtype.def"
#undef DTYPE
  TORCH_CHECK_TYPE(false, "a tensor on ", c10::get_privateuse1_backend(), " must have one of the dtypes ", names, "; got ",
                   c10::toString(type));
  __builtin_unreachable();
}

} // namespace

c10::DeviceAllocator* allocator() {
  static auto* instance = new Allocator;
  return instance;
}

void register_allocator() { c10::SetAllocator(kDevice, allocator()); }

c10::DataPtr cell_pointer(tp_cell* cell, c10::DeviceIndex device) {
  return {tp_cell_address(cell), cell, &release_cell, c10::Device(kDevice, device)};
}

tp_cell* cell_of(const c10::StorageImpl& storage) {
  const c10::DataPtr& ptr = storage.data_ptr();
  if (C10_LIKELY(ptr.get_deleter() == &release_cell)) return static_cast<tp_cell*>(ptr.get_context());
  tp_cell* cell = tp_cell_at(ptr.get());
  TORCH_CHECK(cell, "a storage of device ", ptr.device().str(), " must own a cell of torch_pjrt; found address ", ptr.get(),
              ", which no live storage has");
  return cell;
}

c10::Storage cell_storage(tp_cell* cell, c10::DeviceIndex device) {
  return c10::Storage(c10::make_intrusive<c10::StorageImpl>(
      c10::StorageImpl::use_byte_size_t(), c10::SymInt(static_cast<int64_t>(tp_cell_nbytes(cell))),
      cell_pointer(cell, device), allocator(), /*resizable=*/true));
}

void resize_storage(c10::StorageImpl& storage, size_t nbytes) {
  TORCH_CHECK(storage.resizable(), "Trying to resize storage that is not resizable");
  tp_cell* cell = cell_of(storage);
  TP_THROW_IF(tp_cell_resize(cell, nbytes));
  if (storage.data_ptr().get_deleter() == &release_cell) {
    c10::DataPtr old = storage.set_data_ptr(cell_pointer(cell, storage.device().index()));
    old.release_context();
  }
  storage.set_nbytes(nbytes);
}

tp_dtype dtype_of(c10::ScalarType type) {
  const auto number = static_cast<size_t>(type);
  const uint8_t dtype = number < kFromTorch.size() ? kFromTorch[number] : uint8_t{TP_NO_DTYPE};
  if (C10_UNLIKELY(dtype == TP_NO_DTYPE)) refuse_dtype(type);
  return static_cast<tp_dtype>(dtype);
}

c10::ScalarType scalar_type_of(tp_dtype dtype) { return static_cast<c10::ScalarType>(tp_dtype_to_torch(dtype)); }

tp_view view_of(const at::TensorBase& t) {
  const c10::TensorImpl* impl = t.unsafeGetTensorImpl();
  const auto sizes = impl->sizes();
  TORCH_CHECK(sizes.size() <= TP_MAX_RANK, "a tensor on ", c10::get_privateuse1_backend(), " must have at most ",
              int{TP_MAX_RANK}, " dimensions; got ", sizes.size());
  tp_view view;
  view.cell = cell_of(*impl->unsafe_storage().unsafeGetStorageImpl());
  view.dtype = static_cast<uint8_t>(dtype_of(c10::typeMetaToScalarType(impl->dtype())));
  view.rank = static_cast<uint8_t>(sizes.size());
  view.conj = impl->is_conj();
  view.neg = impl->is_neg();
  view.offset = impl->storage_offset();
  view.sizes = sizes.data();
  view.strides = impl->strides().data();
  return view;
}

} // namespace torch_pjrt
