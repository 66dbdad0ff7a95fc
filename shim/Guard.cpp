#include "Guard.h"

#include "Allocator.h"

#include <c10/core/DeviceCapability.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>

namespace torch_pjrt {
namespace {

constexpr size_t kMaxDevices = 64;

thread_local c10::DeviceIndex current_index = 0;
thread_local std::array<c10::StreamId, kMaxDevices> current_streams{};
std::atomic<c10::StreamId> last_stream{0};

double now_ms() {
  using std::chrono::duration;
  return duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Times are the host's: when the event was recorded, and when its mark was first seen to be done.  What elapses between two
// events is from the record of the one to the end of the other: work queued before the first counts too, unless waited for.
struct Event {
  std::mutex mutex;
  int device;
  uint64_t mark;
  bool timed, done;
  double recorded, finished;
};

bool poll_event(Event& event, bool wait) {
  std::unique_lock<std::mutex> lock(event.mutex);
  if (event.done) return true;
  const int device = event.device;
  const uint64_t mark = event.mark;
  lock.unlock();  // a wait may drop the GIL and last long: no lock is held meanwhile
  bool done = wait;
  if (wait) {
    TP_THROW_IF(tp_mark_wait(device, mark));
  } else {
    TP_THROW_IF(tp_mark_done(device, mark, &done));
  }
  lock.lock();
  if (done && event.mark == mark && !event.done) {
    event.done = true;
    event.finished = now_ms();
  }
  return done;
}

bool asking_cuts_nothing() {
  tp_mode mode = TP_STRICT;
  bool blocking = false;
  TP_THROW_IF(tp_mode_get(&mode, &blocking));
  return mode == TP_STRICT;
}

struct Guard final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override { return kDevice; }
  c10::Device getDevice() const override { return {kDevice, current_index}; }
  c10::Device exchangeDevice(c10::Device device) const override {
    const c10::Device old = getDevice();
    if (device.index() != old.index()) setDevice(device);
    return old;
  }
  void setDevice(c10::Device device) const override { set_current_device(device.index()); }
  void uncheckedSetDevice(c10::Device device) const noexcept override { current_index = device.index(); }
  c10::DeviceIndex deviceCount() const noexcept override { return static_cast<c10::DeviceIndex>(tp_device_count()); }

  c10::DeviceCapability getDeviceCapability(c10::Device) const override {
    c10::DeviceCapability capability;
    capability.capability_data.capability_bits = 0;
#define DTYPE(e, name, torch, hlo, pjrt, bytes, cls) \
  if ((torch) < c10::NUMBER_OF_DEVICE_CAPABILITIES) capability.capability_data.capability_bits |= 1ULL << (torch);
#include "base/dtype.def"
#undef DTYPE
    return capability;
  }

  c10::Stream stream_at(c10::Device device, c10::StreamId id) const {
    return c10::Stream(c10::Stream::UNSAFE, c10::Device(kDevice, device_index(device)), id);
  }
  c10::Stream getStream(c10::Device device) const override {
    return stream_at(device, current_streams[static_cast<size_t>(device_index(device))]);
  }
  c10::Stream getDefaultStream(c10::Device device) const override { return stream_at(device, 0); }
  c10::Stream getNewStream(c10::Device device, int) const override { return stream_at(device, ++last_stream); }
  c10::Stream getStreamFromGlobalPool(c10::Device device, bool) const override { return getNewStream(device, 0); }
  c10::Stream exchangeStream(c10::Stream stream) const override {
    const c10::Stream old = getStream(stream.device());
    current_streams[static_cast<size_t>(device_index(stream.device()))] = stream.id();
    return old;
  }
  void* getStreamNativeHandle(const c10::Stream stream) const override {
    return reinterpret_cast<void*>(stream.id());
  }
  bool queryStream(const c10::Stream& stream) const override {
    bool done = false;
    TP_THROW_IF(tp_mark_done(stream.device_index(), tp_mark(stream.device_index()), &done));
    return done;
  }
  void synchronizeStream(const c10::Stream& stream) const override { TP_THROW_IF(tp_synchronize(stream.device_index())); }
  void synchronizeDevice(const c10::DeviceIndex index) const override {
    TP_THROW_IF(tp_synchronize(device_index(c10::Device(kDevice, index))));
  }

  void destroyEvent(void* event, const c10::DeviceIndex) const noexcept override { delete static_cast<Event*>(event); }
  void record(void** event, const c10::Stream& stream, const c10::DeviceIndex, const c10::EventFlag flag) const override {
    if (!*event) *event = new Event{};
    Event& e = *static_cast<Event*>(*event);
    {
      std::lock_guard<std::mutex> lock(e.mutex);
      e.device = stream.device_index();
      e.mark = tp_mark(e.device);
      e.timed = flag == c10::EventFlag::BACKEND_DEFAULT;
      e.done = false;
      e.recorded = now_ms();
    }
    if (e.timed && asking_cuts_nothing()) poll_event(e, false);
  }
  void block(void*, const c10::Stream&) const override {}
  bool queryEvent(void* event) const override { return !event || poll_event(*static_cast<Event*>(event), false); }
  void synchronizeEvent(void* event) const override {
    if (event) poll_event(*static_cast<Event*>(event), true);
  }
  double elapsedTime(void* start, void* end, const c10::DeviceIndex) const override {
    TORCH_CHECK(start && end, "Both events must be recorded before calculating elapsed time.");
    Event &a = *static_cast<Event*>(start), &b = *static_cast<Event*>(end);
    TORCH_CHECK(a.timed && b.timed, "Both events must be created with argument 'enable_timing=True'.");
    TORCH_CHECK(poll_event(a, false) && poll_event(b, false),
                "Both events must be completed before calculating elapsed time.");
    return b.finished - a.recorded;
  }
};

} // namespace

c10::DeviceIndex current_device() { return current_index; }

void set_current_device(c10::DeviceIndex index) {
  TP_THROW_IF(tp_device_check(index));
  current_index = index;
}

c10::DeviceIndex device_index(c10::Device device) {
  TORCH_CHECK(device.type() == kDevice, "a ", c10::get_privateuse1_backend(), " device must be given; got ", device.str());
  if (device.index() < 0) return current_index;
  TP_THROW_IF(tp_device_check(device.index()));
  return device.index();
}

void register_guard() {
  static auto* guard = new Guard;
  c10::impl::device_guard_impl_registry[static_cast<size_t>(kDevice)].store(guard);
}

} // namespace torch_pjrt
