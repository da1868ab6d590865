#include "jpeg_planes.h"

#include <string.h>

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

// Vectors are passed only to functions that are inlined.
#pragma clang diagnostic ignored "-Wpsabi"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first band is not the lowest byte");

typedef uint32_t pixels8 __attribute__((vector_size(32)));
typedef int32_t wide8 __attribute__((vector_size(32)));
typedef int16_t lanes8 __attribute__((vector_size(16)));

enum { lanes = 8 };

#define INLINED static inline __attribute__((always_inline))

/// A byte of each pixel.
INLINED lanes8 band_of(pixels8 pixels, int band) {
    return __builtin_convertvector(pixels >> (unsigned) (8 * band) & 255, lanes8);
}

INLINED wide8 product(lanes8 value, int16_t factor) {
    const lanes8 factors = (lanes8) {0} + factor;
    return __builtin_convertvector(value, wide8) * __builtin_convertvector(factors, wide8);
}

/// Rounds 16 fractional bits.
INLINED lanes8 rounded(wide8 value) {
    return __builtin_convertvector((value + (1 << 15)) >> 16, lanes8);
}

INLINED pixels8 placed(lanes8 value, int band) {
    const lanes8 least = {0}, most = least + 255;
    value = __builtin_elementwise_max(least, __builtin_elementwise_min(value, most));
    return __builtin_convertvector(value, pixels8) << (unsigned) (8 * band);
}

/// Converts eight pixels with alpha, as `write_rgb` does: of its factors, whole multiples of 2^16 are
/// separate, so that the rest fits in 16 bits.
INLINED pixels8 rgb_of(pixels8 pixels) {
    const lanes8 luma = band_of(pixels, 0);
    const lanes8 is_present = __builtin_convertvector((pixels & 0xFFFF00) != 0, lanes8);
    const lanes8 blue = (band_of(pixels, 1) - 128) & is_present;
    const lanes8 red = (band_of(pixels, 2) - 128) & is_present;
    const pixels8 colour = placed(luma + red + rounded(product(red, 91881 - 65536)), 0)
        | placed(luma - red + rounded(product(red, 65536 - 46802) - product(blue, 22554)), 1)
        | placed(luma + 2 * blue + rounded(product(blue, 116130 - 2 * 65536)), 2);
    const pixels8 alpha = pixels & 0xFF000000;
    return (colour & (pixels8) (alpha != 0)) | alpha;
}

void thimble_jpeg_to_rgb(uint8_t *pixels, size_t count, int bands) {
    size_t done = 0;
    for (; bands == 4 && done + lanes <= count; done += lanes, pixels += 4 * lanes) {
        pixels8 value;
        memcpy(&value, pixels, sizeof value);
        value = rgb_of(value);
        memcpy(pixels, &value, sizeof value);
    }
    for (; done < count; done++, pixels += bands) {
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
