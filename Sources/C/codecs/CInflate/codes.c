#include "codes.h"

#include <string.h>

/// Base and extra bits of a length symbol (RFC 1951, 3.2.5).
static const struct {
    uint16_t base, extra;
} match_lengths[29] = {
    {3, 0},  {4, 0},  {5, 0},  {6, 0},  {7, 0},  {8, 0},  {9, 0},  {10, 0},  {11, 1},  {13, 1},
    {15, 1}, {17, 1}, {19, 2}, {23, 2}, {27, 2}, {31, 2}, {35, 3}, {43, 3},  {51, 3},  {59, 3},
    {67, 4}, {83, 4}, {99, 4}, {115, 4}, {131, 5}, {163, 5}, {195, 5}, {227, 5}, {258, 0},
};

// A pair of symbols shares its number of extra bits.
#define DISTANCES(bits)                                                                            \
    {(2u << (bits)) + 1, (1u << (bits)) - 1}, {(3u << (bits)) + 1, (1u << (bits)) - 1}
const thimble_distance thimble_distances[256] = {
    {1, 0},        {2, 0},        DISTANCES(0),  DISTANCES(1),  DISTANCES(2),
    DISTANCES(3),  DISTANCES(4),  DISTANCES(5),  DISTANCES(6),  DISTANCES(7),
    DISTANCES(8),  DISTANCES(9),  DISTANCES(10), DISTANCES(11), DISTANCES(12),
    DISTANCES(13),
};

/// The entry of a symbol whose code has these bits.
static thimble_code entry_of(thimble_code_kind kind, unsigned symbol, unsigned bits) {
    const thimble_code special = bits << special_bits_shift | bits;
    switch (kind) {
    case CODES_OF_LENGTHS: return symbol << 16 | bits;
    case CODES_OF_LITERALS:
        if (symbol < 256)
            return symbol << 16 | 1 << code_advance_shift | code_is_literal | bits;
        if (symbol == 256)
            return code_end | bits;
        // Symbols 286 and 287 have codes, and must not occur (RFC 1951, 3.2.6).
        if (symbol > 285)
            return code_invalid | bits;
        return ((thimble_code) match_lengths[symbol - 257].base << 16 | code_is_special)
            + match_lengths[symbol - 257].extra + special;
    case CODES_OF_DISTANCES:
        if (symbol > 29)
            return code_invalid | bits;
        // From symbol 4 on, two symbols share each number of extra bits.
        return ((bits + entry_shift) << code_bits_shift | symbol << code_symbol_shift)
            + (symbol < 4 ? 0 : symbol / 2 - 1) + bits;
    }
}

/// The next code of as many bits, which are stored from the lowest on, as in the stream; any after the
/// last one.
static unsigned next_code(unsigned code, unsigned bits) {
    const unsigned rest = code ^ ((1u << bits) - 1);
    if (rest == 0)
        return 0;
    const unsigned bit = 1u << (31 - __builtin_clz(rest));
    return (code & (bit - 1)) | bit;
}

static void fill(thimble_code *table, unsigned from, unsigned step, unsigned end, thimble_code entry) {
    for (unsigned index = from; index < end; index += step)
        table[index] = entry;
}

/// Joins a literal whose code has these bits with the literals whose codes fit in the same lookup.
static void join_literals(
    thimble_code *table, unsigned code, unsigned bits, const uint8_t *lengths) {
    const thimble_code first = table[code];
    for (unsigned rest = 0; rest < 1u << (literal_bits - bits); rest++) {
        const thimble_code second = table[rest];
        // Of an entry that is joined already, the first literal is read.
        const unsigned literal = code_value(second) & 255;
        if (code_has_literals(second) && bits + lengths[literal] <= literal_bits)
            table[code + (rest << bits)] =
                (first + lengths[literal] + (1u << code_advance_shift)) | literal << 24;
    }
}

/// Joins a length whose code has these bits, extra bits included, with the distances whose codes fit
/// in the same lookup.
static void join_distances(
    thimble_code *table, unsigned code, unsigned bits, unsigned length,
    const thimble_code *distances) {
    const thimble_code first = bits << code_bits_shift | length << code_advance_shift | bits;
    for (unsigned rest = 0; rest < 1u << (literal_bits - bits); rest++) {
        const thimble_code second = distances[rest & ((1u << distance_bits) - 1)];
        const unsigned second_bits = (second >> code_bits_shift & 255) - entry_shift;
        if (second & code_is_special || bits + second_bits > literal_bits)
            continue;
        // The copy of a short match does not repeat.
        const unsigned least = thimble_distances[second >> code_symbol_shift].base;
        const bool is_short = length <= longest_short && length <= least;
        table[code + (rest << bits)] = second + first + (is_short ? 0 : code_is_match);
    }
}

/// Joins literals, and lengths with distances, whose `count` codes have at most `literal_bits`.
static void join(
    thimble_code *table, const uint16_t *sorted, const uint16_t *codes, unsigned count,
    const uint8_t *lengths, const thimble_code *distances) {
    unsigned shortest = literal_bits;
    for (unsigned place = 0; place < count; place++) {
        const unsigned symbol = sorted[place], code = codes[place], bits = lengths[symbol];
        if (symbol < 256) {
            // Codes are sorted by length.
            shortest = bits < shortest ? bits : shortest;
            if (bits + shortest <= literal_bits)
                join_literals(table, code, bits, lengths);
        } else if (symbol > 256 && symbol <= 285) {
            const unsigned base = match_lengths[symbol - 257].base;
            const unsigned extra = match_lengths[symbol - 257].extra;
            // The longest matches have no room in an entry.
            if (bits + extra >= literal_bits || base + (1u << extra) - 1 > longest_joined)
                continue;
            for (unsigned more = 0; more < 1u << extra; more++)
                join_distances(table, code | more << bits, bits + extra, base + more, distances);
        }
    }
}

bool thimble_make_codes(
    thimble_code *table, thimble_code_kind kind, const uint8_t *lengths, int symbols,
    const thimble_code *distances) {
    static const struct {
        uint16_t bits, entries;
    } sizes[] = {
        [CODES_OF_LENGTHS] = {length_bits, length_entries},
        [CODES_OF_LITERALS] = {literal_bits, literal_entries},
        [CODES_OF_DISTANCES] = {distance_bits, distance_entries},
    };
    const unsigned root = sizes[kind].bits, entries = sizes[kind].entries;
    uint16_t counts[max_code_bits + 1] = {0};
    for (int symbol = 0; symbol < symbols; symbol++)
        counts[lengths[symbol]]++;
    unsigned longest = max_code_bits;
    while (longest > 0 && counts[longest] == 0)
        longest--;
    int left = 1;
    for (unsigned bits = 1; bits <= max_code_bits; bits++) {
        left = 2 * left - counts[bits];
        if (left < 0)
            return false;
    }
    if (left > 0) {
        if (longest > 0 && (kind == CODES_OF_LENGTHS || longest > 1))
            return false;
        // An unused code drops one bit, and is a fault, except that it is a length of 0 in zlib's
        // reader of code lengths.
        table[0] = table[1] = 1 | (kind == CODES_OF_LENGTHS ? 0 : code_invalid);
    }
    // Symbols by length, then by number (RFC 1951, 3.2.2).
    uint16_t starts[max_code_bits + 2] = {0}, sorted[literal_symbols], codes[literal_symbols];
    for (unsigned bits = 1; bits <= max_code_bits; bits++)
        starts[bits + 1] = (uint16_t) (starts[bits] + counts[bits]);
    for (int symbol = 0; symbol < symbols; symbol++)
        if (lengths[symbol] > 0)
            sorted[starts[lengths[symbol]]++] = (uint16_t) symbol;
    unsigned code = 0, place = 0;
    // The table of each length is twice that of the length before, with the codes of this length.
    for (unsigned bits = 1; bits <= root; bits++) {
        for (unsigned count = counts[bits]; count > 0; count--) {
            table[code] = entry_of(kind, sorted[place], bits);
            codes[place++] = (uint16_t) code;
            code = next_code(code, bits);
        }
        if (bits < root)
            memcpy(table + (1u << bits), table, sizeof *table << bits);
    }
    const unsigned joined = place;
    unsigned table_start = 0, table_bits = 0, end = 1u << root, prefix = ~0u;
    for (unsigned bits = root + 1; bits <= longest; bits++) {
        for (unsigned count = counts[bits]; count > 0; count--) {
            const unsigned first = code & ((1u << root) - 1);
            if (first != prefix) {
                // The second table holds all codes with these first bits.
                prefix = first;
                table_start = end;
                table_bits = bits - root;
                int room = (int) (1u << table_bits) - (int) count;
                while (room > 0 && root + table_bits < longest)
                    room = 2 * room - counts[root + ++table_bits];
                end += 1u << table_bits;
                if (end > entries)
                    return false;
                table[first] = table_start << 16 | table_bits << special_bits_shift
                    | code_is_table | code_is_special | root;
            }
            fill(
                table + table_start, code >> root, 1u << (bits - root), 1u << table_bits,
                entry_of(kind, sorted[place++], bits - root));
            code = next_code(code, bits);
        }
    }
    if (kind == CODES_OF_LITERALS)
        join(table, sorted, codes, joined, lengths, distances);
    return true;
}
