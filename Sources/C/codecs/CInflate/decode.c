#include <string.h>

#include "copies.h"
#include "state.h"

static inline uint64_t load(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, word_bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/// Writes the lower byte, and then the upper one.
static inline void store_pair(uint8_t *bytes, uint16_t pair) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    pair = __builtin_bswap16(pair);
#endif
    memcpy(bytes, &pair, sizeof pair);
}

/// Fills the bits up to 56 or more; those above the count are the next of the input, and are set again.
/// Of the count, only the lower six bits count.
#define REFILL                                                                                     \
    do {                                                                                           \
        bits |= load(input) << (count & 63);                                                       \
        input += 7 - (count >> 3 & 7);                                                             \
        count |= 56;                                                                               \
    } while (0)
#define FIRST(table, root) (table)[bits & ((1u << (root)) - 1)]
#define SECOND(table, code) (table)[code_value(code) + (bits & ((1u << code_bits(code)) - 1))]
#define DROP(code)                                                                                 \
    do {                                                                                           \
        bits >>= code_drop(code);                                                                  \
        count -= code;                                                                             \
    } while (0)

/// Writes one literal or two, and looks up the next symbol.
#define PUT_LITERALS                                                                               \
    do {                                                                                           \
        DROP(code);                                                                                \
        store_pair(output, (uint16_t) (code >> 16));                                               \
        output += code_literals(code);                                                             \
        code = FIRST(literals, literal_bits);                                                      \
    } while (0)

static inline __attribute__((always_inline)) void decode(
    thimble_inflater *it, thimble_copy *copy) {
    // A round reads three words at most, and what precedes the first one.
    enum { round_bytes = 4 * word_bytes };
    if (it->input_end - it->input < round_bytes)
        return;
    const thimble_code *literals = it->literal_codes, *distances = it->distance_codes;
    const uint8_t *input = it->input, *const last = it->input_end - round_bytes;
    uint8_t *window = it->window;
    // Hides that the window lies behind `it`: clang would keep an index beside each pointer into it, for
    // which registers are missing.
    __asm__("" : "+r"(window));
    uint8_t *output = window + it->end, *const limit = window + window_limit;
    uint64_t bits = it->bits;
    unsigned count = it->bit_count;
    REFILL;
    thimble_code code = FIRST(literals, literal_bits);
    // A symbol is looked up before the bits are filled, which costs no time on the way to the next one:
    // of 56 bits, three lookups of literals leave 23, and a length with its distance 28.
    while (input <= last && output < limit) {
        if (code & code_is_literal) {
            PUT_LITERALS;
            if (code & code_is_literal) {
                PUT_LITERALS;
                if (code & code_is_literal) {
                    PUT_LITERALS;
                    REFILL;
                    continue;
                }
            }
            REFILL;
        }
        unsigned length, distance;
        if (__builtin_expect(code & code_is_match, code_is_match)) {
            length = code >> 16 & longest_joined;
        } else {
            if (code & (code_is_table | code_is_stop)) {
                if (code & code_is_table) {
                    DROP(code);
                    code = SECOND(literals, code);
                }
                if (code & code_is_literal) {
                    PUT_LITERALS;
                    REFILL;
                    continue;
                }
                if (code & code_is_stop) {
                    DROP(code);
                    if (code_is_end(code))
                        it->stage = STAGE_BLOCK;
                    else
                        thimble_fail(it, thimble_wrong_literal);
                    break;
                }
            }
            length = code_value(code) + code_extra(code, bits);
            DROP(code);
            // A length has at most 20 bits, and a distance 28.
            REFILL;
            code = FIRST(distances, distance_bits);
            if (code & (code_is_table | code_is_stop)) {
                if (code & code_is_table) {
                    DROP(code);
                    code = SECOND(distances, code);
                }
                if (code & code_is_stop) {
                    thimble_fail(it, thimble_wrong_distance);
                    break;
                }
            }
        }
        distance = code_distance(code) + code_extra(code, bits);
        DROP(code);
        if (distance > (size_t) (output - window)) {
            thimble_fail(it, thimble_too_far);
            break;
        }
        code = FIRST(literals, literal_bits);
        REFILL;
        output = copy(output, distance, length);
    }
    count &= 63;
    it->input = input;
    it->bits = bits & ((1ull << count) - 1);
    it->bit_count = count;
    it->end = (size_t) (output - window);
}

#ifdef VECTORS

VECTORS static void decode_vectors(thimble_inflater *it) { decode(it, thimble_copy_vectors); }

#endif

#if defined(__x86_64__)

static void decode_words(thimble_inflater *it) { decode(it, thimble_copy_words); }

void thimble_decode_fast(thimble_inflater *it) {
    if (__builtin_cpu_supports("bmi2") && __builtin_cpu_supports("ssse3"))
        decode_vectors(it);
    else
        decode_words(it);
}

#elif defined(VECTORS)

void thimble_decode_fast(thimble_inflater *it) { decode_vectors(it); }

#else

void thimble_decode_fast(thimble_inflater *it) { decode(it, thimble_copy_words); }

#endif
