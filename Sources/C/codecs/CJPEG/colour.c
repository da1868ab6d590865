#include "jpeg_planes.h"

// The bytes of libjpeg's decoder. CResampler has faster code for the same conversion (chroma.c), whose bytes
// differ: see there.

static uint8_t clamped(int value) {
    return value < 0 ? 0 : value > 255 ? 255 : (uint8_t) value;
}

static void write_rgb(uint8_t *pixel, int luma, int blue, int red) {
    // Factors of 16 fractional bits; half a level rounds.
    const int level = (luma << 16) + (1 << 15);
    blue -= 128;
    red -= 128;
    pixel[0] = clamped((level + 91881 * red) >> 16);
    pixel[1] = clamped((level - 22554 * blue - 46802 * red) >> 16);
    pixel[2] = clamped((level + 116130 * blue) >> 16);
}

void thimble_jpeg_to_rgb(uint8_t *pixels, size_t count, int bands) {
    for (size_t i = 0; i < count; i++, pixels += bands) {
        // Beside an edge of alpha, halved chroma may be fully transparent where luma is not. The resampler
        // then makes both samples 0, which no colour has.
        const int is_missing = bands == 4 && pixels[1] == 0 && pixels[2] == 0;
        write_rgb(
            pixels, pixels[0], is_missing ? 128 : pixels[1], is_missing ? 128 : pixels[2]);
        if (bands == 4 && pixels[3] == 0)
            pixels[0] = pixels[1] = pixels[2] = 0;
    }
}

void thimble_jpeg_weave_rgb(
    const uint8_t *luma, const uint8_t *blue, const uint8_t *red, int width, uint8_t *pixels) {
    for (int x = 0; x < width; x++)
        write_rgb(pixels + 3 * x, luma[x], blue[x], red[x]);
}

void thimble_jpeg_upsample_row(
    const uint8_t *near, const uint8_t *far, int width, uint8_t *row) {
    const int count = (width + 1) / 2;
    if (count <= 2) {
        for (int x = 0; x < width; x++)
            row[x] = near[x / 2];
        return;
    }
    int own = 3 * near[0] + far[0], previous = own;
    for (int x = 0; x < count; x++) {
        const int next = x + 1 < count ? 3 * near[x + 1] + far[x + 1] : own;
        // Ordered rounding, as in libjpeg.
        row[2 * x] = (uint8_t) ((3 * own + previous + 8) >> 4);
        if (2 * x + 1 < width)
            row[2 * x + 1] = (uint8_t) ((3 * own + next + 7) >> 4);
        previous = own;
        own = next;
    }
}
