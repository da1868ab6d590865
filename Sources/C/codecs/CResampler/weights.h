// The weights of the Lanczos 3 kernel, the same on every processor.
#pragma once

#include <stdint.h>

#include "resampler.h"

/// One direction, in boxes.
typedef struct {
    int source, target;
    double origin, step;
    /// Part of the last box that lies inside the picture: 1, or less at an odd edge.
    double last_part;
} thimble_grid;

thimble_grid thimble_grid_of(const thimble_axis *axis);

/// Upper bound of the source samples of a target sample.
int thimble_grid_taps(const thimble_grid *grid);

/// First and last source sample with a weight. The kernel is cut at the edges of the picture.
int thimble_grid_first(const thimble_grid *grid, int index);
int thimble_grid_last(const thimble_grid *grid, int index);

/// Writes the weights of a target sample, whose sum is exactly 1, and zeros up to `count`.
///
/// `values` has room for as many weights before rounding.
void thimble_grid_weigh(
    const thimble_grid *grid, int index, double *values, int16_t *weights, int count);

#if defined(__x86_64__)
/// `thimble_grid_weigh` for processors with AVX2.
void thimble_grid_weigh_avx2(
    const thimble_grid *grid, int index, double *values, int16_t *weights, int count);
#endif
