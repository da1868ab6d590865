#include "boxes.h"

#include <string.h>

/// Fractional bits of the reciprocal of a number of samples. With a sum, which is at most 2^14 times
/// the number, it gives 60 bits.
enum { reciprocal_bits = 46 };

bool thimble_is_boxed(const thimble_resampling *resampling) {
    return resampling->columns.box > 1 || resampling->rows.box > 1;
}

static int box_count(const thimble_boxes *boxes) {
    const thimble_axis *columns = &boxes->entry->resampling->columns;
    return (columns->source - 1) / columns->box + 1;
}

/// Adds up at most a piece of pixels, for a constant number of bands.
static inline void add(const int16_t *words, int pixels, uint64_t *sums, const int bands) {
    // Sums of at most 2^9 words of 14 bits.
    uint32_t found[4] = {0};
    for (int x = 0; x < pixels; x++)
        for (int band = 0; band < bands; band++)
            found[band] += (uint32_t) words[x * bands + band];
    for (int band = 0; band < bands; band++)
        sums[band] += found[band];
}

static void add_pixels(const int16_t *words, int pixels, uint64_t *sums, int bands) {
    switch (bands) {
    case 1: add(words, pixels, sums, 1); break;
    case 2: add(words, pixels, sums, 2); break;
    case 3: add(words, pixels, sums, 3); break;
    case 4: add(words, pixels, sums, 4); break;
    default: break;
    }
}

void thimble_boxes_add(const thimble_boxes *boxes, const void *row) {
    const thimble_resampling *description = boxes->entry->resampling;
    const int bands = description->bands, columns = description->columns.source;
    const int box = description->columns.box;
    const size_t pixel_bytes = (size_t) bands * description->sample_bytes;
    uint64_t *sums = boxes->sums;
    // Pixels that the current box lacks; a piece may end inside it.
    int missing = box;
    for (int first = 0; first < columns; first += thimble_box_piece) {
        const int rest = columns - first;
        const int count = rest < thimble_box_piece ? rest : thimble_box_piece;
        thimble_words_enter(
            boxes->entry, (const uint8_t *) row + first * pixel_bytes, boxes->words, count);
        for (int x = 0; x < count;) {
            const int taken = missing < count - x ? missing : count - x;
            add_pixels(boxes->words + x * bands, taken, sums, bands);
            x += taken;
            missing -= taken;
            if (missing == 0) {
                missing = box;
                sums += bands;
            }
        }
    }
}

/// Divides sums of `samples` words each, and rounds.
static void average(const uint64_t *sums, int count, uint64_t samples, int16_t *averages) {
    const uint64_t one = (uint64_t) 1 << reciprocal_bits;
    const uint64_t reciprocal = (one + samples / 2) / samples;
    for (int i = 0; i < count; i++)
        averages[i] = (int16_t) ((sums[i] * reciprocal + one / 2) >> reciprocal_bits);
}

void thimble_boxes_finish(const thimble_boxes *boxes, int rows, int16_t *averages) {
    const thimble_axis *columns = &boxes->entry->resampling->columns;
    const int bands = boxes->entry->resampling->bands, whole = box_count(boxes) - 1;
    const int last = columns->source - whole * columns->box;
    average(boxes->sums, whole * bands, (uint64_t) columns->box * rows, averages);
    average(
        boxes->sums + whole * bands, bands, (uint64_t) last * rows, averages + whole * bands);
    thimble_boxes_clear(boxes);
}

void thimble_boxes_clear(const thimble_boxes *boxes) {
    const size_t count = (size_t) box_count(boxes) * boxes->entry->resampling->bands;
    memset(boxes->sums, 0, count * sizeof *boxes->sums);
}
