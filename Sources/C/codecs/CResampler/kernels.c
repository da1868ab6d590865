#include <stddef.h>

#include "loops.h"
#include "resampler.h"

static int16_t saturated(int32_t sum, int shift) {
    int32_t value = (sum + (1 << (shift - 1))) >> shift;
    return value < INT16_MIN ? INT16_MIN : value > INT16_MAX ? INT16_MAX : (int16_t) value;
}

// 255 * 255 / 4 is the highest sample.
void thimble_premultiply_from(int first, const uint8_t *pixels, int16_t *words, int count) {
    for (int i = 4 * first; i < 4 * count; i += 4) {
        const int alpha = pixels[i + 3];
        for (int band = 0; band < 3; band++)
            words[i + band] = (pixels[i + band] * alpha + 2) >> 2;
        words[i + 3] = (alpha * 255 + 2) >> 2;
    }
}

static void premultiply_plain(const uint8_t *pixels, int16_t *words, int count) {
    thimble_premultiply_from(0, pixels, words, count);
}

void thimble_enter_light_from(
    int first, const int16_t *light, const uint8_t *bytes, int16_t *words, int count) {
    for (int i = first; i < count; i++)
        words[i] = light[bytes[i]];
}

static void enter_light_plain(
    const int16_t *light, const uint8_t *bytes, int16_t *words, int count) {
    thimble_enter_light_from(0, light, bytes, words, count);
}

static void double_chroma_plain(
    const uint8_t *near, const uint8_t *far, int count, uint8_t *doubled, int width) {
    thimble_double_chroma_from(1, near, far, count, doubled, width);
}

static void ycc_to_rgb_plain(
    const uint8_t *luma, const uint8_t *blue, const uint8_t *red, uint8_t *const rgb[3],
    int count) {
    thimble_ycc_to_rgb_from(0, luma, blue, red, rgb, count);
}

static void mix_bytes_plain(
    const uint8_t *const *rows, const int16_t *weights, int pairs, int16_t *mixed, int count) {
    for (int x = 0; x < count; x++) {
        int32_t sum = 0;
        for (int k = 0; k < 2 * pairs; k++)
            sum += rows[k][x] * weights[k];
        mixed[x] = saturated(sum, byte_shift);
    }
}

static void mix_words_plain(
    const int16_t *const *rows, const int16_t *weights, int pairs, int16_t *mixed, int count) {
    for (int x = 0; x < count; x++) {
        int32_t sum = 0;
        for (int k = 0; k < 2 * pairs; k++)
            sum += rows[k][x] * weights[k];
        mixed[x] = saturated(sum, word_shift);
    }
}

void thimble_weigh_from(
    int first, const int16_t *samples, const thimble_columns *it, int16_t *target) {
    for (int x = first; x < it->count; x++) {
        int32_t sum = 1 << (it->shift - 1);
        for (int k = 0; k < it->taps; k++)
            sum += samples[it->starts[x] + k] * it->weights[x * it->taps + k];
        sum >>= it->shift;
        target[x] = (int16_t) (sum < 0 ? 0 : sum > it->highest ? it->highest : sum);
    }
}

static void weigh_plain(const int16_t *samples, const thimble_columns *columns, int16_t *target) {
    thimble_weigh_from(0, samples, columns, target);
}

static const thimble_kernels plain = {
    premultiply_plain, enter_light_plain, double_chroma_plain, ycc_to_rgb_plain,
    mix_bytes_plain, mix_words_plain, weigh_plain, thimble_grid_weigh};

const thimble_kernels *thimble_kernels_for(int vectors) {
    switch (vectors) {
    case THIMBLE_VECTORS_NONE: return &plain;
#if defined(__x86_64__)
    case THIMBLE_VECTORS_SSE2: return &thimble_sse2;
    case THIMBLE_VECTORS_AVX2: return __builtin_cpu_supports("avx2") ? &thimble_avx2 : NULL;
    case THIMBLE_VECTORS_BEST:
        return __builtin_cpu_supports("avx2") ? &thimble_avx2 : &thimble_sse2;
#elif defined(__aarch64__)
    case THIMBLE_VECTORS_NEON:
    case THIMBLE_VECTORS_BEST: return &thimble_neon;
#else
    case THIMBLE_VECTORS_BEST: return &plain;
#endif
    default: return NULL;
    }
}
