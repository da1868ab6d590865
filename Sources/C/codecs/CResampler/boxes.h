// Averages of boxes of pixels, for reductions whose kernel would span too many rows.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "resampler.h"
#include "words.h"

enum {
    /// Longest side of a box.
    thimble_longest_box = 1 << 15,
    /// Pixels that are converted to words at once.
    thimble_box_piece = 512,
};

/// The boxes of the current rows.
typedef struct {
    const thimble_words *entry;
    /// Sums of words: of at most 2^14 and, in a box, 2^30 of them, which 44 bits hold.
    uint64_t *sums;
    /// A piece of a source row as words.
    int16_t *words;
} thimble_boxes;

bool thimble_is_boxed(const thimble_resampling *resampling);

/// Adds a source row.
void thimble_boxes_add(const thimble_boxes *boxes, const void *row);

/// Writes the averages of the last `rows` source rows as words, and begins with the next boxes.
void thimble_boxes_finish(const thimble_boxes *boxes, int rows, int16_t *averages);

/// Discards rows that have been added.
void thimble_boxes_clear(const thimble_boxes *boxes);
