// Storages and cells: a Storage's DataPtr carries its cell as context; data_ptr() is a number no one can dereference.
#pragma once

#include "Exception.h"

#include <ATen/core/TensorBase.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/StorageImpl.h>

namespace torch_pjrt {

constexpr c10::DeviceType kDevice = c10::DeviceType::PrivateUse1;

c10::DeviceAllocator* allocator();  // has the lifetime of the process
void register_allocator();

// A DataPtr that owns |cell|.
c10::DataPtr cell_pointer(tp_cell* cell, c10::DeviceIndex device);
// The cell of a storage: its context, or by address where another owner made the DataPtr (legacy pickle).  Borrowed.
// RuntimeError if the storage is none of ours.
tp_cell* cell_of(const c10::StorageImpl& storage);
// A storage that owns |cell|.
c10::Storage cell_storage(tp_cell* cell, c10::DeviceIndex device);
// Changes the byte size of a storage of ours; leading bytes are kept.
void resize_storage(c10::StorageImpl& storage, size_t nbytes);

tp_dtype dtype_of(c10::ScalarType type);  // TypeError if the device has no such dtype
c10::ScalarType scalar_type_of(tp_dtype dtype);

// How |t| reads its cell; borrows the sizes and strides of its TensorImpl.
tp_view view_of(const at::TensorBase& t);

} // namespace torch_pjrt
