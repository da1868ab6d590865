// Samples of rows as words of 14 bits, with colours multiplied by alpha.
#pragma once

#include <stdint.h>

#include "resampler.h"

/// Highest sample of rows of words.
enum { thimble_highest_word = (1 << 14) - 1 };

/// Converts pixels to words.
void thimble_words_enter(
    const thimble_resampling *resampling, const void *pixels, int16_t *words, int count);

/// Converts a target row to bytes; divides colours by alpha.
void thimble_words_leave(
    const thimble_resampling *resampling, const int16_t *words, uint8_t *row);
