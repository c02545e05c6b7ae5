// Brute-force search over vectors of signed bytes: what a compiler needs target attributes for, and the one loop that
// has to run at the speed of memory.
//
// Rows lie in blocks of 64, so that one word of a bitmap stands for one block. A block, little-endian:
//
//     0     64 x int64    ids
//     512   64 x float    scales; what is written is positive, a row that was never written has 0
//     768   64 x uint32   checks, see vector_block_whole
//     1024  uint64        rows that were removed, and its complement, which tells a whole word from a damaged one
//     1040  48 bytes      zero
//     1088  64 x dimension signed bytes, row after row
//
// A block is a multiple of 64 bytes long, so every block begins at a cache line where the first one does.
#ifndef CVECTORSEARCH_H
#define CVECTORSEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    VECTOR_BLOCK_ROWS = 64,
    VECTOR_BLOCK_IDS = 0,
    VECTOR_BLOCK_SCALES = 512,
    VECTOR_BLOCK_CHECKS = 768,
    VECTOR_BLOCK_REMOVED = 1024,
    VECTOR_BLOCK_VALUES = 1088,
    // Above it, the sum of products of a row could leave 32 bits.
    VECTOR_MAX_DIMENSION = 65536,
};

// Ways to multiply, from the one that runs everywhere to the fastest. The sums are the same integers on all of them.
typedef enum {
    VECTOR_PORTABLE = 0,
    VECTOR_NEON = 1,
    VECTOR_NEON_DOT = 2,
    VECTOR_AVX2 = 3,
    VECTOR_AVX512_VNNI = 4,
} vector_level;

// Whether this processor, under this system, runs a level.
bool vector_level_runs(vector_level level);

// The fastest that runs. Asks the processor once.
vector_level vector_best_level(void);

// sums[r] = the sum over i of query[i] * rows[r * dimension + i]. Exact for every value, -128 included, and for any
// alignment; `dimension` is at most VECTOR_MAX_DIMENSION.
void vector_sums(
    vector_level level, const int8_t *query, const int8_t *rows, size_t count, size_t dimension, int32_t *sums
);

typedef struct {
    float score;
    uint32_t row;
} vector_match;

// One question and its best answers so far, a heap with the worst at its top; `count` of at most `limit`.
typedef struct {
    const int8_t *values;
    float scale;
    // A row below it is no answer.
    float threshold;
    vector_match *best;
    uint32_t limit;
    uint32_t count;
} vector_query;

// Scores the blocks from `first` to before `end`, each of them once for all queries. Only rows whose bit is set in
// `live` and, where it is there, in `wanted` are answers; both have one word a block. `rows` is the number of rows
// that may be read, and `base` is added to the number of each. Of equal scores, the lower row is the better one.
void vector_scan(
    vector_level level, const void *blocks, size_t dimension, uint32_t first, uint32_t end, uint32_t rows,
    const uint64_t *live, const uint64_t *wanted, uint32_t base, vector_query *queries, size_t query_count
);

// CRC-32C (Castagnoli) of more bytes after those that gave `crc`; 0 at the beginning.
uint32_t vector_crc32c(uint32_t crc, const void *bytes, size_t count);

// The same without the processor's instruction, for the tests.
uint32_t vector_crc32c_portable(uint32_t crc, const void *bytes, size_t count);

// The check of a row: the CRC-32C of where it stands, its id, its scale and its values.
uint32_t vector_row_check(
    uint64_t place, int64_t identity, float scale, const int8_t *values, size_t dimension
);

// A bit for each of the first `count` rows of a block whose check is right; `place` is that of its first row.
uint64_t vector_block_whole(const void *block, size_t dimension, uint32_t count, uint64_t place);

// The sum of all words, by the widest loads of the processor: what merely reading costs.
uint64_t vector_read(vector_level level, const void *bytes, size_t count);

#endif
