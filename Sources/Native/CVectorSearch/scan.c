#include "CVectorSearch.h"

// Below so many wanted rows in a block, the others are not worth reading.
enum { FEW_ROWS = 12 };

static bool is_better(vector_match a, vector_match b) {
    return a.score > b.score || (a.score == b.score && a.row < b.row);
}

static void sift_down(vector_match *heap, uint32_t count) {
    uint32_t parent = 0;
    const vector_match moved = heap[0];
    for (;;) {
        uint32_t child = 2 * parent + 1;
        if (child >= count) break;
        if (child + 1 < count && is_better(heap[child], heap[child + 1])) child++;
        if (is_better(heap[child], moved)) break;
        heap[parent] = heap[child];
        parent = child;
    }
    heap[parent] = moved;
}

static void sift_up(vector_match *heap, uint32_t index) {
    const vector_match moved = heap[index];
    while (index > 0) {
        const uint32_t parent = (index - 1) / 2;
        if (is_better(moved, heap[parent])) break;
        heap[index] = heap[parent];
        index = parent;
    }
    heap[index] = moved;
}

static void offer(vector_query *query, vector_match match) {
    if (query->count < query->limit) {
        query->best[query->count] = match;
        sift_up(query->best, query->count++);
    } else if (is_better(match, query->best[0])) {
        query->best[0] = match;
        sift_down(query->best, query->count);
    }
}

// What a row has to reach to become an answer now.
static float bar(const vector_query *query) {
    return query->count == query->limit && query->best[0].score > query->threshold ? query->best[0].score
                                                                                   : query->threshold;
}

// The order of the two multiplications is part of the result: every level and every block gives the same float.
static float scored(int32_t sum, float row_scale, float query_scale) { return (float)sum * row_scale * query_scale; }

static void scan_few(
    vector_level level, const int8_t *values, const float *scales, size_t dimension, uint64_t wanted, uint32_t base,
    vector_query *query
) {
    for (; wanted != 0; wanted &= wanted - 1) {
        const uint32_t row = (uint32_t)__builtin_ctzll(wanted);
        int32_t sum;
        vector_sums(level, query->values, values + row * dimension, 1, dimension, &sum);
        const float score = scored(sum, scales[row], query->scale);
        if (score >= bar(query)) offer(query, (vector_match){score, base + row});
    }
}

static void scan_block(
    vector_level level, const int8_t *values, const float *scales, size_t dimension, uint32_t rows, uint64_t wanted,
    uint32_t base, vector_query *query
) {
    int32_t sums[VECTOR_BLOCK_ROWS];
    float scores[VECTOR_BLOCK_ROWS];
    vector_sums(level, query->values, values, rows, dimension, sums);
    const float least = bar(query);
    int any = 0;
    for (uint32_t row = 0; row < rows; row++) {
        scores[row] = scored(sums[row], scales[row], query->scale);
        any |= scores[row] >= least;
    }
    if (!any) return;
    for (; wanted != 0; wanted &= wanted - 1) {
        const uint32_t row = (uint32_t)__builtin_ctzll(wanted);
        if (scores[row] >= bar(query)) offer(query, (vector_match){scores[row], base + row});
    }
}

void vector_scan(
    vector_level level, const void *blocks, size_t dimension, uint32_t first, uint32_t end, uint32_t rows,
    const uint64_t *live, const uint64_t *wanted, uint32_t base, vector_query *queries, size_t query_count
) {
    const size_t size = VECTOR_BLOCK_VALUES + VECTOR_BLOCK_ROWS * dimension;
    for (uint32_t block = first; block < end; block++) {
        const uint64_t here = wanted == NULL ? live[block] : live[block] & wanted[block];
        if (here == 0) continue;
        const uint8_t *bytes = (const uint8_t *)blocks + block * size;
        const float *scales = (const float *)(bytes + VECTOR_BLOCK_SCALES);
        const int8_t *values = (const int8_t *)(bytes + VECTOR_BLOCK_VALUES);
        const uint32_t row = block * VECTOR_BLOCK_ROWS;
        const uint32_t count = rows - row < VECTOR_BLOCK_ROWS ? rows - row : VECTOR_BLOCK_ROWS;
        const bool few = __builtin_popcountll(here) < FEW_ROWS;
        for (size_t query = 0; query < query_count; query++) {
            if (few) {
                scan_few(level, values, scales, dimension, here, base + row, queries + query);
            } else {
                scan_block(level, values, scales, dimension, count, here, base + row, queries + query);
            }
        }
    }
}
