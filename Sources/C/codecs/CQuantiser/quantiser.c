#include "quantiser.h"

#include <stdlib.h>

#include "parts.h"

enum { most_width = 1 << 24 };

struct thimble_quantiser {
    int width;
    histogram counted;
    palette colours;
    mapping mapped;
    // The histogram's table is no longer needed when colours are chosen.
    union {
        cell slots[slot_count];
        struct {
            search nearest;
            splitting working;
        };
    };
    union {
        cell spare[most_cells];
        entry entries[most_cells];
    };
    /// Errors of two rows.
    lanes4 rows[];
};

_Static_assert(
    sizeof(search) + sizeof(splitting) <= slot_count * sizeof(cell),
    "the search is larger than the histogram, which the demand of memory counts");
_Static_assert(
    sizeof(entry) <= sizeof(cell), "the list is larger than the cells, which the demand counts");

size_t thimble_quantiser_bytes(int width) {
    if (width < 1 || width > most_width)
        return 0;
    return sizeof(thimble_quantiser) + 2 * mapping_errors(width) * sizeof(lanes4);
}

thimble_quantiser *thimble_quantiser_new(int width) {
    const size_t bytes = thimble_quantiser_bytes(width);
    thimble_quantiser *it = bytes > 0 ? malloc(bytes) : NULL;
    if (!it)
        return NULL;
    it->width = width;
    histogram_start(&it->counted, it->slots, it->spare);
    return it;
}

void thimble_quantiser_free(thimble_quantiser *it) { free(it); }

void thimble_quantiser_count(thimble_quantiser *it, const uint8_t *row) {
    histogram_add(&it->counted, row, it->width);
}

int thimble_quantiser_choose(
    thimble_quantiser *it, int most, uint8_t palette[4 * thimble_quantiser_colours]) {
    int opaque = 0;
    const int count = histogram_list(&it->counted, it->entries, &opaque);
    // A picture without pixels has one colour too.
    it->colours.has_transparent = it->counted.has_transparent || count == 0;
    choose_colours(
        &it->working, &it->nearest, it->entries, opaque, count,
        most - it->colours.has_transparent, &it->colours);
    for (int index = 0; index < it->colours.count + it->colours.has_transparent; index++) {
        const packed colour = index < it->colours.count ? it->colours.at[index] : 0;
        uint8_t *target = palette + 4 * outer_index(&it->colours, index);
        const int alpha = channel(colour, 3);
        for (int band = 0; band < 3; band++)
            target[band] = alpha == 0
                ? 0 : (uint8_t) ((255 * channel(colour, band) + alpha / 2) / alpha);
        target[3] = (uint8_t) alpha;
    }
    mapping_start(&it->mapped, it->width, &it->colours, &it->nearest, it->rows);
    return it->colours.count + it->colours.has_transparent;
}

bool thimble_quantiser_merged(const thimble_quantiser *it) { return it->counted.shift > 0; }

void thimble_quantiser_map(thimble_quantiser *it, const uint8_t *row, uint8_t *indices) {
    mapping_row(&it->mapped, row, indices);
}
