#include "parts.h"

#include <string.h>

enum {
    /// A cell with so many pixels takes no more, so that its sums fit in 32 bits.
    most_pixels = 1 << 24,
};

void histogram_start(histogram *it, cell *slots, cell *spare) {
    *it = (histogram) {.slots = slots, .spare = spare};
    memset(slots, 0, slot_count * sizeof *slots);
}

/// Upper bits of all samples; opaque colours share no key with others.
static packed key_of(packed colour, int shift) {
    const packed mask = 255u >> shift << shift;
    const packed alpha = colour >> 24 == 255 ? 255 : colour >> 24 & mask;
    return (colour & mask * 0x10101u) | alpha << 24;
}

/// The cell of a key, or the unused one for it.
static cell *find(cell *slots, packed key) {
    // Fibonacci hashing (Knuth, volume 3, section 6.4).
    uint32_t slot = (key ^ key >> 15) * 2654435769u >> 17;
    while (slots[slot].count != 0 && slots[slot].key != key)
        slot = (slot + 1) & (slot_count - 1);
    return slots + slot;
}

/// Moves all used cells to the start of another array, in the order of their slots.
static int gather(const cell *slots, cell *list) {
    int used = 0;
    for (int slot = 0; slot < slot_count; slot++)
        if (slots[slot].count != 0)
            list[used++] = slots[slot];
    return used;
}

/// Merges cells whose keys are equal with one bit less a sample.
static void coarsen(histogram *it) {
    it->shift++;
    const int used = gather(it->slots, it->spare);
    memset(it->slots, 0, slot_count * sizeof *it->slots);
    it->used = 0;
    for (int index = 0; index < used; index++) {
        const cell *from = it->spare + index;
        const packed key = key_of(from->key, it->shift);
        cell *into = find(it->slots, key);
        if (into->count == 0) {
            it->used++;
            into->key = key;
        } else if (from->count > most_pixels - into->count) {
            // The merged mean is of the cell with more pixels.
            if (into->count < from->count) {
                *into = *from;
                into->key = key;
            }
            continue;
        }
        into->count += from->count;
        for (int axis = 0; axis < axes; axis++)
            into->sums[axis] += from->sums[axis];
    }
}

/// The cell of a colour, with one that is unused made for it.
static cell *cell_of(histogram *it, packed colour) {
    cell *found = find(it->slots, key_of(colour, it->shift));
    if (found->count == 0) {
        while (it->used == most_cells)
            coarsen(it);
        const packed key = key_of(colour, it->shift);
        found = find(it->slots, key);
        it->used += found->count == 0;
        found->key = key;
    }
    return found;
}

void histogram_add(histogram *it, const uint8_t *row, int width) {
    packed last = 0;
    cell *found = NULL;
    for (int x = 0; x < width; x++) {
        const uint8_t *pixel = row + 4 * (size_t) x;
        if (pixel[3] == 0) {
            it->has_transparent = true;
            continue;
        }
        const packed colour = premultiplied(pixel);
        if (!found || colour != last) {
            found = cell_of(it, colour);
            last = colour;
        }
        if (found->count == most_pixels)
            continue;
        found->count++;
        for (int axis = 0; axis < axes; axis++)
            found->sums[axis] += (uint32_t) channel(colour, axis);
    }
}

static entry mean(const cell *it) {
    const int64_t count = it->count, alpha = it->sums[3];
    entry made = {.weight = it->count};
    for (int axis = 0; axis < axes; axis++) {
        const int64_t sum = axis < 3 ? 2 * (int64_t) it->sums[axis] - alpha : alpha;
        made.at[axis] = (int16_t) ((sum * (1 << fraction_bits)) / count);
    }
    return made;
}

int histogram_list(const histogram *it, entry *list, int *opaque) {
    int count = 0;
    for (int is_opaque = 1; is_opaque >= 0; is_opaque--) {
        for (int slot = 0; slot < slot_count; slot++) {
            const cell *found = it->slots + slot;
            if (found->count != 0 && (found->key >> 24 == 255) == is_opaque)
                list[count++] = mean(found);
        }
        if (is_opaque)
            *opaque = count;
    }
    return count;
}
