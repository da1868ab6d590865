// The loops over samples, once for each instruction set.
//
// Every version adds the same 32-bit products, in another order, and shifts and saturates the sums
// alike.
#pragma once

#include <stdint.h>

/// Samples that a version may read or write past the end of a row.
enum { thimble_row_padding = 32 };

/// The loops of one instruction set.
typedef struct {
    /// Weighs `pairs` pairs of rows of bytes. The result has 6 fractional bits.
    void (*mix_bytes)(
        const uint8_t *const *rows, const int16_t *weights, int pairs, int16_t *mixed, int count);
    /// The same for rows of 14 bits, without fractional bits.
    void (*mix_words)(
        const int16_t *const *rows, const int16_t *weights, int pairs, int16_t *mixed, int count);
    /// Weighs `count` samples, a multiple of 8.
    int32_t (*weigh)(const int16_t *samples, const int16_t *weights, int count);
} thimble_kernels;

/// Returns NULL if the processor lacks the instructions.
const thimble_kernels *thimble_kernels_for(int vectors);
