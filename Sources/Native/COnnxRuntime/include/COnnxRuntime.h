// ONNX Runtime's C API, declared by hand: no header or library of it is needed to build. `OrtApi` is a table
// of function pointers that only ever grows at its end, so a slot number means the same in every release that
// offers API version 15 (ONNX Runtime 1.15) or a later one.
#ifndef BREEZE_CONNXRUNTIME_H
#define BREEZE_CONNXRUNTIME_H

#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
// The parameters below say what may be NULL; repeating it in each cast to a slot's type would say nothing more.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-completeness"
#endif

typedef const void *_Nullable const *ort_api;  // the slot table
typedef struct ort_status ort_status;
typedef struct ort_env ort_env;
typedef struct ort_session ort_session;
typedef struct ort_session_options ort_session_options;
typedef struct ort_run_options ort_run_options;
typedef struct ort_memory_info ort_memory_info;
typedef struct ort_allocator ort_allocator;
typedef struct ort_value ort_value;
typedef struct ort_type_info ort_type_info;
typedef struct ort_tensor_info ort_tensor_info;

enum { ORT_API_VERSION = 15 };
enum { ORT_LOG_FATAL = 4, ORT_OPTIMIZE_ALL = 99, ORT_ARENA_ALLOCATOR = 1, ORT_MEMORY_DEFAULT = 0 };
enum {  // OrtErrorCode
    ORT_FAIL = 1,
    ORT_INVALID_ARGUMENT = 2,
    ORT_NO_SUCH_FILE = 3,
    ORT_NO_MODEL = 4,
    ORT_INVALID_PROTOBUF = 7,
    ORT_INVALID_GRAPH = 10
};

// What dlsym found as OrtGetApiBase.
typedef void *ort_base_symbol;

// NULL where the library is older than the version asked for.
ort_api _Nullable ort_get_api(ort_base_symbol symbol, uint32_t version);
const char *ort_version(ort_base_symbol symbol);
// The file that holds the symbol, as the loader knows it; NULL where the loader cannot tell.
const char *_Nullable ort_library_path(ort_base_symbol symbol);

#define ORT_SLOT(slot, result, ...) ((result(*)(__VA_ARGS__))api[slot])
#define ORT_CALL static inline ort_status *_Nullable

static inline int ort_status_code(ort_api api, const ort_status *status) {
    return ORT_SLOT(1, int, const ort_status *)(status);
}
static inline const char *ort_status_message(ort_api api, const ort_status *status) {
    return ORT_SLOT(2, const char *, const ort_status *)(status);
}
static inline const char *ort_build_info(ort_api api) { return ORT_SLOT(254, const char *, void)(); }

// Releasing: each takes NULL and ignores it.
static inline void ort_release_env(ort_api api, ort_env *_Nullable env) {
    ORT_SLOT(92, void, ort_env *)(env);
}
static inline void ort_release_status(ort_api api, ort_status *_Nullable status) {
    ORT_SLOT(93, void, ort_status *)(status);
}
static inline void ort_release_memory_info(ort_api api, ort_memory_info *_Nullable info) {
    ORT_SLOT(94, void, ort_memory_info *)(info);
}
static inline void ort_release_session(ort_api api, ort_session *_Nullable session) {
    ORT_SLOT(95, void, ort_session *)(session);
}
static inline void ort_release_value(ort_api api, ort_value *_Nullable value) {
    ORT_SLOT(96, void, ort_value *)(value);
}
static inline void ort_release_run_options(ort_api api, ort_run_options *_Nullable options) {
    ORT_SLOT(97, void, ort_run_options *)(options);
}
static inline void ort_release_type_info(ort_api api, ort_type_info *_Nullable info) {
    ORT_SLOT(98, void, ort_type_info *)(info);
}
static inline void ort_release_tensor_info(ort_api api, ort_tensor_info *_Nullable info) {
    ORT_SLOT(99, void, ort_tensor_info *)(info);
}
static inline void ort_release_session_options(ort_api api, ort_session_options *_Nullable options) {
    ORT_SLOT(100, void, ort_session_options *)(options);
}

// Everything below returns NULL, or a status that the caller releases. `out` is owned by the caller unless
// said.

ORT_CALL ort_create_env(ort_api api, int log_level, const char *name, ort_env *_Nullable *_Nonnull out) {
    return ORT_SLOT(3, ort_status *, int, const char *, ort_env **)(log_level, name, out);
}
ORT_CALL ort_disable_telemetry(ort_api api, const ort_env *env) {
    return ORT_SLOT(6, ort_status *, const ort_env *)(env);
}

// Session options
ORT_CALL ort_create_session_options(ort_api api, ort_session_options *_Nullable *_Nonnull out) {
    return ORT_SLOT(10, ort_status *, ort_session_options **)(out);
}
ORT_CALL ort_set_optimization(ort_api api, ort_session_options *options, int level) {
    return ORT_SLOT(23, ort_status *, ort_session_options *, int)(options, level);
}
ORT_CALL ort_set_intra_threads(ort_api api, ort_session_options *options, int count) {
    return ORT_SLOT(24, ort_status *, ort_session_options *, int)(options, count);
}
ORT_CALL ort_set_inter_threads(ort_api api, ort_session_options *options, int count) {
    return ORT_SLOT(25, ort_status *, ort_session_options *, int)(options, count);
}
ORT_CALL ort_add_config(ort_api api, ort_session_options *options, const char *key, const char *value) {
    return ORT_SLOT(130, ort_status *, ort_session_options *, const char *, const char *)(options, key,
                                                                                          value);
}

// Sessions and what they declare. Names come from the allocator and go back to it with ort_free.
ORT_CALL ort_create_session(ort_api api, const ort_env *env, const char *path,
                            const ort_session_options *options, ort_session *_Nullable *_Nonnull out) {
    return ORT_SLOT(7, ort_status *, const ort_env *, const char *, const ort_session_options *,
                    ort_session **)(env, path, options, out);
}
ORT_CALL ort_input_count(ort_api api, const ort_session *session, size_t *out) {
    return ORT_SLOT(30, ort_status *, const ort_session *, size_t *)(session, out);
}
ORT_CALL ort_output_count(ort_api api, const ort_session *session, size_t *out) {
    return ORT_SLOT(31, ort_status *, const ort_session *, size_t *)(session, out);
}
ORT_CALL ort_input_type(ort_api api, const ort_session *session, size_t index,
                        ort_type_info *_Nullable *_Nonnull out) {
    return ORT_SLOT(33, ort_status *, const ort_session *, size_t, ort_type_info **)(session, index, out);
}
ORT_CALL ort_output_type(ort_api api, const ort_session *session, size_t index,
                         ort_type_info *_Nullable *_Nonnull out) {
    return ORT_SLOT(34, ort_status *, const ort_session *, size_t, ort_type_info **)(session, index, out);
}
ORT_CALL ort_input_name(ort_api api, const ort_session *session, size_t index, ort_allocator *allocator,
                        char *_Nullable *_Nonnull out) {
    return ORT_SLOT(36, ort_status *, const ort_session *, size_t, ort_allocator *, char **)(
        session, index, allocator, out);
}
ORT_CALL ort_output_name(ort_api api, const ort_session *session, size_t index, ort_allocator *allocator,
                         char *_Nullable *_Nonnull out) {
    return ORT_SLOT(37, ort_status *, const ort_session *, size_t, ort_allocator *, char **)(
        session, index, allocator, out);
}
ORT_CALL ort_free(ort_api api, ort_allocator *allocator, void *memory) {
    return ORT_SLOT(76, ort_status *, ort_allocator *, void *)(allocator, memory);
}
// The allocator belongs to the library and is never released.
ORT_CALL ort_default_allocator(ort_api api, ort_allocator *_Nullable *_Nonnull out) {
    return ORT_SLOT(78, ort_status *, ort_allocator **)(out);
}
// `out` is a view into `info`, and NULL where the type is no tensor.
ORT_CALL ort_cast_to_tensor_info(ort_api api, const ort_type_info *info,
                                 const ort_tensor_info *_Nullable *_Nonnull out) {
    return ORT_SLOT(55, ort_status *, const ort_type_info *, const ort_tensor_info **)(info, out);
}
ORT_CALL ort_element_type(ort_api api, const ort_tensor_info *info, int *out) {
    return ORT_SLOT(60, ort_status *, const ort_tensor_info *, int *)(info, out);
}
ORT_CALL ort_dimension_count(ort_api api, const ort_tensor_info *info, size_t *out) {
    return ORT_SLOT(61, ort_status *, const ort_tensor_info *, size_t *)(info, out);
}
// A dimension that is known only at run time is -1.
ORT_CALL ort_dimensions(ort_api api, const ort_tensor_info *info, int64_t *_Nullable out, size_t count) {
    return ORT_SLOT(62, ort_status *, const ort_tensor_info *, int64_t *, size_t)(info, out, count);
}

// Running
ORT_CALL ort_create_run_options(ort_api api, ort_run_options *_Nullable *_Nonnull out) {
    return ORT_SLOT(39, ort_status *, ort_run_options **)(out);
}
// May be called on any thread while the run goes on; the run ends with a status before its next operator.
ORT_CALL ort_terminate(ort_api api, ort_run_options *options) {
    return ORT_SLOT(46, ort_status *, ort_run_options *)(options);
}
ORT_CALL ort_create_cpu_memory_info(ort_api api, int allocator, int memory,
                                    ort_memory_info *_Nullable *_Nonnull out) {
    return ORT_SLOT(69, ort_status *, int, int, ort_memory_info **)(allocator, memory, out);
}
// The value borrows `data`, which must outlive it.
ORT_CALL ort_create_tensor(ort_api api, const ort_memory_info *memory, void *data, size_t bytes,
                           const int64_t *_Nullable shape, size_t rank, int element_type,
                           ort_value *_Nullable *_Nonnull out) {
    return ORT_SLOT(49, ort_status *, const ort_memory_info *, void *, size_t, const int64_t *, size_t, int,
                    ort_value **)(memory, data, bytes, shape, rank, element_type, out);
}
ORT_CALL ort_run(ort_api api, ort_session *session, const ort_run_options *_Nullable options,
                 const char *_Nullable const *input_names, ort_value *_Nullable const *inputs,
                 size_t input_count, const char *_Nullable const *output_names, size_t output_count,
                 ort_value *_Nullable *_Nonnull outputs) {
    return ORT_SLOT(9, ort_status *, ort_session *, const ort_run_options *, const char *const *,
                    ort_value *const *, size_t, const char *const *, size_t, ort_value **)(
        session, options, input_names, inputs, input_count, output_names, output_count, outputs);
}
ORT_CALL ort_tensor_info_of(ort_api api, const ort_value *value, ort_tensor_info *_Nullable *_Nonnull out) {
    return ORT_SLOT(65, ort_status *, const ort_value *, ort_tensor_info **)(value, out);
}
ORT_CALL ort_element_count(ort_api api, const ort_tensor_info *info, size_t *out) {
    return ORT_SLOT(64, ort_status *, const ort_tensor_info *, size_t *)(info, out);
}
// A view into `value`.
ORT_CALL ort_tensor_data(ort_api api, ort_value *value, void *_Nullable *_Nonnull out) {
    return ORT_SLOT(51, ort_status *, ort_value *, void **)(value, out);
}

#undef ORT_CALL
#undef ORT_SLOT

#if defined(__clang__)
#pragma clang diagnostic pop
#pragma clang assume_nonnull end
#endif

#endif
