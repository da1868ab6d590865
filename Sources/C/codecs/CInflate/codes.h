// Tables of the prefix codes of deflate (RFC 1951, 3.2).
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    max_code_bits = 15,
    literal_symbols = 288,
    distance_symbols = 32,
    length_symbols = 19,
    // Bits of the first lookup. Larger tables leave the first-level cache, smaller ones need a second
    // lookup more often.
    literal_bits = 11,
    distance_bits = 8,
    length_bits = 7,
    // Most entries of complete codes of these symbols and bits, by zlib's `enough.c`: 2,342 and 402.
    literal_entries = 2342,
    distance_entries = 402,
    length_entries = 1 << length_bits,
};

/// An entry. Its lowest byte has the bits to drop, with extra bits, and its kind; the upper bytes are
///
/// - of literals: their number, the first literal, and the second one or 0;
/// - of a match: its length, the bits of both codes with `entry_shift` more, and the symbol of its
///   distance;
/// - of a distance: 0, the bits of its code with `entry_shift` more, and its symbol;
/// - of a second table: 16 times its bits and `code_is_table`, and its start in two bytes;
/// - of a length without its distance: 16 times the bits of its code, and its base in two bytes;
/// - of an end or a fault: `code_is_stop`.
typedef uint32_t thimble_code;

enum {
    // Kinds: short matches and distances have neither bit, and other matches both.
    code_is_special = 1 << 6,
    code_is_literal = 1 << 7,
    code_kind = code_is_special | code_is_literal,
    code_is_match = code_kind,

    // Kinds of entries that are only special.
    code_is_table = 1 << 8,
    code_is_stop = 1 << 9,
    code_end = code_is_special | code_is_stop,
    code_invalid = code_end | 1 << 16,

    code_advance_shift = 8,
    code_bits_shift = 16,
    code_symbol_shift = 24,
    special_bits_shift = 12,
    /// The fast loop holds its bits so much higher: those of an index are the offset of its entry.
    entry_shift = 2,
    longest_match = 258,
    /// Longest match in an entry.
    longest_joined = 255,
    /// Longest match whose copy is one vector.
    longest_short = 16,
};

static inline unsigned code_drop(thimble_code code) { return code & 63; }
static inline unsigned code_value(thimble_code code) { return code >> 16; }
static inline bool code_has_literals(thimble_code code) {
    return (code & code_kind) == code_is_literal;
}
static inline bool code_is_end(thimble_code code) { return code_value(code) == 0; }

/// Bytes of output of literals or of a match.
static inline unsigned code_advance(thimble_code code) { return code >> code_advance_shift & 255; }

/// Index of an entry of a second table, by the bits that follow the first lookup.
static inline unsigned thimble_second(thimble_code code, uint64_t bits) {
    return code_value(code) + (bits & ((1u << (code >> special_bits_shift & 15)) - 1));
}

/// A length without its distance.
static inline unsigned code_long_length(thimble_code code, uint64_t bits) {
    const uint64_t extra = bits & ((1ull << code_drop(code)) - 1);
    return code_value(code) + (unsigned) (extra >> (code >> special_bits_shift & 15));
}

/// Distances without their extra bits, and masks of these, by symbol (RFC 1951, 3.2.5).
///
/// Literals are looked up too, without an effect: hence an entry for each byte.
typedef struct {
    uint32_t base, mask;
} thimble_distance;
extern const thimble_distance thimble_distances[256];

/// A distance, by the upper bytes of its entry, and by bits that are `entry_shift` higher.
static inline unsigned code_distance(unsigned start, unsigned symbol, uint64_t bits) {
    const thimble_distance *const distance = &thimble_distances[symbol];
    return distance->base + ((unsigned) (bits >> (start & 63)) & distance->mask);
}

typedef enum { CODES_OF_LENGTHS, CODES_OF_LITERALS, CODES_OF_DISTANCES } thimble_code_kind;

/// Makes the table of a code from the lengths of its symbols; false if there is none: more codes than
/// fit, or fewer. Fewer are allowed for a single code of one bit, and for no distance at all.
///
/// A table of literals and lengths has joint entries with its table of distances, which is made first
/// and given here; NULL for other tables.
bool thimble_make_codes(
    thimble_code *table, thimble_code_kind kind, const uint8_t *lengths, int symbols,
    const thimble_code *distances);
