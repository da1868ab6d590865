#include "rows.h"

enum { bits = 16, half = 1 << (bits - 1), centre = 128 << bits };

void thimble_jpeg_convert(
    const uint8_t *restrict pixels, size_t count, uint8_t *restrict luma, uint8_t *restrict blue,
    uint8_t *restrict red) {
    // Factors × 65,536; those of a sample sum to 1 or 0.
    for (size_t x = 0; x < count; x++) {
        const int32_t r = pixels[3 * x], g = pixels[3 * x + 1], b = pixels[3 * x + 2];
        luma[x] = (uint8_t) ((19595 * r + 38470 * g + 7471 * b + half) >> bits);
        // One less than half, because 255.5 would become 256.
        blue[x] = (uint8_t) ((-11059 * r - 21709 * g + 32768 * b + centre + half - 1) >> bits);
        red[x] = (uint8_t) ((32768 * r - 27439 * g - 5329 * b + centre + half - 1) >> bits);
    }
}

void thimble_jpeg_halve(
    const uint8_t *restrict upper, const uint8_t *restrict lower, size_t count,
    uint8_t *restrict halved) {
    for (size_t x = 0; x < count; x++) {
        const int sum = upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1];
        halved[x] = (uint8_t) ((sum + 1 + (int) (x & 1)) >> 2);
    }
}
