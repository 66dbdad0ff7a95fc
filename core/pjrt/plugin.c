#include "pjrt/call.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* 0.57 reordered the table of entry points, so an older plugin's table cannot be read with today's header. */
enum { MIN_MINOR = 57 };
enum { STDERR_KEPT = 4096 }; /* bytes of plugin output quoted in an error */

tp_status pj_error_take(const PJRT_Api *api, const char *fn, PJRT_Error *error) {
    if (!error) return NULL;
    PJRT_Error_GetCode_Args code = PJRT_ARGS(PJRT_Error_GetCode, .error = error);
    PJRT_Error *nested = api->PJRT_Error_GetCode(&code);
    if (nested) {
        api->PJRT_Error_Destroy(&PJRT_ARGS(PJRT_Error_Destroy, .error = nested));
        code.code = PJRT_Error_Code_UNKNOWN;
    }
    PJRT_Error_Message_Args text = PJRT_ARGS(PJRT_Error_Message, .error = error);
    api->PJRT_Error_Message(&text);
    tp_code c = code.code >= 1 && code.code <= 16 ? (tp_code)code.code : TP_UNKNOWN;
    tp_kind kind = c == TP_RESOURCE_EXHAUSTED ? TP_OUT_OF_MEMORY : TP_RUNTIME;
    int len = text.message ? (int)(text.message_size < 1 << 20 ? text.message_size : 1 << 20) : 0;
    tp_status s = TP_FAIL(c, kind, "%s failed: %.*s", fn, len, text.message ? text.message : "");
    api->PJRT_Error_Destroy(&PJRT_ARGS(PJRT_Error_Destroy, .error = error));
    return s;
}

tp_status pj_absent(const char *fn) {
    return TP_FAIL(TP_UNIMPLEMENTED, TP_NOT_IMPLEMENTED, "the PJRT plugin must offer %s; it does not", fn);
}

static tp_status check_version(const char *path, const PJRT_Api *api) {
    if (api->struct_size < offsetof(PJRT_Api, PJRT_Error_Destroy))
        return TP_FAIL(TP_FAILED_PRECONDITION, TP_RUNTIME,
                       "a PJRT plugin's table must hold its version; that of '%s' has %zu bytes", path,
                       api->struct_size);
    int major = api->pjrt_api_version.major_version, minor = api->pjrt_api_version.minor_version;
    if (major != PJRT_API_MAJOR || minor < MIN_MINOR)
        return TP_FAIL(TP_FAILED_PRECONDITION, TP_RUNTIME,
                       "a PJRT plugin must have API version %d.%d or a later %d.x; '%s' has %d.%d", PJRT_API_MAJOR,
                       MIN_MINOR, PJRT_API_MAJOR, path, major, minor);
    if (!PJRT_HAS(api, PJRT_Error_Destroy) || !PJRT_HAS(api, PJRT_Error_Message) ||
        !PJRT_HAS(api, PJRT_Error_GetCode))
        return TP_FAIL(TP_FAILED_PRECONDITION, TP_RUNTIME,
                       "a PJRT plugin must be able to describe its errors; '%s' lacks PJRT_Error entry points", path);
    return NULL;
}

tp_status pj_plugin_load(const char *path, const PJRT_Api **out_api) {
    if (access(path, R_OK) != 0)
        return TP_FAIL(TP_NOT_FOUND, TP_RUNTIME, "a PJRT plugin must be a readable file; '%s' is not", path);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *why = dlerror();
        return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME, "a PJRT plugin must be a loadable shared object; '%s': %s",
                       path, why ? why : "unknown reason");
    }
    /* ISO C has no cast from object to function pointer; POSIX gives both one representation. */
    union {
        void *object;
        const PJRT_Api *(*function)(void);
    } entry = {.object = dlsym(library, "GetPjrtApi")};
    if (!entry.object) {
        dlclose(library);
        return TP_FAIL(TP_INVALID_ARGUMENT, TP_RUNTIME,
                       "a PJRT plugin must export GetPjrtApi; '%s' is a shared object that does not", path);
    }
    const PJRT_Api *api = entry.function();
    if (!api)
        return TP_FAIL(TP_FAILED_PRECONDITION, TP_RUNTIME, "GetPjrtApi must return a table; '%s' returned none", path);
    TP_TRY(check_version(path, api));
    PJRT_Plugin_Initialize_Args init = PJRT_ARGS(PJRT_Plugin_Initialize, .extension_start = NULL);
    TP_TRY(pj_call(api, PJRT_Plugin_Initialize, &init));
    *out_api = api;
    return NULL;
}

void pj_silence_begin(pj_silence *s) {
    s->saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    s->sink = s->saved < 0 ? -1 : memfd_create("plugin-stderr", MFD_CLOEXEC);
    if (s->sink >= 0 && dup2(s->sink, STDERR_FILENO) >= 0) return;
    if (s->sink >= 0) close(s->sink);
    if (s->saved >= 0) close(s->saved);
    s->saved = s->sink = -1;
}

char *pj_silence_end(pj_silence *s) {
    if (s->saved < 0) return NULL;
    dup2(s->saved, STDERR_FILENO);
    close(s->saved);
    char *text = NULL;
    off_t size = lseek(s->sink, 0, SEEK_END);
    /* The end is kept, not the start: the reason for a failure is what was printed last. */
    off_t keep = size < STDERR_KEPT ? size : STDERR_KEPT;
    if (keep > 0 && (text = malloc((size_t)keep + 1))) {
        ssize_t n = pread(s->sink, text, (size_t)keep, size - keep);
        while (n > 0 && text[n - 1] == '\n') n--;
        text[n > 0 ? n : 0] = 0;
    }
    close(s->sink);
    return text;
}
