#include "Hooks.h"

#include "Allocator.h"
#include "Generator.h"
#include "Guard.h"

#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <c10/core/CPUAllocator.h>

#include <mutex>
#include <unordered_set>

namespace torch_pjrt {
namespace {

// Host memory that answers "yes" to is_pinned().  PJRT copies host bytes while a transfer is set up, so ordinary memory
// serves; what counts is that DataLoader(pin_memory=True) and is_pinned() behave.
struct PinnedAllocator final : c10::Allocator {
  c10::DataPtr allocate(size_t nbytes) override {
    c10::DataPtr host = c10::GetCPUAllocator()->allocate(nbytes);
    void* data = host.get();
    auto* owner = new Block{std::move(host), data};
    remember(data, true);
    return {data, owner, &free_block, c10::Device(c10::kCPU)};
  }
  void copy_data(void* dest, const void* src, size_t count) const override { default_copy_data(dest, src, count); }

  static bool contains(const void* data) {
    std::lock_guard<std::mutex> lock(mutex());
    return blocks().count(data) > 0;
  }

 private:
  struct Block {
    c10::DataPtr host;
    void* data;
  };
  static std::mutex& mutex() {
    static auto* m = new std::mutex;
    return *m;
  }
  static std::unordered_set<const void*>& blocks() {
    static auto* set = new std::unordered_set<const void*>;
    return *set;
  }
  static void remember(const void* data, bool live) {
    if (!data) return;
    std::lock_guard<std::mutex> lock(mutex());
    if (live) {
      blocks().insert(data);
    } else {
      blocks().erase(data);
    }
  }
  static void free_block(void* context) {
    auto* block = static_cast<Block*>(context);
    remember(block->data, false);
    delete block;
  }
};

struct Hooks final : at::PrivateUse1HooksInterface {
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return tp_hardware_found(); }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return tp_is_open(); }
  void init() const override {}

  c10::DeviceIndex deviceCount() const override { return static_cast<c10::DeviceIndex>(tp_device_count()); }
  c10::DeviceIndex getCurrentDevice() const override { return current_device(); }
  void setCurrentDevice(c10::DeviceIndex index) const override { set_current_device(index); }
  c10::DeviceIndex exchangeDevice(c10::DeviceIndex index) const override {
    const c10::DeviceIndex old = current_device();
    set_current_device(index);
    return old;
  }
  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex index) const override { return exchangeDevice(index); }

  const at::Generator& getDefaultGenerator(c10::DeviceIndex index) const override {
    return default_generator(index < 0 ? current_device() : index);
  }
  at::Generator getNewGenerator(c10::DeviceIndex index) const override {
    return make_generator(index < 0 ? current_device() : index);
  }

  c10::Device getDeviceFromPtr(void* data) const override {
    tp_cell* cell = tp_cell_at(data);
    TORCH_CHECK(cell, "a pointer must be the address of a live storage of this device; found ", data);
    return {kDevice, static_cast<c10::DeviceIndex>(tp_cell_device(cell))};
  }
  bool isPinnedPtr(const void* data) const override { return PinnedAllocator::contains(data); }
  c10::Allocator* getPinnedMemoryAllocator() const override {
    static auto* pinned = new PinnedAllocator;
    return pinned;
  }
  void resizePrivateUse1Bytes(const c10::Storage& storage, size_t nbytes) const override {
    resize_storage(*storage.unsafeGetStorageImpl(), nbytes);
  }
};

} // namespace

void register_hooks() { at::RegisterPrivateUse1HooksInterface(new Hooks); }

} // namespace torch_pjrt
