// LiteRT's C API as release 2.3.0 has it, declared by hand: no header or library of it is needed to build.
// The API is not stable (functions have gained parameters from one release to the next), so what stands here
// must not be called in a library of another release.
#ifndef BREEZE_CLITERT_H
#define BREEZE_CLITERT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

typedef struct litert_environment litert_environment;
typedef struct litert_model litert_model;
typedef struct litert_signature litert_signature;
typedef struct litert_tensor litert_tensor;
typedef struct litert_options litert_options;
typedef struct litert_opaque_options litert_opaque_options;
typedef struct litert_compiled_model litert_compiled_model;
typedef struct litert_requirements litert_requirements;
typedef struct litert_buffer litert_buffer;

enum {  // LiteRtStatus
    LITERT_OK = 0,
    LITERT_INVALID_ARGUMENT = 1,
    LITERT_UNSUPPORTED = 5
};
enum { LITERT_CPU = 1, LITERT_HOST_MEMORY = 1, LITERT_LOCK_READ = 0, LITERT_LOCK_WRITE = 1 };
enum { LITERT_FLOAT32 = 1, LITERT_INT32 = 2, LITERT_MAX_RANK = 8 };
enum {  // LiteRtEnvOptionTag
    LITERT_OPTION_ACCELERATORS = 24,
    LITERT_OPTION_LOG_SEVERITY = 25
};
enum { LITERT_ANY_INT = 2, LITERT_LOG_SILENT = 4 };

typedef struct {
    int32_t tag;
    struct {
        int32_t type;
        int64_t value;
    } any;
} litert_env_option;

typedef struct {
    uint32_t rank : 7;
    uint32_t has_strides : 1;
    int32_t dimensions[8];
    uint32_t strides[8];
} litert_layout;

typedef struct {
    int32_t element_type;
    litert_layout layout;
} litert_ranked_type;

_Static_assert(sizeof(litert_env_option) == 24, "LiteRtEnvOption");
_Static_assert(sizeof(litert_layout) == 68, "LiteRtLayout");
_Static_assert(sizeof(litert_ranked_type) == 72, "LiteRtRankedTensorType");

// Swift sees an array in a structure as a tuple, which it cannot index.
static inline int32_t litert_dimension(const litert_layout *layout, int index) {
    return layout->dimensions[index];
}
static inline void litert_set_dimension(litert_layout *layout, int index, int32_t size) {
    layout->dimensions[index] = size;
}

// Each returns a status. `out` is owned by the caller and goes back with the function named destroy_...,
// unless said otherwise.
typedef struct {
    int (*create_environment)(int count, const litert_env_option *options,
                              litert_environment *_Nullable *_Nonnull out);
    void (*destroy_environment)(litert_environment *environment);

    // The file is mapped for as long as the model lives.
    int (*create_model_from_file)(litert_environment *environment, const char *path,
                                  litert_model *_Nullable *_Nonnull out);
    void (*destroy_model)(litert_model *model);

    // Views into the model: signatures, tensors and names.
    int (*signature)(litert_model *model, size_t index, litert_signature *_Nullable *_Nonnull out);
    int (*input_count)(litert_signature *signature, size_t *out);
    int (*input_name)(litert_signature *signature, size_t index, const char *_Nullable *_Nonnull out);
    int (*input_tensor)(litert_signature *signature, size_t index, litert_tensor *_Nullable *_Nonnull out);
    int (*output_count)(litert_signature *signature, size_t *out);
    int (*output_name)(litert_signature *signature, size_t index, const char *_Nullable *_Nonnull out);
    int (*output_tensor)(litert_signature *signature, size_t index, litert_tensor *_Nullable *_Nonnull out);
    // A dimension that each run may choose is told as the size that stands in its place.
    int (*ranked_type)(litert_tensor *tensor, litert_ranked_type *out);

    int (*create_options)(litert_options *_Nullable *_Nonnull out);
    void (*destroy_options)(litert_options *options);
    int (*set_accelerators)(litert_options *options, int accelerators);
    // Takes `payload`, which `release` frees with the options, unless it fails.
    int (*create_opaque_options)(const char *identifier, void *payload, void (*release)(void *_Nullable),
                                 litert_opaque_options *_Nullable *_Nonnull out);
    void (*destroy_opaque_options)(litert_opaque_options *options);
    // Takes `opaque`, unless it fails.
    int (*add_opaque_options)(litert_options *options, litert_opaque_options *opaque);

    // The compiled model refers to the environment and to the model, which must outlive it; not to the
    // options.
    int (*create_compiled_model)(litert_environment *environment, litert_model *model,
                                 litert_options *options, litert_compiled_model *_Nullable *_Nonnull out);
    void (*destroy_compiled_model)(litert_compiled_model *compiled);
    int (*resize_input)(litert_compiled_model *compiled, size_t signature, size_t input,
                        const int *dimensions, size_t rank);
    // Views into the compiled model, good until the next resize.
    int (*input_requirements)(litert_compiled_model *compiled, size_t signature, size_t input,
                              litert_requirements *_Nullable *_Nonnull out);
    int (*output_requirements)(litert_compiled_model *compiled, size_t signature, size_t output,
                               litert_requirements *_Nullable *_Nonnull out);
    int (*requirements_size)(litert_requirements *requirements, size_t *out);
    // With `allocate` the resized inputs' shapes are passed on through the graph first.
    int (*output_layouts)(litert_compiled_model *compiled, size_t signature, size_t count, litert_layout *out,
                          bool allocate);
    // `out` is for the caller to free().
    int (*error_messages)(litert_compiled_model *compiled, char *_Nullable *_Nonnull out);
    int (*clear_errors)(litert_compiled_model *compiled);

    int (*create_buffer)(litert_environment *environment, int kind, const litert_ranked_type *type,
                         size_t size, litert_buffer *_Nullable *_Nonnull out);
    void (*destroy_buffer)(litert_buffer *buffer);
    int (*lock_buffer)(litert_buffer *buffer, void *_Nullable *_Nonnull out, int mode);
    int (*unlock_buffer)(litert_buffer *buffer);
    int (*run)(litert_compiled_model *compiled, size_t signature, size_t input_count,
               litert_buffer *_Nullable const *_Nullable inputs, size_t output_count,
               litert_buffer *_Nullable const *_Nullable outputs);
} litert_api;

// Looks everything up in an open library. NULL, or the first name that it lacks.
const char *_Nullable litert_bind(void *library, litert_api *out);
// The file that holds the library's functions, as the loader knows it; NULL where the loader cannot tell.
const char *_Nullable litert_library_path(void *library);
// What tells releases apart in the library itself: the size of the function table that it exports, which
// every release so far has changed. 0 where it exports none or the loader cannot tell.
size_t litert_table_size(void *library);
enum { LITERT_TABLE_SIZE = 1352 };

// LiteRT writes notes and errors to the C stream `stderr` while it loads a model, and no option keeps all of
// them back. Between the two calls what this thread writes to that stream is kept; what other threads write
// goes where it went before. The calls may nest across threads, not within one.
void litert_capture_begin(void);
// Puts at most `capacity` - 1 bytes and a NUL into `text`.
void litert_capture_end(char *text, size_t capacity);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
