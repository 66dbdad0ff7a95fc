// Device guard, streams and events.  A stream is a view of its device's trace order: one order per device, so waiting for
// a stream or blocking on an event holds by construction.
#pragma once

#include <c10/core/Device.h>

namespace torch_pjrt {

c10::DeviceIndex current_device();               // of this thread; opens nothing
void set_current_device(c10::DeviceIndex index); // RuntimeError naming the device count if there is no such device
// |device|'s index, the current one where it has none; checked.
c10::DeviceIndex device_index(c10::Device device);
void register_guard();

} // namespace torch_pjrt
