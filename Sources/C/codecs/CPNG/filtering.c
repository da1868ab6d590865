#include "filtering.h"

#include <string.h>

typedef uint8_t bytes __attribute__((vector_size(16)));
typedef uint16_t words __attribute__((vector_size(16)));

#define INLINE static inline __attribute__((always_inline))

enum { none, sub, up, average, paeth, filter_count };

enum {
    lanes = 16,
    /// Vectors whose magnitudes, two of 128 at most for each sum, fit 16 bits.
    most_vectors = UINT16_MAX / 256
};

INLINE bytes load(const uint8_t *from) {
    bytes value;
    memcpy(&value, from, sizeof value);
    return value;
}

INLINE bytes least(bytes a, bytes b) { return __builtin_elementwise_min(a, b); }

INLINE bytes difference(bytes a, bytes b) { return __builtin_elementwise_max(a, b) - least(a, b); }

/// Rounds down without a ninth bit.
INLINE bytes mean(bytes a, bytes b) { return (a & b) + ((a ^ b) >> 1); }

/// The neighbour nearest to left + above - corner (section 9.4), in eight bits.
///
/// The distance to the corner is the sum of the other two if both neighbours lie on one side of it,
/// so that it is never the least; otherwise it is their difference.
INLINE bytes nearest(bytes left, bytes above, bytes corner) {
    const bytes to_left = difference(above, corner), to_above = difference(left, corner);
    const bytes is_one_side = (bytes) ((left >= corner) == (above >= corner));
    const bytes to_corner = difference(to_left, to_above) | is_one_side;
    const bytes is_left = (bytes) (to_left <= least(to_above, to_corner));
    const bytes is_above = (bytes) (to_above <= to_corner);
    const bytes other = (above & is_above) | (corner & ~is_above);
    return (left & is_left) | (other & ~is_left);
}

INLINE bytes residue(int filter, bytes pixel, bytes left, bytes above, bytes corner) {
    switch (filter) {
    case sub: return pixel - left;
    case up: return pixel - above;
    case average: return pixel - mean(left, above);
    case paeth: return pixel - nearest(left, above, corner);
    default: return pixel;
    }
}

/// The residue of up to 16 bytes; the others are 0.
INLINE bytes residue_of_tail(
    int filter, const uint8_t *row, const uint8_t *above, size_t count, size_t unit) {
    bytes pixel = {0}, left = {0}, over = {0}, corner = {0};
    memcpy(&pixel, row, count);
    memcpy(&left, row - unit, count);
    memcpy(&over, above, count);
    memcpy(&corner, above - unit, count);
    return residue(filter, pixel, left, over, corner);
}

/// Magnitudes of signed bytes, in sums of two.
INLINE words magnitudes(bytes residue) {
    const words pairs = (words) least(residue, -residue);
    return (pairs & UINT8_MAX) + (pairs >> 8);
}

INLINE uint64_t total(words sums) {
    uint64_t sum = 0;
    for (int lane = 0; lane < lanes / 2; lane++)
        sum += sums[lane];
    return sum;
}

static int best_filter(const uint8_t *row, const uint8_t *above, size_t count, size_t unit) {
    uint64_t costs[filter_count] = {0};
    size_t index = 0;
    while (index + lanes <= count) {
        const size_t left = (count - index) / lanes;
        const size_t end = index + lanes * (left < most_vectors ? left : most_vectors);
        words sums[filter_count] = {0};
        for (; index < end; index += lanes) {
            const bytes pixel = load(row + index), before = load(row + index - unit);
            const bytes over = load(above + index), corner = load(above + index - unit);
#pragma clang loop unroll(full)
            for (int filter = none; filter < filter_count; filter++)
                sums[filter] += magnitudes(residue(filter, pixel, before, over, corner));
        }
        for (int filter = none; filter < filter_count; filter++)
            costs[filter] += total(sums[filter]);
    }
    int best = none;
    for (int filter = none; filter < filter_count; filter++) {
        costs[filter] += total(magnitudes(
            residue_of_tail(filter, row + index, above + index, count - index, unit)));
        if (costs[filter] < costs[best])
            best = filter;
    }
    return best;
}

INLINE void apply(
    int filter, const uint8_t *row, const uint8_t *above, size_t count, size_t unit,
    uint8_t *filtered) {
    size_t index = 0;
    for (; index + lanes <= count; index += lanes) {
        const bytes value = residue(
            filter, load(row + index), load(row + index - unit), load(above + index),
            load(above + index - unit));
        memcpy(filtered + index, &value, sizeof value);
    }
    const bytes tail = residue_of_tail(filter, row + index, above + index, count - index, unit);
    memcpy(filtered + index, &tail, count - index);
}

void thimble_png_filter_best(
    const uint8_t *row, const uint8_t *above, size_t count, size_t unit, uint8_t *filtered) {
    const int filter = best_filter(row, above, count, unit);
    *filtered++ = (uint8_t) filter;
    // Constants, so that each loop has one filter.
    switch (filter) {
    case sub: apply(sub, row, above, count, unit, filtered); break;
    case up: apply(up, row, above, count, unit, filtered); break;
    case average: apply(average, row, above, count, unit, filtered); break;
    case paeth: apply(paeth, row, above, count, unit, filtered); break;
    default: memcpy(filtered, row, count);
    }
}
