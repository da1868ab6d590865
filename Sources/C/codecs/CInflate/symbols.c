#include "copies.h"
#include "state.h"

const char thimble_wrong_literal[] = "invalid literal/length code";
const char thimble_wrong_distance[] = "invalid distance code";
const char thimble_too_far[] = "invalid distance too far back";

/// An entry, and the bits before its own.
typedef struct {
    thimble_code code;
    unsigned skipped;
} symbol;

static symbol look_up(const thimble_code *table, unsigned root, uint64_t bits) {
    const thimble_code code = table[bits & ((1u << root) - 1)];
    if ((code & code_kind) != code_is_special || !(code & code_is_table))
        return (symbol){code, 0};
    return (symbol){table[thimble_second(code, bits >> root)], root};
}

/// The bits that a symbol needs, with its extra bits.
static unsigned bits_of(symbol symbol) { return symbol.skipped + code_drop(symbol.code); }

static unsigned distance_of(symbol symbol, uint64_t bits) {
    return code_distance(
        symbol.code >> code_bits_shift & 255, symbol.code >> code_symbol_shift,
        bits >> symbol.skipped << entry_shift);
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
        if (code_has_literals(first.code)) {
            // Of two literals, the second one is looked up again.
            const unsigned literal = code_value(first.code) & 255;
            if (it->lengths[literal] > it->bit_count)
                return;
            it->window[it->end++] = (uint8_t) literal;
            drop(it, it->lengths[literal]);
            continue;
        }
        unsigned length, distance, bits = bits_of(first);
        if (bits > it->bit_count)
            return;
        if ((first.code & code_kind) != code_is_special) {
            length = code_advance(first.code);
            distance = distance_of(first, it->bits);
        } else if (first.code & code_is_stop) {
            if (!code_is_end(first.code))
                return thimble_fail(it, thimble_wrong_literal);
            drop(it, bits);
            it->stage = STAGE_BLOCK;
            return;
        } else {
            const uint64_t rest = it->bits >> bits;
            const symbol second = look_up(it->distance_codes, distance_bits, rest);
            bits += bits_of(second);
            if (bits > it->bit_count)
                return;
            if (second.code & code_is_special)
                return thimble_fail(it, thimble_wrong_distance);
            length = code_long_length(first.code, it->bits >> first.skipped);
            distance = distance_of(second, rest);
        }
        if (distance > it->end)
            return thimble_fail(it, thimble_too_far);
        drop(it, bits);
        (void) thimble_copy_words(it->window + it->end, distance, length);
        it->end += length;
    }
}
