#include <string.h>

#include "copies.h"
#include "state.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

static inline uint64_t load(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, word_bytes);
    return word;
}

/// Fills the bits; at least 56 count, and those above are the next of the input, and are set again.
/// Of the count, only the lower six bits count.
#define REFILL                                                                                     \
    do {                                                                                           \
        bits |= load(input) << (count & 63);                                                       \
        input += 7 - (count >> 3 & 7);                                                             \
        count |= 56;                                                                               \
    } while (0)

/// The place of the next entry.
#define FIRST(table, root)                                                                         \
    ((const thimble_code *) ((const uint8_t *) (table) + (bits & ((4u << (root)) - 4))))

/// A byte of an entry, from memory: a core shifts two numbers in a cycle, and loads three.
#define BYTE(entry, index) (((const uint8_t *) (entry))[index])

/// Removes the bits of an entry. Hides the lower ones of the shift, which clang would compute for a
/// shift that ignores the others.
#define DROP                                                                                       \
    do {                                                                                           \
        uint64_t shift = code;                                                                     \
        __asm__("" : "+r"(shift));                                                                 \
        bits >>= shift & 63;                                                                       \
        count -= code;                                                                             \
    } while (0)

#define LOOK_UP                                                                                    \
    do {                                                                                           \
        place = FIRST(literals, literal_bits);                                                     \
        code = *place;                                                                             \
    } while (0)

/// Writes one literal or two, and looks up the next symbol.
#define PUT_LITERALS                                                                               \
    do {                                                                                           \
        const thimble_code *const now = place;                                                     \
        const uint16_t pair = (uint16_t) code_value(code);                                         \
        DROP;                                                                                      \
        LOOK_UP;                                                                                   \
        memcpy(output, &pair, sizeof pair);                                                        \
        output += BYTE(now, 1);                                                                    \
    } while (0)

/// Looks up the next symbol, and writes literals or a short match, without a branch that tells which.
/// The barrier keeps the lookup first: all that follows waits for it, and an older instruction has
/// precedence.
#define PUT_EITHER                                                                                 \
    do {                                                                                           \
        const thimble_code *const now = place;                                                     \
        const thimble_code entry = code;                                                           \
        const uint64_t old = bits;                                                                 \
        DROP;                                                                                      \
        LOOK_UP;                                                                                   \
        __asm__ volatile("" ::: "memory");                                                         \
        const uint8_t *const match = output - code_distance(BYTE(now, 2), BYTE(now, 3), old);      \
        const uint8_t *const source =                                                              \
            __builtin_unpredictable(entry & code_is_literal) ? &BYTE(now, 2) : match;              \
        if (__builtin_expect(source < window, 0)) {                                                \
            thimble_fail(it, thimble_too_far);                                                     \
            goto end;                                                                              \
        }                                                                                          \
        uint8_t vector[vector_bytes];                                                              \
        memcpy(vector, source, vector_bytes);                                                      \
        memcpy(output, vector, vector_bytes);                                                      \
        output += BYTE(now, 1);                                                                    \
    } while (0)

#define DISTANCE code_distance(BYTE(place, 2), BYTE(place, 3), bits)

static inline __attribute__((always_inline)) void decode(
    thimble_inflater *it, const bool is_mixed, thimble_copy *copy) {
    // A round reads three words at most.
    enum { round_bytes = 3 * word_bytes };
    if (it->input_end - it->input < round_bytes)
        return;
    const thimble_code *literals = it->literal_codes, *distances = it->distance_codes;
    const uint8_t *input = it->input, *const last = it->input_end - round_bytes;
    uint8_t *window = it->window;
    // Hides that the window lies within `it`: clang would keep an index beside each pointer into it, for
    // which registers are missing.
    __asm__("" : "+r"(window));
    uint8_t *output = window + it->end, *const limit = window + window_limit;
    uint64_t bits = it->bits << entry_shift;
    unsigned count = it->bit_count + entry_shift;
    REFILL;
    const thimble_code *place;
    thimble_code code;
    LOOK_UP;
    // A symbol is looked up before the bits are filled, which costs no time on the way to the next one.
    // Of 62 bits, two literals or short matches leave 14, and one leaves 38, enough for a match of 24
    // bits and a lookup, or a length of 20. Four lookups of literals leave 18.
    while (input <= last && output < limit) {
        if (is_mixed) {
            if (__builtin_expect(!(code & code_is_special), 1)) {
                PUT_EITHER;
                if (__builtin_expect(!(code & code_is_special), 1)) {
                    PUT_EITHER;
                    REFILL;
                    continue;
                }
            }
        } else if (code_has_literals(code)) {
            PUT_LITERALS;
            if (code_has_literals(code)) {
                PUT_LITERALS;
                if (code_has_literals(code)) {
                    PUT_LITERALS;
                    if (code_has_literals(code)) {
                        PUT_LITERALS;
                        REFILL;
                        continue;
                    }
                }
            }
            REFILL;
        }
        unsigned length;
        const bool is_joined = code & code_is_literal || (!is_mixed && !(code & code_is_special));
        if (__builtin_expect(is_joined, 1)) {
            length = BYTE(place, 1);
        } else {
            if (code & code_is_table) {
                DROP;
                place = literals + thimble_second(code, bits >> entry_shift);
                code = *place;
                if (code & code_is_literal) {
                    PUT_LITERALS;
                    REFILL;
                    continue;
                }
            }
            if (code & code_is_stop) {
                DROP;
                if (code_is_end(code))
                    it->stage = STAGE_BLOCK;
                else
                    thimble_fail(it, thimble_wrong_literal);
                break;
            }
            length = code_long_length(code, bits >> entry_shift);
            DROP;
            REFILL;
            place = FIRST(distances, distance_bits);
            code = *place;
            if (code & code_is_special) {
                if (code & code_is_table) {
                    DROP;
                    place = distances + thimble_second(code, bits >> entry_shift);
                    code = *place;
                }
                if (code & code_is_special) {
                    thimble_fail(it, thimble_wrong_distance);
                    break;
                }
            }
        }
        const size_t distance = DISTANCE;
        DROP;
        if (distance > (size_t) (output - window)) {
            thimble_fail(it, thimble_too_far);
            break;
        }
        LOOK_UP;
        REFILL;
        output = copy(output, distance, length);
    }
end:
    count = (count & 63) - entry_shift;
    it->input = input;
    it->bits = bits >> entry_shift & ((1ull << count) - 1);
    it->bit_count = count;
    it->end = (size_t) (output - window);
}

#ifdef VECTORS

VECTORS static void decode_vectors(thimble_inflater *it) {
    decode(it, false, thimble_copy_vectors);
}

VECTORS static void decode_mixed_vectors(thimble_inflater *it) {
    decode(it, true, thimble_copy_vectors);
}

#endif

static void decode_words(thimble_inflater *it) { decode(it, false, thimble_copy_words); }

void thimble_decode_fast(thimble_inflater *it) {
#ifdef VECTORS
#if defined(__x86_64__)
    const bool has_vectors = __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("ssse3");
#else
    const bool has_vectors = true;
#endif
    if (has_vectors)
        return it->is_mixed ? decode_mixed_vectors(it) : decode_vectors(it);
#endif
    decode_words(it);
}

#else

// The fast loop reads literals from the bytes of entries.
void thimble_decode_fast(thimble_inflater *it) { (void) it; }

#endif
