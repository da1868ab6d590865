#if defined(__x86_64__)
#include "light.h"
#include "x86.h"

#define AVX2 __attribute__((target("avx2")))

AVX2 static __m256i shifted_avx2(__m256i sum, int shift) {
    return _mm256_srai_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(1 << (shift - 1))), shift);
}

AVX2 static void premultiply_avx2(const uint8_t *pixels, int16_t *words, int count) {
    const __m256i opaque = _mm256_set1_epi64x((int64_t) 255 << 48);
    int x = 0;
    for (; x + 4 <= count; x += 4) {
        const __m256i four =
            _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *) (pixels + 4 * x)));
        const __m256i alpha =
            _mm256_shufflehi_epi16(_mm256_shufflelo_epi16(four, 0xff), 0xff);
        const __m256i by = _mm256_blend_epi16(alpha, opaque, 0x88);
        const __m256i products = _mm256_mullo_epi16(four, by);
        _mm256_storeu_si256(
            (__m256i *) (words + 4 * x),
            _mm256_srli_epi16(_mm256_add_epi16(products, _mm256_set1_epi16(2)), 2));
    }
    thimble_premultiply_from(x, pixels, words, count);
}

/// Terms of light as bytes, in both halves.
typedef struct {
    __m256i low[3], high[3];
} light_terms;

AVX2 static light_terms light_terms_avx2(void) {
    light_terms terms;
    for (int i = 0; i < 3; i++) {
        const __m128i *from = (const __m128i *) thimble_light_terms[i];
        const __m128i one = _mm_loadu_si128(from), two = _mm_loadu_si128(from + 1);
        const __m128i mask = _mm_set1_epi16(255);
        terms.low[i] = _mm256_broadcastsi128_si256(
            _mm_packus_epi16(_mm_and_si128(one, mask), _mm_and_si128(two, mask)));
        terms.high[i] = _mm256_broadcastsi128_si256(
            _mm_packus_epi16(_mm_srli_epi16(one, 8), _mm_srli_epi16(two, 8)));
    }
    return terms;
}

/// Light of 16 bytes, from their terms and their distances with 8 fractional bits.
AVX2 static __m256i light_avx2(__m256i first, __m256i slope, __m256i curve, __m256i distance) {
    const __m256i steeper = _mm256_add_epi16(slope, _mm256_mulhrs_epi16(curve, distance));
    return _mm256_add_epi16(first, _mm256_mulhrs_epi16(steeper, distance));
}

AVX2 static void enter_light_avx2(
    const int16_t *light, const uint8_t *bytes, int16_t *words, int count) {
    const light_terms terms = light_terms_avx2();
    const __m256i nibble = _mm256_set1_epi8(15), zero = _mm256_setzero_si256();
    int i = 0;
    for (; i + 32 <= count; i += 32) {
        // Unpacking takes the first and third quarter, then the others.
        const __m256i samples = _mm256_permute4x64_epi64(
            _mm256_loadu_si256((const __m256i *) (bytes + i)), 0xd8);
        const __m256i parts = _mm256_and_si256(_mm256_srli_epi16(samples, 4), nibble);
        const __m256i distances = _mm256_and_si256(samples, nibble);
        __m256i one[3], two[3];
        for (int k = 0; k < 3; k++) {
            const __m256i low = _mm256_shuffle_epi8(terms.low[k], parts);
            const __m256i high = _mm256_shuffle_epi8(terms.high[k], parts);
            one[k] = _mm256_unpacklo_epi8(low, high);
            two[k] = _mm256_unpackhi_epi8(low, high);
        }
        __m256i *target = (__m256i *) (words + i);
        _mm256_storeu_si256(
            target,
            light_avx2(one[0], one[1], one[2], _mm256_unpacklo_epi8(zero, distances)));
        _mm256_storeu_si256(
            target + 1,
            light_avx2(two[0], two[1], two[2], _mm256_unpackhi_epi8(zero, distances)));
    }
    thimble_enter_light_from(i, light, bytes, words, count);
}

AVX2 static __m256i wide_avx2(const uint8_t *samples) {
    return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *) samples));
}

/// Three quarters of 16 samples and a quarter of others, times 4.
AVX2 static __m256i mixed_avx2(const uint8_t *near, const uint8_t *far) {
    const __m256i one = wide_avx2(near);
    return _mm256_add_epi16(_mm256_add_epi16(one, wide_avx2(far)), _mm256_add_epi16(one, one));
}

AVX2 static void double_chroma_avx2(
    const uint8_t *near, const uint8_t *far, int count, uint8_t *doubled, int width) {
    int x = 1;
    for (; x + 16 <= count; x += 16) {
        const __m256i left = mixed_avx2(near + x - 1, far + x - 1);
        const __m256i right = mixed_avx2(near + x, far + x);
        const __m256i sum = _mm256_add_epi16(left, right);
        const __m256i first = _mm256_srli_epi16(
            _mm256_add_epi16(
                _mm256_add_epi16(sum, _mm256_add_epi16(left, left)), _mm256_set1_epi16(7)), 4);
        const __m256i second = _mm256_srli_epi16(
            _mm256_add_epi16(
                _mm256_add_epi16(sum, _mm256_add_epi16(right, right)), _mm256_set1_epi16(8)), 4);
        _mm256_storeu_si256(
            (__m256i *) (doubled + 2 * x - 1),
            _mm256_or_si256(first, _mm256_slli_epi16(second, 8)));
    }
    thimble_double_chroma_from(x, near, far, count, doubled, width);
}

/// Sixteen centred samples times 128.
AVX2 static __m256i centred_avx2(const uint8_t *samples) {
    return _mm256_slli_epi16(_mm256_sub_epi16(wide_avx2(samples), _mm256_set1_epi16(128)), 7);
}

AVX2 static __m256i part_avx2(__m256i sample, int factor) {
    return _mm256_mulhi_epi16(sample, _mm256_set1_epi16((int16_t) factor));
}

AVX2 static void level_avx2(__m256i value, uint8_t *target) {
    const __m256i rounded = _mm256_srai_epi16(_mm256_add_epi16(value, _mm256_set1_epi16(8)), 4);
    const __m256i packed =
        _mm256_permute4x64_epi64(_mm256_packus_epi16(rounded, rounded), 0xd8);
    _mm_storeu_si128((__m128i *) target, _mm256_castsi256_si128(packed));
}

AVX2 static void ycc_to_rgb_avx2(
    const uint8_t *luma, const uint8_t *blue, const uint8_t *red, uint8_t *const rgb[3],
    int count) {
    int x = 0;
    for (; x + 16 <= count; x += 16) {
        const __m256i y = _mm256_slli_epi16(wide_avx2(luma + x), 4);
        const __m256i cb = centred_avx2(blue + x), cr = centred_avx2(red + x);
        level_avx2(_mm256_add_epi16(y, part_avx2(cr, red_of_red)), rgb[0] + x);
        level_avx2(
            _mm256_add_epi16(
                _mm256_add_epi16(y, part_avx2(cb, green_of_blue)), part_avx2(cr, green_of_red)),
            rgb[1] + x);
        level_avx2(_mm256_add_epi16(y, part_avx2(cb, blue_of_blue)), rgb[2] + x);
    }
    thimble_ycc_to_rgb_from(x, luma, blue, red, rgb, count);
}

AVX2 static void mix_bytes_avx2(
    const uint8_t *const *rows, const int16_t *weights, int pairs, int16_t *mixed, int count) {
    const __m256i zero = _mm256_setzero_si256();
    for (int x = 0; x < count; x += 32) {
        __m256i sums[4] = {zero, zero, zero, zero};
        for (int k = 0; k < pairs; k++) {
            const __m256i pair = _mm256_set1_epi32(pair_of(weights, k));
            const __m256i one = _mm256_loadu_si256((const __m256i *) (rows[2 * k] + x));
            const __m256i two = _mm256_loadu_si256((const __m256i *) (rows[2 * k + 1] + x));
            const __m256i low = _mm256_unpacklo_epi8(one, two);
            const __m256i high = _mm256_unpackhi_epi8(one, two);
            const __m256i wide[4] = {
                _mm256_unpacklo_epi8(low, zero), _mm256_unpackhi_epi8(low, zero),
                _mm256_unpacklo_epi8(high, zero), _mm256_unpackhi_epi8(high, zero)};
            for (int i = 0; i < 4; i++)
                sums[i] = _mm256_add_epi32(sums[i], _mm256_madd_epi16(wide[i], pair));
        }
        for (int i = 0; i < 4; i++)
            sums[i] = shifted_avx2(sums[i], byte_shift);
        // Unpacking leaves the columns 0 to 7 and 16 to 23 in the first two sums.
        const __m256i first = _mm256_packs_epi32(sums[0], sums[1]);
        const __m256i second = _mm256_packs_epi32(sums[2], sums[3]);
        _mm256_storeu_si256(
            (__m256i *) (mixed + x), _mm256_permute2x128_si256(first, second, 0x20));
        _mm256_storeu_si256(
            (__m256i *) (mixed + x + 16), _mm256_permute2x128_si256(first, second, 0x31));
    }
}

AVX2 static void mix_words_avx2(
    const int16_t *const *rows, const int16_t *weights, int pairs, int16_t *mixed, int count) {
    for (int x = 0; x < count; x += 32) {
        __m256i sums[4];
        for (int i = 0; i < 4; i++)
            sums[i] = _mm256_setzero_si256();
        for (int k = 0; k < pairs; k++) {
            const __m256i pair = _mm256_set1_epi32(pair_of(weights, k));
            for (int i = 0; i < 4; i += 2) {
                const __m256i one =
                    _mm256_loadu_si256((const __m256i *) (rows[2 * k] + x + 8 * i));
                const __m256i two =
                    _mm256_loadu_si256((const __m256i *) (rows[2 * k + 1] + x + 8 * i));
                sums[i] = _mm256_add_epi32(
                    sums[i], _mm256_madd_epi16(_mm256_unpacklo_epi16(one, two), pair));
                sums[i + 1] = _mm256_add_epi32(
                    sums[i + 1], _mm256_madd_epi16(_mm256_unpackhi_epi16(one, two), pair));
            }
        }
        // Packing undoes the interleaving of the halves.
        for (int i = 0; i < 4; i += 2)
            _mm256_storeu_si256(
                (__m256i *) (mixed + x + 8 * i),
                _mm256_packs_epi32(
                    shifted_avx2(sums[i], word_shift), shifted_avx2(sums[i + 1], word_shift)));
    }
}

/// Adds products of 16 samples of each of eight target columns to their sums, or of 8.
#define ADD_PRODUCTS(load, k) \
    for (int i = 0; i < 8; i++) \
        sums[i] = _mm256_add_epi32( \
            sums[i], load(samples + starts[i] + (k), weights + i * taps + (k)))

AVX2 static inline __m256i sixteen_avx2(const int16_t *samples, const int16_t *weights) {
    return _mm256_madd_epi16(
        _mm256_loadu_si256((const __m256i *) samples),
        _mm256_loadu_si256((const __m256i *) weights));
}

AVX2 static inline __m256i eight_avx2(const int16_t *samples, const int16_t *weights) {
    return _mm256_zextsi128_si256(products_sse2(samples, weights));
}

/// Adds up the lanes of four sums within both halves.
AVX2 static __m256i four_avx2(const __m256i *sums) {
    const __m256i one = _mm256_add_epi32(
        _mm256_unpacklo_epi32(sums[0], sums[1]), _mm256_unpackhi_epi32(sums[0], sums[1]));
    const __m256i two = _mm256_add_epi32(
        _mm256_unpacklo_epi32(sums[2], sums[3]), _mm256_unpackhi_epi32(sums[2], sums[3]));
    return _mm256_add_epi32(_mm256_unpacklo_epi64(one, two), _mm256_unpackhi_epi64(one, two));
}

AVX2 static void weigh_avx2(const int16_t *samples, const thimble_columns *it, int16_t *target) {
    const __m128i highest = _mm_set1_epi16((int16_t) it->highest);
    const int taps = it->taps;
    int x = 0;
    for (; x + 8 <= it->count; x += 8) {
        const int32_t *starts = it->starts + x;
        const int16_t *weights = it->weights + (size_t) x * taps;
        __m256i sums[8];
        for (int i = 0; i < 8; i++)
            sums[i] = _mm256_setzero_si256();
        int k = 0;
        for (; k + 16 <= taps; k += 16)
            ADD_PRODUCTS(sixteen_avx2, k);
        if (k < taps)
            ADD_PRODUCTS(eight_avx2, k);
        const __m256i low = four_avx2(sums), high = four_avx2(sums + 4);
        const __m256i totals = shifted_avx2(
            _mm256_add_epi32(
                _mm256_permute2x128_si256(low, high, 0x20),
                _mm256_permute2x128_si256(low, high, 0x31)),
            it->shift);
        const __m128i words = _mm_packs_epi32(
            _mm256_castsi256_si128(totals), _mm256_extracti128_si256(totals, 1));
        _mm_storeu_si128(
            (__m128i *) (target + x),
            _mm_min_epi16(_mm_max_epi16(words, _mm_setzero_si128()), highest));
    }
    thimble_weigh_from(x, samples, it, target);
}

const thimble_kernels thimble_avx2 = {
    premultiply_avx2, enter_light_avx2, double_chroma_avx2, ycc_to_rgb_avx2,
    mix_bytes_avx2, mix_words_avx2, weigh_avx2, thimble_grid_weigh_avx2};

#endif
