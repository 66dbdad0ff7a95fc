/* Which plugin and how many devices, known without opening anything: from the environment and the PCI bus. */
#ifndef TP_TRACE_HARDWARE_H
#define TP_TRACE_HARDWARE_H

#include "base/status.h"

/* Never changes in a process. */
tp_status hardware_device_count(int *out_count);

#endif
