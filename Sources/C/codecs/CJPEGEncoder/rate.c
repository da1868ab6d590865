#include "rate.h"

#include <string.h>

// A fused multiplication would round once where other processors round twice.
#pragma STDC FP_CONTRACT OFF

enum { end_of_block = 0x00, sixteen_zeros = 0xF0, last_position = thimble_jpeg_block - 1 };

/// Bits that a squared error of one step is worth in a flat block, its rise with each doubling of the
/// block's activity, and the mean square from which that counts.
///
/// The fewest bytes at equal SSIMULACRA2 and butteraugli, of 18 photographs.
static const float flat_worth = 0.03f, worth_of_activity = 0.53f, least_activity = 20;

/// Binary logarithm of a positive number, at most 0.09 too low: the same on every processor, which a
/// mathematical library does not promise.
static float logarithm(float value) {
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (float) (bits - (127 << 23)) / (1 << 23);
}

/// Occurrences that are assumed before the first row; short runs and small values are more frequent.
static int assumed_occurrences(int run, int size) {
    const int halvings = run / 2 + 2 * (size - 1);
    return halvings < 7 ? 128 >> halvings : 1;
}

void thimble_jpeg_rates_estimate(
    thimble_jpeg_rates *it, const thimble_jpeg_coder *coder, int table) {
    if (coder->are_codes_chosen) {
        for (int symbol = 0; symbol < thimble_jpeg_most_codes; symbol++)
            it->bits[symbol] = (float) (coder->entries[table][1][symbol] & 31);
        return;
    }
    float total = 0;
    for (int symbol = 0; symbol < thimble_jpeg_most_codes; symbol++) {
        const int size = symbol & 15;
        const int assumed = size > 0 ? assumed_occurrences(symbol >> 4, size)
            : symbol == end_of_block ? 128
                                     : 1;
        it->bits[symbol] = (float) (coder->occurrences[table][1][symbol] + (uint32_t) assumed);
        total += it->bits[symbol];
    }
    const float of_total = logarithm(total);
    for (int symbol = 0; symbol < thimble_jpeg_most_codes; symbol++)
        it->bits[symbol] = of_total - logarithm(it->bits[symbol]) + (float) (symbol & 15);
}

/// A value other than zero.
typedef struct {
    int position, level;
    float multiple;
} value;

static float bits_of(const thimble_jpeg_rates *rates, int run, int level) {
    const int size = 32 - __builtin_clz((unsigned) level);
    return (float) (run >> 4) * rates->bits[sixteen_zeros] + rates->bits[(run & 15) << 4 | size];
}

/// Bits saved by lowering the level by one.
///
/// @param previous Position of the value before.
/// @param next The value after, NULL if it is the last.
static float bits_saved(
    const thimble_jpeg_rates *rates, int previous, const value *it, const value *next) {
    const int run = it->position - previous - 1;
    const float before = bits_of(rates, run, it->level);
    if (it->level > 1)
        return before - bits_of(rates, run, it->level - 1);
    if (!next)
        return before - (it->position == last_position ? rates->bits[end_of_block] : 0);
    return before + bits_of(rates, next->position - it->position - 1, next->level)
        - bits_of(rates, next->position - previous - 1, next->level);
}

/// Mean square of the block's samples without DC, in levels of the samples.
static float activity(const thimble_jpeg_quantiser *quantiser, const float *scaled) {
    float sums[8] = {0};
    for (int row = 0; row < 8; row++)
        for (int lane = 0; lane < 8; lane++) {
            const int index = 8 * row + lane;
            const float coefficient = index ? scaled[index] * quantiser->steps[index] : 0;
            sums[lane] += coefficient * coefficient;
        }
    const float left = sums[0] + sums[1] + (sums[2] + sums[3]);
    const float right = sums[4] + sums[5] + (sums[6] + sums[7]);
    return (left + right) / thimble_jpeg_block;
}

void thimble_jpeg_round_by_rate(
    const thimble_jpeg_coder *coder, const thimble_jpeg_quantiser *quantiser,
    const thimble_jpeg_rates *rates, const float *scaled, int16_t *levels) {
    float magnitudes[thimble_jpeg_block];
    for (int index = 0; index < thimble_jpeg_block; index++) {
        magnitudes[index] = __builtin_fabsf(scaled[index]);
        const int level = (int) (magnitudes[index] + quantiser->biases[index]);
        levels[index] = (int16_t) (scaled[index] < 0 ? -level : level);
    }
    uint64_t mask = thimble_jpeg_coder_mask(coder, levels) & ~(uint64_t) 1;
    if (!mask)
        return;
    const float active = logarithm(1 + activity(quantiser, scaled) / least_activity);
    const float worth = quantiser->strength * flat_worth * (1 + worth_of_activity * active);
    value values[thimble_jpeg_block];
    int count = 0;
    for (; mask; mask &= mask - 1) {
        const int position = __builtin_ctzll(mask), index = thimble_jpeg_zigzag[position];
        const int level = levels[index] < 0 ? -levels[index] : levels[index];
        values[count++] = (value) {position, level, magnitudes[index]};
    }
    // Values that stay, in the same array.
    int kept = 0;
    for (int place = 0; place < count; place++) {
        value it = values[place];
        const float excess = (float) it.level - it.multiple;
        if (excess > 0) {
            const int previous = kept > 0 ? values[kept - 1].position : 0;
            const value *next = place + 1 < count ? &values[place + 1] : NULL;
            if (1 - 2 * excess < worth * bits_saved(rates, previous, &it, next))
                it.level--;
        }
        if (it.level > 0)
            values[kept++] = it;
    }
    for (; kept > 0 && values[kept - 1].level == 1; kept--) {
        const int previous = kept > 1 ? values[kept - 2].position : 0;
        const float error = 2 * values[kept - 1].multiple - 1;
        if (error >= worth * bits_saved(rates, previous, &values[kept - 1], NULL))
            break;
    }
    const int16_t dc = levels[0];
    memset(levels, 0, thimble_jpeg_block * sizeof *levels);
    levels[0] = dc;
    for (int place = 0; place < kept; place++) {
        const int index = thimble_jpeg_zigzag[values[place].position];
        const int level = values[place].level;
        levels[index] = (int16_t) (scaled[index] < 0 ? -level : level);
    }
}
