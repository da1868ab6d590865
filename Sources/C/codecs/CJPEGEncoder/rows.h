// Conversion of rows of RGB to YCbCr.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Converts pixels by ITU-T T.871, section 7, in 16 fractional bits.
void thimble_jpeg_convert(
    const uint8_t *pixels, size_t count, uint8_t *luma, uint8_t *blue, uint8_t *red);

/// Averages squares of four samples of two rows; half a level is rounded down and up in turn.
void thimble_jpeg_halve(const uint8_t *upper, const uint8_t *lower, size_t count, uint8_t *halved);
