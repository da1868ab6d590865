#include "halving.h"

#include <math.h>
#include <stdlib.h>

#include "opsin.h"

enum {
    channels = 3,
    /// Entries of the transfer function's table for a level: values are rounded by an 8th at most.
    steps_per_level = 4,
    entries = 255 * steps_per_level + 1,
    /// Samples of chroma from which one is interpolated.
    neighbours = 4,
};

/// Largest step of a sample: the colours of saturated pixels are far from linear.
static const float largest_step = 16;
/// Against division by 0 where no sample has an effect.
static const float smallest_curvature = 1e-9f;
static const float absorbance[channels][channels] = THIMBLE_OPSIN_ABSORBANCE;
/// RGB of Y, Cb − 128 and Cr − 128 (ITU-T T.871, section 7).
static const float matrix[channels][channels] = {
    {1, 0, 1.402f},
    {1, -0.344136f, -0.714136f},
    {1, 1.772f, 0},
};

/// The transfer function of IEC 61966-2-1, and its slope for each level.
typedef struct {
    float light[entries], slope[entries];
} transfer;

typedef struct {
    transfer transfer;
    int width, height, half_width, half_height;
    /// Luma, Cb, Cr, as the picture's.
    float *planes[channels];
    /// XYB of the original, interleaved.
    float *colours;
    /// Gradient and curvature for each sample of Cb and Cr.
    float *gradients[2], *curvatures[2];
} fitting;

static float clamped(float value, float low, float high) {
    return value < low ? low : value > high ? high : value;
}

static void fill(transfer *table) {
    for (int entry = 0; entry < entries; entry++) {
        const double value = (double) entry / (entries - 1);
        const bool is_linear = value <= 0.04045;
        const double base = (value + 0.055) / 1.055;
        table->light[entry] = (float) (is_linear ? value / 12.92 : pow(base, 2.4));
        table->slope[entry] =
            (float) ((is_linear ? 1 / 12.92 : 2.4 / 1.055 * pow(base, 1.4)) / 255);
    }
}

/// XYB without offsets, with the metric's weight of X; `slopes` are by Y, Cb and Cr, unless NULL.
static void to_xyb(
    const transfer *table, const float ycc[channels], float colour[channels],
    float slopes[channels][channels]) {
    float light[channels], light_slope[channels];
    for (int band = 0; band < channels; band++) {
        const float *const part = matrix[band];
        const float value = part[0] * ycc[0] + part[1] * ycc[1] + part[2] * ycc[2];
        const int entry = (int) (clamped(value, 0, 255) * (float) steps_per_level + 0.5f);
        light[band] = table->light[entry];
        light_slope[band] = table->slope[entry];
    }
    float root[channels], root_slopes[channels][channels];
    for (int cone = 0; cone < channels; cone++) {
        const float *const part = absorbance[cone];
        const float response =
            part[0] * light[0] + part[1] * light[1] + part[2] * light[2] + THIMBLE_OPSIN_BIAS;
        root[cone] = cbrtf(response);
        const float slope = root[cone] / (3 * response);
        for (int sample = 0; sample < channels; sample++) {
            float sum = 0;
            for (int band = 0; band < channels; band++)
                sum += part[band] * light_slope[band] * matrix[band][sample];
            root_slopes[cone][sample] = slope * sum;
        }
    }
    colour[0] = 7 * (root[0] - root[1]);
    colour[1] = 0.5f * (root[0] + root[1]);
    colour[2] = root[2] - colour[1];
    for (int sample = 0; slopes && sample < channels; sample++) {
        slopes[0][sample] = 7 * (root_slopes[0][sample] - root_slopes[1][sample]);
        slopes[1][sample] = 0.5f * (root_slopes[0][sample] + root_slopes[1][sample]);
        slopes[2][sample] = root_slopes[2][sample] - slopes[1][sample];
    }
}

/// The two halved rows or columns next to one of the picture; at its edge the same twice.
static void find_nearest(int place, int count, int nearest[2]) {
    const int other = place / 2 + (place % 2 ? 1 : -1);
    nearest[0] = place / 2;
    nearest[1] = other < 0 || other >= count ? place / 2 : other;
}

/// The samples of chroma from which a decoder interpolates one, and their weights.
static void find_neighbours(
    const fitting *it, int x, int y, int places[neighbours], float weights[neighbours]) {
    static const float parts[2] = {0.75f, 0.25f};
    int columns[2], rows[2];
    find_nearest(x, it->half_width, columns);
    find_nearest(y, it->half_height, rows);
    for (int place = 0; place < neighbours; place++) {
        places[place] = rows[place / 2] * it->half_width + columns[place % 2];
        weights[place] = parts[place / 2] * parts[place % 2];
    }
}

/// Moves luma of a pixel, and adds its part to the gradients of chroma.
static void fit_pixel(fitting *it, int x, int y) {
    int places[neighbours];
    float weights[neighbours];
    find_neighbours(it, x, y, places, weights);
    const int pixel = y * it->width + x;
    float ycc[channels] = {it->planes[0][pixel], -128, -128};
    for (int place = 0; place < neighbours; place++)
        for (int plane = 1; plane < channels; plane++)
            ycc[plane] += weights[place] * it->planes[plane][places[place]];
    float colour[channels], slopes[channels][channels];
    to_xyb(&it->transfer, ycc, colour, slopes);
    float gradient[channels] = {0}, curvature[channels] = {0};
    for (int band = 0; band < channels; band++)
        for (int sample = 0; sample < channels; sample++) {
            const float slope = slopes[band][sample];
            gradient[sample] += slope * (colour[band] - it->colours[channels * pixel + band]);
            curvature[sample] += slope * slope;
        }
    const float step = gradient[0] / (curvature[0] + smallest_curvature);
    it->planes[0][pixel] = clamped(ycc[0] - clamped(step, -largest_step, largest_step), 0, 255);
    for (int place = 0; place < neighbours; place++)
        for (int plane = 1; plane < channels; plane++) {
            it->gradients[plane - 1][places[place]] += weights[place] * gradient[plane];
            it->curvatures[plane - 1][places[place]] += weights[place] * curvature[plane];
        }
}

/// A step of Gauss and Newton's method, with the diagonal only. Curvatures are weighted once where
/// exact ones have the square of the weight, which damps the step.
static void fit(fitting *it) {
    const int count = it->half_width * it->half_height;
    for (int plane = 0; plane < 2; plane++)
        for (int sample = 0; sample < count; sample++) {
            it->gradients[plane][sample] = 0;
            it->curvatures[plane][sample] = smallest_curvature;
        }
    for (int y = 0; y < it->height; y++)
        for (int x = 0; x < it->width; x++)
            fit_pixel(it, x, y);
    for (int plane = 0; plane < 2; plane++)
        for (int sample = 0; sample < count; sample++) {
            const float step = it->gradients[plane][sample] / it->curvatures[plane][sample];
            float *const value = it->planes[plane + 1] + sample;
            *value = clamped(*value - clamped(step, -largest_step, largest_step), 0, 255);
        }
}

/// Lays the planes out in one piece of memory; NULL if it is short.
static float *lay_out(fitting *it) {
    const size_t pixels = (size_t) it->width * (size_t) it->height;
    const size_t halved = (size_t) it->half_width * (size_t) it->half_height;
    float *const memory = malloc((4 * pixels + 6 * halved) * sizeof(float));
    float *next = memory;
    if (memory == NULL)
        return NULL;
    it->colours = next;
    it->planes[0] = next += channels * pixels;
    it->planes[1] = next += pixels;
    it->planes[2] = next += halved;
    for (int plane = 0; plane < 2; plane++) {
        it->gradients[plane] = next += halved;
        it->curvatures[plane] = next += halved;
    }
    return memory;
}

bool thimble_fit_halved_chroma(
    const thimble_halved_picture *picture, const uint8_t *const full[3], int rounds) {
    fitting it;
    it.width = picture->width;
    it.height = picture->height;
    it.half_width = (picture->width + 1) / 2;
    it.half_height = (picture->height + 1) / 2;
    float *const memory = lay_out(&it);
    if (memory == NULL)
        return false;
    fill(&it.transfer);
    const int counts[channels] = {
        it.width * it.height, it.half_width * it.half_height, it.half_width * it.half_height};
    for (int pixel = 0; pixel < counts[0]; pixel++) {
        const float ycc[channels] = {
            full[0][pixel], (float) full[1][pixel] - 128, (float) full[2][pixel] - 128};
        to_xyb(&it.transfer, ycc, it.colours + channels * pixel, NULL);
    }
    for (int plane = 0; plane < channels; plane++)
        for (int sample = 0; sample < counts[plane]; sample++)
            it.planes[plane][sample] = picture->planes[plane][sample];
    for (int round = 0; round < rounds; round++)
        fit(&it);
    for (int plane = 0; plane < channels; plane++)
        for (int sample = 0; sample < counts[plane]; sample++)
            picture->planes[plane][sample] = (uint8_t) (it.planes[plane][sample] + 0.5f);
    free(memory);
    return true;
}
