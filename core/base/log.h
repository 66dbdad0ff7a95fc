/* Topics of TORCH_PJRT_LOG.  A disabled topic costs one load and a branch. */
#ifndef TP_BASE_LOG_H
#define TP_BASE_LOG_H

#include <stdbool.h>

typedef enum { TP_LOG_PLUGIN, TP_LOG_KERNEL, TP_LOG_PROGRAM, TP_LOG_LAUNCH, TP_LOG_CUT, TP_LOG_COUNT } tp_log_topic;

extern unsigned tp_log_mask; /* bit per topic */
void tp_log_init(void);      /* reads TORCH_PJRT_LOG; an unknown topic is named once on stderr */
void tp_log_write(tp_log_topic topic, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#define TP_LOG(topic, ...)                                              \
    do {                                                                \
        if (__builtin_expect(tp_log_mask & (1u << (topic)), 0)) tp_log_write((topic), __VA_ARGS__); \
    } while (0)

#endif
