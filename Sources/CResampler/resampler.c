#include "resampler.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

// The weights must be the same on every processor.
#pragma STDC FP_CONTRACT OFF

/// Fractional bits of weights.
enum { weight_bits = 14 };

/// Highest sample of rows of words.
enum { highest_word = (1 << 14) - 1 };

const double thimble_resampler_largest_step = 170;

struct thimble_resampler {
    thimble_resampling description;
    const thimble_kernels *kernels;
    /// Taps per target column, a multiple of 8, and per target row, a multiple of 2.
    int column_taps, row_taps;
    /// Samples of a source row, and the same with padding.
    int row_samples, stride;
    /// Numbers of pushed and pulled rows.
    int pushed, pulled;

    /// Weights before rounding.
    double *values;
    /// First source column, and weights, of each target column.
    int32_t *column_starts;
    int16_t *column_weights;
    /// Weights and rows of one target row.
    int16_t *row_weights;
    const void **rows;
    /// The last `row_taps` source rows: bytes, or words of 14 bits.
    uint8_t *window;
    /// One row after the vertical pass; with several bands also as planes.
    int16_t *mixed, *planes;
    /// One target row, interleaved: bytes, or words of 14 bits.
    int16_t *target;
};

// MARK: Weights

/// Reciprocals of k (k + 1) for even k.
static const double reciprocals[] = {
    0, 1. / 6, 1. / 20, 1. / 42, 1. / 72, 1. / 110, 1. / 156, 1. / 210, 1. / 272};

/// Lanczos kernel with three lobes: sinc(x) sinc(x / 3).
///
/// Without branches, for loops in vectors, whose results are the same to the bit.
static inline double lanczos(double x) {
    const double pi = 3.14159265358979323846;
    const double angle = (x < 0 ? -x : x) * pi / 3;
    // Taylor series of the sine. The first omitted term is below 1e-13.
    const double acute = angle > pi / 2 ? pi - angle : angle, square = acute * acute;
    double series = 1;
    for (int k = 16; k > 0; k -= 2)
        series = 1 - series * square * reciprocals[k / 2];
    const double sine = acute * series;
    // sin 3a = 3 sin a - 4 sin^3 a.
    const double value = sine * sine * (3 - 4 * sine * sine) / (3 * angle * angle);
    return angle < 1e-8 ? 1 : angle >= pi ? 0 : value;
}

static double widening(const thimble_axis *axis) { return axis->step > 1 ? axis->step : 1; }

/// Upper bound of the source samples of a target sample.
static int taps(const thimble_axis *axis) { return (int) (6 * widening(axis)) + 2; }

static int clamped(double value, int highest) {
    return value < 0 ? 0 : value > highest ? highest : (int) value;
}

static double centre(const thimble_axis *axis, int index) {
    return axis->origin + (index + 0.5) * axis->step;
}

/// First source sample with a weight. The kernel is cut at the edges of the picture.
static int first_sample(const thimble_axis *axis, int index) {
    return clamped(centre(axis, index) - 3 * widening(axis) + 0.5, axis->source - 1);
}

static int last_sample(const thimble_axis *axis, int index) {
    return clamped(centre(axis, index) + 3 * widening(axis) - 0.5, axis->source - 1);
}

/// Writes the weights of a target sample, whose sum is exactly 1, and zeros up to `count`.
static void make_weights(
    const thimble_axis *axis, int index, double *values, int16_t *weights, int count) {
    const int first = first_sample(axis, index), last = last_sample(axis, index);
    const double middle = centre(axis, index), width = widening(axis);
    const int used = last - first + 1;
    // Apart from the sum, whose order is fixed. Clang alone would not use vectors.
#ifdef __clang__
#pragma clang loop vectorize_width(4) interleave_count(2)
#endif
    for (int k = 0; k < used; k++)
        values[k] = lanczos((first + k + 0.5 - middle) / width);
    double sum = 0;
    for (int k = 0; k < used; k++)
        sum += values[k];
    memset(weights, 0, count * sizeof *weights);
    for (int k = 0; k < used; k++) {
        const double scaled = values[k] / sum * (1 << weight_bits);
        weights[k] = (int16_t) (scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    }
    int rest = 1 << weight_bits, heaviest = 0;
    for (int k = 0; k < used; k++) {
        rest -= weights[k];
        if (weights[k] > weights[heaviest])
            heaviest = k;
    }
    weights[heaviest] += rest;
}

// MARK: Memory

static bool is_valid(const thimble_axis *axis) {
    return axis->source > 0 && axis->target > 0 && axis->step > 0
        && axis->step <= thimble_resampler_largest_step && axis->origin > -axis->step
        && axis->origin + (axis->target - 1) * axis->step < axis->source;
}

static bool has_words(const thimble_resampling *resampling) {
    return resampling->has_alpha || resampling->sample_bytes == 2;
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
    const thimble_resampling *description = &it->description;
    const size_t columns = description->columns.target, stride = it->stride;
    size_t end = 0;
    place(start, &end, 1, sizeof *it);
    const int longest = it->row_taps > it->column_taps ? it->row_taps : it->column_taps;
    it->values = place(start, &end, longest, sizeof *it->values);
    it->column_starts = place(start, &end, columns, sizeof *it->column_starts);
    it->column_weights = place(start, &end, columns * it->column_taps, sizeof(int16_t));
    it->row_weights = place(start, &end, it->row_taps, sizeof(int16_t));
    it->rows = place(start, &end, it->row_taps, sizeof *it->rows);
    it->window = place(start, &end, stride * it->row_taps, has_words(description) ? 2 : 1);
    it->mixed = place(start, &end, stride + it->column_taps, sizeof(int16_t));
    it->planes = description->bands == 1
        ? it->mixed
        : place(start, &end, (size_t) description->columns.source + it->column_taps,
                sizeof(int16_t));
    it->target = place(start, &end, columns * description->bands, sizeof(int16_t));
    return end;
}

static bool describe(thimble_resampler *it, const thimble_resampling *resampling) {
    if (!is_valid(&resampling->columns) || !is_valid(&resampling->rows) || resampling->bands < 1
        || resampling->bands > 4 || (resampling->has_alpha && resampling->bands % 2)
        || (resampling->sample_bytes != 1 && resampling->sample_bytes != 2)
        || resampling->columns.source > INT_MAX / 16)
        return false;
    *it = (thimble_resampler) {.description = *resampling};
    it->column_taps = (int) rounded_up(taps(&resampling->columns), 8);
    const int row_taps = taps(&resampling->rows), rows = resampling->rows.source;
    it->row_taps = (int) rounded_up(row_taps < rows ? row_taps : rows, 2);
    it->row_samples = resampling->columns.source * resampling->bands;
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
    const thimble_axis *columns = &it->description.columns;
    for (int x = 0; x < columns->target; x++) {
        it->column_starts[x] = first_sample(columns, x);
        make_weights(
            columns, x, it->values, it->column_weights + (size_t) x * it->column_taps,
            it->column_taps);
    }
    return it;
}

void thimble_resampler_restart(thimble_resampler *it) { it->pushed = it->pulled = 0; }

void thimble_resampler_free(thimble_resampler *it) { free(it); }

// MARK: Rows

/// Converts bytes to 14 bits and multiplies them by alpha, for a constant number of bands.
///
/// 255 * 255 / 4 is the highest sample.
static inline void premultiply(const uint8_t *bytes, int16_t *words, int count, const int bands) {
    for (int x = 0; x < count; x += bands) {
        const int alpha = bytes[x + bands - 1];
        for (int band = 0; band < bands - 1; band++)
            words[x + band] = (bytes[x + band] * alpha + 2) >> 2;
        words[x + bands - 1] = (alpha * 255 + 2) >> 2;
    }
}

/// Converts samples to 14 bits, and multiplies colour by alpha.
static void enter_words(const thimble_resampler *it, const void *row, int16_t *words) {
    const int bands = it->description.bands, count = it->row_samples;
    if (it->description.sample_bytes == 1) {
        if (bands == 4)
            premultiply(row, words, count, 4);
        else
            premultiply(row, words, count, 2);
        return;
    }
    const uint16_t *samples = row;
    for (int i = 0; i < count; i++)
        words[i] = samples[i] >> 2;
    for (int x = 0; it->description.has_alpha && x < count; x += bands)
        for (int band = 0; band < bands - 1; band++)
            words[x + band] =
                (words[x + band] * words[x + bands - 1] + highest_word / 2) / highest_word;
}

void thimble_resampler_push(thimble_resampler *it, const void *row) {
    if (it->pushed >= it->description.rows.source)
        return;
    const size_t start = (size_t) it->stride * (it->pushed % it->row_taps);
    if (has_words(&it->description))
        enter_words(it, row, (int16_t *) it->window + start);
    else
        memcpy(it->window + start, row, it->row_samples);
    it->pushed++;
}

/// Vertical pass.
static void mix(thimble_resampler *it) {
    const thimble_axis *axis = &it->description.rows;
    const bool words = has_words(&it->description);
    const int first = first_sample(axis, it->pulled), last = last_sample(axis, it->pulled);
    make_weights(axis, it->pulled, it->values, it->row_weights, it->row_taps);
    const int count = last - first + 1, pairs = (count + 1) / 2;
    for (int k = 0; k < 2 * pairs; k++) {
        // An odd number of rows is completed by one of weight 0.
        const size_t row = (first + (k < count ? k : 0)) % it->row_taps;
        it->rows[k] = it->window + row * it->stride * (words ? 2 : 1);
    }
    if (words)
        it->kernels->mix_words(
            (const int16_t *const *) it->rows, it->row_weights, pairs, it->mixed, it->row_samples);
    else
        it->kernels->mix_bytes(
            (const uint8_t *const *) it->rows, it->row_weights, pairs, it->mixed, it->row_samples);
}

/// Copies one of a constant number of bands.
static inline void pick(const int16_t *row, int16_t *band, int count, const int bands) {
    for (int x = 0; x < count; x++)
        band[x] = row[x * bands];
}

static void split(const thimble_resampler *it, int band) {
    const int count = it->description.columns.source;
    switch (it->description.bands) {
    case 2: pick(it->mixed + band, it->planes, count, 2); break;
    case 3: pick(it->mixed + band, it->planes, count, 3); break;
    case 4: pick(it->mixed + band, it->planes, count, 4); break;
    default: break;
    }
}

/// Horizontal pass of one band.
static void weigh(thimble_resampler *it, int band) {
    const bool words = has_words(&it->description);
    const thimble_columns columns = {
        .count = it->description.columns.target,
        .starts = it->column_starts,
        .weights = it->column_weights,
        .taps = it->column_taps,
        .shift = words ? 14 : 20,
        .highest = words ? highest_word : 255,
        .bands = it->description.bands,
    };
    split(it, band);
    it->kernels->weigh(it->planes, &columns, it->target + band);
}

/// Divides colour by alpha, and rounds to bytes.
static void leave(const thimble_resampler *it, uint8_t *row) {
    const thimble_resampling *description = &it->description;
    const int bands = description->bands, count = description->columns.target * bands;
    // Fully opaque, as bytes enter: 255 * 255 / 4.
    const int opaque = description->sample_bytes == 2 ? highest_word : (255 * 255 + 2) >> 2;
    if (!has_words(description)) {
        for (int i = 0; i < count; i++)
            row[i] = (uint8_t) it->target[i];
        return;
    }
    for (int i = 0; i < count; i++) {
        const int value = it->target[i] < opaque ? it->target[i] : opaque;
        row[i] = (uint8_t) ((value * 255 + opaque / 2) / opaque);
    }
    if (!description->has_alpha)
        return;
    for (int x = 0; x < count; x += bands) {
        const int alpha = it->target[x + bands - 1] < opaque ? it->target[x + bands - 1] : opaque;
        for (int band = 0; band < bands - 1; band++) {
            const int colour = it->target[x + band] < alpha ? it->target[x + band] : alpha;
            row[x + band] = row[x + bands - 1] == 0
                ? 0
                : (uint8_t) ((colour * 255 + alpha / 2) / alpha);
        }
    }
}

bool thimble_resampler_pull(thimble_resampler *it, uint8_t *row) {
    const thimble_axis *rows = &it->description.rows;
    if (it->pulled >= rows->target || last_sample(rows, it->pulled) >= it->pushed)
        return false;
    mix(it);
    for (int band = 0; band < it->description.bands; band++)
        weigh(it, band);
    leave(it, row);
    it->pulled++;
    return true;
}
