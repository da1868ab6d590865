#include "words.h"

/// Converts bytes to words and multiplies them by alpha, for a constant number of bands.
///
/// 255 * 255 / 4 is the highest sample.
static inline void premultiply(const uint8_t *bytes, int16_t *words, int count, const int bands) {
    for (int x = 0; x < count; x += bands) {
        const int alpha = bytes[x + bands - 1];
        for (int band = 0; band < bands - 1; band++)
            words[x + band] = (bytes[x + band] * alpha + 2) >> 2;
        words[x + bands - 1] = (alpha * 255 + 2) >> 2;
    }
}

/// Fully opaque or white, as samples enter.
static int opaque_word(const thimble_resampling *resampling) {
    if (resampling->sample_bytes == 2)
        return thimble_highest_word;
    return resampling->has_alpha ? (255 * 255 + 2) >> 2 : 255 << 6;
}

static void enter_bytes(
    const thimble_resampling *resampling, const uint8_t *bytes, int16_t *words, int count) {
    if (!resampling->has_alpha)
        for (int i = 0; i < count; i++)
            words[i] = bytes[i] << 6;
    else if (resampling->bands == 4)
        premultiply(bytes, words, count, 4);
    else
        premultiply(bytes, words, count, 2);
}

void thimble_words_enter(
    const thimble_resampling *resampling, const void *pixels, int16_t *words, int count) {
    const int bands = resampling->bands, samples = count * bands;
    if (resampling->sample_bytes == 1) {
        enter_bytes(resampling, pixels, words, samples);
        return;
    }
    const uint16_t *entering = pixels;
    for (int i = 0; i < samples; i++)
        words[i] = entering[i] >> 2;
    for (int x = 0; resampling->has_alpha && x < samples; x += bands)
        for (int band = 0; band < bands - 1; band++)
            words[x + band] = (words[x + band] * words[x + bands - 1] + thimble_highest_word / 2)
                / thimble_highest_word;
}

void thimble_words_leave(
    const thimble_resampling *resampling, const int16_t *words, uint8_t *row) {
    const int bands = resampling->bands, count = resampling->columns.target * bands;
    const int opaque = opaque_word(resampling);
    for (int i = 0; i < count; i++) {
        const int value = words[i] < opaque ? words[i] : opaque;
        row[i] = (uint8_t) ((value * 255 + opaque / 2) / opaque);
    }
    if (!resampling->has_alpha)
        return;
    for (int x = 0; x < count; x += bands) {
        const int alpha = words[x + bands - 1] < opaque ? words[x + bands - 1] : opaque;
        for (int band = 0; band < bands - 1; band++) {
            const int colour = words[x + band] < alpha ? words[x + band] : alpha;
            row[x + band] = row[x + bands - 1] == 0
                ? 0
                : (uint8_t) ((colour * 255 + alpha / 2) / alpha);
        }
    }
}
