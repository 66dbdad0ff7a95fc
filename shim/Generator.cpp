#include "Generator.h"

#include "Allocator.h"

#include <ATen/EmptyTensor.h>

#include <vector>

namespace torch_pjrt {
namespace {

constexpr size_t kStateBytes = 2 * sizeof(uint64_t);

struct Generator final : c10::GeneratorImpl {
  Generator(c10::DeviceIndex index, tp_generator* handle, bool owned)
      : c10::GeneratorImpl(c10::Device(kDevice, index), c10::DispatchKeySet(c10::DispatchKey::PrivateUse1)),
        handle(handle), owned(owned) {
    TORCH_CHECK(handle, "a generator needs memory; none is left");
  }
  ~Generator() override {
    if (owned) tp_generator_destroy(handle);
  }

  std::pair<uint64_t, uint64_t> get() const {
    uint64_t seed = 0, offset = 0;
    tp_generator_get(handle, &seed, &offset);
    return {seed, offset};
  }
  void set_current_seed(uint64_t seed) override { tp_generator_set(handle, seed, 0); }
  void set_offset(uint64_t offset) override { tp_generator_set(handle, get().first, offset); }
  uint64_t get_offset() const override { return get().second; }
  uint64_t current_seed() const override { return get().first; }
  uint64_t seed() override {
    const uint64_t seed = c10::detail::getNonDeterministicRandom();
    set_current_seed(seed);
    return seed;
  }

  void set_state(const c10::TensorImpl& state) override {
    TORCH_CHECK_TYPE(state.device_type() == c10::kCPU && c10::typeMetaToScalarType(state.dtype()) == c10::kByte,
                     "RNG state must be a torch.ByteTensor on the CPU; got ", state.dtype(), " on ", state.device().str());
    TORCH_CHECK(state.numel() == static_cast<int64_t>(kStateBytes) && state.is_contiguous(),
                "RNG state must be ", kStateBytes, " contiguous bytes (seed, offset); got ", state.numel());
    uint64_t words[2];
    memcpy(words, state.data(), kStateBytes);
    tp_generator_set(handle, words[0], words[1]);
  }
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override {
    auto state = at::detail::empty_cpu({static_cast<int64_t>(kStateBytes)}, c10::kByte);
    const uint64_t words[2] = {get().first, get().second};
    memcpy(state.mutable_data_ptr(), words, kStateBytes);
    return state.getIntrusivePtr();
  }
  Generator* clone_impl() const override {
    auto* copy = new Generator(device_.index(), tp_generator_create(device_.index()), true);
    tp_generator_set(copy->handle, get().first, get().second);
    return copy;
  }

  tp_generator* handle;
  bool owned;
};

} // namespace

const at::Generator& default_generator(c10::DeviceIndex index) {
  static auto* generators = [] {
    auto* made = new std::vector<at::Generator>;
    for (int i = 0; i < tp_device_count(); i++) {
      tp_generator* handle = tp_default_generator(i);
      tp_generator_set(handle, c10::default_rng_seed_val, 0);
      made->push_back(at::make_generator<Generator>(static_cast<c10::DeviceIndex>(i), handle, false));
    }
    return made;
  }();
  TP_THROW_IF(tp_device_check(index));
  return (*generators)[static_cast<size_t>(index)];
}

at::Generator make_generator(c10::DeviceIndex index) {
  TP_THROW_IF(tp_device_check(index));
  auto generator = at::make_generator<Generator>(index, tp_generator_create(index), true);
  generator.set_current_seed(c10::default_rng_seed_val);
  return generator;
}

tp_generator* generator_of(const at::Generator& g) {
  TORCH_CHECK(g.device().type() == kDevice, "Expected a '", c10::get_privateuse1_backend(),
              "' device type for generator but found '", g.device().type(), "'");
  return static_cast<Generator*>(g.unsafeGetGeneratorImpl())->handle;
}

} // namespace torch_pjrt
