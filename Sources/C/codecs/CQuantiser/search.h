// Exact search for the nearest palette colour. Included by parts.h, after the palette.
#pragma once

#include <string.h>

// Colours are four bytes in memory and integers with red in the lowest byte.
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first byte is not the lowest");
// Vectors are passed only to functions that are inlined.
#pragma clang diagnostic ignored "-Wpsabi"

typedef int16_t lanes4 __attribute__((vector_size(8)));
typedef int16_t lanes8 __attribute__((vector_size(16)));
typedef int32_t words4 __attribute__((vector_size(16)));
typedef int32_t words8 __attribute__((vector_size(32)));

#define INLINED static inline __attribute__((always_inline))

enum {
    /// Colours that are compared at once.
    block = 4,
    /// Widths of cells of opaque colours in levels of each channel, as shifts.
    wide_shift = 4,
    narrow_shift = 3,
    wide_cells = 1 << 3 * (8 - wide_shift),
    narrow_cells = 1 << 3 * (8 - narrow_shift),
    /// Width of the other cells in alpha, and half their width in the coordinates of colour.
    alpha_span = 16,
    /// The sum of (n + 1)^3 for the 16 levels n of alpha, with n + 1 levels of each coordinate.
    translucent_cells = 18496,
    /// As much as the table of the histogram leaves, in whose place the search lies.
    pool_bytes = 240 << 10,
};

/// Palette colours that can be nearest to a point of a cell.
typedef struct {
    /// The first ones, repeated if there are fewer.
    uint8_t first[block];
    /// Start of the others in the pool above 9 bits of their number, in whole blocks; 0 if there is no list
    /// yet.
    uint32_t rest;
} candidates;

/// Search by cells.
///
/// For each cell of colours, it lists the palette colours that can be nearest to one of its
/// points, when the cell is first needed. Opaque points get opaque colours.
typedef struct {
    candidates narrow[narrow_cells];
    candidates translucent[translucent_cells];
    candidates wide[wide_cells];
    uint8_t pool[pool_bytes + thimble_quantiser_colours];
    /// Coordinates times their factors.
    lanes4 points[thimble_quantiser_colours];
    int pooled;
    int opaque, count;
} search;

/// Replaces the colours.
void search_use(search *it, const palette *colours);

/// Lists the candidates for the cell of a colour.
void search_fill(search *it, candidates *list, packed colour, int shift);

INLINED lanes4 lanes_of(packed colour) {
    return (lanes4) {
        (int16_t) channel(colour, 0), (int16_t) channel(colour, 1), (int16_t) channel(colour, 2),
        (int16_t) channel(colour, 3)};
}

/// Coordinates times their factors.
INLINED lanes4 weighted(lanes4 colour) {
    const lanes4 alpha = __builtin_shufflevector(colour, colour, 3, 3, 3, 3);
    return colour * (lanes4) {2 * red_factor, 2 * green_factor, 2 * blue_factor, alpha_factor}
        - alpha * (lanes4) {red_factor, green_factor, blue_factor, 0};
}

/// Number of a cell of opaque colours.
INLINED unsigned opaque_cell(packed colour, int shift) {
    const int bits = 8 - shift;
    const unsigned levels = (1u << bits) - 1;
    return (colour >> shift & levels) | (colour >> (8 + shift) & levels) << bits
        | (colour >> (16 + shift) & levels) << 2 * bits;
}

/// Number of a cell of other colours.
INLINED unsigned translucent_cell(packed colour) {
    const unsigned alpha = colour >> 24, level = alpha / alpha_span, levels = level + 1;
    const unsigned end = levels * alpha_span - 1 - alpha;
    const unsigned red = (2 * (colour & 255) + end) / (2 * alpha_span);
    const unsigned green = (2 * (colour >> 8 & 255) + end) / (2 * alpha_span);
    const unsigned blue = (2 * (colour >> 16 & 255) + end) / (2 * alpha_span);
    // The sum of the first cubes is the square of the sum of their roots.
    const unsigned below = level * levels / 2;
    return below * below + (red * levels + green) * levels + blue;
}

INLINED words4 lower(words4 a, words4 b) {
    const words4 is_less = a < b;
    return (a & is_less) | (b & ~is_less);
}

INLINED lanes8 doubled(lanes4 value) {
    return __builtin_shufflevector(value, value, 0, 1, 2, 3, 0, 1, 2, 3);
}

/// Sums of the products of pairs.
INLINED words4 products_of_pairs(lanes8 a, lanes8 b) {
    const words8 wide = __builtin_convertvector(a, words8) * __builtin_convertvector(b, words8);
    return __builtin_shufflevector(wide, wide, 0, 2, 4, 6)
        + __builtin_shufflevector(wide, wide, 1, 3, 5, 7);
}

/// Squared distances of a block of colours, above 8 bits of their indices.
INLINED words4 ranked(const search *it, const uint8_t colours[block], lanes8 wanted) {
    const lanes4 *points = it->points;
    const lanes8 low = __builtin_shufflevector(
        points[colours[0]], points[colours[1]], 0, 1, 2, 3, 4, 5, 6, 7);
    const lanes8 high = __builtin_shufflevector(
        points[colours[2]], points[colours[3]], 0, 1, 2, 3, 4, 5, 6, 7);
    const words4 a = products_of_pairs(low - wanted, low - wanted);
    const words4 b = products_of_pairs(high - wanted, high - wanted);
    const words4 distances =
        __builtin_shufflevector(a, b, 0, 2, 4, 6) + __builtin_shufflevector(a, b, 1, 3, 5, 7);
    // They are below 2^23.
    return distances << 8 | (words4) {colours[0], colours[1], colours[2], colours[3]};
}

/// Index of the colour nearest to a premultiplied one, the lowest if there are several.
///
/// @param point The colour's coordinates times their factors.
/// @param shift `narrow_shift` for many colours, `wide_shift` for a few.
INLINED int search_find(search *it, packed colour, lanes4 point, int shift) {
    candidates *list = colour >> 24 != 255 ? it->translucent + translucent_cell(colour)
        : shift == narrow_shift            ? it->narrow + opaque_cell(colour, narrow_shift)
                                           : it->wide + opaque_cell(colour, wide_shift);
    if (__builtin_expect(list->rest == 0, 0))
        search_fill(it, list, colour, shift);
    const lanes8 wanted = doubled(point);
    words4 best = ranked(it, list->first, wanted);
    const uint8_t *colours = it->pool + (list->rest >> 9);
    const uint8_t *end = colours + (list->rest & 511);
    for (; colours < end; colours += block)
        best = lower(best, ranked(it, colours, wanted));
    best = lower(best, __builtin_shufflevector(best, best, 2, 3, 0, 1));
    best = lower(best, __builtin_shufflevector(best, best, 1, 0, 3, 2));
    return best[0] & 255;
}
