// The one place where a status of the core becomes a C++ exception.
#pragma once

#include "Core.h"

#include <c10/macros/Macros.h>

namespace torch_pjrt {

// Takes ownership of |status| (not NULL) and throws the c10 error of its kind.  TP_INTERRUPTED rethrows the Python error
// that the signal handler left on this thread.
[[noreturn]] void throw_status(tp_status status);

} // namespace torch_pjrt

#define TP_THROW_IF(expr)                                                     \
  do {                                                                        \
    tp_status throw_status_ = (expr);                                         \
    if (C10_UNLIKELY(throw_status_ != nullptr)) ::torch_pjrt::throw_status(throw_status_); \
  } while (0)
