#if defined(__aarch64__)
#include "light.h"
#include "loops.h"

#include <arm_neon.h>

static void premultiply_neon(const uint8_t *pixels, int16_t *words, int count) {
    const uint8x8_t opaque = vdup_n_u8(255);
    int x = 0;
    for (; x + 8 <= count; x += 8) {
        const uint8x8x4_t from = vld4_u8(pixels + 4 * x);
        uint16x8x4_t to;
        for (int band = 0; band < 3; band++)
            to.val[band] = vrshrq_n_u16(vmull_u8(from.val[band], from.val[3]), 2);
        to.val[3] = vrshrq_n_u16(vmull_u8(from.val[3], opaque), 2);
        vst4q_u16((uint16_t *) words + 4 * x, to);
    }
    thimble_premultiply_from(x, pixels, words, count);
}

static int16x8_t terms_neon(const uint8x16x2_t *terms, uint8x8_t parts) {
    const uint8x8x2_t bytes =
        vzip_u8(vqtbl1_u8(terms->val[0], parts), vqtbl1_u8(terms->val[1], parts));
    return vreinterpretq_s16_u8(vcombine_u8(bytes.val[0], bytes.val[1]));
}

static void enter_light_neon(
    const int16_t *light, const uint8_t *bytes, int16_t *words, int count) {
    uint8x16x2_t terms[3];
    for (int k = 0; k < 3; k++)
        terms[k] = vld2q_u8((const uint8_t *) thimble_light_terms[k]);
    int i = 0;
    for (; i + 8 <= count; i += 8) {
        const uint8x8_t samples = vld1_u8(bytes + i), parts = vshr_n_u8(samples, 4);
        const int16x8_t distances =
            vreinterpretq_s16_u16(vshll_n_u8(vand_u8(samples, vdup_n_u8(15)), 8));
        const int16x8_t curve = terms_neon(&terms[2], parts);
        const int16x8_t slope =
            vaddq_s16(terms_neon(&terms[1], parts), vqrdmulhq_s16(curve, distances));
        vst1q_s16(
            words + i,
            vaddq_s16(terms_neon(&terms[0], parts), vqrdmulhq_s16(slope, distances)));
    }
    thimble_enter_light_from(i, light, bytes, words, count);
}

/// Three quarters of 8 samples and a quarter of others, times 4.
static uint16x8_t mixed_neon(const uint8_t *near, const uint8_t *far) {
    return vmlal_u8(vmovl_u8(vld1_u8(far)), vld1_u8(near), vdup_n_u8(3));
}

static void double_chroma_neon(
    const uint8_t *near, const uint8_t *far, int count, uint8_t *doubled, int width) {
    int x = 1;
    for (; x + 8 <= count; x += 8) {
        const uint16x8_t left = mixed_neon(near + x - 1, far + x - 1);
        const uint16x8_t right = mixed_neon(near + x, far + x);
        const uint16x8_t first = vmlaq_n_u16(vaddq_u16(right, vdupq_n_u16(7)), left, 3);
        const uint16x8_t second = vmlaq_n_u16(vaddq_u16(left, vdupq_n_u16(8)), right, 3);
        const uint8x8x2_t both = {{vshrn_n_u16(first, 4), vshrn_n_u16(second, 4)}};
        vst2_u8(doubled + 2 * x - 1, both);
    }
    thimble_double_chroma_from(x, near, far, count, doubled, width);
}

/// Eight centred samples times 128.
static int16x8_t centred_neon(const uint8_t *samples) {
    const int16x8_t wide = vreinterpretq_s16_u16(vmovl_u8(vld1_u8(samples)));
    return vshlq_n_s16(vsubq_s16(wide, vdupq_n_s16(128)), 7);
}

static int16x8_t part_neon(int16x8_t sample, int factor) {
    // The instruction doubles the product.
    return vshrq_n_s16(vqdmulhq_n_s16(sample, (int16_t) factor), 1);
}

static void level_neon(int16x8_t value, uint8_t *target) {
    vst1_u8(target, vqmovun_s16(vshrq_n_s16(vaddq_s16(value, vdupq_n_s16(8)), 4)));
}

static void ycc_to_rgb_neon(
    const uint8_t *luma, const uint8_t *blue, const uint8_t *red, uint8_t *const rgb[3],
    int count) {
    int x = 0;
    for (; x + 8 <= count; x += 8) {
        const int16x8_t y = vreinterpretq_s16_u16(vshll_n_u8(vld1_u8(luma + x), 4));
        const int16x8_t cb = centred_neon(blue + x), cr = centred_neon(red + x);
        level_neon(vaddq_s16(y, part_neon(cr, red_of_red)), rgb[0] + x);
        level_neon(
            vaddq_s16(vaddq_s16(y, part_neon(cb, green_of_blue)), part_neon(cr, green_of_red)),
            rgb[1] + x);
        level_neon(vaddq_s16(y, part_neon(cb, blue_of_blue)), rgb[2] + x);
    }
    thimble_ycc_to_rgb_from(x, luma, blue, red, rgb, count);
}

static void mix_bytes_neon(
    const uint8_t *const *rows, const int16_t *weights, int pairs, int16_t *mixed, int count) {
    for (int x = 0; x < count; x += 8) {
        int32x4_t low = vdupq_n_s32(0), high = low;
        for (int k = 0; k < 2 * pairs; k++) {
            const int16x8_t row = vreinterpretq_s16_u16(vmovl_u8(vld1_u8(rows[k] + x)));
            low = vmlal_n_s16(low, vget_low_s16(row), weights[k]);
            high = vmlal_n_s16(high, vget_high_s16(row), weights[k]);
        }
        vst1q_s16(
            mixed + x,
            vcombine_s16(vqrshrn_n_s32(low, byte_shift), vqrshrn_n_s32(high, byte_shift)));
    }
}

static void mix_words_neon(
    const int16_t *const *rows, const int16_t *weights, int pairs, int16_t *mixed, int count) {
    for (int x = 0; x < count; x += 8) {
        int32x4_t low = vdupq_n_s32(0), high = low;
        for (int k = 0; k < 2 * pairs; k++) {
            const int16x8_t row = vld1q_s16(rows[k] + x);
            low = vmlal_n_s16(low, vget_low_s16(row), weights[k]);
            high = vmlal_n_s16(high, vget_high_s16(row), weights[k]);
        }
        vst1q_s16(
            mixed + x,
            vcombine_s16(vqrshrn_n_s32(low, word_shift), vqrshrn_n_s32(high, word_shift)));
    }
}

static int32x4_t sum_neon(const int16_t *samples, const int16_t *weights, int taps) {
    int32x4_t sums = vdupq_n_s32(0);
    for (int k = 0; k < taps; k += 8) {
        const int16x8_t some = vld1q_s16(samples + k), by = vld1q_s16(weights + k);
        sums = vmlal_s16(sums, vget_low_s16(some), vget_low_s16(by));
        sums = vmlal_s16(sums, vget_high_s16(some), vget_high_s16(by));
    }
    return sums;
}

static void weigh_neon(const int16_t *samples, const thimble_columns *it, int16_t *target) {
    const int32x4_t half = vdupq_n_s32(1 << (it->shift - 1)), shift = vdupq_n_s32(-it->shift);
    int x = 0;
    for (; x + 4 <= it->count; x += 4) {
        int32x4_t sums[4];
        for (int i = 0; i < 4; i++)
            sums[i] = sum_neon(
                samples + it->starts[x + i], it->weights + (x + i) * it->taps, it->taps);
        const int32x4_t totals =
            vpaddq_s32(vpaddq_s32(sums[0], sums[1]), vpaddq_s32(sums[2], sums[3]));
        const int16x4_t words = vqmovn_s32(vshlq_s32(vaddq_s32(totals, half), shift));
        const int16x4_t results =
            vmin_s16(vmax_s16(words, vdup_n_s16(0)), vdup_n_s16((int16_t) it->highest));
        vst1_s16(target + x, results);
    }
    thimble_weigh_from(x, samples, it, target);
}

const thimble_kernels thimble_neon = {
    premultiply_neon, enter_light_neon, double_chroma_neon, ycc_to_rgb_neon,
    mix_bytes_neon, mix_words_neon, weigh_neon, thimble_grid_weigh};

#endif
