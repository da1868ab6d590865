#if defined(__x86_64__)
#include "x86.h"

/// Premultiplies two pixels of 16-bit samples; alpha is multiplied by 255.
static __m128i premultiplied_sse2(__m128i pixels) {
    const __m128i opaque = _mm_set_epi16(255, 0, 0, 0, 255, 0, 0, 0);
    const __m128i mask = _mm_set_epi16(-1, 0, 0, 0, -1, 0, 0, 0);
    const __m128i alpha = _mm_shufflehi_epi16(_mm_shufflelo_epi16(pixels, 0xff), 0xff);
    const __m128i by = _mm_or_si128(_mm_andnot_si128(mask, alpha), opaque);
    return _mm_srli_epi16(
        _mm_add_epi16(_mm_mullo_epi16(pixels, by), _mm_set1_epi16(2)), 2);
}

static void premultiply_sse2(const uint8_t *pixels, int16_t *words, int count) {
    const __m128i zero = _mm_setzero_si128();
    int x = 0;
    for (; x + 4 <= count; x += 4) {
        const __m128i four = _mm_loadu_si128((const __m128i *) (pixels + 4 * x));
        __m128i *target = (__m128i *) (words + 4 * x);
        _mm_storeu_si128(target, premultiplied_sse2(_mm_unpacklo_epi8(four, zero)));
        _mm_storeu_si128(target + 1, premultiplied_sse2(_mm_unpackhi_epi8(four, zero)));
    }
    thimble_premultiply_from(x, pixels, words, count);
}

static void enter_light_sse2(
    const int16_t *light, const uint8_t *bytes, int16_t *words, int count) {
    // Without byte shuffles, a table is as fast.
    thimble_enter_light_from(0, light, bytes, words, count);
}

/// Three quarters of 8 samples and a quarter of others, times 4.
static __m128i mixed_sse2(const uint8_t *near, const uint8_t *far) {
    const __m128i zero = _mm_setzero_si128();
    const __m128i one = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *) near), zero);
    const __m128i two = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *) far), zero);
    return _mm_add_epi16(_mm_add_epi16(one, two), _mm_add_epi16(one, one));
}

static void double_chroma_sse2(
    const uint8_t *near, const uint8_t *far, int count, uint8_t *doubled, int width) {
    int x = 1;
    for (; x + 8 <= count; x += 8) {
        const __m128i left = mixed_sse2(near + x - 1, far + x - 1);
        const __m128i right = mixed_sse2(near + x, far + x);
        const __m128i sum = _mm_add_epi16(left, right);
        const __m128i first = _mm_srli_epi16(
            _mm_add_epi16(
                _mm_add_epi16(sum, _mm_add_epi16(left, left)), _mm_set1_epi16(7)), 4);
        const __m128i second = _mm_srli_epi16(
            _mm_add_epi16(
                _mm_add_epi16(sum, _mm_add_epi16(right, right)), _mm_set1_epi16(8)), 4);
        _mm_storeu_si128(
            (__m128i *) (doubled + 2 * x - 1), _mm_or_si128(first, _mm_slli_epi16(second, 8)));
    }
    thimble_double_chroma_from(x, near, far, count, doubled, width);
}

/// Eight samples times 128, less an offset.
static __m128i scaled_sse2(const uint8_t *samples, int offset) {
    const __m128i wide = _mm_unpacklo_epi8(
        _mm_setzero_si128(), _mm_loadl_epi64((const __m128i *) samples));
    return _mm_sub_epi16(_mm_srli_epi16(wide, 1), _mm_set1_epi16((int16_t) (128 * offset)));
}

static __m128i part_sse2(__m128i sample, int factor) {
    return _mm_mulhi_epi16(sample, _mm_set1_epi16((int16_t) factor));
}

static void level_sse2(__m128i value, uint8_t *target) {
    const __m128i rounded = _mm_srai_epi16(_mm_add_epi16(value, _mm_set1_epi16(8)), 4);
    _mm_storel_epi64((__m128i *) target, _mm_packus_epi16(rounded, rounded));
}

static void ycc_to_rgb_sse2(
    const uint8_t *luma, const uint8_t *blue, const uint8_t *red, uint8_t *const rgb[3],
    int count) {
    int x = 0;
    for (; x + 8 <= count; x += 8) {
        const __m128i y = _mm_srli_epi16(scaled_sse2(luma + x, 0), 3);
        const __m128i cb = scaled_sse2(blue + x, 128), cr = scaled_sse2(red + x, 128);
        level_sse2(_mm_add_epi16(y, part_sse2(cr, red_of_red)), rgb[0] + x);
        level_sse2(
            _mm_add_epi16(
                _mm_add_epi16(y, part_sse2(cb, green_of_blue)), part_sse2(cr, green_of_red)),
            rgb[1] + x);
        level_sse2(_mm_add_epi16(y, part_sse2(cb, blue_of_blue)), rgb[2] + x);
    }
    thimble_ycc_to_rgb_from(x, luma, blue, red, rgb, count);
}

static void mix_bytes_sse2(
    const uint8_t *const *rows, const int16_t *weights, int pairs, int16_t *mixed, int count) {
    const __m128i zero = _mm_setzero_si128();
    for (int x = 0; x < count; x += 16) {
        __m128i sums[4] = {zero, zero, zero, zero};
        for (int k = 0; k < pairs; k++) {
            const __m128i pair = _mm_set1_epi32(pair_of(weights, k));
            const __m128i one = _mm_loadu_si128((const __m128i *) (rows[2 * k] + x));
            const __m128i two = _mm_loadu_si128((const __m128i *) (rows[2 * k + 1] + x));
            const __m128i low = _mm_unpacklo_epi8(one, two), high = _mm_unpackhi_epi8(one, two);
            const __m128i wide[4] = {
                _mm_unpacklo_epi8(low, zero), _mm_unpackhi_epi8(low, zero),
                _mm_unpacklo_epi8(high, zero), _mm_unpackhi_epi8(high, zero)};
            for (int i = 0; i < 4; i++)
                sums[i] = _mm_add_epi32(sums[i], _mm_madd_epi16(wide[i], pair));
        }
        for (int i = 0; i < 4; i += 2)
            _mm_storeu_si128(
                (__m128i *) (mixed + x + 4 * i),
                _mm_packs_epi32(
                    shifted_sse2(sums[i], byte_shift), shifted_sse2(sums[i + 1], byte_shift)));
    }
}

static void mix_words_sse2(
    const int16_t *const *rows, const int16_t *weights, int pairs, int16_t *mixed, int count) {
    for (int x = 0; x < count; x += 8) {
        __m128i low = _mm_setzero_si128(), high = low;
        for (int k = 0; k < pairs; k++) {
            const __m128i pair = _mm_set1_epi32(pair_of(weights, k));
            const __m128i one = _mm_loadu_si128((const __m128i *) (rows[2 * k] + x));
            const __m128i two = _mm_loadu_si128((const __m128i *) (rows[2 * k + 1] + x));
            low = _mm_add_epi32(low, _mm_madd_epi16(_mm_unpacklo_epi16(one, two), pair));
            high = _mm_add_epi32(high, _mm_madd_epi16(_mm_unpackhi_epi16(one, two), pair));
        }
        _mm_storeu_si128(
            (__m128i *) (mixed + x),
            _mm_packs_epi32(shifted_sse2(low, word_shift), shifted_sse2(high, word_shift)));
    }
}

/// Adds up the lanes of four sums, and stores the four results.
static void store_sse2(
    const __m128i *sums, const thimble_columns *columns, int16_t *target) {
    const __m128i low[2] = {
        _mm_unpacklo_epi32(sums[0], sums[1]), _mm_unpacklo_epi32(sums[2], sums[3])};
    const __m128i high[2] = {
        _mm_unpackhi_epi32(sums[0], sums[1]), _mm_unpackhi_epi32(sums[2], sums[3])};
    const __m128i halves[2] = {_mm_add_epi32(low[0], high[0]), _mm_add_epi32(low[1], high[1])};
    const __m128i totals = _mm_add_epi32(
        _mm_unpacklo_epi64(halves[0], halves[1]), _mm_unpackhi_epi64(halves[0], halves[1]));
    const __m128i words = _mm_packs_epi32(
        shifted_sse2(totals, columns->shift), _mm_setzero_si128());
    const __m128i results = _mm_min_epi16(
        _mm_max_epi16(words, _mm_setzero_si128()), _mm_set1_epi16((int16_t) columns->highest));
    _mm_storel_epi64((__m128i *) target, results);
}

static void weigh_sse2(const int16_t *samples, const thimble_columns *it, int16_t *target) {
    int x = 0;
    for (; x + 4 <= it->count; x += 4) {
        __m128i sums[4];
        for (int i = 0; i < 4; i++) {
            const int16_t *first = samples + it->starts[x + i];
            const int16_t *weights = it->weights + (x + i) * it->taps;
            sums[i] = products_sse2(first, weights);
            for (int k = 8; k < it->taps; k += 8)
                sums[i] = _mm_add_epi32(sums[i], products_sse2(first + k, weights + k));
        }
        store_sse2(sums, it, target + x);
    }
    thimble_weigh_from(x, samples, it, target);
}

const thimble_kernels thimble_sse2 = {
    premultiply_sse2, enter_light_sse2, double_chroma_sse2, ycc_to_rgb_sse2,
    mix_bytes_sse2, mix_words_sse2, weigh_sse2, thimble_grid_weigh};

#endif
