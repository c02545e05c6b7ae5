#include "kernels.h"

#if defined(__aarch64__)
#include <arm_neon.h>

// Each product fits in sixteen bits, two of them do not where both are -128 * -128: they are added in 32.
static inline int32x4_t products(int32x4_t sum, int8x16_t query, const int8_t *row) {
    const int8x16_t values = vld1q_s8(row);
    sum = vpadalq_s16(sum, vmull_s8(vget_low_s8(query), vget_low_s8(values)));
    return vpadalq_s16(sum, vmull_high_s8(query, values));
}

__attribute__((target("dotprod"))) static inline int32x4_t dot_products(
    int32x4_t sum, int8x16_t query, const int8_t *row
) {
    return vdotq_s32(sum, query, vld1q_s8(row));
}

// The same loop over either of the two; a function that is passed could not be inlined across targets.
#define SUMS(products)                                                                                   \
    const size_t whole = dimension & ~(size_t)15;                                                        \
    size_t row = 0;                                                                                      \
    for (; row + 4 <= count; row += 4) {                                                                 \
        const int8_t *r0 = rows + row * dimension, *r1 = r0 + dimension;                                 \
        const int8_t *r2 = r1 + dimension, *r3 = r2 + dimension;                                         \
        int32x4_t s0 = vdupq_n_s32(0), s1 = s0, s2 = s0, s3 = s0;                                        \
        for (size_t i = 0; i < whole; i += 16) {                                                         \
            const int8x16_t q = vld1q_s8(query + i);                                                     \
            s0 = products(s0, q, r0 + i);                                                                \
            s1 = products(s1, q, r1 + i);                                                                \
            s2 = products(s2, q, r2 + i);                                                                \
            s3 = products(s3, q, r3 + i);                                                                \
        }                                                                                                \
        vst1q_s32(sums + row, vpaddq_s32(vpaddq_s32(s0, s1), vpaddq_s32(s2, s3)));                       \
        for (size_t k = 0; whole < dimension && k < 4; k++) {                                            \
            sums[row + k] += dot_from(whole, query, r0 + k * dimension, dimension);                      \
        }                                                                                                \
    }                                                                                                    \
    for (; row < count; row++) {                                                                         \
        const int8_t *r = rows + row * dimension;                                                        \
        int32x4_t s = vdupq_n_s32(0);                                                                    \
        for (size_t i = 0; i < whole; i += 16) s = products(s, vld1q_s8(query + i), r + i);              \
        sums[row] = vaddvq_s32(s) + dot_from(whole, query, r, dimension);                                \
    }

void sums_neon(const int8_t *query, const int8_t *rows, size_t count, size_t dimension, int32_t *sums) {
    SUMS(products)
}

__attribute__((target("dotprod"))) void sums_neon_dot(
    const int8_t *query, const int8_t *rows, size_t count, size_t dimension, int32_t *sums
) {
    SUMS(dot_products)
}

uint64_t read_neon(const uint8_t *bytes, size_t count) {
    uint64x2_t s[4] = {vdupq_n_u64(0), vdupq_n_u64(0), vdupq_n_u64(0), vdupq_n_u64(0)};
    size_t i = 0;
    for (; i + 64 <= count; i += 64) {
        for (int k = 0; k < 4; k++) {
            s[k] = vaddq_u64(s[k], vreinterpretq_u64_u8(vld1q_u8(bytes + i + 16 * k)));
        }
    }
    const uint64x2_t sum = vaddq_u64(vaddq_u64(s[0], s[1]), vaddq_u64(s[2], s[3]));
    return vaddvq_u64(sum) + read_portable(bytes + i, count - i);
}

#endif
