// dladdr and dladdr1 are GNU extensions on Linux; Swift does not see them there.
#define _GNU_SOURCE
#include "CLiteRt.h"

#include <dlfcn.h>
#include <string.h>

#if defined(__GLIBC__)
#include <link.h>
#endif

#define SYMBOL(member, name) {offsetof(litert_api, member), "LiteRt" name}

static const struct {
    size_t offset;
    const char *name;
} symbols[] = {
    SYMBOL(create_environment, "CreateEnvironment"),
    SYMBOL(destroy_environment, "DestroyEnvironment"),
    SYMBOL(create_model_from_file, "CreateModelFromFile"),
    SYMBOL(destroy_model, "DestroyModel"),
    SYMBOL(signature, "GetModelSignature"),
    SYMBOL(input_count, "GetNumSignatureInputs"),
    SYMBOL(input_name, "GetSignatureInputName"),
    SYMBOL(input_tensor, "GetSignatureInputTensorByIndex"),
    SYMBOL(output_count, "GetNumSignatureOutputs"),
    SYMBOL(output_name, "GetSignatureOutputName"),
    SYMBOL(output_tensor, "GetSignatureOutputTensorByIndex"),
    SYMBOL(ranked_type, "GetRankedTensorType"),
    SYMBOL(create_options, "CreateOptions"),
    SYMBOL(destroy_options, "DestroyOptions"),
    SYMBOL(set_accelerators, "SetOptionsHardwareAccelerators"),
    SYMBOL(create_opaque_options, "CreateOpaqueOptions"),
    SYMBOL(destroy_opaque_options, "DestroyOpaqueOptions"),
    SYMBOL(add_opaque_options, "AddOpaqueOptions"),
    SYMBOL(create_compiled_model, "CreateCompiledModel"),
    SYMBOL(destroy_compiled_model, "DestroyCompiledModel"),
    SYMBOL(resize_input, "CompiledModelResizeInputTensor"),
    SYMBOL(input_requirements, "GetCompiledModelInputBufferRequirements"),
    SYMBOL(output_requirements, "GetCompiledModelOutputBufferRequirements"),
    SYMBOL(requirements_size, "GetTensorBufferRequirementsBufferSize"),
    SYMBOL(output_layouts, "GetCompiledModelOutputTensorLayouts"),
    SYMBOL(error_messages, "CompiledModelGetErrorMessages"),
    SYMBOL(clear_errors, "CompiledModelClearErrors"),
    SYMBOL(create_buffer, "CreateManagedTensorBuffer"),
    SYMBOL(destroy_buffer, "DestroyTensorBuffer"),
    SYMBOL(lock_buffer, "LockTensorBuffer"),
    SYMBOL(unlock_buffer, "UnlockTensorBuffer"),
    SYMBOL(run, "RunCompiledModel"),
};
enum { COUNT = sizeof symbols / sizeof symbols[0] };
_Static_assert(sizeof(litert_api) == COUNT * sizeof(void *), "a member without its symbol");

const char *litert_bind(void *library, litert_api *out) {
    for (size_t index = 0; index < COUNT; index++) {
        void *address = dlsym(library, symbols[index].name);
        if (address == NULL) return symbols[index].name;
        memcpy((char *)out + symbols[index].offset, &address, sizeof address);
    }
    return NULL;
}

const char *litert_library_path(void *library) {
    void *address = dlsym(library, symbols[0].name);
    Dl_info info;
    return address != NULL && dladdr(address, &info) != 0 ? info.dli_fname : NULL;
}

size_t litert_table_size(void *library) {
#if defined(__GLIBC__)
    void *table = dlsym(library, "kLiteRtRuntimeBuiltin");
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    if (table == NULL || dladdr1(table, &info, (void **)&symbol, RTLD_DL_SYMENT) == 0) return 0;
    return symbol != NULL ? symbol->st_size : 0;
#else
    (void)library;
    return 0;
#endif
}
