#include "parts.h"

static void forget_lists(search *it) {
    memset(it->narrow, 0, sizeof it->narrow);
    memset(it->translucent, 0, sizeof it->translucent);
    memset(it->wide, 0, sizeof it->wide);
    // 0 would be no list.
    it->pooled = 1;
}

void search_use(search *it, const palette *colours) {
    forget_lists(it);
    it->count = colours->count + colours->has_transparent;
    it->opaque = colours->opaque;
    for (int index = 0; index < it->count; index++)
        it->points[index] = weighted(lanes_of(index < colours->count ? colours->at[index] : 0));
}

/// Points of a cell in coordinates times their factors: twice the middle, and the width.
typedef struct {
    lanes4 twice_middle, width;
} extent;

static extent opaque_extent(packed colour, int shift) {
    extent made = {.width = {0}};
    static const int factors[] = {red_factor, green_factor, blue_factor};
    for (int axis = 0; axis < 3; axis++) {
        const int width = 2 * ((1 << shift) - 1);
        const int low = 2 * (channel(colour, axis) >> shift << shift) - 255;
        made.twice_middle[axis] = (int16_t) (factors[axis] * (2 * low + width));
        made.width[axis] = (int16_t) (factors[axis] * width);
    }
    made.twice_middle[3] = 2 * alpha_factor * 255;
    return made;
}

static extent translucent_extent(packed colour) {
    extent made;
    static const int factors[] = {red_factor, green_factor, blue_factor};
    const int alpha = channel(colour, 3), low = alpha / alpha_span * alpha_span;
    const int end = low + alpha_span - 1;
    for (int axis = 0; axis < 3; axis++) {
        const int width = 2 * alpha_span - 1;
        const int level = (2 * channel(colour, axis) - alpha + end) / (2 * alpha_span);
        made.twice_middle[axis] =
            (int16_t) (factors[axis] * (2 * (2 * alpha_span * level - end) + width));
        made.width[axis] = (int16_t) (factors[axis] * width);
    }
    made.twice_middle[3] = (int16_t) (alpha_factor * (low + end));
    made.width[3] = alpha_factor * (alpha_span - 1);
    return made;
}

/// Sums of products of four lanes, of a block of points.
INLINED words4 products(const lanes8 a[2], const lanes8 b[2]) {
    const words4 low = products_of_pairs(a[0], b[0]), high = products_of_pairs(a[1], b[1]);
    return __builtin_shufflevector(low, high, 0, 2, 4, 6)
        + __builtin_shufflevector(low, high, 1, 3, 5, 7);
}

/// Chooses the places of points that can be nearest to a point of a cell; returns their number.
///
/// With the point j nearest to the middle m of the cell, point i is farther than j from all points of the
/// cell if |i - m|^2 - |j - m|^2 exceeds the product of |i - j| and the width, since the difference of
/// both squares is linear.
///
/// @param points `count` points, the last of which is repeated to fill a block.
INLINED int choose_places(
    const lanes4 *points, int count, const extent *cell, uint8_t *places) {
    words4 distances[thimble_quantiser_colours / block];
    const lanes8 middle = doubled(cell->twice_middle), width = doubled(cell->width);
    words4 least = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};
    words4 nearest = {0}, place = {0, 1, 2, 3};
    for (int first = 0; first < count; first += block) {
        lanes8 apart[2];
        memcpy(apart, points + first, sizeof apart);
        for (int pair = 0; pair < 2; pair++)
            apart[pair] = 2 * apart[pair] - middle;
        const words4 squared = products(apart, apart);
        distances[first / block] = squared;
        const words4 is_less = squared < least;
        least = (squared & is_less) | (least & ~is_less);
        nearest = (place & is_less) | (nearest & ~is_less);
        place += block;
    }
    int lane = 0;
    for (int other = 1; other < block; other++)
        if (least[other] < least[lane])
            lane = other;
    const lanes8 centre = doubled(points[nearest[lane]]), widths[2] = {width, width};
    int chosen = 0;
    for (int first = 0; first < count; first += block) {
        lanes8 apart[2];
        memcpy(apart, points + first, sizeof apart);
        for (int pair = 0; pair < 2; pair++) {
            const lanes8 difference = apart[pair] - centre;
            const lanes8 is_negative = difference >> 15;
            apart[pair] = (difference ^ is_negative) - is_negative;
        }
        // The distances are four times as large, because all of their coordinates are twice as large.
        const words4 is_near =
            distances[first / block] - least[lane] <= 4 * products(apart, widths);
        for (int index = 0; index < block; index++) {
            places[chosen] = (uint8_t) (first + index);
            chosen += is_near[index] != 0;
        }
    }
    // Those that fill the last block.
    while (chosen > 0 && places[chosen - 1] >= count)
        chosen--;
    return chosen;
}

#if defined(__x86_64__)

/// The same integers with the longer instructions of AVX2.
__attribute__((target("avx2"))) static int choose_avx2(
    const lanes4 *points, int count, const extent *cell, uint8_t *places) {
    return choose_places(points, count, cell, places);
}

static int choose(const lanes4 *points, int count, const extent *cell, uint8_t *places) {
    return __builtin_cpu_supports("avx2") ? choose_avx2(points, count, cell, places)
                                          : choose_places(points, count, cell, places);
}

#else

static int choose(const lanes4 *points, int count, const extent *cell, uint8_t *places) {
    return choose_places(points, count, cell, places);
}

#endif

/// Lists the colours of a wider cell; returns their number.
static int unfold(search *it, packed colour, uint8_t *colours) {
    candidates *wider = it->wide + opaque_cell(colour, wide_shift);
    if (wider->rest == 0)
        search_fill(it, wider, colour, wide_shift);
    const int more = wider->rest & 511;
    memcpy(colours, wider->first, block);
    memcpy(colours + block, it->pool + (wider->rest >> 9), (size_t) more);
    int count = block + more;
    // Without the repeated ones.
    while (count > 1 && colours[count - 1] == colours[count - 2])
        count--;
    return count;
}

void search_fill(search *it, candidates *list, packed colour, int shift) {
    const bool is_opaque = colour >> 24 == 255, is_narrow = is_opaque && shift == narrow_shift;
    uint8_t from[thimble_quantiser_colours + block], chosen[thimble_quantiser_colours + block];
    lanes4 points[thimble_quantiser_colours + block];
    int count = is_opaque && it->opaque > 0 ? it->opaque : it->count;
    if (is_narrow) {
        count = unfold(it, colour, from);
        for (int place = 0; place < count; place++)
            points[place] = it->points[from[place]];
    } else {
        memcpy(points, it->points, (size_t) count * sizeof *points);
    }
    for (int place = count; place % block != 0; place++)
        points[place] = points[count - 1];
    const extent cell = is_opaque ? opaque_extent(colour, shift) : translucent_extent(colour);
    int all = choose(points, count, &cell, chosen);
    if (is_narrow)
        for (int place = 0; place < all; place++)
            chosen[place] = from[chosen[place]];
    for (; all % block != 0; all++)
        chosen[all] = chosen[all - 1];
    if (it->pooled > pool_bytes)
        forget_lists(it);
    memcpy(list->first, chosen, block);
    memcpy(it->pool + it->pooled, chosen + block, (size_t) all - block);
    list->rest = (uint32_t) it->pooled << 9 | (uint32_t) (all - block);
    it->pooled += all - block;
}
