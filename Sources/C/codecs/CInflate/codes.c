#include "codes.h"

/// Base and extra bits of a length symbol (RFC 1951, 3.2.5).
static const struct {
    uint16_t base, extra;
} match_lengths[29] = {
    {3, 0},  {4, 0},  {5, 0},  {6, 0},  {7, 0},  {8, 0},  {9, 0},  {10, 0},  {11, 1},  {13, 1},
    {15, 1}, {17, 1}, {19, 2}, {23, 2}, {27, 2}, {31, 2}, {35, 3}, {43, 3},  {51, 3},  {59, 3},
    {67, 4}, {83, 4}, {99, 4}, {115, 4}, {131, 5}, {163, 5}, {195, 5}, {227, 5}, {258, 0},
};

/// The entry of a symbol, without the bits of its code.
static thimble_code entry_of(thimble_code_kind kind, unsigned symbol) {
    switch (kind) {
    case CODES_OF_LENGTHS: return symbol << 16;
    case CODES_OF_LITERALS:
        if (symbol < 256)
            return symbol << 16 | 1 << code_literals_shift;
        if (symbol == 256)
            return code_end;
        // Symbols 286 and 287 have codes, and must not occur (RFC 1951, 3.2.6).
        if (symbol > 285)
            return code_invalid;
        return (thimble_code) match_lengths[symbol - 257].base << 16
            | match_lengths[symbol - 257].extra;
    case CODES_OF_DISTANCES:
        if (symbol > 29)
            return code_invalid;
        // From symbol 4 on, two symbols share each number of extra bits.
        if (symbol < 4)
            return (symbol + 1) << 16;
        return (((2 + (symbol & 1)) << (symbol / 2 - 1)) + 1) << 16 | (symbol / 2 - 1);
    }
}

/// The next code of as many bits, which are stored from the lowest on, as in the stream.
static unsigned next_code(unsigned code, unsigned bits) {
    unsigned bit = 1u << (bits - 1);
    while (code & bit)
        bit >>= 1;
    return bit == 0 ? 0 : (code & (bit - 1)) | bit;
}

static void fill(thimble_code *table, unsigned from, unsigned step, unsigned end, thimble_code entry) {
    for (unsigned index = from; index < end; index += step)
        table[index] = entry;
}

/// Joins two literals whose codes fit in one lookup.
static void join_literals(thimble_code *table) {
    // The second one is in an entry before the first, which is not joined yet.
    for (unsigned index = (1u << literal_bits) - 1; index > 0; index--) {
        const thimble_code first = table[index];
        if (!(first & code_is_literal))
            continue;
        const thimble_code second = table[index >> code_drop(first)];
        if (second & code_is_literal && code_drop(first) + code_drop(second) <= literal_bits)
            table[index] = (first + code_drop(second) + (1u << code_literals_shift))
                | code_value(second) << 24;
    }
}

bool thimble_make_codes(
    thimble_code *table, thimble_code_kind kind, const uint8_t *lengths, int symbols) {
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
    // An unused code drops one bit, and is a fault, except that it is a length of 0 in zlib's reader
    // of code lengths.
    const thimble_code unused = kind == CODES_OF_LENGTHS ? 1 | 1 << 8 : 1 | 1 << 8 | code_invalid;
    int left = 1;
    for (unsigned bits = 1; bits <= max_code_bits; bits++) {
        left = 2 * left - counts[bits];
        if (left < 0)
            return false;
    }
    if (left > 0) {
        if (longest > 0 && (kind == CODES_OF_LENGTHS || longest > 1))
            return false;
        fill(table, 0, 1, 1u << root, unused);
    }
    // Symbols by length, then by number (RFC 1951, 3.2.2).
    uint16_t starts[max_code_bits + 2] = {0}, sorted[literal_symbols];
    for (unsigned bits = 1; bits <= max_code_bits; bits++)
        starts[bits + 1] = (uint16_t) (starts[bits] + counts[bits]);
    for (int symbol = 0; symbol < symbols; symbol++)
        if (lengths[symbol] > 0)
            sorted[starts[lengths[symbol]]++] = (uint16_t) symbol;
    unsigned code = 0, place = 0, table_start = 0, table_bits = 0, end = 1u << root;
    unsigned prefix = ~0u, shortest = 0;
    for (unsigned bits = 1; bits <= longest; bits++) {
        for (unsigned count = counts[bits]; count > 0; count--) {
            const thimble_code symbol = entry_of(kind, sorted[place++]);
            if (shortest == 0 && symbol & code_is_literal)
                shortest = bits;
            if (bits <= root) {
                fill(table, code, 1u << bits, 1u << root, symbol + (bits | bits << 8));
            } else {
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
                    table[first] = table_start << 16 | code_is_table | table_bits << 8 | root;
                }
                fill(
                    table + table_start, code >> root, 1u << (bits - root), 1u << table_bits,
                    symbol + ((bits - root) | (bits - root) << 8));
            }
            code = next_code(code, bits);
        }
    }
    if (shortest > 0 && 2 * shortest <= root)
        join_literals(table);
    return true;
}
