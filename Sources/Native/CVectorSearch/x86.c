#include "kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define INLINE static inline __attribute__((always_inline))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vnni")))

// The processor's own reading ahead stops where a page ends. The wider loads want it farther ahead.
#define FETCH_AHEAD(bytes, distance) _mm_prefetch((const char *)(bytes) + (distance), _MM_HINT_T0)

// The lanes of four registers, each summed up.
AVX2 INLINE __m128i four_sums(__m256i a, __m256i b, __m256i c, __m256i d) {
    const __m256i pairs = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
    return _mm_add_epi32(_mm256_castsi256_si128(pairs), _mm256_extracti128_si256(pairs, 1));
}

// Sixteen bits hold each product, and madd adds two of them in 32, so -128 * -128 is no special case. `maddubs`, which
// would take 32 bytes at once, saturates.
AVX2 INLINE __m256i widened(const int8_t *bytes) {
    return _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)bytes));
}

AVX2 INLINE __m256i products(__m256i sum, __m256i query, const int8_t *row) {
    return _mm256_add_epi32(sum, _mm256_madd_epi16(query, widened(row)));
}

AVX2 INLINE __m256i avx2_row(const int8_t *query, const int8_t *row, size_t whole) {
    __m256i even = _mm256_setzero_si256(), odd = even;
    size_t i = 0;
    for (; i + 32 <= whole; i += 32) {
        FETCH_AHEAD(row + i, 2048);
        even = products(even, widened(query + i), row + i);
        odd = products(odd, widened(query + i + 16), row + i + 16);
    }
    if (i < whole) even = products(even, widened(query + i), row + i);
    return _mm256_add_epi32(even, odd);
}

// Four rows share the adding up of lanes. Each is read from front to back, since what lies in memory comes fastest in
// its order: side by side, the four took three times as long.
AVX2 void sums_avx2(
    const int8_t *query, const int8_t *rows, size_t count, size_t dimension, int32_t *sums
) {
    const size_t whole = dimension & ~(size_t)15;
    const __m256i zero = _mm256_setzero_si256();
    size_t row = 0;
    for (; row + 4 <= count; row += 4, rows += 4 * dimension) {
        const __m256i a = avx2_row(query, rows, whole), b = avx2_row(query, rows + dimension, whole);
        const __m256i c = avx2_row(query, rows + 2 * dimension, whole);
        const __m256i d = avx2_row(query, rows + 3 * dimension, whole);
        _mm_storeu_si128((__m128i *)(sums + row), four_sums(a, b, c, d));
        for (size_t k = 0; whole < dimension && k < 4; k++) {
            sums[row + k] += dot_from(whole, query, rows + k * dimension, dimension);
        }
    }
    for (; row < count; row++, rows += dimension) {
        const __m128i sum = four_sums(avx2_row(query, rows, whole), zero, zero, zero);
        sums[row] = _mm_cvtsi128_si32(sum) + dot_from(whole, query, rows, dimension);
    }
}

// dpbusd wants one unsigned side: the row is shifted by 128, and 128 times the query's sum is taken off again. What
// lies behind the mask is 0 in the query, so it adds nothing. Nothing saturates, and what wraps around in between
// wraps back.
AVX512 INLINE __m512i shifted_products(__m512i sum, __m512i query, const int8_t *row, __mmask64 mask) {
    const __m512i shift = _mm512_set1_epi8((char)0x80);
    return _mm512_dpbusd_epi32(sum, _mm512_xor_si512(_mm512_maskz_loadu_epi8(mask, row), shift), query);
}

AVX512 INLINE int32_t shift_of(const int8_t *query, size_t dimension) {
    const __m512i ones = _mm512_set1_epi8(1);
    __m512i sum = _mm512_setzero_si512();
    for (size_t i = 0; i < dimension; i += 64) {
        const size_t rest = dimension - i;
        const __mmask64 mask = rest < 64 ? ((__mmask64)1 << rest) - 1 : ~(__mmask64)0;
        sum = _mm512_dpbusd_epi32(sum, ones, _mm512_maskz_loadu_epi8(mask, query + i));
    }
    return 128 * _mm512_reduce_add_epi32(sum);
}

AVX512 INLINE __m256i avx512_row(const int8_t *query, const int8_t *row, size_t whole, size_t dimension) {
    const __mmask64 all = ~(__mmask64)0, rest = ((__mmask64)1 << (dimension - whole)) - 1;
    __m512i sum = _mm512_setzero_si512();
    for (size_t i = 0; i < whole; i += 64) {
        FETCH_AHEAD(row + i, 4096);
        sum = shifted_products(sum, _mm512_loadu_si512(query + i), row + i, all);
    }
    if (rest) sum = shifted_products(sum, _mm512_maskz_loadu_epi8(rest, query + whole), row + whole, rest);
    // Row after row: the compiler would bring the loads of four rows together, and spill.
    __asm__ volatile("" : "+v"(sum) : : "memory");
    return _mm256_add_epi32(_mm512_castsi512_si256(sum), _mm512_extracti64x4_epi64(sum, 1));
}

AVX512 void sums_avx512_vnni(
    const int8_t *query, const int8_t *rows, size_t count, size_t dimension, int32_t *sums
) {
    const size_t whole = dimension & ~(size_t)63;
    const __m256i zero = _mm256_setzero_si256();
    const __m128i shift = _mm_set1_epi32(shift_of(query, dimension));
    size_t row = 0;
    for (; row + 4 <= count; row += 4, rows += 4 * dimension) {
        const __m256i a = avx512_row(query, rows, whole, dimension);
        const __m256i b = avx512_row(query, rows + dimension, whole, dimension);
        const __m256i c = avx512_row(query, rows + 2 * dimension, whole, dimension);
        const __m256i d = avx512_row(query, rows + 3 * dimension, whole, dimension);
        _mm_storeu_si128((__m128i *)(sums + row), _mm_sub_epi32(four_sums(a, b, c, d), shift));
    }
    for (; row < count; row++, rows += dimension) {
        const __m256i sum = avx512_row(query, rows, whole, dimension);
        sums[row] = _mm_cvtsi128_si32(_mm_sub_epi32(four_sums(sum, zero, zero, zero), shift));
    }
}

AVX2 uint64_t read_avx2(const uint8_t *bytes, size_t count) {
    __m256i s[4] = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256()};
    size_t i = 0;
    for (; i + 128 <= count; i += 128) {
        for (int k = 0; k < 4; k++) {
            s[k] = _mm256_add_epi64(s[k], _mm256_loadu_si256((const __m256i *)(bytes + i + 32 * k)));
        }
    }
    uint64_t lanes[4], sum = read_portable(bytes + i, count - i);
    _mm256_storeu_si256(
        (__m256i *)lanes, _mm256_add_epi64(_mm256_add_epi64(s[0], s[1]), _mm256_add_epi64(s[2], s[3]))
    );
    for (int k = 0; k < 4; k++) sum += lanes[k];
    return sum;
}

AVX512 uint64_t read_avx512(const uint8_t *bytes, size_t count) {
    __m512i s[4] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512()};
    size_t i = 0;
    for (; i + 256 <= count; i += 256) {
        for (int k = 0; k < 4; k++) s[k] = _mm512_add_epi64(s[k], _mm512_loadu_si512(bytes + i + 64 * k));
    }
    const __m512i sum = _mm512_add_epi64(_mm512_add_epi64(s[0], s[1]), _mm512_add_epi64(s[2], s[3]));
    return (uint64_t)_mm512_reduce_add_epi64(sum) + read_portable(bytes + i, count - i);
}

#endif
