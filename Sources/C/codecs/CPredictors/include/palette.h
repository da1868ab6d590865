// Colours of PNG pixels with a palette (PNG specification, third edition, 11.2.2).
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Writes the colours of pixels as `bands` bytes each: 3, or 4 with alpha.
///
/// A colour has red in the lowest byte, then green, blue and alpha; for 3 bands, alpha is ignored.
void thimble_write_colours(
    const uint8_t *indices, size_t count, const uint32_t colours[256], size_t bands, uint8_t *pixels);
