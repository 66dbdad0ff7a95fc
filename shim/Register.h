// The parts of a registration, in the order Module.cpp runs them.  All of it lives as long as the process.
#pragma once

#include <c10/core/DispatchKey.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace torch { class Library; }

namespace torch_pjrt {

// The aten library at |key|.  Never destroyed.
torch::Library& aten_library(c10::DispatchKey key);
// Names ("empty.memory_format") bound by hand; rows leave these alone.
bool is_handwritten(const std::string& name);
void note_handwritten(const std::string& name);

void register_factories();
void register_views();
void register_storage();
void register_copies();
void register_fallback();
void register_attention();
void register_autocast();
void register_rows();  // throws if a signature does not fit PyTorch's schema, naming the op

// One row and the dispatcher names it is bound to.
struct RowForms {
  std::string row, kind;
  std::vector<std::string> forms;
};
const std::vector<RowForms>& row_forms();

std::map<std::string, int64_t> fallback_counts(bool reset);

} // namespace torch_pjrt
