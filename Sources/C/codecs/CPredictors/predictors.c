#include "predictors.h"

#include <stdlib.h>
#include <string.h>

static int channel(uint32_t pixel, int shift) { return pixel >> shift & 255; }

static uint32_t clamped(int value) { return value < 0 ? 0 : value > 255 ? 255 : (uint32_t) value; }

/// Adds the channels, each modulo 256.
static uint32_t sum(uint32_t a, uint32_t b) {
    const uint32_t odd = 0xFF00FF00, even = 0x00FF00FF;
    return (((a & odd) + (b & odd)) & odd) | (((a & even) + (b & even)) & even);
}

/// Channels of four pixels.
typedef uint8_t channels __attribute__((vector_size(16)));

void thimble_add_left(uint32_t *row, int first, int end) {
    const channels zero = {0};
    channels left;
    for (int pixel = 0; pixel < 4; pixel++)
        memcpy((uint8_t *) &left + 4 * pixel, row + first - 1, 4);
    int x = first;
    for (; x + 4 <= end; x += 4) {
        channels sums;
        memcpy(&sums, row + x, sizeof sums);
        // Residuals of one pixel before, and then of two.
        sums += __builtin_shufflevector(
            zero, sums, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27);
        sums += __builtin_shufflevector(
            zero, sums, 0, 0, 0, 0, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23);
        left += sums;
        memcpy(row + x, &left, sizeof left);
        left = __builtin_shufflevector(
            left, left, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15);
    }
    for (; x < end; x++)
        row[x] = sum(row[x], row[x - 1]);
}

/// Sum of the differences of all channels.
static int distance(uint32_t a, uint32_t b) {
    int total = 0;
    for (int shift = 0; shift < 32; shift += 8)
        total += abs(channel(a, shift) - channel(b, shift));
    return total;
}

void thimble_add_selected_plain(uint32_t *row, const uint32_t *above, int first, int end) {
    for (int x = first; x < end; x++) {
        // The gradient is left + above - corner.
        const uint32_t left = row[x - 1], top = above[x], corner = above[x - 1];
        row[x] = sum(row[x], distance(top, corner) < distance(left, corner) ? left : top);
    }
}

#if defined(__SSE2__)
#include <emmintrin.h>

static __m128i bytes(uint32_t pixel) { return _mm_cvtsi32_si128((int) pixel); }

void thimble_add_selected(uint32_t *row, const uint32_t *above, int first, int end) {
    __m128i left = bytes(row[first - 1]), corner = bytes(above[first - 1]);
    for (int x = first; x < end; x++) {
        const __m128i top = bytes(above[x]);
        // All ones in the lowest word for the left pixel. A branch would be mispredicted for every
        // other pixel of a photograph.
        const __m128i is_left =
            _mm_cmplt_epi32(_mm_sad_epu8(top, corner), _mm_sad_epu8(left, corner));
        const __m128i predicted =
            _mm_xor_si128(top, _mm_and_si128(_mm_xor_si128(top, left), is_left));
        left = _mm_add_epi8(predicted, bytes(row[x]));
        row[x] = (uint32_t) _mm_cvtsi128_si32(left);
        corner = top;
    }
}

#else

void thimble_add_selected(uint32_t *row, const uint32_t *above, int first, int end) {
    thimble_add_selected_plain(row, above, first, end);
}

#endif

typedef uint8_t bytes4 __attribute__((vector_size(4)));
typedef int16_t words4 __attribute__((vector_size(8)));

/// Channels of a pixel in lanes. A macro, because vectors are passed only to functions that are inlined.
#define WIDENED(pixel) \
    ({ \
        bytes4 parts; \
        memcpy(&parts, &(pixel), sizeof parts); \
        __builtin_convertvector(parts, words4); \
    })

void thimble_add_gradient(uint32_t *row, const uint32_t *above, int first, int end) {
    const words4 least = {0}, most = least + 255;
    words4 left = WIDENED(row[first - 1]), corner = WIDENED(above[first - 1]);
    for (int x = first; x < end; x++) {
        const words4 top = WIDENED(above[x]);
        const words4 predicted = __builtin_elementwise_min(
            most, __builtin_elementwise_max(least, left + (top - corner)));
        left = (predicted + WIDENED(row[x])) & 255;
        const bytes4 done = __builtin_convertvector(left, bytes4);
        memcpy(row + x, &done, sizeof done);
        corner = top;
    }
}

void thimble_add_half_gradient(uint32_t *row, const uint32_t *above, int first, int end) {
    for (int x = first; x < end; x++) {
        uint32_t predicted = 0;
        for (int shift = 0; shift < 32; shift += 8) {
            const int average = (channel(row[x - 1], shift) + channel(above[x], shift)) / 2;
            predicted |= clamped(average + (average - channel(above[x - 1], shift)) / 2) << shift;
        }
        row[x] = sum(row[x], predicted);
    }
}

typedef uint32_t pixels4 __attribute__((vector_size(16)));

int thimble_fill_flat(uint32_t *row, const uint32_t *above, int first, int end) {
    const uint32_t left = row[first - 1];
    const pixels4 flat = {left, left, left, left};
    for (; first + 4 <= end; first += 4) {
        pixels4 residuals, before, after;
        memcpy(&residuals, row + first, sizeof residuals);
        memcpy(&before, above + first - 1, sizeof before);
        memcpy(&after, above + first + 1, sizeof after);
        const pixels4 other = residuals | (before ^ flat) | (after ^ flat);
        if (__builtin_reduce_or(other) != 0)
            break;
        memcpy(row + first, &flat, sizeof flat);
    }
    return first;
}
