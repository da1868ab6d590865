#include "inflater.h"

enum {
    modulus = 65521,
    lanes = 16,
    // Most blocks for which 255 * blocks * (blocks + 1) / 2, the largest lane of `rising`, has 16 bits.
    most_blocks = 22,
};

typedef uint8_t byte_lanes __attribute__((vector_size(lanes)));
typedef uint16_t word_lanes __attribute__((vector_size(2 * lanes)));

/// Adds up to `most_blocks` blocks of `lanes` bytes to both sums.
static void add_blocks(uint32_t *low, uint32_t *high, const uint8_t *bytes, int blocks) {
    // Of each lane: the sum of its bytes, and the sum of these sums after each block.
    word_lanes sum = {0}, rising = {0};
    for (int block = 0; block < blocks; block++) {
        byte_lanes next;
        __builtin_memcpy(&next, bytes + lanes * block, lanes);
        sum += __builtin_convertvector(next, word_lanes);
        rising += sum;
    }
    uint32_t total = 0, weighted = 0;
    for (int lane = 0; lane < lanes; lane++) {
        total += sum[lane];
        // The byte of a lane counts once for itself and for each that follows it.
        weighted += (uint32_t) lanes * rising[lane] - (uint32_t) lane * sum[lane];
    }
    *high = (*high + *low * (uint32_t) (lanes * blocks) + weighted) % modulus;
    *low = (*low + total) % modulus;
}

uint32_t thimble_adler32(uint32_t sum, const uint8_t *bytes, size_t count) {
    uint32_t low = sum & 0xFFFF, high = sum >> 16;
    while (count >= lanes) {
        const size_t all = count / lanes;
        const int blocks = (int) (all < most_blocks ? all : most_blocks);
        add_blocks(&low, &high, bytes, blocks);
        bytes += lanes * blocks;
        count -= (size_t) (lanes * blocks);
    }
    while (count-- > 0) {
        low += *bytes++;
        high += low;
    }
    return high % modulus << 16 | low % modulus;
}
