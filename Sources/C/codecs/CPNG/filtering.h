// Chooses and applies the filters of a row (PNG specification, section 9.2).
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    /// Zeros that the caller keeps before a row: the pixel left of the first one.
    filter_margin = 8
};

/// Writes the number of a filter and the filtered row, `count + 1` bytes.
///
/// Chosen is the filter whose bytes, as signed numbers, have the least sum of magnitudes (section
/// 12.8): the first of those with the same sum.
///
/// @param row `count` bytes after `filter_margin` zeros; `above` likewise, all zeros for the first row.
/// @param unit Bytes of a pixel, 1 to 8.
void thimble_png_filter_best(
    const uint8_t *row, const uint8_t *above, size_t count, size_t unit, uint8_t *filtered);
