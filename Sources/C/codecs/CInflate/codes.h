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

/// An entry: bits 0 to 5 are the bits to drop, with extra bits; bits 8 to 11 the bits of the codes
/// alone, of the first one of two literals; the fields below. From bit 16 on a literal or two, the base
/// of a length, or the start of a second table; a distance has its symbol from bit 24 on.
typedef uint32_t thimble_code;

enum {
    /// A length from bit 16 on, and the distance that follows it.
    code_is_match = 1 << 7,
    /// Number of literals, 0 to 2.
    code_literals_shift = 12,
    code_is_literal = 3 << code_literals_shift,
    /// Bits 8 to 11 are the bits of a second table.
    code_is_table = 1 << 14,
    /// The end of a block, or no symbol.
    code_is_stop = 1 << 15,
    code_end = code_is_stop,
    code_invalid = code_is_stop | 1 << 16,
    code_distance_shift = 24,
    /// Longest length in an entry with its distance.
    longest_joined = 255,
};

static inline unsigned code_drop(thimble_code code) { return code & 63; }
static inline unsigned code_bits(thimble_code code) { return code >> 8 & 15; }
static inline unsigned code_literals(thimble_code code) { return code >> code_literals_shift & 3; }
static inline unsigned code_value(thimble_code code) { return code >> 16; }
/// The bits above a code, up to its extra bits.
static inline unsigned code_extra(thimble_code code, uint64_t bits) {
    return (unsigned) ((bits & ((1ull << code_drop(code)) - 1)) >> code_bits(code));
}
static inline bool code_is_end(thimble_code code) { return code_value(code) == 0; }

/// Distances without their extra bits, by symbol (RFC 1951, 3.2.5).
extern const uint16_t thimble_distance_bases[distance_symbols];

static inline unsigned code_distance(thimble_code code) {
    return thimble_distance_bases[code >> code_distance_shift];
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
