#include "kernels.h"

#include <string.h>

void sums_portable(const int8_t *query, const int8_t *rows, size_t count, size_t dimension, int32_t *sums) {
    for (size_t row = 0; row < count; row++) sums[row] = dot_from(0, query, rows + row * dimension, dimension);
}

uint64_t read_portable(const uint8_t *bytes, size_t count) {
    uint64_t sum = 0;
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, 8);
        sum += word;
    }
    return sum;
}
