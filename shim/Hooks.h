// What PyTorch asks of an accelerator outside of ops.
#pragma once

namespace torch_pjrt {

void register_hooks();

} // namespace torch_pjrt
