#include "pjrt/call.h"

PJRT_Buffer_Type pj_buffer_type(tp_dtype t) {
    static const PJRT_Buffer_Type table[TP_DTYPE_COUNT] = {
#define DTYPE(e, name, torch, hlo, pjrt, bytes, cls) [TP_##e] = PJRT_Buffer_Type_##pjrt,
#include "base/dtype.def"
#undef DTYPE
    };
    return (unsigned)t < TP_DTYPE_COUNT ? table[t] : PJRT_Buffer_Type_INVALID;
}

void pj_buffer_destroy(const pj_client *c, pj_buffer *b) {
    if (!b) return;
    tp_status_free(pj_call(c->api, PJRT_Buffer_Destroy, &PJRT_ARGS(PJRT_Buffer_Destroy, .buffer = pj_buffer_raw(b))));
}

tp_status pj_buffer_from_host(pj_client *c, int device, const tp_type *type, const void *data,
                              pj_buffer **out_buffer) {
    TP_TRY(pj_check_device(c, device));
    if (type->dtype == TP_NO_DTYPE || type->dtype >= TP_DTYPE_COUNT || type->rank > TP_MAX_RANK)
        return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME,
                       "a buffer must have a dtype and at most %d dimensions; got dtype number %d and %d dimensions",
                       TP_MAX_RANK, type->dtype, type->rank);
    static const char nothing[16];
    PJRT_Client_BufferFromHostBuffer_Args args =
        PJRT_ARGS(PJRT_Client_BufferFromHostBuffer, .client = c->client, .data = data ? data : nothing,
                  .type = pj_buffer_type((tp_dtype)type->dtype), .dims = type->dims, .num_dims = type->rank,
                  .host_buffer_semantics = PJRT_HostBufferSemantics_kImmutableOnlyDuringCall,
                  .device = c->devices[device].device);
    if (!data && tp_type_numel(type) != 0)
        return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME, "an upload must have data; got NULL");
    TP_TRY(pj_call(c->api, PJRT_Client_BufferFromHostBuffer, &args));
    pj_event_destroy(c, (pj_event *)args.done_with_host_buffer);
    *out_buffer = (pj_buffer *)args.buffer;
    return NULL;
}

/* Host layout of a download: left open, a plugin would give the bytes in the order of its device layout. */
tp_status pj_buffer_to_host(pj_client *c, pj_buffer *b, const tp_type *type, void *dst, size_t bytes,
                            pj_event **out_event) {
    size_t needed = tp_type_bytes(type);
    if (bytes < needed) {
        char text[256];
        return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME, "a download of %s must have room for %zu bytes; got %zu",
                       tp_type_format(type, text, sizeof text), needed, bytes);
    }
    int64_t minor_to_major[TP_MAX_RANK];
    for (int i = 0; i < type->rank; i++) minor_to_major[i] = type->rank - 1 - i;
    PJRT_Buffer_MemoryLayout layout = {
        .struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE,
        .tiled = {.struct_size = PJRT_Buffer_MemoryLayout_Tiled_STRUCT_SIZE,
                  .minor_to_major = minor_to_major,
                  .minor_to_major_size = type->rank},
        .type = PJRT_Buffer_MemoryLayout_Type_Tiled,
    };
    char nothing;
    PJRT_Buffer_ToHostBuffer_Args args =
        PJRT_ARGS(PJRT_Buffer_ToHostBuffer, .src = pj_buffer_raw(b), .dst = dst ? dst : &nothing, .dst_size = bytes,
                  .host_layout = type->rank > 1 ? &layout : NULL);
    TP_TRY(pj_call(c->api, PJRT_Buffer_ToHostBuffer, &args));
    *out_event = (pj_event *)args.event;
    return NULL;
}

static bool row_major(pj_client *c, pj_buffer *b) {
    PJRT_Buffer_GetMemoryLayout_Args args = PJRT_ARGS(PJRT_Buffer_GetMemoryLayout, .buffer = pj_buffer_raw(b));
    tp_status s = pj_call(c->api, PJRT_Buffer_GetMemoryLayout, &args);
    bool dense = !s && args.layout.type == PJRT_Buffer_MemoryLayout_Type_Tiled && args.layout.tiled.num_tiles == 0;
    for (size_t i = 0, n = args.layout.tiled.minor_to_major_size; dense && i < n; i++)
        dense = args.layout.tiled.minor_to_major[i] == (int64_t)(n - 1 - i);
    tp_status_free(s);
    return dense;
}

static const void *address(pj_client *c, pj_buffer *b) {
    if (!row_major(c, b)) return NULL;
    PJRT_Buffer_UnsafePointer_Args args = PJRT_ARGS(PJRT_Buffer_UnsafePointer, .buffer = pj_buffer_raw(b));
    tp_status s = pj_call(c->api, PJRT_Buffer_UnsafePointer, &args);
    if (!s) return (const void *)args.buffer_pointer;
    tp_status_free(s);
    return NULL;
}

const void *pj_buffer_host_pointer(pj_client *c, pj_buffer *b) { return c->host_pointers ? address(c, b) : NULL; }

void pj_buffer_probe(pj_client *c) {
    if (!c->host_memory) return;
    const int32_t sample[6] = {17, -3, 1 << 20, 5, 99, -70000};
    tp_type type = tp_type_make(TP_I32, 2, (int64_t[]){2, 3});
    pj_buffer *b = NULL;
    pj_event *ready = NULL;
    bool done = false;
    tp_status s = pj_buffer_from_host(c, 0, &type, sample, &b);
    if (!s) s = pj_buffer_ready_event(c, b, &ready);
    if (!s) s = pj_event_wait(c, ready, -1, &done);
    if (!s) {
        const void *p = address(c, b);
        c->host_pointers = p && memcmp(p, sample, sizeof sample) == 0;
    }
    tp_status_free(s);
    pj_event_destroy(c, ready);
    pj_buffer_destroy(c, b);
}

tp_status pj_buffer_ready_event(pj_client *c, pj_buffer *b, pj_event **out_event) {
    PJRT_Buffer_ReadyEvent_Args args = PJRT_ARGS(PJRT_Buffer_ReadyEvent, .buffer = pj_buffer_raw(b));
    TP_TRY(pj_call(c->api, PJRT_Buffer_ReadyEvent, &args));
    *out_event = (pj_event *)args.event;
    return NULL;
}

tp_status pj_buffer_copy_to_device(pj_client *c, pj_buffer *b, int device, pj_buffer **out_buffer) {
    TP_TRY(pj_check_device(c, device));
    PJRT_Buffer_CopyToDevice_Args args =
        PJRT_ARGS(PJRT_Buffer_CopyToDevice, .buffer = pj_buffer_raw(b), .dst_device = c->devices[device].device);
    TP_TRY(pj_call(c->api, PJRT_Buffer_CopyToDevice, &args));
    *out_buffer = (pj_buffer *)args.dst_buffer;
    return NULL;
}
