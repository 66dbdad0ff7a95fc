#include "base/log.h"
#include "pjrt/call.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

static tp_status no_memory(void) {
    return TP_FAIL(TP_RESOURCE_EXHAUSTED, TP_OUT_OF_MEMORY, "host memory must hold a PJRT client; none left");
}

static tp_status copy_text(const char *text, size_t len, char **out_text) {
    *out_text = text ? strndup(text, len) : strdup("");
    return *out_text ? NULL : no_memory();
}

/* CPU plugins make as many virtual devices as cpu_device_count says.  Other plugins either ignore an option they do not
 * know or refuse it as an invalid argument, and are then asked again without it. */
static tp_status create(pj_client *c, const pj_open_options *options) {
    PJRT_NamedValue count = {.struct_size = PJRT_NamedValue_STRUCT_SIZE,
                             .name = "cpu_device_count",
                             .name_size = strlen("cpu_device_count"),
                             .type = PJRT_NamedValue_kInt64,
                             .value_size = 1};
    PJRT_Client_Create_Args args = PJRT_ARGS(PJRT_Client_Create, .create_options = &count);
    if (options && options->cpu_devices > 0) {
        count.int64_value = options->cpu_devices;
        args.num_options = 1;
    }
    tp_status s = pj_call(c->api, PJRT_Client_Create, &args);
    if (s && args.num_options && tp_status_code(s) == TP_INVALID_ARGUMENT) {
        tp_status_free(s);
        args = PJRT_ARGS(PJRT_Client_Create, .create_options = NULL);
        s = pj_call(c->api, PJRT_Client_Create, &args);
    }
    c->client = args.client;
    return s;
}

static tp_status describe(pj_client *c) {
    PJRT_Client_PlatformName_Args name = PJRT_ARGS(PJRT_Client_PlatformName, .client = c->client);
    TP_TRY(pj_call(c->api, PJRT_Client_PlatformName, &name));
    TP_TRY(copy_text(name.platform_name, name.platform_name_size, &c->platform));
    PJRT_Client_PlatformVersion_Args version = PJRT_ARGS(PJRT_Client_PlatformVersion, .client = c->client);
    TP_TRY(pj_call(c->api, PJRT_Client_PlatformVersion, &version));
    TP_TRY(copy_text(version.platform_version, version.platform_version_size, &c->version));
    c->host_memory = strcmp(c->platform, "cpu") == 0;
    return NULL;
}

static tp_status describe_device(pj_client *c, PJRT_Device *device, pj_device *d) {
    d->device = device;
    PJRT_Device_GetDescription_Args about = PJRT_ARGS(PJRT_Device_GetDescription, .device = device);
    TP_TRY(pj_call(c->api, PJRT_Device_GetDescription, &about));
    PJRT_DeviceDescription_Id_Args id =
        PJRT_ARGS(PJRT_DeviceDescription_Id, .device_description = about.device_description);
    TP_TRY(pj_call(c->api, PJRT_DeviceDescription_Id, &id));
    d->id = id.id;
    PJRT_DeviceDescription_Kind_Args kind =
        PJRT_ARGS(PJRT_DeviceDescription_Kind, .device_description = about.device_description);
    TP_TRY(pj_call(c->api, PJRT_DeviceDescription_Kind, &kind));
    return copy_text(kind.device_kind, kind.device_kind_size, &d->kind);
}

static tp_status list_devices(pj_client *c, const pj_open_options *options) {
    PJRT_Client_AddressableDevices_Args list = PJRT_ARGS(PJRT_Client_AddressableDevices, .client = c->client);
    TP_TRY(pj_call(c->api, PJRT_Client_AddressableDevices, &list));
    int wanted = c->host_memory && options && options->cpu_devices > 1 ? options->cpu_devices : 1;
    if (list.num_addressable_devices < (size_t)wanted)
        return TP_FAIL(TP_FAILED_PRECONDITION, TP_RUNTIME, "a PJRT plugin must offer %d device%s here; it has %zu",
                       wanted, wanted > 1 ? "s" : "", list.num_addressable_devices);
    c->devices = calloc(list.num_addressable_devices, sizeof *c->devices);
    if (!c->devices) return no_memory();
    c->ndevices = (int)list.num_addressable_devices;
    for (int i = 0; i < c->ndevices; i++)
        TP_TRY(describe_device(c, list.addressable_devices[i], &c->devices[i]));
    return NULL;
}

/* Only a client that failed to open comes here; one that opened lives as long as the process. */
static void discard(pj_client *c) {
    for (int i = 0; i < c->ndevices; i++) free(c->devices[i].kind);
    free(c->devices);
    if (c->client)
        tp_status_free(
            pj_call(c->api, PJRT_Client_Destroy, &PJRT_ARGS(PJRT_Client_Destroy, .client = c->client)));
    free(c->version);
    free(c->platform);
    free(c->path);
    free(c);
}

static tp_status open_client(pj_client *c, const pj_open_options *options) {
    TP_TRY(pj_plugin_load(c->path, &c->api));
    TP_TRY(create(c, options));
    TP_TRY(describe(c));
    TP_TRY(list_devices(c, options));
    pj_buffer_probe(c);
    return NULL;
}

static tp_status quote(tp_status s, const char *printed) {
    tp_status longer = TP_FAIL(tp_status_code(s), tp_status_kind(s), "%s\nThe plugin printed:\n%s",
                               tp_status_message(s), printed);
    tp_status_free(s);
    return longer;
}

tp_status pj_client_open(const char *path, const pj_open_options *options, pj_client **out_client) {
    TP_TRY(pj_check_xla_flags(getenv("XLA_FLAGS")));
    pj_client *c = calloc(1, sizeof *c);
    if (!c) return no_memory();
    if (!(c->path = strdup(path))) {
        free(c);
        return no_memory();
    }
    pthread_mutex_lock(&opening);
    pj_silence silence;
    pj_silence_begin(&silence);
    tp_status s = open_client(c, options);
    if (s) discard(c);
    char *printed = pj_silence_end(&silence);
    pthread_mutex_unlock(&opening);
    if (s) {
        s = tp_status_prefix(s, "cannot open the PJRT plugin '%s'", path);
        if (printed) s = quote(s, printed);
    } else {
        TP_LOG(TP_LOG_PLUGIN, "opened '%s': %s, %d device(s)%s%s", path, c->platform, c->ndevices,
               printed ? "; it printed: " : "", printed ? printed : "");
        *out_client = c;
    }
    free(printed);
    return s;
}

int pj_client_device_count(const pj_client *c) { return c->ndevices; }
const char *pj_client_platform(const pj_client *c) { return c->platform; }
const char *pj_client_version(const pj_client *c) { return c->version; }
const char *pj_client_path(const pj_client *c) { return c->path; }
bool pj_client_is_host_memory(const pj_client *c) { return c->host_memory; }

const char *pj_device_kind(const pj_client *c, int device) {
    return device >= 0 && device < c->ndevices ? c->devices[device].kind : "";
}

tp_status pj_check_device(const pj_client *c, int device) {
    if (device >= 0 && device < c->ndevices) return NULL;
    return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME, "a device number must be from 0 to %d; got %d", c->ndevices - 1,
                   device);
}

void pj_device_memory(const pj_client *c, int device, int64_t *out_in_use, int64_t *out_limit) {
    *out_in_use = *out_limit = -1;
    if (device < 0 || device >= c->ndevices) return;
    PJRT_Device_MemoryStats_Args args = PJRT_ARGS(PJRT_Device_MemoryStats, .device = c->devices[device].device);
    tp_status s = pj_call(c->api, PJRT_Device_MemoryStats, &args);
    if (!s) {
        *out_in_use = args.bytes_in_use;
        if (args.bytes_limit_is_set) *out_limit = args.bytes_limit;
    }
    tp_status_free(s);
}
