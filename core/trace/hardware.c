#include "trace/hardware.h"

#include "trace/device.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

/* Google's PCI functions that are TPUs, with the devices a plugin makes of one chip. */
static const struct {
    unsigned id;
    int devices;
} tpu_functions[] = {{0x0027, 2} /* v2, v3 */, {0x005e, 1} /* v4 */, {0x0062, 1} /* v5p */, {0x0063, 1} /* v5e */, {0x006f, 1} /* v6e */, {0x0076, 2} /* TPU7x */};

static unsigned read_hex(const char *device, const char *file) {
    char path[512];
    unsigned value = 0;
    snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/%s", device, file);
    FILE *f = fopen(path, "r");
    if (!f) return 0;
    if (fscanf(f, "%x", &value) != 1) value = 0;
    fclose(f);
    return value;
}

static int scan_tpus(void) {
    DIR *bus = opendir("/sys/bus/pci/devices");
    if (!bus) return 0;
    int n = 0;
    for (struct dirent *e; (e = readdir(bus));) {
        if (e->d_name[0] == '.' || read_hex(e->d_name, "vendor") != 0x1ae0) continue;
        unsigned id = read_hex(e->d_name, "device");
        for (size_t i = 0; i < sizeof tpu_functions / sizeof *tpu_functions; i++)
            if (tpu_functions[i].id == id) n += tpu_functions[i].devices;
    }
    closedir(bus);
    return n;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int tpus;
static const char *embedded;

static void scan(void) { tpus = scan_tpus(); }

static int tpu_count(void) {
    pthread_once(&once, scan);
    return tpus;
}

static bool is_tpu_chosen(void) {
    const char *choice = tp_env_get(TP_ENV_PLUGIN);
    return choice ? !strcmp(choice, "tpu") : tpu_count() > 0;
}

tp_status hardware_device_count(int *out_count) {
    *out_count = 1;
    if (is_tpu_chosen()) {
        *out_count = tpu_count() ? tpu_count() : 1;
        if (*out_count > TP_MAX_DEVICES) *out_count = TP_MAX_DEVICES;
        return NULL;
    }
    int64_t n;
    tp_status s = tp_env_int(TP_ENV_CPU_DEVICES, 1, TP_MAX_DEVICES, 1, &n);
    *out_count = (int)n;
    return s;
}

bool tp_hardware_found(void) { return tp_env_get(TP_ENV_PLUGIN) || tpu_count() > 0; }

void tp_set_embedded_plugin(const char *path) {
    free((void *)(uintptr_t)embedded);
    embedded = path ? strdup(path) : NULL;
}

tp_status tp_plugin_path(const char **out_path) {
    const char *choice = tp_env_get(TP_ENV_PLUGIN);
    if (!choice) choice = tpu_count() ? "tpu" : "cpu";
    *out_path = choice;
    if (!strcmp(choice, "tpu")) {
        *out_path = "libtpu.so";
    } else if (!strcmp(choice, "neuron")) {
        *out_path = "libneuronpjrt.so";
    } else if (!strcmp(choice, "cpu")) {
        if (!embedded)
            return TP_FAIL(TP_NOT_FOUND, TP_RUNTIME, "the embedded CPU plugin (Python package xla-cpu-pjrt) must be installed; it was not found");
        *out_path = embedded;
    } else if (!strchr(choice, '/')) {
        return TP_FAIL(TP_INVALID_ARGUMENT, TP_VALUE, "%s must be 'cpu', 'tpu', 'neuron' or the path of a plugin; got '%s'",
                       tp_env_name(TP_ENV_PLUGIN), choice);
    }
    return NULL;
}
