#include "weave.h"

#include <string.h>

// Vectors are passed only to functions that are inlined.
#pragma clang diagnostic ignored "-Wpsabi"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first band is not the lowest byte");

typedef uint16_t pairs8 __attribute__((vector_size(16)));
typedef uint32_t pixels8 __attribute__((vector_size(32)));

enum { lanes = 8 };

#define INLINED static inline __attribute__((always_inline))

INLINED pixels8 load_pairs(const uint8_t *bytes) {
    pairs8 pairs;
    memcpy(&pairs, bytes, sizeof pairs);
    return __builtin_convertvector(pairs, pixels8);
}

INLINED void replace(uint8_t *pixels, uint32_t kept, pixels8 added) {
    pixels8 value;
    memcpy(&value, pixels, sizeof value);
    value = (value & kept) | added;
    memcpy(pixels, &value, sizeof value);
}

void thimble_weave(
    uint8_t *pixels, int bands, int band, const uint8_t *samples, int step, int count) {
    int x = 0;
    // The last pair may end with the samples.
    for (; bands == 4 && step == 2 && x + lanes < count; x += lanes)
        replace(
            pixels + 4 * x, ~(255u << 8 * band),
            (load_pairs(samples + 2 * x) & 255) << (unsigned) (8 * band));
    for (; x < count; x++)
        pixels[x * bands + band] = samples[x * step];
}

void thimble_weave_pairs(uint8_t *pixels, const uint8_t *pairs, int count) {
    int x = 0;
    for (; x + lanes <= count; x += lanes) {
        const pixels8 both = load_pairs(pairs + 2 * x);
        replace(pixels + 4 * x, 0x00FFFF00, (both & 255) | (both >> 8) << 24);
    }
    for (; x < count; x++) {
        pixels[4 * x] = pairs[2 * x];
        pixels[4 * x + 3] = pairs[2 * x + 1];
    }
}
