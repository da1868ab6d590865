#include "resampler.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "boxes.h"
#include "kernels.h"
#include "weights.h"
#include "words.h"

const double thimble_resampler_largest_step = 170;

struct thimble_resampler {
    thimble_resampling description;
    const thimble_kernels *kernels;
    thimble_words words;
    /// Both directions after averaging. Source rows, columns and samples below are averages.
    thimble_grid columns, rows;
    /// True if rows in the window have words of 14 bits, and false for bytes.
    bool has_words;
    /// Taps per target column, a multiple of 8, and per target row, a multiple of 2.
    int column_taps, row_taps;
    /// Samples of a source row, and the same with padding.
    int row_samples, stride;
    /// Numbers of pushed rows, of rows that entered the window, and of pulled rows.
    int pushed, entered, pulled;
    thimble_boxes boxes;

    /// Weights before rounding.
    double *values;
    /// First source column, and weights, of each target column.
    int32_t *column_starts;
    int16_t *column_weights;
    /// Weights and rows of one target row.
    int16_t *row_weights;
    const void **mixed_rows;
    /// The last `row_taps` source rows: bytes, or words of 14 bits.
    uint8_t *window;
    /// One row after the vertical pass; with several bands also as planes.
    int16_t *mixed, *planes;
    /// Planes of one target row: bytes, or words of 14 bits.
    int16_t *target;
};

// MARK: Memory

static bool is_valid(const thimble_axis *axis) {
    return axis->source > 0 && axis->target > 0 && axis->box > 0
        && axis->box <= thimble_longest_box && axis->step > 0
        && axis->step <= thimble_resampler_largest_step * axis->box && axis->origin > -axis->step
        && axis->origin + (axis->target - 1) * axis->step < axis->source;
}

static size_t rounded_up(size_t value, size_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

/// Places a part of `count` elements at `*end`, and moves `*end` behind it.
static void *place(uint8_t *start, size_t *end, size_t count, size_t size) {
    const size_t offset = *end;
    *end = rounded_up(offset + count * size, 64);
    return start ? start + offset : NULL;
}

/// Lays the parts out from `start`, or from NULL to learn the number of bytes.
static size_t lay_out(thimble_resampler *it, uint8_t *start) {
    const size_t columns = it->columns.target, bands = it->description.bands;
    const size_t stride = it->stride;
    size_t end = 0;
    place(start, &end, 1, sizeof *it);
    const int longest = it->row_taps > it->column_taps ? it->row_taps : it->column_taps;
    it->values = place(start, &end, longest, sizeof *it->values);
    it->column_starts = place(start, &end, columns, sizeof *it->column_starts);
    it->column_weights = place(start, &end, columns * it->column_taps, sizeof(int16_t));
    it->row_weights = place(start, &end, it->row_taps, sizeof(int16_t));
    it->mixed_rows = place(start, &end, it->row_taps, sizeof *it->mixed_rows);
    it->window = place(start, &end, stride * it->row_taps, it->has_words ? 2 : 1);
    it->mixed = place(start, &end, stride + it->column_taps, sizeof(int16_t));
    it->planes = bands == 1
        ? it->mixed
        : place(start, &end, (size_t) it->columns.source + it->column_taps, sizeof(int16_t));
    it->target = place(start, &end, columns * bands, sizeof(int16_t));
    if (it->description.is_linear) {
        const bool is_deep = it->description.sample_bytes == 2;
        thimble_light *light = &it->words.light;
        light->bytes = place(start, &end, thimble_light_count, sizeof *light->bytes);
        if (is_deep)
            light->of_words =
                place(start, &end, thimble_light_count, sizeof *light->of_words);
        else
            light->of_bytes = place(start, &end, 256, sizeof *light->of_bytes);
    }
    if (thimble_is_boxed(&it->description)) {
        it->boxes.sums = place(start, &end, it->row_samples, sizeof *it->boxes.sums);
        it->boxes.words =
            place(start, &end, thimble_box_piece * bands, sizeof *it->boxes.words);
    }
    return end;
}

static bool describe(thimble_resampler *it, const thimble_resampling *resampling) {
    if (!is_valid(&resampling->columns) || !is_valid(&resampling->rows) || resampling->bands < 1
        || resampling->bands > 4 || (resampling->has_alpha && resampling->bands % 2)
        || (resampling->sample_bytes != 1 && resampling->sample_bytes != 2)
        || resampling->columns.source > INT_MAX / 16)
        return false;
    *it = (thimble_resampler) {.description = *resampling};
    it->columns = thimble_grid_of(&resampling->columns);
    it->rows = thimble_grid_of(&resampling->rows);
    it->has_words = resampling->has_alpha || resampling->is_linear
        || resampling->sample_bytes == 2 || thimble_is_boxed(resampling);
    it->column_taps = (int) rounded_up(thimble_grid_taps(&it->columns), 8);
    const int row_taps = thimble_grid_taps(&it->rows), rows = it->rows.source;
    it->row_taps = (int) rounded_up(row_taps < rows ? row_taps : rows, 2);
    it->row_samples = it->columns.source * resampling->bands;
    it->stride = (int) rounded_up(it->row_samples, thimble_row_padding);
    return true;
}

size_t thimble_resampler_bytes(const thimble_resampling *resampling) {
    thimble_resampler it;
    return describe(&it, resampling) ? lay_out(&it, NULL) : 0;
}

thimble_resampler *thimble_resampler_new(
    const thimble_resampling *resampling, thimble_vectors vectors) {
    thimble_resampler described;
    const thimble_kernels *kernels = thimble_kernels_for(vectors);
    if (!kernels || !describe(&described, resampling))
        return NULL;
    // Zeroed, because padding is read.
    uint8_t *memory = calloc(1, lay_out(&described, NULL));
    if (!memory)
        return NULL;
    lay_out(&described, memory);
    described.kernels = kernels;
    thimble_resampler *it = (thimble_resampler *) memory;
    *it = described;
    it->boxes.entry = &it->words;
    it->words.resampling = &it->description;
    it->words.kernels = kernels;
    thimble_light_fill(&it->words.light);
    for (int x = 0; x < it->columns.target; x++) {
        it->column_starts[x] = thimble_grid_first(&it->columns, x);
        kernels->weigh_grid(
            &it->columns, x, it->values, it->column_weights + (size_t) x * it->column_taps,
            it->column_taps);
    }
    return it;
}

void thimble_resampler_restart(thimble_resampler *it) {
    it->pushed = it->entered = it->pulled = 0;
    if (thimble_is_boxed(&it->description))
        thimble_boxes_clear(&it->boxes);
}

void thimble_resampler_free(thimble_resampler *it) { free(it); }

// MARK: Rows

/// Writes the pushed rows of a box to the window, if the box is complete.
static void enter_boxes(thimble_resampler *it, int16_t *row) {
    const thimble_axis *rows = &it->description.rows;
    if (it->pushed % rows->box > 0 && it->pushed < rows->source)
        return;
    thimble_boxes_finish(&it->boxes, (it->pushed - 1) % rows->box + 1, row);
    it->entered++;
}

void thimble_resampler_push(thimble_resampler *it, const void *row) {
    if (it->pushed >= it->description.rows.source)
        return;
    it->pushed++;
    const size_t start = (size_t) it->stride * (it->entered % it->row_taps);
    if (thimble_is_boxed(&it->description)) {
        thimble_boxes_add(&it->boxes, row);
        enter_boxes(it, (int16_t *) it->window + start);
        return;
    }
    if (it->has_words)
        thimble_words_enter(
            &it->words, row, (int16_t *) it->window + start, it->columns.source);
    else
        memcpy(it->window + start, row, it->row_samples);
    it->entered++;
}

/// Vertical pass.
static void mix(thimble_resampler *it) {
    const thimble_grid *grid = &it->rows;
    const int first = thimble_grid_first(grid, it->pulled);
    const int last = thimble_grid_last(grid, it->pulled);
    it->kernels->weigh_grid(
        grid, it->pulled, it->values, it->row_weights, it->row_taps);
    const int count = last - first + 1, pairs = (count + 1) / 2;
    for (int k = 0; k < 2 * pairs; k++) {
        // An odd number of rows is completed by one of weight 0.
        const size_t row = (first + (k < count ? k : 0)) % it->row_taps;
        it->mixed_rows[k] = it->window + row * it->stride * (it->has_words ? 2 : 1);
    }
    if (it->has_words)
        it->kernels->mix_words(
            (const int16_t *const *) it->mixed_rows, it->row_weights, pairs, it->mixed,
            it->row_samples);
    else
        it->kernels->mix_bytes(
            (const uint8_t *const *) it->mixed_rows, it->row_weights, pairs, it->mixed,
            it->row_samples);
}

/// Copies one of a constant number of bands.
static inline void pick(const int16_t *row, int16_t *band, int count, const int bands) {
    for (int x = 0; x < count; x++)
        band[x] = row[x * bands];
}

static void split(const thimble_resampler *it, int band) {
    const int count = it->columns.source;
    switch (it->description.bands) {
    case 2: pick(it->mixed + band, it->planes, count, 2); break;
    case 3: pick(it->mixed + band, it->planes, count, 3); break;
    case 4: pick(it->mixed + band, it->planes, count, 4); break;
    default: break;
    }
}

/// Highest result of the horizontal pass; alpha and the colours that it weighs keep their overshoot.
static int highest_result(const thimble_resampler *it) {
    if (!it->has_words)
        return 255;
    return it->description.has_alpha ? INT16_MAX : thimble_highest_word;
}

/// Horizontal pass of one band.
static void weigh(thimble_resampler *it, int band) {
    const thimble_columns columns = {
        .count = it->columns.target,
        .starts = it->column_starts,
        .weights = it->column_weights,
        .taps = it->column_taps,
        .shift = it->has_words ? 14 : 20,
        .highest = highest_result(it),
    };
    split(it, band);
    it->kernels->weigh(it->planes, &columns, it->target + (size_t) band * columns.count);
}

/// Writes a plane of bytes as one of a constant number of bands.
static inline void put(const int16_t *plane, uint8_t *restrict band, int count, const int bands) {
    for (int x = 0; x < count; x++)
        band[x * bands] = (uint8_t) plane[x];
}

/// Writes the target row as interleaved bytes.
static void leave(const thimble_resampler *it, uint8_t *row) {
    if (it->description.has_alpha || it->description.is_linear) {
        thimble_words_leave(&it->words, it->target, row);
        return;
    }
    const int count = it->columns.target, bands = it->description.bands;
    if (it->has_words)
        thimble_words_round(&it->words, it->target, count * bands);
    for (int band = 0; band < bands; band++) {
        const int16_t *plane = it->target + (size_t) band * count;
        switch (bands) {
        case 1: put(plane, row, count, 1); break;
        case 2: put(plane, row + band, count, 2); break;
        case 3: put(plane, row + band, count, 3); break;
        case 4: put(plane, row + band, count, 4); break;
        default: break;
        }
    }
}

bool thimble_resampler_pull(thimble_resampler *it, uint8_t *row) {
    const thimble_grid *rows = &it->rows;
    if (it->pulled >= rows->target || thimble_grid_last(rows, it->pulled) >= it->entered)
        return false;
    mix(it);
    for (int band = 0; band < it->description.bands; band++)
        weigh(it, band);
    leave(it, row);
    it->pulled++;
    return true;
}
