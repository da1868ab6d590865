#include "blocks.h"

#include <string.h>

// A fused multiplication would round once where other processors round twice.
#pragma STDC FP_CONTRACT OFF

#define VECTORS plain
#define TARGET
#include "transform_lanes.h"
#undef VECTORS
#undef TARGET

#if defined(__x86_64__)
#define VECTORS avx2
#define TARGET __attribute__((target("avx2")))
#include "transform_lanes.h"
#endif

const thimble_jpeg_transform *thimble_jpeg_transform_for(thimble_jpeg_vectors vectors) {
#if defined(__x86_64__)
    if (vectors == THIMBLE_JPEG_VECTORS_BEST && __builtin_cpu_supports("avx2"))
        return &avx2;
#endif
    (void) vectors;
    return &plain;
}

/// Scale of the transform's outputs: the square root of 8 for frequency 0, else 4 cos(k π / 16)
/// (Arai, Agui and Nakajima 1988).
static const double scales[8] = {
    2.8284271247461903, 3.9231411216129217, 3.6955181300451465, 3.3258784492101812,
    2.8284271247461903, 2.2222809320784087, 1.5307337294603591, 0.7803612880645131};

/// Lowest shares of a step that round up at the middle frequencies, and their rise with each frequency.
typedef struct {
    double luma, chroma, slope;
} thresholds;

// The fewest bytes at equal SSIMULACRA2 and butteraugli, of 18 photographs.
static const thresholds shifted = {0.57, 0.55, 0.02}, by_rate = {0.53, 0.506, 0.0192};

static double threshold_of(const thimble_jpeg_settings *settings, int table, int frequencies) {
    if (settings->rounding == THIMBLE_JPEG_ROUNDING_NEAREST)
        return 0.5;
    const thresholds *those =
        settings->rounding == THIMBLE_JPEG_ROUNDING_SHIFTED ? &shifted : &by_rate;
    const double share = (table ? those->chroma : those->luma) + those->slope * (frequencies - 4);
    const double bounded = share < 0.5 ? 0.5 : share > 0.95 ? 0.95 : share;
    return 0.5 + (bounded - 0.5) * (double) settings->rounding_strength;
}

void thimble_jpeg_quantiser_set(
    thimble_jpeg_quantiser *it, const thimble_jpeg_settings *settings, int table) {
    it->strength = settings->rounding_strength;
    for (int u = 0; u < 8; u++)
        for (int v = 0; v < 8; v++) {
            const int index = 8 * u + v;
            const double step = settings->tables[table][8 * v + u];
            const double threshold = index > 0 ? threshold_of(settings, table, u + v) : 0.5;
            it->steps[index] = (float) step;
            it->factors[index] = (float) (1 / (step * scales[u] * scales[v]));
            it->biases[index] = (float) (1 - threshold);
        }
}

const uint8_t thimble_jpeg_zigzag[thimble_jpeg_block] = {
    0,  8,  1,  2,  9,  16, 24, 17, 10, 3,  4,  11, 18, 25, 32, 40, 33, 26, 19, 12, 5,  6,
    13, 20, 27, 34, 41, 48, 56, 49, 42, 35, 28, 21, 14, 7,  15, 22, 29, 36, 43, 50, 57, 58,
    51, 44, 37, 30, 23, 31, 38, 45, 52, 59, 60, 53, 46, 39, 47, 54, 61, 62, 55, 63};
