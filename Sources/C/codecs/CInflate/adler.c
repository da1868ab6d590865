#include "inflater.h"

enum {
    modulus = 65521,
    lanes = 32,
    // Most blocks for which 255 * blocks * (blocks + 1) / 2, the largest lane of `rising`, has 16 bits.
    short_blocks = 22,
    // Most blocks for which no sum of all lanes has more than 32 bits: zlib's 5552 bytes.
    most_blocks = 5552 / lanes,
};

typedef uint8_t byte_lanes __attribute__((vector_size(lanes)));
typedef uint16_t word_lanes __attribute__((vector_size(2 * lanes)));
typedef uint32_t long_lanes __attribute__((vector_size(4 * lanes)));

/// Adds up to `most_blocks` blocks of `lanes` bytes to both sums.
static inline __attribute__((always_inline)) void add_blocks(
    uint32_t *low, uint32_t *high, const uint8_t *bytes, int blocks) {
    // Of each lane: the sum of its bytes, and the sum of these sums after each block.
    long_lanes sums = {0}, risings = {0};
    for (int done = 0; done < blocks;) {
        const int rest = blocks - done, count = rest < short_blocks ? rest : short_blocks;
        word_lanes sum = {0}, rising = {0};
        for (int block = 0; block < count; block++, bytes += lanes) {
            byte_lanes next;
            __builtin_memcpy(&next, bytes, lanes);
            sum += __builtin_convertvector(next, word_lanes);
            rising += sum;
        }
        risings += sums * (uint32_t) count + __builtin_convertvector(rising, long_lanes);
        sums += __builtin_convertvector(sum, long_lanes);
        done += count;
    }
    uint32_t total = 0, weighted = 0;
    for (int lane = 0; lane < lanes; lane++) {
        total += sums[lane];
        // The byte of a lane counts once for itself and for each that follows it.
        weighted += (uint32_t) lanes * risings[lane] - (uint32_t) lane * sums[lane];
    }
    const uint64_t grown = (uint64_t) *low * (uint32_t) (lanes * blocks);
    *high = (uint32_t) ((*high + grown + weighted) % modulus);
    *low = (*low + total) % modulus;
}

static inline __attribute__((always_inline)) uint32_t adler32(
    uint32_t sum, const uint8_t *bytes, size_t count) {
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

#if defined(__x86_64__)

__attribute__((target("avx2"))) static uint32_t adler32_avx2(
    uint32_t sum, const uint8_t *bytes, size_t count) {
    return adler32(sum, bytes, count);
}

static uint32_t adler32_sse2(uint32_t sum, const uint8_t *bytes, size_t count) {
    return adler32(sum, bytes, count);
}

uint32_t thimble_adler32(uint32_t sum, const uint8_t *bytes, size_t count) {
    return __builtin_cpu_supports("avx2") ? adler32_avx2(sum, bytes, count)
                                          : adler32_sse2(sum, bytes, count);
}

#else

uint32_t thimble_adler32(uint32_t sum, const uint8_t *bytes, size_t count) {
    return adler32(sum, bytes, count);
}

#endif
