#include "Exception.h"

#include <torch/csrc/Exceptions.h>

#include <string>

namespace torch_pjrt {

[[noreturn]] static void rethrow_python_error() {
  python_error error;
  error.persist();
  throw error;
}

void throw_status(tp_status status) {
  const tp_kind kind = tp_status_kind(status);
  std::string message = tp_status_message(status);
  // The core's own place of origin is gone with |status|; its message names the op.
  const c10::SourceLocation where{__func__, __FILE__, __LINE__};
  tp_status_free(status);
  switch (kind) {
    case TP_INDEX: throw c10::IndexError(where, std::move(message));
    case TP_VALUE: throw c10::ValueError(where, std::move(message));
    case TP_TYPE: throw c10::TypeError(where, std::move(message));
    case TP_NOT_IMPLEMENTED: throw c10::NotImplementedError(where, std::move(message));
    case TP_OUT_OF_MEMORY: throw c10::OutOfMemoryError(where, std::move(message));
    case TP_LINALG: throw c10::LinAlgError(where, std::move(message));
    case TP_INTERRUPTED: rethrow_python_error();
    case TP_RUNTIME: break;
  }
  throw c10::Error(where, std::move(message));
}

} // namespace torch_pjrt
