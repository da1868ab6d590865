// Vector code of the metric, on rows that are padded to whole vectors.
#pragma once

#include <stdbool.h>

enum {
    /// Samples of a vector.
    lanes = 8,
    channels = 3,
    /// Rows and columns on each side of the centre that the blur reads: a Gaussian of sigma 1.5,
    /// truncated at 3.33 sigma.
    radius = 5,
    window = 2 * radius + 1,
};

/// Statistics of a channel of which the blur is taken: sum and difference of both pictures, and their
/// squares.
///
/// SSIM needs two variances only as their sum, and the covariance; with u = a + b and v = a - b,
/// var(a) + var(b) = (var(u) + var(v)) / 2 and cov(a, b) = (var(u) - var(v)) / 4. Small differences
/// then lose no precision.
enum { blurred_sum, blurred_difference, blurred_sum_square, blurred_difference_square, statistics };

/// Error maps, of which each has its mean and its mean of fourth powers.
enum { ssim_map, artefact_map, lost_detail_map, maps };

typedef struct {
    /// Sums over all pixels: first powers, then fourth powers.
    double first[maps], fourth[maps];
} thimble_norms;

typedef struct {
    /// Converts rows of linear RGB of both pictures to XYB: u and v of every channel that has rows for
    /// them.
    void (*convert)(
        const float *const original[channels], const float *const distorted[channels],
        float *const sums[channels], float *const differences[channels], int count);
    /// Blurs columns of u, v and their squares.
    void (*blur_columns)(
        const float *const sums[window], const float *const differences[window],
        float *const blurred[statistics], int count);
    /// Blurs rows, with `radius` samples beyond both ends, and adds the error maps of `count` columns.
    void (*add_maps)(
        const float *sums, const float *differences, const float *const blurred[statistics],
        int count, thimble_norms *norms);
} thimble_similarity_kernels;

/// The processor's best code, or the code of every processor of the architecture.
const thimble_similarity_kernels *thimble_similarity_kernels_of(bool is_best);
