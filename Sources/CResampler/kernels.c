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

static int32_t weigh_plain(const int16_t *samples, const int16_t *weights, int count) {
    int32_t sum = 0;
    for (int k = 0; k < count; k++)
        sum += samples[k] * weights[k];
    return sum;
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

static int32_t total_sse2(__m128i sums) {
    sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0x4E));
    return _mm_cvtsi128_si32(_mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0xB1)));
}

static int32_t weigh_sse2(const int16_t *samples, const int16_t *weights, int count) {
    __m128i sums = _mm_setzero_si128();
    for (int k = 0; k < count; k += 8)
        sums = _mm_add_epi32(sums, products_sse2(samples + k, weights + k));
    return total_sse2(sums);
}

static const thimble_kernels sse2 = {mix_bytes_sse2, mix_words_sse2, weigh_sse2};

#define AVX2 __attribute__((target("avx2")))

AVX2 static __m256i shifted_avx2(__m256i sum, int shift) {
    return _mm256_srai_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(1 << (shift - 1))), shift);
}

AVX2 static void mix_bytes_avx2(
    const uint8_t *const *rows, const int16_t *weights, int pairs, int16_t *mixed, int count) {
    for (int x = 0; x < count; x += 16) {
        __m256i low = _mm256_setzero_si256(), high = low;
        for (int k = 0; k < pairs; k++) {
            const __m256i pair = _mm256_set1_epi32(pair_of(weights, k));
            const __m128i one = _mm_loadu_si128((const __m128i *) (rows[2 * k] + x));
            const __m128i two = _mm_loadu_si128((const __m128i *) (rows[2 * k + 1] + x));
            const __m256i left = _mm256_cvtepu8_epi16(_mm_unpacklo_epi8(one, two));
            const __m256i right = _mm256_cvtepu8_epi16(_mm_unpackhi_epi8(one, two));
            low = _mm256_add_epi32(low, _mm256_madd_epi16(left, pair));
            high = _mm256_add_epi32(high, _mm256_madd_epi16(right, pair));
        }
        // Packing interleaves the halves of both registers.
        const __m256i packed = _mm256_packs_epi32(
            shifted_avx2(low, byte_shift), shifted_avx2(high, byte_shift));
        _mm256_storeu_si256((__m256i *) (mixed + x), _mm256_permute4x64_epi64(packed, 0xD8));
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

AVX2 static int32_t weigh_avx2(const int16_t *samples, const int16_t *weights, int count) {
    __m256i sums = _mm256_setzero_si256();
    int k = 0;
    for (; k + 16 <= count; k += 16)
        sums = _mm256_add_epi32(
            sums, _mm256_madd_epi16(
                      _mm256_loadu_si256((const __m256i *) (samples + k)),
                      _mm256_loadu_si256((const __m256i *) (weights + k))));
    __m128i rest =
        _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    if (k < count)
        rest = _mm_add_epi32(rest, products_sse2(samples + k, weights + k));
    return total_sse2(rest);
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

static int32_t weigh_neon(const int16_t *samples, const int16_t *weights, int count) {
    int32x4_t sums = vdupq_n_s32(0);
    for (int k = 0; k < count; k += 8) {
        const int16x8_t some = vld1q_s16(samples + k), by = vld1q_s16(weights + k);
        sums = vmlal_s16(sums, vget_low_s16(some), vget_low_s16(by));
        sums = vmlal_s16(sums, vget_high_s16(some), vget_high_s16(by));
    }
    return vaddvq_s32(sums);
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
