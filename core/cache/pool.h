/* The compile pool: a few threads that run jobs in the order they came.  Threads start with the first job and never
 * touch Python.  All functions are thread-safe. */
#ifndef TP_CACHE_POOL_H
#define TP_CACHE_POOL_H

#include "base/status.h"

/* |run(arg)| on a pool thread; exactly once unless the process ends first.  After pool_close it is refused (UNAVAILABLE). */
tp_status cc_pool_submit(void (*run)(void *arg), void *arg);
/* Waits until no job is queued or running, |timeout_ms| at most; true if so. */
bool cc_pool_drain(int timeout_ms);
/* Refuses new jobs, drops queued ones, joins the threads; after |timeout_ms| they are left behind (false). */
bool cc_pool_close(int timeout_ms);

#endif
