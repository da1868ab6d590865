#include "parts.h"

#include <string.h>

enum {
    /// Width of a cell in the first three coordinates, and in alpha.
    colour_span = 32,
    alpha_span = 16,
};

static const int factors[axes] = {red_factor, green_factor, blue_factor, alpha_factor};

void search_use(search *it, const palette *colours) {
    memset(it->lists, 0, sizeof it->lists);
    memset(it->memo, 0, sizeof it->memo);
    it->pooled = 0;
    it->count = colours->count + colours->has_transparent;
    it->opaque = colours->opaque;
    for (int index = 0; index < it->count; index++) {
        it->points[index] = point_of(index < colours->count ? colours->at[index] : 0);
        for (int axis = 0; axis < axes; axis++)
            it->points[index].at[axis] *= factors[axis];
    }
}

static int square(int value) { return value * value; }

static int larger(int a, int b) { return a > b ? a : b; }

/// Lists the colours that can be nearest to a point of a cell; `low` is its lowest corner.
static uint32_t fill(search *it, const point *low, bool is_opaque) {
    const int count = is_opaque && it->opaque > 0 ? it->opaque : it->count;
    int nearest[thimble_quantiser_colours];
    int limit = INT32_MAX;
    for (int index = 0; index < count; index++) {
        int least = 0, most = 0;
        for (int axis = 0; axis < axes; axis++) {
            const int span = axis < 3 ? colour_span - 1 : is_opaque ? 0 : alpha_span - 1;
            const int below = low->at[axis] * factors[axis] - it->points[index].at[axis];
            const int above = -below - span * factors[axis];
            least += square(larger(0, larger(below, above)));
            most += square(larger(-below, -above));
        }
        nearest[index] = least;
        if (most < limit)
            limit = most;
    }
    if (it->pooled > pool_bytes) {
        it->pooled = 0;
        memset(it->lists, 0, sizeof it->lists);
    }
    const int start = it->pooled;
    for (int index = 0; index < count; index++)
        if (nearest[index] <= limit)
            it->pool[it->pooled++] = (uint8_t) index;
    return (uint32_t) start << 9 | (uint32_t) (it->pooled - start);
}

static uint32_t list_of(search *it, const point *at) {
    const bool is_opaque = at->at[3] == 255;
    point low;
    int cell = is_opaque ? levels : at->at[3] / alpha_span;
    low.at[3] = is_opaque ? 255 : cell * alpha_span;
    for (int axis = 0; axis < 3; axis++) {
        const int level = (at->at[axis] + 255) / colour_span;
        cell = cell * levels + level;
        low.at[axis] = level * colour_span - 255;
    }
    if (it->lists[cell] == 0) {
        // It may clear all lists.
        const uint32_t list = fill(it, &low, is_opaque);
        it->lists[cell] = list;
    }
    return it->lists[cell];
}

int search_find(search *it, packed colour) {
    const uint32_t slot = colour * 2654435769u >> 20;
    if (it->memo[slot].colour == colour && it->memo[slot].index > 0)
        return (int) it->memo[slot].index - 1;
    const point at = point_of(colour);
    const uint32_t list = list_of(it, &at);
    const uint8_t *candidates = it->pool + (list >> 9);
    int best = 0, distance = INT32_MAX;
    for (uint32_t place = 0; place < (list & 511); place++) {
        const point *candidate = it->points + candidates[place];
        int sum = 0;
        for (int axis = 0; axis < axes; axis++)
            sum += square(at.at[axis] * factors[axis] - candidate->at[axis]);
        if (sum < distance) {
            distance = sum;
            best = candidates[place];
        }
    }
    it->memo[slot].colour = colour;
    it->memo[slot].index = (uint32_t) best + 1;
    return best;
}
