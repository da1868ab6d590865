#include "jpeg_planes.h"

static uint8_t clamped(int value) {
    return value < 0 ? 0 : value > 255 ? 255 : (uint8_t) value;
}

void thimble_jpeg_to_rgb(uint8_t *pixels, size_t count) {
    // Factors of 16 fractional bits; half a level rounds.
    for (size_t i = 0; i < count; i++, pixels += 3) {
        const int luma = (pixels[0] << 16) + (1 << 15);
        const int blue = pixels[1] - 128, red = pixels[2] - 128;
        pixels[0] = clamped((luma + 91881 * red) >> 16);
        pixels[1] = clamped((luma - 22554 * blue - 46802 * red) >> 16);
        pixels[2] = clamped((luma + 116130 * blue) >> 16);
    }
}
