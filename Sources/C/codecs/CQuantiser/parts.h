// Parts of the quantiser.
//
// Colours are compared as seen over black and over white. For premultiplied red r and alpha a, the
// difference of two colours is dr over black and dr - da over white, and the mean of both squares is
// (dr - da / 2)^2 + da^2 / 4. So the distance is Euclidean in the coordinates 2 r - a, 2 g - a,
// 2 b - a and a, with the weights below.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "quantiser.h"

// Doubles must be rounded after each operation, as on processors without fused ones.
#pragma STDC FP_CONTRACT OFF

enum {
    axes = 4,
    /// Factors of the coordinates in distances. Squared they weigh red, green and blue as 1 : 4 : 1,
    /// close to perception, and alpha as all three together.
    red_factor = 2,
    green_factor = 4,
    blue_factor = 2,
    alpha_factor = 5,
    /// Fractional bits of the coordinates of histogram cells, so that they fit in 16 bits.
    fraction_bits = 5,
    /// Slots of the histogram, a power of two.
    slot_count = 1 << 15,
    /// Most used cells of the histogram: at 4 bits a sample there are at most 22,592 keys, the sum of
    /// (a + 1)^3 for a from 0 to 15, and 16^3 of opaque colours.
    most_cells = slot_count * 3 / 4,
};

/// Premultiplied colour with red in the lowest byte, then green, blue and alpha.
typedef uint32_t packed;

static inline int channel(packed colour, int index) { return (int) (colour >> (8 * index) & 255); }

static inline packed pack(int red, int green, int blue, int alpha) {
    return (packed) red | (packed) green << 8 | (packed) blue << 16 | (packed) alpha << 24;
}

/// Rounded quotient by 255 of a product of two bytes.
static inline int by_255(int product) { return (product + 128 + ((product + 128) >> 8)) >> 8; }

/// Premultiplies four bytes of RGBA.
static inline packed premultiplied(const uint8_t *pixel) {
    const int alpha = pixel[3];
    if (alpha == 255)
        return pack(pixel[0], pixel[1], pixel[2], 255);
    return pack(
        by_255(pixel[0] * alpha), by_255(pixel[1] * alpha), by_255(pixel[2] * alpha), alpha);
}

/// Mean colour and number of pixels of a histogram cell.
typedef struct {
    /// Coordinates with `fraction_bits`.
    int16_t at[axes];
    uint32_t weight;
} entry;

/// Cell of the histogram; unused if `count` is 0.
typedef struct {
    packed key;
    uint32_t count;
    uint32_t sums[axes];
} cell;

typedef struct {
    /// `slot_count` cells, an open-addressed table.
    cell *slots;
    /// `most_cells` cells, for merging.
    cell *spare;
    int used;
    /// Bits that a sample loses in keys.
    int shift;
    bool has_transparent;
} histogram;

void histogram_start(histogram *it, cell *slots, cell *spare);
void histogram_add(histogram *it, const uint8_t *row, int width);

/// Lists the means of all cells, opaque ones first; returns their number.
///
/// @param list Receives up to `most_cells` entries, which may replace `spare`.
/// @param opaque Receives the number of opaque ones.
int histogram_list(const histogram *it, entry *list, int *opaque);

/// Colours of a palette.
typedef struct {
    /// Opaque ones below `opaque`, then others below `count`, then one of alpha 0 if
    /// `has_transparent`.
    packed at[thimble_quantiser_colours];
    int opaque, count;
    bool has_transparent;
} palette;

#include "search.h"

typedef struct {
    /// Weighted sum of squares that the best split saves; 0 if the box cannot be split.
    double gain;
    int first, end;
    /// The split: up to `limit` on `axis`.
    int axis, limit;
    bool is_opaque;
} box;

/// Sums of entries by their coordinate on an axis.
typedef struct {
    double weight, sums[axes];
} bin;

enum { bin_bits = 8 };

/// Working memory for choosing colours.
typedef struct {
    bin bins[axes][1 << bin_bits];
    box boxes[thimble_quantiser_colours];
    bin means[thimble_quantiser_colours];
} splitting;

/// Mapping of rows to palette colours with error diffusion.
typedef struct {
    int width;
    const palette *colours;
    search *nearest;
    /// Colours of the palette in lanes.
    lanes4 given[thimble_quantiser_colours];
    /// Errors for the pixels of this row and the next, in sixteenths of a level.
    lanes4 *current, *following;
    bool is_backwards;
} mapping;

/// Errors of a row, with one more pixel on either side of both halves.
static inline size_t mapping_errors(int width) { return (size_t) width + 4; }

/// Begins with the top row.
///
/// @param errors Room for the errors of two rows.
void mapping_start(
    mapping *it, int width, const palette *colours, search *nearest, lanes4 *errors);

/// Index in the caller's palette: transparent colours come first, for a short list of their alphas.
static inline int outer_index(const palette *it, int index) {
    return it->count + it->has_transparent - 1 - index;
}

/// Writes the caller's indices of the next row.
void mapping_row(mapping *it, const uint8_t *row, uint8_t *indices);

/// Chooses up to `most` colours, at least 2 and besides the transparent one, and lets `nearest` use them.
///
/// @param entries `count` entries, of which the first `opaque` are opaque; their order changes.
/// @param colours Receives the colours; `has_transparent` stays as it is.
void choose_colours(
    splitting *it, search *nearest, entry *entries, int opaque, int count, int most,
    palette *colours);
