// dladdr is a GNU extension on Linux; Swift does not see it there.
#define _GNU_SOURCE
#include "COnnxRuntime.h"

#include <dlfcn.h>

typedef struct {
    ort_api (*get_api)(uint32_t version);
    const char *(*get_version)(void);
} ort_base;

static const ort_base *base_of(ort_base_symbol symbol) { return ((const ort_base *(*)(void))symbol)(); }

ort_api ort_get_api(ort_base_symbol symbol, uint32_t version) { return base_of(symbol)->get_api(version); }

const char *ort_version(ort_base_symbol symbol) { return base_of(symbol)->get_version(); }

const char *ort_library_path(ort_base_symbol symbol) {
    Dl_info info;
    return dladdr(symbol, &info) != 0 ? info.dli_fname : NULL;
}
