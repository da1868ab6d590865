#include "kernels.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "opsin.h"

// Fused multiplications would round differently.
#pragma STDC FP_CONTRACT OFF
// Vectors are passed only to functions that are inlined.
#pragma clang diagnostic ignored "-Wpsabi"

typedef float vector __attribute__((vector_size(4 * lanes)));
typedef int32_t integers __attribute__((vector_size(4 * lanes)));

#define INLINED static inline __attribute__((always_inline))

INLINED vector loaded(const float *samples) {
    vector value;
    memcpy(&value, samples, sizeof value);
    return value;
}

INLINED void store(float *samples, vector value) { memcpy(samples, &value, sizeof value); }

INLINED vector absolute(vector value) { return (vector) ((integers) value & INT32_MAX); }

INLINED vector positive(vector value) {
    return (vector) ((integers) value & (integers) (value > 0));
}

/// Cube root of positive normal numbers.
INLINED vector cube_root(vector value) {
    // A third of the exponent, within 3.5 % (the constant of fdlibm's cbrtf: (127 - 127 / 3 - 0.0331)
    // in units of the exponent); each of Halley's steps cubes the error.
    const vector bits = __builtin_convertvector((integers) value, vector);
    vector root = (vector) __builtin_convertvector(bits * (1 / 3.0f) + 709958130.0f, integers);
    for (int step = 0; step < 2; step++) {
        const vector cube = root * root * root;
        root *= (cube + 2 * value) / (2 * cube + value);
    }
    return root;
}

static const float absorbance[channels][channels] = THIMBLE_OPSIN_ABSORBANCE;
static const float bias = THIMBLE_OPSIN_BIAS;
static const float root_of_bias = 0.15595420054924863f;

INLINED vector response(const vector light[channels], int cone) {
    return cube_root(
               absorbance[cone][0] * light[0] + absorbance[cone][1] * light[1]
               + absorbance[cone][2] * light[2] + bias)
        - root_of_bias;
}

/// XYB, scaled to positive numbers up to about 1 (libjxl, MakePositiveXYB); B only if it is needed.
INLINED void to_xyb(
    const float *const rows[channels], int x, bool has_b, vector colour[channels]) {
    const vector light[channels] = {loaded(rows[0] + x), loaded(rows[1] + x), loaded(rows[2] + x)};
    const vector large = response(light, 0), medium = response(light, 1);
    const vector brightness = 0.5f * (large + medium);
    colour[0] = 7 * (large - medium) + 0.42f;
    colour[1] = brightness + 0.01f;
    colour[2] = has_b ? response(light, 2) - brightness + 0.55f : brightness;
}

INLINED void convert_rows(
    const float *const original[channels], const float *const distorted[channels],
    float *const sums[channels], float *const differences[channels], int count) {
    const bool has_b = sums[2] != NULL;
    for (int x = 0; x < count; x += lanes) {
        vector one[channels], other[channels];
        to_xyb(original, x, has_b, one);
        to_xyb(distorted, x, has_b, other);
        for (int channel = 0; channel < channels; channel++) {
            if (!sums[channel])
                continue;
            store(sums[channel] + x, one[channel] + other[channel]);
            store(differences[channel] + x, one[channel] - other[channel]);
        }
    }
}

/// exp(-k² / (2 · 1.5²)) for k = 0 … 5, divided by the sum of all eleven.
static const float taps[radius + 1] = {
    0.2660117248617943f, 0.21300553771125366f, 0.1093606895097f,
    0.03600077212843082f, 0.007598758135239184f, 0.0010283800844791099f,
};

INLINED void blur_rows_of_window(
    const float *const sums[window], const float *const differences[window],
    float *const blurred[statistics], int count) {
    for (int x = 0; x < count; x += lanes) {
        const vector u = loaded(sums[radius] + x), v = loaded(differences[radius] + x);
        vector mean_u = taps[0] * u, mean_v = taps[0] * v;
        vector square_u = taps[0] * (u * u), square_v = taps[0] * (v * v);
        for (int k = 1; k <= radius; k++) {
            const vector u1 = loaded(sums[radius - k] + x), u2 = loaded(sums[radius + k] + x);
            const vector v1 = loaded(differences[radius - k] + x);
            const vector v2 = loaded(differences[radius + k] + x);
            mean_u += taps[k] * (u1 + u2);
            mean_v += taps[k] * (v1 + v2);
            square_u += taps[k] * (u1 * u1 + u2 * u2);
            square_v += taps[k] * (v1 * v1 + v2 * v2);
        }
        store(blurred[blurred_sum] + x, mean_u);
        store(blurred[blurred_difference] + x, mean_v);
        store(blurred[blurred_sum_square] + x, square_u);
        store(blurred[blurred_difference_square] + x, square_v);
    }
}

INLINED vector blurred_at(const float *row) {
    vector sum = taps[0] * loaded(row);
    for (int k = 1; k <= radius; k++)
        sum += taps[k] * (loaded(row - k) + loaded(row + k));
    return sum;
}

INLINED void add_map(vector error, vector *first, vector *fourth) {
    const vector square = error * error;
    *first += error;
    *fourth += square * square;
}

INLINED void add_maps_of_row(
    const float *sums, const float *differences, const float *const blurred[statistics],
    int count, thimble_norms *norms) {
    /// The stabilising constant of the structure term (libjxl, kC2).
    const float c2 = 0.0009f;
    const integers column = {0, 1, 2, 3, 4, 5, 6, 7};
    vector first[maps] = {0}, fourth[maps] = {0};
    for (int x = 0; x < count; x += lanes) {
        const integers is_inside = column + x < count;
        const vector mean_u = blurred_at(blurred[blurred_sum] + x);
        const vector mean_v = blurred_at(blurred[blurred_difference] + x);
        const vector variance_u = blurred_at(blurred[blurred_sum_square] + x) - mean_u * mean_u;
        const vector variance_v =
            blurred_at(blurred[blurred_difference_square] + x) - mean_v * mean_v;
        // 1 - (1 - (mean(a) - mean(b))²) · (2 cov(a, b) + c2) / (var(a) + var(b) + c2)
        const vector light = mean_v * mean_v;
        const vector structure = variance_v / (0.5f * (variance_u + variance_v) + c2);
        const vector ssim = positive(light + (1 - light) * structure);
        const vector edge_u = loaded(sums + x) - mean_u, edge_v = loaded(differences + x) - mean_v;
        const vector edge = 1 + 0.5f * absolute(edge_u + edge_v);
        const vector change = (0.5f * (absolute(edge_u - edge_v) - absolute(edge_u + edge_v))) / edge;
        const vector errors[maps] = {ssim, positive(change), positive(-change)};
        for (int map = 0; map < maps; map++)
            add_map((vector) ((integers) errors[map] & is_inside), &first[map], &fourth[map]);
    }
    for (int map = 0; map < maps; map++)
        for (int lane = 0; lane < lanes; lane++) {
            norms->first[map] += (double) first[map][lane];
            norms->fourth[map] += (double) fourth[map][lane];
        }
}

/// Functions of a set of instructions.
#define KERNELS(name, attributes)                                                                  \
    attributes static void convert_##name(                                                         \
        const float *const original[channels], const float *const distorted[channels],             \
        float *const sums[channels], float *const differences[channels], int count) {              \
        convert_rows(original, distorted, sums, differences, count);                               \
    }                                                                                              \
    attributes static void blur_columns_##name(                                                    \
        const float *const sums[window], const float *const differences[window],                   \
        float *const blurred[statistics], int count) {                                             \
        blur_rows_of_window(sums, differences, blurred, count);                                    \
    }                                                                                              \
    attributes static void add_maps_##name(                                                        \
        const float *sums, const float *differences, const float *const blurred[statistics],       \
        int count, thimble_norms *norms) {                                                         \
        add_maps_of_row(sums, differences, blurred, count, norms);                                 \
    }                                                                                              \
    static const thimble_similarity_kernels name = {                                               \
        convert_##name, blur_columns_##name, add_maps_##name};

KERNELS(baseline, )

#if defined(__x86_64__)
KERNELS(avx2, __attribute__((target("avx2"))))

const thimble_similarity_kernels *thimble_similarity_kernels_of(bool is_best) {
    return is_best && __builtin_cpu_supports("avx2") ? &avx2 : &baseline;
}
#else
const thimble_similarity_kernels *thimble_similarity_kernels_of(bool is_best) {
    (void) is_best;
    return &baseline;
}
#endif
