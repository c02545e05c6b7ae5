// The ways to multiply, one file for each family of processors.
#ifndef VECTOR_KERNELS_H
#define VECTOR_KERNELS_H

#include "CVectorSearch.h"

typedef void sums_function(const int8_t *query, const int8_t *rows, size_t count, size_t dimension, int32_t *sums);

sums_function sums_portable;
uint64_t read_portable(const uint8_t *bytes, size_t count);

#if defined(__x86_64__)
sums_function sums_avx2, sums_avx512_vnni;
uint64_t read_avx2(const uint8_t *bytes, size_t count);
uint64_t read_avx512(const uint8_t *bytes, size_t count);
#elif defined(__aarch64__)
sums_function sums_neon, sums_neon_dot;
uint64_t read_neon(const uint8_t *bytes, size_t count);
#endif

static inline int32_t dot_from(
    size_t begin, const int8_t *query, const int8_t *row, size_t dimension
) {
    int32_t sum = 0;
    for (size_t i = begin; i < dimension; i++) sum += (int32_t)query[i] * row[i];
    return sum;
}

#endif
