// Blocks of 8 × 8 samples: transform and quantisation.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "jpeg_encoder.h"

/// Factors and thresholds of a component. Blocks are transposed: the index of a coefficient is eight
/// times its horizontal frequency, plus its vertical one.
typedef struct {
    float steps[thimble_jpeg_block];
    /// Reciprocals of the quantisation steps and of the transform's scale.
    float factors[thimble_jpeg_block];
    /// Added before truncation; 0.5 rounds to the nearest.
    float biases[thimble_jpeg_block];
    /// Of `thimble_jpeg_settings`.
    float strength;
} thimble_jpeg_quantiser;

/// The transform of a kind of vectors.
typedef struct {
    /// Transforms and quantises a block.
    void (*quantise)(
        const uint8_t *samples, ptrdiff_t stride, const thimble_jpeg_quantiser *quantiser,
        int16_t *levels);
    /// Transforms a block into multiples of the quantisation steps.
    void (*scale)(
        const uint8_t *samples, ptrdiff_t stride, const thimble_jpeg_quantiser *quantiser,
        float *scaled);
} thimble_jpeg_transform;

/// The transform of the processor; all kinds give the same numbers.
const thimble_jpeg_transform *thimble_jpeg_transform_for(thimble_jpeg_vectors vectors);

/// Sets up a component by its table, 0 for luma and 1 for chroma.
void thimble_jpeg_quantiser_set(
    thimble_jpeg_quantiser *quantiser, const thimble_jpeg_settings *settings, int table);

/// Index of the transposed block for each position in zigzag order (T.81, figure A.6).
extern const uint8_t thimble_jpeg_zigzag[thimble_jpeg_block];
