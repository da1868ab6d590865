#include "words.h"

#include <string.h>

#include "loops.h"

// Vectors are passed only to functions that are inlined.
#pragma clang diagnostic ignored "-Wpsabi"

typedef uint8_t whole_bytes __attribute__((vector_size(16)));
typedef uint16_t whole_words __attribute__((vector_size(32)));
typedef uint16_t eight_words __attribute__((vector_size(16)));
typedef int32_t eight __attribute__((vector_size(32)));
typedef float eight_reals __attribute__((vector_size(32)));

#define INLINED static inline __attribute__((always_inline))

static void premultiply_grey(
    const thimble_words *it, const uint8_t *bytes, int16_t *words, int count);
static int leave_coded(const thimble_words *it, const int16_t *planes, uint8_t *row);

/// Fully opaque or white, as samples enter.
static int opaque_word(const thimble_resampling *resampling) {
    if (resampling->sample_bytes == 2 || resampling->is_linear)
        return thimble_highest_word;
    return resampling->has_alpha ? (255 * 255 + 2) >> 2 : 255 << 6;
}

// MARK: Coded samples

/// Converts grey bytes to words and multiplies them by alpha.
INLINED void premultiply_pairs(const uint8_t *bytes, int16_t *words, int count) {
    int i = 0;
    for (; i + 16 <= 2 * count; i += 16) {
        whole_bytes pixels;
        memcpy(&pixels, bytes + i, sizeof pixels);
        const whole_words samples = __builtin_convertvector(pixels, whole_words);
        const whole_words alpha = __builtin_shufflevector(
            samples, samples, 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15);
        // Grey beside 255 for alpha.
        const whole_words greys = __builtin_shufflevector(
            samples, (whole_words) {255}, 0, 16, 2, 16, 4, 16, 6, 16, 8, 16, 10, 16, 12, 16, 14, 16);
        const whole_words products = (greys * alpha + 2) >> 2;
        memcpy(words + i, &products, sizeof products);
    }
    for (; i < 2 * count; i += 2) {
        words[i] = (bytes[i] * bytes[i + 1] + 2) >> 2;
        words[i + 1] = (bytes[i + 1] * 255 + 2) >> 2;
    }
}

static void enter_bytes(
    const thimble_words *it, const uint8_t *bytes, int16_t *words, int count) {
    const int bands = it->resampling->bands;
    if (!it->resampling->has_alpha)
        for (int i = 0; i < count * bands; i++)
            words[i] = bytes[i] << 6;
    else if (bands == 4)
        it->kernels->premultiply(bytes, words, count);
    else
        premultiply_grey(it, bytes, words, count);
}

// MARK: Linear light

/// Multiplies by a byte of alpha, divides by 255 within a step, and keeps the highest word.
static int16_t weighted(int word, int alpha) {
    const int product = word * alpha + 128;
    return (int16_t) ((product + (product >> 8)) >> 8);
}

/// Converts bytes to light and multiplies it by alpha, for a constant number of bands.
static inline void enter_light(
    const int16_t *light, const uint8_t *bytes, int16_t *words, int count, const int bands) {
    for (int i = 0; i < count * bands; i += bands) {
        const int alpha = bytes[i + bands - 1];
        for (int band = 0; band < bands - 1; band++)
            words[i + band] = weighted(light[bytes[i + band]], alpha);
        words[i + bands - 1] = weighted(thimble_highest_word, alpha);
    }
}

static void enter_light_bytes(
    const thimble_words *it, const uint8_t *bytes, int16_t *words, int count) {
    const int bands = it->resampling->bands;
    const int16_t *light = it->light.of_bytes;
    if (!it->resampling->has_alpha)
        it->kernels->enter_light(light, bytes, words, count * bands);
    else if (bands == 4)
        enter_light(light, bytes, words, count, 4);
    else
        enter_light(light, bytes, words, count, 2);
}

// MARK: Both

/// Multiplies colours by alpha, the last band.
static void premultiply_words(int16_t *words, int samples, int bands) {
    for (int x = 0; x < samples; x += bands)
        for (int band = 0; band < bands - 1; band++)
            words[x + band] = (words[x + band] * words[x + bands - 1] + thimble_highest_word / 2)
                / thimble_highest_word;
}

static void enter_deep(
    const thimble_words *it, const uint16_t *entering, int16_t *words, int samples) {
    const int bands = it->resampling->bands;
    for (int i = 0; i < samples; i++)
        words[i] = entering[i] >> 2;
    const int coloured = it->resampling->has_alpha ? bands - 1 : bands;
    for (int x = 0; it->resampling->is_linear && x < samples; x += bands)
        for (int band = 0; band < coloured; band++)
            words[x + band] = it->light.of_words[words[x + band]];
    if (it->resampling->has_alpha)
        premultiply_words(words, samples, bands);
}

void thimble_words_enter(const thimble_words *it, const void *pixels, int16_t *words, int count) {
    if (it->resampling->sample_bytes == 2)
        enter_deep(it, pixels, words, count * it->resampling->bands);
    else if (it->resampling->is_linear)
        enter_light_bytes(it, pixels, words, count);
    else
        enter_bytes(it, pixels, words, count);
}

/// Divides colours by alpha and converts them to bytes, and alpha likewise, from a column on.
static void leave_alpha_from(
    int first, const thimble_words *it, const int16_t *planes, uint8_t *row) {
    const int count = it->resampling->columns.target, bands = it->resampling->bands;
    const int opaque = opaque_word(it->resampling);
    const int highest = it->resampling->is_linear ? thimble_highest_word : 255;
    const int16_t *last = planes + (size_t) (bands - 1) * count;
    row += (size_t) first * bands;
    for (int x = first; x < count; x++, row += bands) {
        const int alpha = last[x];
        const int shown = ((alpha < opaque ? alpha : opaque) * 255 + opaque / 2) / opaque;
        for (int band = 0; band < bands - 1; band++) {
            const int word = planes[(size_t) band * count + x];
            const int colour = word < alpha ? word : alpha;
            const int value = shown == 0 ? 0 : (colour * highest + alpha / 2) / alpha;
            row[band] = it->resampling->is_linear ? it->light.bytes[value] : (uint8_t) value;
        }
        row[bands - 1] = (uint8_t) shown;
    }
}

INLINED eight lower(eight a, eight b) {
    const eight is_less = a < b;
    return (a & is_less) | (b & ~is_less);
}

/// Words that are not negative.
INLINED eight loaded(const int16_t *words) {
    eight_words value;
    memcpy(&value, words, sizeof value);
    return __builtin_convertvector(value, eight);
}

/// Exact quotients, rounded down, of numbers below 2^23 by numbers below 2^15.
///
/// Below 2^8 a quotient is rounded by 2^-17 at most, and differs from the next whole number by 2^-15.
INLINED eight quotients(eight dividends, eight divisors) {
    return __builtin_convertvector(
        __builtin_convertvector(dividends, eight_reals)
            / __builtin_convertvector(divisors, eight_reals),
        eight);
}

/// Same for eight columns at a time of coded samples; returns the number of columns.
INLINED int leave_coded_alpha(
    const thimble_words *it, const int16_t *planes, uint8_t *row, const int bands) {
    const int count = it->resampling->columns.target, highest = opaque_word(it->resampling);
    const eight opaque = (eight) {0} + highest;
    int x = 0;
    for (; x + 8 <= count; x += 8, row += 8 * bands) {
        const eight alpha = loaded(planes + (size_t) (bands - 1) * count + x);
        const eight shown =
            quotients(lower(alpha, opaque) * 255 + opaque / 2, opaque);
        // Nothing is shown of alpha 0.
        const eight divisor = alpha - (alpha == 0);
        eight pixels = shown << 8 * (bands - 1);
        for (int band = 0; band < bands - 1; band++) {
            const eight word = loaded(planes + (size_t) band * count + x);
            const eight colour = lower(word, alpha);
            const eight value = quotients(colour * 255 + alpha / 2, divisor);
            pixels |= (value & (shown != 0)) << 8 * band;
        }
        if (bands == 4) {
            memcpy(row, &pixels, sizeof pixels);
        } else {
            const eight_words pairs = __builtin_convertvector(pixels, eight_words);
            memcpy(row, &pairs, sizeof pairs);
        }
    }
    return x;
}

INLINED int leave_coded_pixels(const thimble_words *it, const int16_t *planes, uint8_t *row) {
    return it->resampling->bands == 4 ? leave_coded_alpha(it, planes, row, 4)
                                      : leave_coded_alpha(it, planes, row, 2);
}

// MARK: Instruction sets

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2")))

AVX2 static void premultiply_grey_avx2(const uint8_t *bytes, int16_t *words, int count) {
    premultiply_pairs(bytes, words, count);
}

AVX2 static int leave_coded_avx2(const thimble_words *it, const int16_t *planes, uint8_t *row) {
    return leave_coded_pixels(it, planes, row);
}

static bool has_avx2(const thimble_words *it) { return it->kernels == &thimble_avx2; }
#else
#define premultiply_grey_avx2 premultiply_pairs
#define leave_coded_avx2 leave_coded_pixels

static bool has_avx2(const thimble_words *it) {
    (void) it;
    return false;
}
#endif

static void premultiply_grey(
    const thimble_words *it, const uint8_t *bytes, int16_t *words, int count) {
    if (has_avx2(it))
        premultiply_grey_avx2(bytes, words, count);
    else
        premultiply_pairs(bytes, words, count);
}

static int leave_coded(const thimble_words *it, const int16_t *planes, uint8_t *row) {
    return has_avx2(it) ? leave_coded_avx2(it, planes, row) : leave_coded_pixels(it, planes, row);
}

/// Divides colours by alpha and converts them to bytes, and alpha likewise.
///
/// The kernel's overshoot beside an edge exceeds opaque, in colours as in alpha, so colours are divided by
/// alpha as it is: a pixel of one colour keeps it.
static void leave_alpha(const thimble_words *it, const int16_t *planes, uint8_t *row) {
    const int done = it->resampling->is_linear ? 0 : leave_coded(it, planes, row);
    leave_alpha_from(done, it, planes, row);
}

/// Converts a plane of light to one of a constant number of bands.
static inline void leave_light(
    const uint8_t *bytes, const int16_t *plane, uint8_t *restrict band, int count,
    const int bands) {
    for (int x = 0; x < count; x++)
        band[x * bands] = bytes[(uint16_t) plane[x]];
}

void thimble_words_leave(const thimble_words *it, const int16_t *planes, uint8_t *row) {
    const int count = it->resampling->columns.target, bands = it->resampling->bands;
    if (it->resampling->has_alpha) {
        leave_alpha(it, planes, row);
        return;
    }
    for (int band = 0; band < bands; band++, planes += count) {
        if (bands == 1)
            leave_light(it->light.bytes, planes, row, count, 1);
        else
            leave_light(it->light.bytes, planes, row + band, count, bands);
    }
}

void thimble_words_round(const thimble_words *it, int16_t *words, int count) {
    const int opaque = opaque_word(it->resampling);
    if (opaque == 255 << 6) {
        for (int i = 0; i < count; i++)
            words[i] = (int16_t) (((words[i] < opaque ? words[i] : opaque) + 32) >> 6);
        return;
    }
    // Rounded division by 2^14 - 1 as a sum of shifts, exact for every word.
    for (int i = 0; i < count; i++) {
        const uint32_t product = (uint32_t) words[i] * 255 + thimble_highest_word / 2;
        words[i] = (int16_t) ((product + (product >> 14) + 1) >> 14);
    }
}
