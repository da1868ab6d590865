// Scores the visual difference of two pictures of the same size by SSIMULACRA2, version 2.1, from
// rows pushed one by one: pictures of 1320 columns take 0.45 MB at any height.
//
// The metric is Jon Sneyers' (libjxl, tools/ssimulacra2.cc): a weighted sum of 108 norms of error maps
// in XYB at six scales. The blur is the truncated Gaussian of the Python package ssimulacra2 0.3.0,
// with zeros beyond the left and right border, and mirrored rows above and below.
//
// Every processor gives the same norms: the vector code has the same operations in the same order.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Vector instructions.
typedef enum {
    /// The processor's best.
    THIMBLE_SIMILARITY_BEST,
    /// Those that every processor of the architecture has.
    THIMBLE_SIMILARITY_BASELINE,
} thimble_similarity_vectors;

typedef struct thimble_similarity thimble_similarity;

/// Largest width and height, in pixels.
extern const int thimble_similarity_largest_side;

/// Number of bytes that `thimble_similarity_new` allocates; 0 for an invalid size.
size_t thimble_similarity_bytes(int width, int height);

/// Creates a comparison of two pictures; NULL if memory is short or the size is invalid.
thimble_similarity *thimble_similarity_new(
    int width, int height, thimble_similarity_vectors vectors);

/// Begins again with the first rows of other pictures.
void thimble_similarity_restart(thimble_similarity *similarity);

void thimble_similarity_free(thimble_similarity *similarity);

/// Adds the next row of both pictures, interleaved 8-bit sRGB; further rows than the height are
/// ignored.
void thimble_similarity_push(
    thimble_similarity *similarity, const uint8_t *original, const uint8_t *distorted);

/// The score: 100 for equal pictures, 90 for no visible difference, 70 for high quality, 50 for medium
/// quality; negative for strong distortion.
///
/// Pictures below 8 pixels a side have no scale, and score 100.
///
/// @return NaN before all rows have been pushed.
double thimble_similarity_score(thimble_similarity *similarity);
