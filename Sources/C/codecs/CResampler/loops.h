// Parts that the loops of all instruction sets share.
#pragma once

#include "kernels.h"

/// Shifts of the sums of bytes, whose results have 6 fractional bits, and of words.
enum { byte_shift = 8, word_shift = 14 };

/// Premultiplies the pixels from `first` on.
void thimble_premultiply_from(int first, const uint8_t *pixels, int16_t *words, int count);

/// Converts bytes to light from `first` on.
void thimble_enter_light_from(
    int first, const int16_t *light, const uint8_t *bytes, int16_t *words, int count);

/// Doubles chroma between samples `first` - 1 and `first`, and so on, and both ends.
void thimble_double_chroma_from(
    int first, const uint8_t *near, const uint8_t *far, int count, uint8_t *doubled, int width);

/// Converts the pixels from `first` on to RGB.
void thimble_ycc_to_rgb_from(
    int first, const uint8_t *luma, const uint8_t *blue, const uint8_t *red,
    uint8_t *const rgb[3], int count);

/// Weighs the samples of the target columns from `first` on.
void thimble_weigh_from(
    int first, const int16_t *samples, const thimble_columns *it, int16_t *target);

/// Factors of centred chroma with 13 fractional bits: 1.402, 0.344136, 0.714136 and 1.772.
enum {
    red_of_red = 11485,
    green_of_blue = -2819,
    green_of_red = -5850,
    blue_of_blue = 14516,
};

extern const thimble_kernels thimble_sse2, thimble_avx2, thimble_neon;
