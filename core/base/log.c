#include "base/log.h"

#include "base/env.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

unsigned tp_log_mask;

static const char *const names[TP_LOG_COUNT] = {"plugin", "kernel", "program", "launch", "cut"};

void tp_log_init(void) {
    tp_log_mask = 0;
    for (const char *p = tp_env_get(TP_ENV_LOG); p && *p;) {
        size_t n = strcspn(p, ",");
        int hit = -1;
        for (int i = 0; i < TP_LOG_COUNT; i++)
            if (strlen(names[i]) == n && !strncmp(names[i], p, n)) hit = i;
        if (hit >= 0)
            tp_log_mask |= 1u << hit;
        else if (n)
            fprintf(stderr, "torch-pjrt: %s has no topic '%.*s'\n", tp_env_name(TP_ENV_LOG), (int)n, p);
        p += n + (p[n] == ',');
    }
}

void tp_log_write(tp_log_topic topic, const char *fmt, ...) {
    char line[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    fprintf(stderr, "torch-pjrt %s: %s\n", names[topic], line);
}
