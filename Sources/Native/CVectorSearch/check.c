#include "CVectorSearch.h"

#include <pthread.h>
#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#elif defined(__aarch64__)
#include <arm_acle.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif
#endif

// The reflected polynomial of CRC-32C (RFC 3720, appendix B.4).
static const uint32_t polynomial = 0x82F63B78;
// What eight bytes at once need: tables[k][b] is the remainder of byte b with k bytes of zero behind it.
static uint32_t tables[8][256];
static pthread_once_t tables_made = PTHREAD_ONCE_INIT;

static void make_tables(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t rest = byte;
        for (int bit = 0; bit < 8; bit++) rest = rest >> 1 ^ (rest & 1 ? polynomial : 0);
        tables[0][byte] = rest;
    }
    for (int table = 1; table < 8; table++) {
        for (uint32_t byte = 0; byte < 256; byte++) {
            const uint32_t before = tables[table - 1][byte];
            tables[table][byte] = before >> 8 ^ tables[0][before & 255];
        }
    }
}

uint32_t vector_crc32c_portable(uint32_t crc, const void *bytes, size_t count) {
    pthread_once(&tables_made, make_tables);
    const uint8_t *next = bytes;
    crc = ~crc;
    for (; count >= 8; count -= 8, next += 8) {
        uint64_t word;
        memcpy(&word, next, 8);
        word ^= crc;
        crc = 0;
        for (int byte = 0; byte < 8; byte++) crc ^= tables[7 - byte][word >> (8 * byte) & 255];
    }
    for (; count > 0; count--, next++) crc = crc >> 8 ^ tables[0][(crc ^ *next) & 255];
    return ~crc;
}

#if defined(__x86_64__)
#define CRC_INSTRUCTION __attribute__((target("sse4.2")))
#define CRC_WORD(crc, word) ((uint32_t)_mm_crc32_u64((crc), (word)))
#define CRC_BYTE(crc, byte) _mm_crc32_u8((crc), (byte))
static bool has_instruction(void) { return __builtin_cpu_supports("sse4.2"); }
#elif defined(__aarch64__)
#define CRC_INSTRUCTION __attribute__((target("crc")))
#define CRC_WORD(crc, word) __crc32cd((crc), (word))
#define CRC_BYTE(crc, byte) __crc32cb((crc), (byte))
static bool has_instruction(void) {
#if defined(__linux__)
    // HWCAP_CRC32 of asm/hwcap.h.
    return (getauxval(AT_HWCAP) & 1UL << 7) != 0;
#else
    return true;
#endif
}
#endif

#if defined(CRC_INSTRUCTION)
CRC_INSTRUCTION static uint32_t crc_by_instruction(uint32_t crc, const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    crc = ~crc;
    for (; count >= 8; count -= 8, next += 8) {
        uint64_t word;
        memcpy(&word, next, 8);
        crc = CRC_WORD(crc, word);
    }
    for (; count > 0; count--, next++) crc = CRC_BYTE(crc, *next);
    return ~crc;
}

uint32_t vector_crc32c(uint32_t crc, const void *bytes, size_t count) {
    return has_instruction() ? crc_by_instruction(crc, bytes, count) : vector_crc32c_portable(crc, bytes, count);
}
#else
uint32_t vector_crc32c(uint32_t crc, const void *bytes, size_t count) {
    return vector_crc32c_portable(crc, bytes, count);
}
#endif

uint32_t vector_row_check(
    uint64_t place, int64_t identity, float scale, const int8_t *values, size_t dimension
) {
    uint8_t head[20];
    memcpy(head, &place, 8);
    memcpy(head + 8, &identity, 8);
    memcpy(head + 16, &scale, 4);
    return vector_crc32c(vector_crc32c(0, head, sizeof head), values, dimension);
}

uint64_t vector_block_whole(const void *block, size_t dimension, uint32_t count, uint64_t place) {
    const uint8_t *bytes = block;
    const int64_t *ids = (const int64_t *)(bytes + VECTOR_BLOCK_IDS);
    const float *scales = (const float *)(bytes + VECTOR_BLOCK_SCALES);
    const uint32_t *checks = (const uint32_t *)(bytes + VECTOR_BLOCK_CHECKS);
    const int8_t *values = (const int8_t *)(bytes + VECTOR_BLOCK_VALUES);
    uint64_t whole = 0;
    for (uint32_t row = 0; row < count; row++) {
        const int8_t *vector = values + row * dimension;
        const uint32_t check = vector_row_check(place + row, ids[row], scales[row], vector, dimension);
        whole |= (uint64_t)(check == checks[row]) << row;
    }
    return whole;
}
