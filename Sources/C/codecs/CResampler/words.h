// Samples of rows as words of 14 bits, with colours multiplied by alpha; for means in linear light,
// with the light of colours.
#pragma once

#include <stdint.h>

#include "kernels.h"
#include "light.h"
#include "resampler.h"

/// Highest sample of rows of words.
enum { thimble_highest_word = (1 << 14) - 1 };

/// The conversion between samples and words.
typedef struct {
    const thimble_resampling *resampling;
    const thimble_kernels *kernels;
    /// Tables for linear light.
    thimble_light light;
} thimble_words;

/// Converts pixels to words.
void thimble_words_enter(const thimble_words *it, const void *pixels, int16_t *words, int count);

/// Converts the planes of a target row with alpha or of light to interleaved bytes; divides colours by
/// alpha.
///
/// With alpha, words may exceed `thimble_highest_word` by the kernel's overshoot.
void thimble_words_leave(const thimble_words *it, const int16_t *planes, uint8_t *row);

/// Scales other words of a target row, at most `thimble_highest_word`, to 0 to 255 in place.
void thimble_words_round(const thimble_words *it, int16_t *words, int count);
