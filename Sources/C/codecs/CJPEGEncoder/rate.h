// Rounding by rate and distortion: a smaller value is taken where it saves more bits than it costs error.
#pragma once

#include "blocks.h"
#include "coder.h"

/// Bits of each AC symbol with its value.
typedef struct {
    float bits[thimble_jpeg_most_codes];
} thimble_jpeg_rates;

/// Takes the lengths of the chosen codes or, before, those that the symbols so far suggest.
void thimble_jpeg_rates_estimate(
    thimble_jpeg_rates *rates, const thimble_jpeg_coder *coder, int table);

/// Rounds a block of multiples of the quantisation steps.
void thimble_jpeg_round_by_rate(
    const thimble_jpeg_coder *coder, const thimble_jpeg_quantiser *quantiser,
    const thimble_jpeg_rates *rates, const float *scaled, int16_t *levels);
