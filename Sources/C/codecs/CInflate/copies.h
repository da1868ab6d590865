// Copies of matches.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { word_bytes = 8, vector_bytes = 16 };

/// Copies a match, and returns its end; may read and write `vector_bytes` beyond it.
typedef uint8_t *thimble_copy(uint8_t *output, size_t distance, unsigned length);

static inline uint8_t *thimble_copy_words(uint8_t *output, size_t distance, unsigned length) {
    const uint8_t *source = output - distance;
    uint8_t *const end = output + length;
    // A word that overlaps its source: only its first `distance` bytes are right.
    const size_t step = distance < word_bytes ? distance : word_bytes;
    do {
        uint64_t word;
        memcpy(&word, source, word_bytes);
        memcpy(output, &word, word_bytes);
        source += step;
        output += step;
    } while (output < end);
    return end;
}

#if defined(__x86_64__) || defined(__AARCH64EL__)

#if defined(__x86_64__)
#include <immintrin.h>
/// Shifts without a fixed register for their count save a twentieth of the time.
#define VECTORS __attribute__((target("bmi2,ssse3")))
typedef __m128i lanes;
VECTORS static inline lanes choose(lanes bytes, lanes places) {
    return _mm_shuffle_epi8(bytes, places);
}
#else
#include <arm_neon.h>
#define VECTORS
typedef uint8x16_t lanes;
static inline lanes choose(lanes bytes, lanes places) { return vqtbl1q_u8(bytes, places); }
#endif

/// Copies vectors, and the first one by the same instructions at any distance: many distances in
/// pictures are a pixel, which no branch predicts.
VECTORS static inline uint8_t *thimble_copy_vectors(
    uint8_t *output, size_t distance, unsigned length) {
    // The bytes of a vector that repeats at a distance, and its whole periods.
#define PERIOD(d)                                                                                  \
    {0 % d, 1 % d, 2 % d,  3 % d,  4 % d,  5 % d,  6 % d,  7 % d,                                  \
     8 % d, 9 % d, 10 % d, 11 % d, 12 % d, 13 % d, 14 % d, 15 % d}
    static const uint8_t periods[vector_bytes + 1][vector_bytes] = {
        {0},        PERIOD(1),  PERIOD(2),  PERIOD(3),  PERIOD(4),  PERIOD(5),
        PERIOD(6),  PERIOD(7),  PERIOD(8),  PERIOD(9),  PERIOD(10), PERIOD(11),
        PERIOD(12), PERIOD(13), PERIOD(14), PERIOD(15), PERIOD(16),
    };
    static const uint8_t steps[vector_bytes + 1] = {0,  16, 16, 15, 16, 15, 12, 14, 16,
                                                    9,  10, 11, 12, 13, 14, 15, 16};
    const size_t near = distance < vector_bytes ? distance : vector_bytes;
    const uint8_t *source = output - distance;
    lanes bytes, places;
    memcpy(&bytes, source, vector_bytes);
    memcpy(&places, periods[near], vector_bytes);
    bytes = choose(bytes, places);
    memcpy(output, &bytes, vector_bytes);
    if (__builtin_expect(length > vector_bytes, 0)) {
        const size_t step = steps[near];
        for (size_t at = step; at < length; at += step) {
            if (distance >= vector_bytes)
                memcpy(&bytes, source + at, vector_bytes);
            memcpy(output + at, &bytes, vector_bytes);
        }
    }
    return output + length;
}

#endif
