#include "kernels.h"

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
// asm/hwcap.h; older C libraries lack the name.
#define HAS_DOT_PRODUCT (1UL << 20)
#elif defined(__aarch64__) && defined(__APPLE__)
#include <sys/sysctl.h>
#endif

bool vector_level_runs(vector_level level) {
    switch (level) {
    case VECTOR_PORTABLE: return true;
#if defined(__x86_64__)
    // It looks at what the system saves of a thread's registers, too.
    case VECTOR_AVX2: return __builtin_cpu_supports("avx2");
    case VECTOR_AVX512_VNNI:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
            && __builtin_cpu_supports("avx512vnni");
#elif defined(__aarch64__)
    case VECTOR_NEON: return true;
#if defined(__linux__)
    case VECTOR_NEON_DOT: return (getauxval(AT_HWCAP) & HAS_DOT_PRODUCT) != 0;
#elif defined(__APPLE__)
    case VECTOR_NEON_DOT: {
        int there = 0;
        size_t size = sizeof there;
        return sysctlbyname("hw.optional.arm.FEAT_DotProd", &there, &size, NULL, 0) == 0 && there == 1;
    }
#endif
#endif
    default: return false;
    }
}

vector_level vector_best_level(void) {
    // Two threads that both find it empty write the same number.
    static _Atomic int known = -1;
    int level = known;
    if (level >= 0) return (vector_level)level;
    for (level = VECTOR_AVX512_VNNI; !vector_level_runs((vector_level)level);) level--;
    known = level;
    return (vector_level)level;
}

void vector_sums(
    vector_level level, const int8_t *query, const int8_t *rows, size_t count, size_t dimension, int32_t *sums
) {
    switch (level) {
#if defined(__x86_64__)
    case VECTOR_AVX2: sums_avx2(query, rows, count, dimension, sums); return;
    case VECTOR_AVX512_VNNI: sums_avx512_vnni(query, rows, count, dimension, sums); return;
#elif defined(__aarch64__)
    case VECTOR_NEON: sums_neon(query, rows, count, dimension, sums); return;
    case VECTOR_NEON_DOT: sums_neon_dot(query, rows, count, dimension, sums); return;
#endif
    default: sums_portable(query, rows, count, dimension, sums);
    }
}

uint64_t vector_read(vector_level level, const void *bytes, size_t count) {
    switch (level) {
#if defined(__x86_64__)
    case VECTOR_AVX2: return read_avx2(bytes, count);
    case VECTOR_AVX512_VNNI: return read_avx512(bytes, count);
#elif defined(__aarch64__)
    case VECTOR_NEON:
    case VECTOR_NEON_DOT: return read_neon(bytes, count);
#endif
    default: return read_portable(bytes, count);
    }
}
