// The loops over samples, once for each instruction set.
//
// Every version adds the same 32-bit products, in another order, and shifts and saturates the sums
// alike.
#pragma once

#include <stdint.h>

#include "weights.h"

/// Samples that a version may read or write past the end of a row.
enum { thimble_row_padding = 32 };

/// The target columns of a band.
typedef struct {
    int count;
    /// First sample of each, and its weights, `taps` each, a multiple of 8.
    const int32_t *starts;
    const int16_t *weights;
    int taps;
    /// Fractional bits of the sums, and the highest result.
    int shift, highest;
} thimble_columns;

/// The loops of one instruction set.
typedef struct {
    /// Converts RGBA of bytes to words of 14 bits, colours multiplied by alpha; no padding is used.
    void (*premultiply)(const uint8_t *pixels, int16_t *words, int count);
    /// Converts bytes to light, of which `light` is the table; no padding is used.
    void (*enter_light)(const int16_t *light, const uint8_t *bytes, int16_t *words, int count);
    /// See `thimble_double_chroma` and `thimble_ycc_to_rgb`.
    void (*double_chroma)(
        const uint8_t *near, const uint8_t *far, int count, uint8_t *doubled, int width);
    void (*ycc_to_rgb)(
        const uint8_t *luma, const uint8_t *blue, const uint8_t *red, uint8_t *const rgb[3],
        int count);
    /// Weighs `pairs` pairs of rows of bytes. The result has 6 fractional bits.
    void (*mix_bytes)(
        const uint8_t *const *rows, const int16_t *weights, int pairs, int16_t *mixed, int count);
    /// Weighs pairs of rows of 14 bits. The result has no fractional bits.
    void (*mix_words)(
        const int16_t *const *rows, const int16_t *weights, int pairs, int16_t *mixed, int count);
    /// Weighs the samples of every target column.
    void (*weigh)(const int16_t *samples, const thimble_columns *columns, int16_t *target);
    /// See `thimble_grid_weigh`.
    void (*weigh_grid)(
        const thimble_grid *grid, int index, double *values, int16_t *weights, int count);
} thimble_kernels;

/// Returns NULL if the processor lacks the instructions.
const thimble_kernels *thimble_kernels_for(int vectors);
