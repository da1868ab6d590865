// Parts that the loops for SSE2 and AVX2 share.
#pragma once

#include <immintrin.h>
#include <string.h>

#include "loops.h"

/// A pair of weights as one value of 32 bits, in the order of memory.
static inline int32_t pair_of(const int16_t *weights, int pair) {
    int32_t both;
    memcpy(&both, weights + 2 * pair, sizeof both);
    return both;
}

static inline __m128i shifted_sse2(__m128i sum, int shift) {
    return _mm_srai_epi32(_mm_add_epi32(sum, _mm_set1_epi32(1 << (shift - 1))), shift);
}

static inline __m128i products_sse2(const int16_t *samples, const int16_t *weights) {
    return _mm_madd_epi16(
        _mm_loadu_si128((const __m128i *) samples), _mm_loadu_si128((const __m128i *) weights));
}
