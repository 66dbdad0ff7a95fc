// Ops without a row run on the host: counted, named once on stderr, refused if TORCH_PJRT_FALLBACK=error.
#include "Allocator.h"
#include "Bind.h"
#include "Fallback.h"

#include <ATen/native/CPUFallback.h>

#include <mutex>
#include <set>

namespace torch_pjrt {
namespace {

struct Counters {
  std::mutex mutex;
  std::map<std::string, int64_t> counts;
  std::set<std::string> named;
};
Counters& counters() {
  static auto* c = new Counters;
  return *c;
}

bool refused() {
  static const char* const words[] = {"warn", "error"};
  int word = 0;
  TP_THROW_IF(tp_env_word(TP_ENV_FALLBACK, 2, words, 0, &word));
  return word == 1;
}

std::string why(const std::string& name) {
  const int row = at_row_find(name.rfind("aten::", 0) == 0 ? name.c_str() + 6 : name.c_str());
  return row >= 0 && at_row_get(row)->reason ? at_row_get(row)->reason : "no row for it yet";
}

void count(const std::string& name, const char* reason) {
  bool first;
  {
    std::lock_guard<std::mutex> lock(counters().mutex);
    counters().counts[name]++;
    first = counters().named.insert(name).second;
  }
  if (first)
    fprintf(stderr, "torch_pjrt: %s runs on the host (%s); torch.%s.fallbacks() counts such calls\n", name.c_str(),
            reason ? reason : why(name).c_str(), c10::get_privateuse1_backend().c_str());
}

void run(const c10::OperatorHandle& op, torch::jit::Stack* stack, const char* reason) {
  std::string name = op.schema().name();
  if (!op.schema().overload_name().empty()) name += "." + op.schema().overload_name();
  TORCH_CHECK_NOT_IMPLEMENTED(!refused(), name, " must have a row to run on ", c10::get_privateuse1_backend(),
                              " when TORCH_PJRT_FALLBACK=error; found ",
                              reason ? reason : why(name));
  count(name, reason);
  at::native::cpu_fallback(op, stack);
}

void fallback(const c10::OperatorHandle& op, torch::jit::Stack* stack) { run(op, stack, nullptr); }

} // namespace

void run_on_host(const c10::OperatorHandle& op, torch::jit::Stack* stack) { run(op, stack, "its row does not take these dtypes"); }

torch::CppFunction fallback_kernel() { return torch::CppFunction::makeFromBoxedFunction<&fallback>(); }

std::map<std::string, int64_t> fallback_counts(bool reset) {
  std::lock_guard<std::mutex> lock(counters().mutex);
  std::map<std::string, int64_t> counts = counters().counts;
  if (reset) counters().counts.clear();
  return counts;
}

void register_fallback() {
  static auto* all = new torch::Library(torch::Library::IMPL, "_", c10::DispatchKey::PrivateUse1, __FILE__, __LINE__);
  all->fallback(fallback_kernel());
}

} // namespace torch_pjrt
