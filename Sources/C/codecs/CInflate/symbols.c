#include "copies.h"
#include "state.h"

const char thimble_wrong_literal[] = "invalid literal/length code";
const char thimble_wrong_distance[] = "invalid distance code";
const char thimble_too_far[] = "invalid distance too far back";

/// A symbol, and the bits that it needs with its extra bits.
typedef struct {
    thimble_code code;
    unsigned code_bits, bits;
} symbol;

static symbol look_up(const thimble_code *table, unsigned root, uint64_t bits) {
    const thimble_code code = table[bits & ((1u << root) - 1)];
    if (!(code & code_is_table))
        return (symbol){code, code_bits(code), code_drop(code)};
    const thimble_code second =
        table[code_value(code) + (bits >> root & ((1u << code_bits(code)) - 1))];
    return (symbol){second, root + code_bits(second), root + code_drop(second)};
}

/// The bits above the code of a symbol, up to its extra bits.
static unsigned symbol_extra(symbol symbol, uint64_t bits) {
    return (unsigned) ((bits & ((1ull << symbol.bits) - 1)) >> symbol.code_bits);
}

static void drop(thimble_inflater *it, unsigned count) {
    it->bits >>= count;
    it->bit_count -= count;
}

void thimble_decode_codes(thimble_inflater *it) {
    while (it->end < window_limit) {
        // A length and its distance have at most 48 bits; with less input, zeros follow.
        (void) thimble_need(it, 48);
        const symbol first = look_up(it->literal_codes, literal_bits, it->bits);
        // Of two literals, the second one is looked up again.
        if ((first.code & code_is_literal ? first.code_bits : first.bits) > it->bit_count)
            return;
        if (first.code & code_is_literal) {
            it->window[it->end++] = (uint8_t) code_value(first.code);
            drop(it, first.code_bits);
            continue;
        }
        if (first.code & code_is_stop) {
            if (!code_is_end(first.code))
                return thimble_fail(it, thimble_wrong_literal);
            drop(it, first.bits);
            it->stage = STAGE_BLOCK;
            return;
        }
        unsigned length, distance, bits = first.bits;
        if (first.code & code_is_match) {
            length = first.code >> 16 & longest_joined;
            distance = code_distance(first.code) + symbol_extra(first, it->bits);
        } else {
            const uint64_t rest = it->bits >> first.bits;
            const symbol second = look_up(it->distance_codes, distance_bits, rest);
            bits += second.bits;
            if (bits > it->bit_count)
                return;
            if (second.code & code_is_stop)
                return thimble_fail(it, thimble_wrong_distance);
            length = code_value(first.code) + symbol_extra(first, it->bits);
            distance = code_distance(second.code) + symbol_extra(second, rest);
        }
        if (distance > it->end)
            return thimble_fail(it, thimble_too_far);
        drop(it, bits);
        (void) thimble_copy_words(it->window + it->end, distance, length);
        it->end += length;
    }
}
