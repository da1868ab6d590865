// Rows of YCbCr with halved chroma as planes of RGB.
#pragma once

#include <stdint.h>

#include "resampler.h"

/// Doubles a row of chroma, whose samples lie between those of luma (ITU-T T.871, section 7), by a
/// triangle filter.
///
/// @param near, far Rows that count by three quarters and by a quarter; the same for one row.
/// @param count Samples of a row, at least 1.
/// @param width Samples of the result: 2 * count, or one less.
/// @param vectors Instructions that the processor has.
void thimble_double_chroma(
    const uint8_t *near, const uint8_t *far, int count, uint8_t *doubled, int width,
    thimble_vectors vectors);

/// Converts a row to RGB (ITU-T T.871, section 7); each result is within a level.
///
/// @param vectors Instructions that the processor has.
void thimble_ycc_to_rgb(
    const uint8_t *luma, const uint8_t *blue, const uint8_t *red, uint8_t *const rgb[3],
    int count, thimble_vectors vectors);
