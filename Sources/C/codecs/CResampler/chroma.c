#include "chroma.h"

#include "loops.h"

/// Three quarters of a row and a quarter of another, times 4.
static int mixed(const uint8_t *near, const uint8_t *far, int x) { return 3 * near[x] + far[x]; }

void thimble_double_chroma_from(
    int first, const uint8_t *near, const uint8_t *far, int count, uint8_t *doubled, int width) {
    doubled[0] = (uint8_t) ((mixed(near, far, 0) + 2) >> 2);
    for (int x = first; x < count; x++) {
        const int left = mixed(near, far, x - 1), right = mixed(near, far, x);
        doubled[2 * x - 1] = (uint8_t) ((3 * left + right + 7) >> 4);
        doubled[2 * x] = (uint8_t) ((left + 3 * right + 8) >> 4);
    }
    if (width == 2 * count)
        doubled[width - 1] = (uint8_t) ((mixed(near, far, count - 1) + 2) >> 2);
}

// The bytes are not libjpeg's, which CJPEG gives (colour.c): with factors of 13 bits for vectors of words, a
// level differs in 438,383 of all 16,777,216 colours, and at even widths the last sample of chroma rounds up
// where libjpeg rounds down. CJPEG decodes as viewers do, for scores; this code is for renditions.

/// Part of a centred sample, with 4 fractional bits.
static int part(int sample, int factor) { return (sample * 128 * factor) >> 16; }

/// Rounds 4 fractional bits.
static uint8_t level(int value) {
    const int rounded = (value + 8) >> 4;
    return (uint8_t) (rounded < 0 ? 0 : rounded > 255 ? 255 : rounded);
}

void thimble_ycc_to_rgb_from(
    int first, const uint8_t *luma, const uint8_t *blue, const uint8_t *red,
    uint8_t *const rgb[3], int count) {
    for (int x = first; x < count; x++) {
        const int y = luma[x] * 16, cb = blue[x] - 128, cr = red[x] - 128;
        rgb[0][x] = level(y + part(cr, red_of_red));
        rgb[1][x] = level(y + part(cb, green_of_blue) + part(cr, green_of_red));
        rgb[2][x] = level(y + part(cb, blue_of_blue));
    }
}

void thimble_double_chroma(
    const uint8_t *near, const uint8_t *far, int count, uint8_t *doubled, int width,
    thimble_vectors vectors) {
    thimble_kernels_for(vectors)->double_chroma(near, far, count, doubled, width);
}

void thimble_ycc_to_rgb(
    const uint8_t *luma, const uint8_t *blue, const uint8_t *red, uint8_t *const rgb[3],
    int count, thimble_vectors vectors) {
    thimble_kernels_for(vectors)->ycc_to_rgb(luma, blue, red, rgb, count);
}
