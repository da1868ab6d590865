// Inverse of four predictors of lossless WebP (RFC 9649, section 3.5.1): the first one, which most pixels
// of alpha planes have, and three that most pixels of photographs have. Each pixel waits for its left
// neighbour, and the channels of a pixel go into one vector.
#pragma once

#include <stdint.h>

// Each function turns the residuals `row[first]` to `row[end - 1]` into pixels. `row[first - 1]` is a
// pixel already, and `above` has the pixels of the row before, from `above[first - 1]` on.

/// Mode 1: left; `above` is not needed.
void thimble_add_left(uint32_t *row, int first, int end);

/// Mode 11: left or above, whichever is nearer to the gradient.
void thimble_add_selected(uint32_t *row, const uint32_t *above, int first, int end);

/// The same without vector instructions, for processors that have others, and for tests.
void thimble_add_selected_plain(uint32_t *row, const uint32_t *above, int first, int end);

/// Mode 12: left, plus the difference of above and its left neighbour, clamped to bytes.
void thimble_add_gradient(uint32_t *row, const uint32_t *above, int first, int end);

/// Mode 13: the average of left and above, plus half its difference from the left neighbour of above.
void thimble_add_half_gradient(uint32_t *row, const uint32_t *above, int first, int end);

/// Fills pixels of a flat part, as most of an alpha plane is: residuals of 0 whose neighbours are all equal
/// to the pixel before. Every mode but 0 predicts that pixel then.
///
/// @return The first column that is not filled, at most `end`; `above[end]` must be readable.
int thimble_fill_flat(uint32_t *row, const uint32_t *above, int first, int end);
