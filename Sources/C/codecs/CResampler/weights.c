#include "weights.h"

#include <stddef.h>
#include <string.h>

// The weights must be the same on every processor.
#pragma STDC FP_CONTRACT OFF

/// Fractional bits of weights.
enum { weight_bits = 14 };

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

thimble_grid thimble_grid_of(const thimble_axis *axis) {
    const int boxes = (axis->source - 1) / axis->box + 1;
    const int last = axis->source - (boxes - 1) * axis->box;
    return (thimble_grid) {
        .source = boxes,
        .target = axis->target,
        .origin = axis->origin / axis->box,
        .step = axis->step / axis->box,
        .last_part = (double) last / axis->box,
    };
}

static double widening(const thimble_grid *grid) { return grid->step > 1 ? grid->step : 1; }

int thimble_grid_taps(const thimble_grid *grid) { return (int) (6 * widening(grid)) + 2; }

static int clamped(double value, int highest) {
    return value < 0 ? 0 : value > highest ? highest : (int) value;
}

static double centre(const thimble_grid *grid, int index) {
    return grid->origin + (index + 0.5) * grid->step;
}

int thimble_grid_first(const thimble_grid *grid, int index) {
    return clamped(centre(grid, index) - 3 * widening(grid) + 0.5, grid->source - 1);
}

int thimble_grid_last(const thimble_grid *grid, int index) {
    return clamped(centre(grid, index) + 3 * widening(grid) - 0.5, grid->source - 1);
}

static inline __attribute__((always_inline)) void weigh(
    const thimble_grid *grid, int index, double *values, int16_t *weights, int count) {
    const int first = thimble_grid_first(grid, index), last = thimble_grid_last(grid, index);
    const double middle = centre(grid, index), width = widening(grid);
    const int used = last - first + 1;
    // Apart from the sum, whose order is fixed. Clang alone would not use vectors.
#ifdef __clang__
#pragma clang loop vectorize_width(4) interleave_count(2)
#endif
    for (int k = 0; k < used; k++)
        values[k] = lanczos((first + k + 0.5 - middle) / width);
    // A box at the edge counts by its share of samples, and from their centre.
    if (last == grid->source - 1 && grid->last_part < 1 && used > 1)
        values[used - 1] =
            grid->last_part * lanczos((last + grid->last_part / 2 - middle) / width);
    double sum = 0;
    for (int k = 0; k < used; k++)
        sum += values[k];
    memset(weights, 0, count * sizeof *weights);
    for (int k = 0; k < used; k++) {
        const double scaled = values[k] / sum * (1 << weight_bits);
        weights[k] = (int16_t) (scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    }
    int rest = 1 << weight_bits;
    int16_t highest = weights[0];
    for (int k = 0; k < used; k++) {
        rest -= weights[k];
        highest = weights[k] > highest ? weights[k] : highest;
    }
    int heaviest = 0;
    while (weights[heaviest] < highest)
        heaviest++;
    weights[heaviest] += rest;
}

void thimble_grid_weigh(
    const thimble_grid *grid, int index, double *values, int16_t *weights, int count) {
    weigh(grid, index, values, weights, count);
}

#if defined(__x86_64__)
// The same operations on four numbers at once, without fused ones: the same weights.
__attribute__((target("avx2"))) void thimble_grid_weigh_avx2(
    const thimble_grid *grid, int index, double *values, int16_t *weights, int count) {
    weigh(grid, index, values, weights, count);
}
#endif
