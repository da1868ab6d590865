// Encodes pictures of all layouts and roundings, and prints a digest of each file:
// `jpeg-encoder-digests best` or `plain`. The lines are the same on every processor.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jpeg_encoder.h"

static uint64_t state;

/// SplitMix64 (Steele, Lea and Flood 2014).
static uint64_t next(void) {
    uint64_t z = state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static int below(int limit) { return (int) (next() % (uint64_t) limit); }

/// FNV-1a of all bytes.
static ptrdiff_t add(void *digest, uint8_t *bytes, size_t count) {
    uint64_t *sum = digest;
    for (size_t index = 0; index < count; index++)
        *sum = (*sum ^ bytes[index]) * UINT64_C(0x100000001B3);
    return (ptrdiff_t) count;
}

static void print(int number, thimble_jpeg_vectors vectors) {
    state = (uint64_t) number;
    thimble_jpeg_settings settings = {
        .width = 1 + below(90), .height = 1 + below(90), .layout = number % 4,
        .rounding = number / 4 % 3, .rounding_strength = 1, .vectors = vectors};
    const int most = 1 << (1 + below(7));
    for (int index = 0; index < thimble_jpeg_block; index++)
        for (int table = 0; table < 2; table++)
            settings.tables[table][index] = (uint8_t) (1 + below(most));
    uint64_t digest = UINT64_C(0xCBF29CE484222325);
    thimble_jpeg_encoder *encoder = thimble_jpeg_encoder_new(&settings, add, &digest);
    const int units = (settings.width + 15) / 16, noise = 1 + below(200);
    uint8_t rows[3][16 * 96 * 3];
    for (int y = 0; y < settings.height; y++) {
        for (int plane = 0; plane < 3; plane++)
            for (int index = 0; index < 16 * 96 * 3; index++)
                rows[plane][index] = (uint8_t) ((index * 3 + y * 2) % 56 + below(noise));
        if (settings.layout != THIMBLE_JPEG_LAYOUT_YCBCR_420) {
            thimble_jpeg_encoder_row(encoder, rows[0]);
        } else if (y % 16 == 0) {
            const uint8_t *const planes[3] = {rows[0], rows[1], rows[2]};
            const ptrdiff_t strides[3] = {16 * units, 8 * units, 8 * units};
            thimble_jpeg_encoder_planes(encoder, planes, strides);
        }
    }
    if (thimble_jpeg_encoder_finish(encoder) != THIMBLE_JPEG_ENCODED)
        exit(1);
    thimble_jpeg_encoder_free(encoder);
    printf("%d %016" PRIx64 "\n", number, digest);
}

int main(int count, char **arguments) {
    if (count != 2)
        return 64;
    const bool is_plain = strcmp(arguments[1], "plain") == 0;
    for (int number = 0; number < 300; number++)
        print(number, is_plain ? THIMBLE_JPEG_VECTORS_PLAIN : THIMBLE_JPEG_VECTORS_BEST);
}
