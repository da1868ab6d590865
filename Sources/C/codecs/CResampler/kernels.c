#include "kernels.h"

#include <stddef.h>

#include "resampler.h"

enum { byte_shift = 8, word_shift = 14 };

static int16_t saturated(int32_t sum, int shift) {
    int32_t value = (sum + (1 << (shift - 1))) >> shift;
    return value < INT16_MIN ? INT16_MIN : value > INT16_MAX ? INT16_MAX : (int16_t) value;
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

/// Weighs the samples of the target columns from `first` on.
static void weigh_from(
    int first, const int16_t *samples, const thimble_columns *it, int16_t *target) {
    for (int x = first; x < it->count; x++) {
        int32_t sum = 1 << (it->shift - 1);
        for (int k = 0; k < it->taps; k++)
            sum += samples[it->starts[x] + k] * it->weights[x * it->taps + k];
        sum >>= it->shift;
        target[x * it->bands] = (int16_t) (sum < 0 ? 0 : sum > it->highest ? it->highest : sum);
    }
}

static void weigh_plain(const int16_t *samples, const thimble_columns *columns, int16_t *target) {
    weigh_from(0, samples, columns, target);
}

static const thimble_kernels plain = {mix_bytes_plain, mix_words_plain, weigh_plain};

#if defined(__x86_64__)
#include <immintrin.h>

static int32_t pair_of(const int16_t *weights, int pair) {
    return (int32_t) ((uint32_t) (uint16_t) weights[2 * pair + 1] << 16
                      | (uint16_t) weights[2 * pair]);
}

static __m128i shifted_sse2(__m128i sum, int shift) {
    return _mm_srai_epi32(_mm_add_epi32(sum, _mm_set1_epi32(1 << (shift - 1))), shift);
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

static __m128i products_sse2(const int16_t *samples, const int16_t *weights) {
    return _mm_madd_epi16(
        _mm_loadu_si128((const __m128i *) samples), _mm_loadu_si128((const __m128i *) weights));
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
    if (columns->bands == 1) {
        _mm_storel_epi64((__m128i *) target, results);
        return;
    }
    target[0] = (int16_t) _mm_extract_epi16(results, 0);
    target[columns->bands] = (int16_t) _mm_extract_epi16(results, 1);
    target[2 * columns->bands] = (int16_t) _mm_extract_epi16(results, 2);
    target[3 * columns->bands] = (int16_t) _mm_extract_epi16(results, 3);
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
        store_sse2(sums, it, target + x * it->bands);
    }
    weigh_from(x, samples, it, target);
}

static const thimble_kernels sse2 = {mix_bytes_sse2, mix_words_sse2, weigh_sse2};

#define AVX2 __attribute__((target("avx2")))

AVX2 static __m256i shifted_avx2(__m256i sum, int shift) {
    return _mm256_srai_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(1 << (shift - 1))), shift);
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
    for (int x = 0; x < count; x += 16) {
        __m256i low = _mm256_setzero_si256(), high = low;
        for (int k = 0; k < pairs; k++) {
            const __m256i pair = _mm256_set1_epi32(pair_of(weights, k));
            const __m256i one = _mm256_loadu_si256((const __m256i *) (rows[2 * k] + x));
            const __m256i two = _mm256_loadu_si256((const __m256i *) (rows[2 * k + 1] + x));
            low = _mm256_add_epi32(
                low, _mm256_madd_epi16(_mm256_unpacklo_epi16(one, two), pair));
            high = _mm256_add_epi32(
                high, _mm256_madd_epi16(_mm256_unpackhi_epi16(one, two), pair));
        }
        // Packing undoes the interleaving of the halves.
        _mm256_storeu_si256(
            (__m256i *) (mixed + x),
            _mm256_packs_epi32(shifted_avx2(low, word_shift), shifted_avx2(high, word_shift)));
    }
}

AVX2 static __m128i sum_avx2(const int16_t *samples, const int16_t *weights, int taps) {
    __m256i sums = _mm256_setzero_si256();
    int k = 0;
    for (; k + 16 <= taps; k += 16)
        sums = _mm256_add_epi32(
            sums, _mm256_madd_epi16(
                      _mm256_loadu_si256((const __m256i *) (samples + k)),
                      _mm256_loadu_si256((const __m256i *) (weights + k))));
    const __m128i sum =
        _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    return k < taps ? _mm_add_epi32(sum, products_sse2(samples + k, weights + k)) : sum;
}

AVX2 static void weigh_avx2(const int16_t *samples, const thimble_columns *it, int16_t *target) {
    int x = 0;
    for (; x + 4 <= it->count; x += 4) {
        __m128i sums[4];
        for (int i = 0; i < 4; i++)
            sums[i] = sum_avx2(
                samples + it->starts[x + i], it->weights + (x + i) * it->taps, it->taps);
        store_sse2(sums, it, target + x * it->bands);
    }
    weigh_from(x, samples, it, target);
}

static const thimble_kernels avx2 = {mix_bytes_avx2, mix_words_avx2, weigh_avx2};

const thimble_kernels *thimble_kernels_for(int vectors) {
    switch (vectors) {
    case THIMBLE_VECTORS_NONE: return &plain;
    case THIMBLE_VECTORS_SSE2: return &sse2;
    case THIMBLE_VECTORS_AVX2: return __builtin_cpu_supports("avx2") ? &avx2 : NULL;
    case THIMBLE_VECTORS_BEST: return __builtin_cpu_supports("avx2") ? &avx2 : &sse2;
    default: return NULL;
    }
}

#elif defined(__aarch64__)
#include <arm_neon.h>

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
        int16_t stored[4];
        vst1_s16(stored, results);
        for (int i = 0; i < 4; i++)
            target[(x + i) * it->bands] = stored[i];
    }
    weigh_from(x, samples, it, target);
}

static const thimble_kernels neon = {mix_bytes_neon, mix_words_neon, weigh_neon};

const thimble_kernels *thimble_kernels_for(int vectors) {
    switch (vectors) {
    case THIMBLE_VECTORS_NONE: return &plain;
    case THIMBLE_VECTORS_NEON:
    case THIMBLE_VECTORS_BEST: return &neon;
    default: return NULL;
    }
}

#else

const thimble_kernels *thimble_kernels_for(int vectors) {
    return vectors == THIMBLE_VECTORS_NONE || vectors == THIMBLE_VECTORS_BEST ? &plain : NULL;
}

#endif
