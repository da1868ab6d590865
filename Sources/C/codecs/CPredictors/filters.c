#include "filters.h"

#include <stdlib.h>
#include <string.h>

/// The neighbour nearest to left + above - corner (PNG specification, 9.4).
static int paeth(int left, int above, int corner) {
    const int to_left = abs(above - corner), to_above = abs(left - corner);
    const int to_corner = abs(left + above - 2 * corner);
    if (to_left <= to_above && to_left <= to_corner)
        return left;
    return to_above <= to_corner ? above : corner;
}

void thimble_unfilter_plain(
    int filter, const uint8_t *filtered, uint8_t *row, size_t count, size_t unit) {
    // Pixels of the row above that are already replaced.
    uint8_t corners[8] = {0};
    for (size_t index = 0; index < count; index++) {
        const int left = index < unit ? 0 : row[index - unit], above = row[index];
        const int corner = corners[index % unit];
        corners[index % unit] = (uint8_t) above;
        const int predicted = filter == THIMBLE_FILTER_SUB ? left
            : filter == THIMBLE_FILTER_UP                  ? above
            : filter == THIMBLE_FILTER_AVERAGE             ? (left + above) / 2
            : filter == THIMBLE_FILTER_PAETH               ? paeth(left, above, corner)
                                                           : 0;
        row[index] = (uint8_t) (filtered[index] + predicted);
    }
}

/// The bytes of a pixel, one in each lane. The upper half of a lane is 0, except in differences.
typedef int16_t lanes __attribute__((vector_size(16)));
typedef uint8_t halves __attribute__((vector_size(16)));
typedef uint8_t bytes __attribute__((vector_size(8)));

#define INLINE static inline __attribute__((always_inline))

INLINE lanes load(const uint8_t *pixel, size_t unit) {
    // Bytes beyond the pixel are ignored.
    bytes eight = {0};
    memcpy(&eight, pixel, unit <= 4 ? 4 : 8);
    return __builtin_convertvector(eight, lanes);
}

/// Stores a pixel and, if it has another size than a word, bytes of the next one.
INLINE void store(uint8_t *pixel, lanes value, size_t unit) {
    const bytes eight = __builtin_convertvector(value, bytes);
    memcpy(pixel, &eight, unit <= 2 ? unit : unit <= 4 ? 4 : 8);
}

/// Adds modulo 256; no sum of lower halves reaches the upper ones.
INLINE lanes sum(lanes a, lanes b) { return (lanes) ((halves) a + (halves) b); }

INLINE lanes nearest(lanes left, lanes above, lanes corner) {
    // Only what depends on the left pixel waits for it.
    const lanes to_left = __builtin_elementwise_abs(above - corner);
    const lanes above_less = above - corner - corner;
    const lanes to_above = __builtin_elementwise_abs(left - corner);
    const lanes to_corner = __builtin_elementwise_abs(left + above_less);
    const lanes is_left = to_left <= __builtin_elementwise_min(to_above, to_corner);
    const lanes is_above = to_above <= to_corner;
    const lanes other = (above & is_above) | (corner & ~is_above);
    return (left & is_left) | (other & ~is_left);
}

/// The filters that use the left pixel, with a constant pixel size.
INLINE void undo(int filter, const uint8_t *filtered, uint8_t *row, size_t count, size_t unit) {
    lanes left = {0}, corner = {0};
    switch (filter) {
    case THIMBLE_FILTER_SUB:
        for (size_t index = 0; index < count; index += unit) {
            left = sum(left, load(filtered + index, unit));
            store(row + index, left, unit);
        }
        break;
    case THIMBLE_FILTER_AVERAGE: {
        // The next pixel above is read before its bytes are overwritten.
        lanes above = load(row, unit);
        for (size_t index = 0; index < count; index += unit) {
            const lanes next = load(row + index + unit, unit);
            left = sum((left + above) >> 1, load(filtered + index, unit));
            store(row + index, left, unit);
            above = next;
        }
        break;
    }
    default: {
        lanes above = load(row, unit);
        for (size_t index = 0; index < count; index += unit) {
            const lanes next = load(row + index + unit, unit);
            left = sum(nearest(left, above, corner), load(filtered + index, unit));
            store(row + index, left, unit);
            corner = above;
            above = next;
        }
    }
    }
}

INLINE void undo_pixels(
    int filter, const uint8_t *filtered, uint8_t *row, size_t count, size_t unit) {
    switch (unit) {
    case 2: return undo(filter, filtered, row, count, 2);
    case 3: return undo(filter, filtered, row, count, 3);
    case 4: return undo(filter, filtered, row, count, 4);
    case 6: return undo(filter, filtered, row, count, 6);
    case 8: return undo(filter, filtered, row, count, 8);
    default: return undo(filter, filtered, row, count, 1);
    }
}

INLINE void unfilter(int filter, const uint8_t *filtered, uint8_t *row, size_t count, size_t unit) {
    switch (filter) {
    case THIMBLE_FILTER_NONE: memcpy(row, filtered, count); break;
    case THIMBLE_FILTER_UP:
        for (size_t index = 0; index < count; index++)
            row[index] = (uint8_t) (row[index] + filtered[index]);
        break;
    case THIMBLE_FILTER_SUB: undo_pixels(THIMBLE_FILTER_SUB, filtered, row, count, unit); break;
    case THIMBLE_FILTER_AVERAGE:
        undo_pixels(THIMBLE_FILTER_AVERAGE, filtered, row, count, unit);
        break;
    default: undo_pixels(THIMBLE_FILTER_PAETH, filtered, row, count, unit);
    }
}

#if defined(__x86_64__)

/// Its absolute values and selections take one instruction each.
__attribute__((target("sse4.1"))) static void unfilter_sse41(
    int filter, const uint8_t *filtered, uint8_t *row, size_t count, size_t unit) {
    unfilter(filter, filtered, row, count, unit);
}

static void unfilter_sse2(
    int filter, const uint8_t *filtered, uint8_t *row, size_t count, size_t unit) {
    unfilter(filter, filtered, row, count, unit);
}

void thimble_unfilter(
    int filter, const uint8_t *filtered, uint8_t *row, size_t count, size_t unit) {
    if (__builtin_cpu_supports("sse4.1"))
        unfilter_sse41(filter, filtered, row, count, unit);
    else
        unfilter_sse2(filter, filtered, row, count, unit);
}

#else

void thimble_unfilter(
    int filter, const uint8_t *filtered, uint8_t *row, size_t count, size_t unit) {
    unfilter(filter, filtered, row, count, unit);
}

#endif
