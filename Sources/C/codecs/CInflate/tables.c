#include <string.h>

#include "state.h"

/// True for codes in which nothing predicts whether a literal or a short match is next: a twelfth of
/// the symbols or more are matches, and few are long. Otherwise most branches are predicted, and cost
/// less than their absence.
static bool has_mixed_symbols(const uint8_t *lengths, unsigned count) {
    enum { all = 1 << max_code_bits, first_long = 268 };
    unsigned matches = 0, longs = 0;
    for (unsigned symbol = 257; symbol < count; symbol++) {
        const unsigned share = lengths[symbol] > 0 ? all >> lengths[symbol] : 0;
        matches += share;
        // Longer than `longest_short`.
        longs += symbol >= first_long ? share : 0;
    }
    return 12 * matches >= all && 8 * longs < all;
}

/// Makes both tables; fails as zlib does, which makes the table of literals first.
static bool make_codes(
    thimble_inflater *it, const uint8_t *literals, unsigned literal_count, const uint8_t *distances,
    unsigned distance_count) {
    const bool has_distances = thimble_make_codes(
        it->distance_codes, CODES_OF_DISTANCES, distances, (int) distance_count, NULL);
    const bool has_literals = thimble_make_codes(
        it->literal_codes, CODES_OF_LITERALS, literals, (int) literal_count, it->distance_codes);
    it->is_mixed = has_mixed_symbols(literals, literal_count);
    if (!has_literals)
        thimble_fail(it, "invalid literal/lengths set");
    else if (!has_distances)
        thimble_fail(it, "invalid distances set");
    return has_literals && has_distances;
}

void thimble_make_fixed_codes(thimble_inflater *it) {
    if (!it->has_fixed_codes) {
        uint8_t *const lengths = it->lengths, *const distances = lengths + literal_symbols;
        memset(lengths, 8, 144);
        memset(lengths + 144, 9, 112);
        memset(lengths + 256, 7, 24);
        memset(lengths + 280, 8, 8);
        memset(distances, 5, distance_symbols);
        (void) make_codes(it, lengths, literal_symbols, distances, distance_symbols);
        it->has_fixed_codes = true;
    }
    it->stage = STAGE_CODED;
}

bool thimble_read_counts(thimble_inflater *it) {
    if (!thimble_need(it, 14))
        return false;
    it->literals = thimble_take(it, 5) + 257;
    it->distances = thimble_take(it, 5) + 1;
    it->code_lengths = thimble_take(it, 4) + 4;
    it->have = 0;
    memset(it->lengths, 0, length_symbols);
    if (it->literals > 286 || it->distances > 30)
        thimble_fail(it, "too many length or distance symbols");
    else
        it->stage = STAGE_CODE_LENGTHS;
    return true;
}

bool thimble_read_code_lengths(thimble_inflater *it) {
    static const uint8_t order[length_symbols] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                  11, 4,  12, 3, 13, 2, 14, 1, 15};
    while (it->have < it->code_lengths) {
        if (!thimble_need(it, 3))
            return false;
        it->lengths[order[it->have++]] = (uint8_t) thimble_take(it, 3);
    }
    if (!thimble_make_codes(it->length_codes, CODES_OF_LENGTHS, it->lengths, length_symbols, NULL)) {
        thimble_fail(it, "invalid code lengths set");
        return true;
    }
    it->have = 0;
    it->stage = STAGE_LENGTHS;
    return true;
}

static void make_dynamic_codes(thimble_inflater *it) {
    it->has_fixed_codes = false;
    if (it->lengths[256] == 0)
        thimble_fail(it, "invalid code -- missing end-of-block");
    else if (make_codes(
                 it, it->lengths, it->literals, it->lengths + it->literals, it->distances))
        it->stage = STAGE_CODED;
}

bool thimble_read_lengths(thimble_inflater *it) {
    static const struct {
        uint8_t bits, least;
    } repeats[3] = {{2, 3}, {3, 3}, {7, 11}};
    const unsigned all = it->literals + it->distances;
    while (it->have < all) {
        // A code and a number of repeats have at most 14 bits; with less input, zeros follow.
        (void) thimble_need(it, 14);
        const thimble_code code = it->length_codes[it->bits & ((1 << length_bits) - 1)];
        const unsigned bits = code_drop(code), symbol = code_value(code);
        const unsigned extra = symbol < 16 ? 0 : repeats[symbol - 16].bits;
        if (bits + extra > it->bit_count)
            return false;
        thimble_take(it, bits);
        if (symbol < 16) {
            it->lengths[it->have++] = (uint8_t) symbol;
            continue;
        }
        const unsigned count = repeats[symbol - 16].least + thimble_take(it, extra);
        if (count > all - it->have || (symbol == 16 && it->have == 0)) {
            thimble_fail(it, "invalid bit length repeat");
            return true;
        }
        memset(it->lengths + it->have, symbol == 16 ? it->lengths[it->have - 1] : 0, count);
        it->have += count;
    }
    make_dynamic_codes(it);
    return true;
}
