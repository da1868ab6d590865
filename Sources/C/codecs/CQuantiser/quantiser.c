#include "quantiser.h"

#include <stdlib.h>
#include <string.h>

#include "parts.h"

enum {
    most_width = 1 << 24,
    /// Share of an error that is diffused, in sixteenths.
    ///
    /// Measured with 18 pictures with alpha: by SSIMULACRA2 12 to 14 are equal, 16 costs 5 points,
    /// because errors that no colour can correct add up, and the file grows with it.
    strength = 13,
    /// Square of the longest error that is not diffused, in sixteenths of a level: one level.
    ///
    /// Measured with the same pictures: 2 % fewer bytes, in drawings up to 20 %, at the same score.
    invisible = 16 * 16,
};

/// Errors of a pixel in sixteenths, by channel.
typedef int16_t errors[4];

struct thimble_quantiser {
    int width;
    histogram counted;
    palette colours;
    bool is_backwards;
    errors *current, *following;
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
    /// Errors of two rows, with one more pixel on either side.
    errors rows[];
};

_Static_assert(
    sizeof(search) + sizeof(splitting) <= slot_count * sizeof(cell),
    "the search is larger than the histogram, which the demand of memory counts");
_Static_assert(
    sizeof(entry) <= sizeof(cell), "the list is larger than the cells, which the demand counts");

static size_t row_errors(int width) { return (size_t) width + 2; }

size_t thimble_quantiser_bytes(int width) {
    if (width < 1 || width > most_width)
        return 0;
    return sizeof(thimble_quantiser) + 2 * row_errors(width) * sizeof(errors);
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

/// Index in the caller's palette: transparent colours come first, for a short list of their alphas.
static int outer_index(const palette *it, int index) {
    return it->count + it->has_transparent - 1 - index;
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
    it->is_backwards = false;
    it->current = it->rows;
    it->following = it->rows + row_errors(it->width);
    memset(it->rows, 0, 2 * row_errors(it->width) * sizeof(errors));
    return it->colours.count + it->colours.has_transparent;
}

static int within(int value, int most) { return value < 0 ? 0 : value > most ? most : value; }

/// The colour that a pixel should have, with the errors of its neighbours.
static packed wanted(const uint8_t *pixel, const errors received) {
    const packed exact = premultiplied(pixel);
    int square = 0;
    for (int band = 0; band < 4; band++)
        square += received[band] * received[band];
    if (square <= invisible)
        return exact;
    int sums[4];
    for (int band = 0; band < 4; band++)
        sums[band] = channel(exact, band) + ((received[band] + 8) >> 4);
    // Opaque pixels stay opaque, and others do not become so.
    const int alpha = pixel[3] == 255 ? 255 : within(sums[3], 254);
    return pack(within(sums[0], alpha), within(sums[1], alpha), within(sums[2], alpha), alpha);
}

void thimble_quantiser_map(thimble_quantiser *it, const uint8_t *row, uint8_t *indices) {
    errors *current = it->current + 1, *following = it->following + 1;
    const int ahead = it->is_backwards ? -1 : 1;
    const palette *colours = &it->colours;
    memset(it->following, 0, row_errors(it->width) * sizeof(errors));
    for (int done = 0, x = it->is_backwards ? it->width - 1 : 0; done < it->width;
         done++, x += ahead) {
        const uint8_t *pixel = row + 4 * (size_t) x;
        if (pixel[3] == 0 && colours->has_transparent) {
            indices[x] = 0;
            continue;
        }
        const packed colour = wanted(pixel, current[x]);
        const int index = search_find(&it->nearest, colour);
        indices[x] = (uint8_t) outer_index(colours, index);
        const packed given = index < colours->count ? colours->at[index] : 0;
        // Floyd and Steinberg, "An adaptive algorithm for spatial greyscale", 1976.
        for (int band = 0; band < 4; band++) {
            const int error = (channel(colour, band) - channel(given, band)) * strength;
            current[x + ahead][band] += (int16_t) (7 * error / 16);
            following[x - ahead][band] += (int16_t) (3 * error / 16);
            following[x][band] += (int16_t) (5 * error / 16);
            following[x + ahead][band] += (int16_t) (error / 16);
        }
    }
    errors *done = it->current;
    it->current = it->following;
    it->following = done;
    it->is_backwards = !it->is_backwards;
}
