#include "similarity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "score.h"

const int thimble_similarity_largest_side = 16384;

enum {
    smallest_side = 8,
    levels = 256,
    pictures = 2,
};

/// One of the scales, each with half the columns and rows of the one before.
typedef struct {
    int width, height;
    /// Samples of a padded row.
    int stride;
    /// Number of rows received, and of those compared.
    int received, compared;
    /// A row of linear RGB of both pictures; sums of columns while its second half is missing.
    float *linear[pictures][channels];
    /// Channels whose errors have a weight.
    bool is_used[channels];
    /// u and v of the last rows, of used channels.
    float *sums[channels][window], *differences[channels][window];
    thimble_norms norms[channels];
} thimble_scale;

struct thimble_similarity {
    const thimble_similarity_kernels *kernels;
    float linear_of[levels];
    thimble_scale scales[most_scales];
    int count;
    int received, height;
    bool is_finished;
    /// Rows of blurred columns, with `lanes` zeros before them, and zeros after.
    float *blurred[statistics];
    /// All rows.
    float *memory;
};

static int padded(int width) { return (width + lanes - 1) / lanes * lanes; }

/// The number of scales.
static int sizes_of(int width, int height, int widths[most_scales], int heights[most_scales]) {
    int count = 0;
    while (count < most_scales && width >= smallest_side && height >= smallest_side) {
        widths[count] = width;
        heights[count++] = height;
        width = (width + 1) / 2;
        height = (height + 1) / 2;
    }
    return count;
}

/// Samples of all rows.
static size_t samples_of(const int widths[most_scales], int count) {
    if (count == 0)
        return 0;
    size_t samples = (size_t) statistics * (padded(widths[0]) + 2 * lanes);
    for (int scale = 0; scale < count; scale++) {
        int rows = channels * pictures;
        for (int channel = 0; channel < channels; channel++)
            rows += thimble_has_weight(channel, scale, count) ? 2 * window : 0;
        samples += (size_t) padded(widths[scale]) * rows;
    }
    return samples;
}

static bool is_valid(int width, int height) {
    return width >= 1 && height >= 1 && width <= thimble_similarity_largest_side
        && height <= thimble_similarity_largest_side;
}

size_t thimble_similarity_bytes(int width, int height) {
    int widths[most_scales], heights[most_scales];
    if (!is_valid(width, height))
        return 0;
    const int count = sizes_of(width, height, widths, heights);
    return sizeof(thimble_similarity) + samples_of(widths, count) * sizeof(float);
}

static float *taken(float **memory, size_t samples) {
    float *first = *memory;
    *memory += samples;
    return first;
}

static void lay_out(thimble_similarity *it) {
    float *next = it->memory;
    for (int i = 0; it->count > 0 && i < statistics; i++)
        it->blurred[i] = taken(&next, (size_t) it->scales[0].stride + 2 * lanes) + lanes;
    for (thimble_scale *scale = it->scales; scale < it->scales + it->count; scale++)
        for (int channel = 0; channel < channels; channel++) {
            for (int picture = 0; picture < pictures; picture++)
                scale->linear[picture][channel] = taken(&next, (size_t) scale->stride);
            for (int row = 0; scale->is_used[channel] && row < window; row++) {
                scale->sums[channel][row] = taken(&next, (size_t) scale->stride);
                scale->differences[channel][row] = taken(&next, (size_t) scale->stride);
            }
        }
}

thimble_similarity *thimble_similarity_new(
    int width, int height, thimble_similarity_vectors vectors) {
    if (!is_valid(width, height))
        return NULL;
    thimble_similarity *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    int widths[most_scales], heights[most_scales];
    it->kernels = thimble_similarity_kernels_of(vectors == THIMBLE_SIMILARITY_BEST);
    it->height = height;
    it->count = sizes_of(width, height, widths, heights);
    // Zeros, because padding is converted and blurred too.
    it->memory = calloc(samples_of(widths, it->count) + 1, sizeof(float));
    if (!it->memory) {
        free(it);
        return NULL;
    }
    for (int scale = 0; scale < it->count; scale++) {
        it->scales[scale].width = widths[scale];
        it->scales[scale].height = heights[scale];
        it->scales[scale].stride = padded(widths[scale]);
        for (int channel = 0; channel < channels; channel++)
            it->scales[scale].is_used[channel] = thimble_has_weight(channel, scale, it->count);
    }
    lay_out(it);
    // The transfer function of IEC 61966-2-1.
    for (int level = 0; level < levels; level++) {
        const double value = level / 255.0;
        it->linear_of[level] =
            (float) (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4));
    }
    return it;
}

void thimble_similarity_restart(thimble_similarity *it) {
    it->received = 0;
    it->is_finished = false;
    for (thimble_scale *scale = it->scales; scale < it->scales + it->count; scale++) {
        scale->received = 0;
        scale->compared = 0;
        memset(scale->norms, 0, sizeof scale->norms);
    }
}

void thimble_similarity_free(thimble_similarity *it) {
    if (!it)
        return;
    free(it->memory);
    free(it);
}

/// The row within a picture, mirrored at its first and last one.
static int mirrored(int y, int height) {
    return y < 0 ? -1 - y : y < height ? y : 2 * height - 1 - y;
}

/// Compares the next row of a scale, whose window has been received.
static void compare(thimble_similarity *it, thimble_scale *scale) {
    const int row = scale->compared++;
    for (int channel = 0; channel < channels; channel++) {
        if (!scale->is_used[channel])
            continue;
        const float *sums[window], *differences[window];
        for (int k = 0; k < window; k++) {
            const int slot = mirrored(row + k - radius, scale->height) % window;
            sums[k] = scale->sums[channel][slot];
            differences[k] = scale->differences[channel][slot];
        }
        it->kernels->blur_columns(sums, differences, it->blurred, scale->stride);
        for (int i = 0; i < statistics; i++)
            memset(it->blurred[i] + scale->width, 0, radius * sizeof(float));
        it->kernels->add_maps(
            sums[radius], differences[radius], (const float *const *) it->blurred, scale->width,
            &scale->norms[channel]);
    }
}

/// Adds a row to half the columns.
static void halve(const float *row, int width, bool is_first, float *half) {
    const int pairs = width / 2;
    // The last of an odd number of columns stands for two.
    const float last = 2 * row[width - 1];
    if (is_first) {
        for (int x = 0; x < pairs; x++)
            half[x] = row[2 * x] + row[2 * x + 1];
        if (width % 2 == 1)
            half[pairs] = last;
        return;
    }
    for (int x = 0; x < pairs; x++)
        half[x] = 0.25f * (half[x] + (row[2 * x] + row[2 * x + 1]));
    if (width % 2 == 1)
        half[pairs] = 0.25f * (half[pairs] + last);
}

/// Takes the row of linear light that a scale has; smaller scales take their share of it.
static void receive(thimble_similarity *it, int index) {
    for (;; index++) {
        thimble_scale *scale = &it->scales[index];
        const int slot = scale->received % window;
        float *sums[channels], *differences[channels];
        for (int channel = 0; channel < channels; channel++) {
            sums[channel] = scale->sums[channel][slot];
            differences[channel] = scale->differences[channel][slot];
        }
        it->kernels->convert(
            (const float *const *) scale->linear[0], (const float *const *) scale->linear[1], sums,
            differences, scale->stride);
        const bool is_first = scale->received++ % 2 == 0;
        if (scale->received > radius)
            compare(it, scale);
        if (index + 1 == it->count)
            return;
        for (int picture = 0; picture < pictures; picture++)
            for (int channel = 0; channel < channels; channel++)
                halve(
                    scale->linear[picture][channel], scale->width, is_first,
                    scale[1].linear[picture][channel]);
        if (is_first)
            return;
    }
}

/// Compares the last rows of every scale.
static void finish(thimble_similarity *it) {
    for (int index = 0; index < it->count; index++) {
        thimble_scale *scale = &it->scales[index];
        while (scale->compared < scale->height)
            compare(it, scale);
        if (index + 1 == it->count || scale->height % 2 == 0)
            continue;
        // The last of an odd number of rows stands for two.
        for (int picture = 0; picture < pictures; picture++)
            for (int channel = 0; channel < channels; channel++)
                for (int x = 0; x < scale[1].width; x++)
                    scale[1].linear[picture][channel][x] *= 0.5f;
        receive(it, index + 1);
    }
    it->is_finished = true;
}

void thimble_similarity_push(
    thimble_similarity *it, const uint8_t *original, const uint8_t *distorted) {
    if (it->received == it->height)
        return;
    it->received++;
    if (it->count == 0)
        return;
    const uint8_t *rows[pictures] = {original, distorted};
    for (int picture = 0; picture < pictures; picture++)
        for (int channel = 0; channel < channels; channel++) {
            float *linear = it->scales[0].linear[picture][channel];
            for (int x = 0; x < it->scales[0].width; x++)
                linear[x] = it->linear_of[rows[picture][channels * x + channel]];
        }
    receive(it, 0);
}

double thimble_similarity_score(thimble_similarity *it) {
    if (it->received < it->height)
        return NAN;
    if (!it->is_finished)
        finish(it);
    thimble_norms norms[most_scales][channels];
    double pixels[most_scales];
    for (int scale = 0; scale < it->count; scale++) {
        memcpy(norms[scale], it->scales[scale].norms, sizeof norms[scale]);
        pixels[scale] = (double) it->scales[scale].width * it->scales[scale].height;
    }
    return thimble_score_of_norms((const thimble_norms(*)[channels]) norms, pixels, it->count);
}
