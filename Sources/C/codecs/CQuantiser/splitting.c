#include "parts.h"

#include <string.h>

static const int factors[axes] = {red_factor, green_factor, blue_factor, alpha_factor};

enum {
    /// Rounds of Lloyd's algorithm; twice as many gain less than 0.1 points of SSIMULACRA2.
    rounds = 3,
};

/// Bin of a coordinate; colours reach from -255 to 255, and alpha from 0.
static int bin_of(const entry *it, int axis) {
    const int one = 1 << fraction_bits;
    return axis < 3 ? (it->at[axis] + 255 * one) / (2 * one) : it->at[axis] / one;
}

static void add(bin *sum, const entry *it) {
    sum->weight += it->weight;
    for (int axis = 0; axis < axes; axis++)
        sum->sums[axis] += (double) it->weight * it->at[axis];
}

/// Weighted sum of squares that is saved by two means in place of one.
static double gain(const bin *low, const bin *all) {
    const double weight = all->weight - low->weight;
    double square = 0;
    for (int axis = 0; axis < axes; axis++) {
        const double difference = factors[axis]
            * (low->sums[axis] / low->weight - (all->sums[axis] - low->sums[axis]) / weight);
        square += difference * difference;
    }
    return square * (low->weight * weight / all->weight);
}

/// Finds the best split of a box across one axis (Wu, "Efficient statistical computations for
/// optimal color quantization", Graphics Gems II, 1991).
static void find_split(splitting *it, const entry *entries, box *made) {
    bin all = {0};
    memset(it->bins, 0, sizeof it->bins);
    for (int index = made->first; index < made->end; index++) {
        add(&all, entries + index);
        for (int axis = 0; axis < axes; axis++)
            add(&it->bins[axis][bin_of(entries + index, axis)], entries + index);
    }
    made->gain = 0;
    for (int axis = 0; axis < axes; axis++) {
        bin low = {0};
        for (int limit = 0; limit < 1 << bin_bits; limit++) {
            const bin *next = &it->bins[axis][limit];
            if (next->weight == 0)
                continue;
            low.weight += next->weight;
            for (int other = 0; other < axes; other++)
                low.sums[other] += next->sums[other];
            // Weights are whole numbers below 2^53, and so exact.
            if (low.weight == all.weight)
                break;
            const double saved = gain(&low, &all);
            if (saved > made->gain) {
                made->gain = saved;
                made->axis = axis;
                made->limit = limit;
            }
        }
    }
}

/// Splits a box, and reorders its entries.
static void split(splitting *it, entry *entries, box *low, box *high) {
    int middle = low->first;
    for (int index = low->first; index < low->end; index++)
        if (bin_of(entries + index, low->axis) <= low->limit) {
            const entry moved = entries[index];
            entries[index] = entries[middle];
            entries[middle++] = moved;
        }
    *high = (box) {.first = middle, .end = low->end, .is_opaque = low->is_opaque};
    low->end = middle;
    find_split(it, entries, low);
    find_split(it, entries, high);
}

static int within(int value, int most) { return value < 0 ? 0 : value > most ? most : value; }

/// Rounds coordinates with fractional bits to a colour.
static packed rounded(const int16_t at[axes]) {
    const int one = 1 << fraction_bits;
    const int alpha = within((at[3] + one / 2) / one, 255);
    int colour[3];
    for (int axis = 0; axis < 3; axis++)
        colour[axis] = within((at[axis] + at[3] + one) / (2 * one), alpha);
    return pack(colour[0], colour[1], colour[2], alpha);
}

static packed mean_colour(const bin *sum) {
    int16_t at[axes];
    for (int axis = 0; axis < axes; axis++) {
        const double mean = sum->sums[axis] / sum->weight;
        at[axis] = (int16_t) (mean < 0 ? mean - 0.5 : mean + 0.5);
    }
    return rounded(at);
}

/// Moves colours to the means of the entries nearest to them (Lloyd, "Least squares quantization in
/// PCM", 1982).
static void improve(
    splitting *it, search *nearest, const entry *entries, int opaque, int count, palette *colours) {
    memset(it->means, 0, sizeof it->means);
    for (int index = 0; index < count; index++) {
        const packed colour = rounded(entries[index].at);
        const int found = search_find(nearest, colour, weighted(lanes_of(colour)), wide_shift);
        // Opaque colours are means of opaque pixels, and so stay opaque.
        if (index < opaque || found >= colours->opaque)
            add(it->means + found, entries + index);
    }
    for (int index = 0; index < colours->count; index++)
        if (it->means[index].weight > 0)
            colours->at[index] = mean_colour(it->means + index);
}

/// Box of the largest gain; NULL if no box can be split.
static box *widest(splitting *it, int count) {
    box *found = NULL;
    for (int index = 0; index < count; index++)
        if (it->boxes[index].gain > (found ? found->gain : 0))
            found = it->boxes + index;
    return found;
}

void choose_colours(
    splitting *it, search *nearest, entry *entries, int opaque, int count, int most,
    palette *colours) {
    int boxes = 0;
    if (opaque > 0)
        it->boxes[boxes++] = (box) {.first = 0, .end = opaque, .is_opaque = true};
    if (count > opaque)
        it->boxes[boxes++] = (box) {.first = opaque, .end = count};
    for (int index = 0; index < boxes; index++)
        find_split(it, entries, it->boxes + index);
    for (box *found; boxes < most && (found = widest(it, boxes)); boxes++)
        split(it, entries, found, it->boxes + boxes);
    *colours = (palette) {.has_transparent = colours->has_transparent};
    for (int is_opaque = 1; is_opaque >= 0; is_opaque--) {
        for (int index = 0; index < boxes; index++) {
            if (it->boxes[index].is_opaque != is_opaque)
                continue;
            bin sum = {0};
            for (int entry = it->boxes[index].first; entry < it->boxes[index].end; entry++)
                add(&sum, entries + entry);
            colours->at[colours->count++] = mean_colour(&sum);
        }
        if (is_opaque)
            colours->opaque = colours->count;
    }
    for (int round = 0; round < rounds && boxes < count; round++) {
        search_use(nearest, colours);
        improve(it, nearest, entries, opaque, count, colours);
    }
    search_use(nearest, colours);
}
