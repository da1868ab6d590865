#include <string.h>

#include "state.h"

static const char wrong_literal[] = "invalid literal/length code";
static const char wrong_distance[] = "invalid distance code";
static const char too_far[] = "invalid distance too far back";

/// The value of a length or distance: its base, and the extra bits above its code.
static inline unsigned value_of(thimble_code code, uint64_t bits) {
    return code_value(code)
        + (unsigned) ((bits & ((1ull << code_drop(code)) - 1)) >> code_bits(code));
}

/// Copies a match; writes up to `copied_bytes` beyond its start, and up to a word beyond its end.
static inline uint8_t *copy(uint8_t *output, unsigned distance, unsigned length) {
    const uint8_t *source = output - distance;
    uint8_t *const end = output + length;
    if (distance >= word_bytes) {
        // Most matches are short: four words at once cost less than an unpredictable branch.
        for (int word = 0; word < copied_bytes / word_bytes; word++) {
            memcpy(output, source, word_bytes);
            source += word_bytes;
            output += word_bytes;
        }
        while (output < end) {
            memcpy(output, source, word_bytes);
            source += word_bytes;
            output += word_bytes;
        }
        return end;
    }
    // A word that overlaps its source: only its first `distance` bytes are right.
    do {
        uint64_t word;
        memcpy(&word, source, word_bytes);
        memcpy(output, &word, word_bytes);
        source += distance;
        output += distance;
    } while (output < end);
    return end;
}

static inline uint64_t load(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, word_bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/// Fills the bits up to 56 or more; those above the count are the next of the input, and are set again.
#define REFILL                                                                                     \
    do {                                                                                           \
        bits |= load(input) << count;                                                              \
        input += (63 - count) >> 3;                                                                \
        count |= 56;                                                                               \
    } while (0)
#define FIRST(table, root) (table)[bits & ((1u << (root)) - 1)]
#define SECOND(table, code) (table)[code_value(code) + (bits & ((1u << code_bits(code)) - 1))]
#define DROP(code)                                                                                 \
    do {                                                                                           \
        bits >>= code_drop(code) & 63;                                                             \
        count -= code_drop(code);                                                                  \
    } while (0)

/// Writes one literal or two.
#define PUT_LITERALS(code)                                                                         \
    do {                                                                                           \
        DROP(code);                                                                                \
        output[0] = (uint8_t) (code >> 16);                                                        \
        output[1] = (uint8_t) (code >> 24);                                                        \
        output += code_literals(code);                                                             \
    } while (0)

static inline __attribute__((always_inline)) void decode(thimble_inflater *it) {
    // A round reads three words at most, and what precedes the first one.
    enum { round_bytes = 4 * word_bytes };
    if (it->input_end - it->input < round_bytes)
        return;
    const thimble_code *literals = it->literal_codes, *distances = it->distance_codes;
    const uint8_t *input = it->input, *const last = it->input_end - round_bytes;
    uint8_t *output = it->window + it->end, *const limit = it->window + window_limit;
    uint64_t bits = it->bits;
    unsigned count = it->bit_count;
    REFILL;
    thimble_code code = FIRST(literals, literal_bits);
    while (input <= last && output < limit) {
        REFILL;
        // Three lookups have at most 33 of the 56 bits.
        if (code & code_is_literal) {
            PUT_LITERALS(code);
            code = FIRST(literals, literal_bits);
            if (code & code_is_literal) {
                PUT_LITERALS(code);
                code = FIRST(literals, literal_bits);
                if (code & code_is_literal) {
                    PUT_LITERALS(code);
                    code = FIRST(literals, literal_bits);
                    continue;
                }
            }
            REFILL;
        }
        if (code & (code_is_table | code_is_stop)) {
            if (code & code_is_table) {
                DROP(code);
                code = SECOND(literals, code);
            }
            if (code & code_is_literal) {
                PUT_LITERALS(code);
                code = FIRST(literals, literal_bits);
                continue;
            }
            if (code & code_is_stop) {
                DROP(code);
                if (code_is_end(code))
                    it->stage = STAGE_BLOCK;
                else
                    thimble_fail(it, wrong_literal);
                break;
            }
        }
        // A length has at most 20 bits, and a distance 28.
        const unsigned length = value_of(code, bits);
        DROP(code);
        code = FIRST(distances, distance_bits);
        if (code & (code_is_table | code_is_stop)) {
            if (code & code_is_table) {
                DROP(code);
                code = SECOND(distances, code);
            }
            if (code & code_is_stop) {
                thimble_fail(it, wrong_distance);
                break;
            }
        }
        const unsigned distance = value_of(code, bits);
        DROP(code);
        if (distance > (size_t) (output - it->window)) {
            thimble_fail(it, too_far);
            break;
        }
        // The next lookup does not wait for the copy.
        REFILL;
        code = FIRST(literals, literal_bits);
        output = copy(output, distance, length);
    }
    it->input = input;
    it->bits = bits & ((1ull << count) - 1);
    it->bit_count = count;
    it->end = (size_t) (output - it->window);
}

#if defined(__x86_64__)

/// Shifts without a fixed register for their count save a twentieth of the time.
__attribute__((target("bmi2"))) static void decode_bmi2(thimble_inflater *it) { decode(it); }

static void decode_plain(thimble_inflater *it) { decode(it); }

void thimble_decode_fast(thimble_inflater *it) {
    if (__builtin_cpu_supports("bmi2"))
        decode_bmi2(it);
    else
        decode_plain(it);
}

#else

void thimble_decode_fast(thimble_inflater *it) { decode(it); }

#endif

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

static unsigned symbol_value(symbol symbol, uint64_t bits) {
    return code_value(symbol.code)
        + (unsigned) ((bits & ((1ull << symbol.bits) - 1)) >> symbol.code_bits);
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
                return thimble_fail(it, wrong_literal);
            drop(it, first.bits);
            it->stage = STAGE_BLOCK;
            return;
        }
        const uint64_t rest = it->bits >> first.bits;
        const symbol second = look_up(it->distance_codes, distance_bits, rest);
        if (first.bits + second.bits > it->bit_count)
            return;
        if (second.code & code_is_stop)
            return thimble_fail(it, wrong_distance);
        const unsigned distance = symbol_value(second, rest);
        if (distance > it->end)
            return thimble_fail(it, too_far);
        const unsigned length = symbol_value(first, it->bits);
        drop(it, first.bits + second.bits);
        (void) copy(it->window + it->end, distance, length);
        it->end += length;
    }
}
