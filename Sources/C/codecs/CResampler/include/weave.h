// Writes samples of planes into interleaved pixels.
#pragma once

#include <stdint.h>

/// Writes one band of a row of pixels.
///
/// @param pixels `count` pixels of `bands` bytes; other bands keep their bytes.
/// @param samples `count` samples, each `step` bytes after the one before.
void thimble_weave(
    uint8_t *pixels, int bands, int band, const uint8_t *samples, int step, int count);

/// Writes two bands of a row of pixels of four bytes: the first, and alpha, the last.
///
/// @param pairs `count` samples, each followed by its alpha.
void thimble_weave_pairs(uint8_t *pixels, const uint8_t *pairs, int count);
