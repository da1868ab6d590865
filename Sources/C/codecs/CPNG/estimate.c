#include "estimate.h"

#include <string.h>

enum {
    /// Symbols of a block at zlib's memory level 8.
    block_symbols = (1 << 14) - 1,
    fraction = 12,
    most_code_bits = 15,
    least_run = 3,
    longest_run = 258,
    first_run_symbol = 257,
    /// Bits of a block beside its symbols, and for the length of each code in use: fitted.
    block_bits = 60,
    code_length_bits = 3,
};

/// Shortest runs and further bits of the symbols for lengths (RFC 1951, section 3.2.5).
static const uint16_t shortest[] = {
    3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
    31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
static const uint8_t further_bits[] = {
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};

/// Binary logarithm with fractional bits, by squaring: integers, so that all processors agree.
static uint32_t logarithm(uint32_t value) {
    const uint32_t whole = 31u - (uint32_t) __builtin_clz(value);
    uint64_t mantissa = (uint64_t) value << (31 - whole);
    uint32_t result = whole << fraction;
    for (int bit = fraction - 1; bit >= 0; bit--) {
        mantissa = mantissa * mantissa >> 31;
        if (mantissa >> 32 != 0) {
            mantissa >>= 1;
            result |= 1u << bit;
        }
    }
    return result;
}

/// The entropy of the symbols; a code has a whole number of bits, at least one.
static void end_block(run_estimate *it) {
    if (it->symbols == 0)
        return;
    const uint32_t all = logarithm((uint32_t) it->symbols);
    uint64_t bits = block_bits << fraction;
    for (int symbol = 0; symbol < estimate_symbols; symbol++) {
        const uint32_t count = it->counts[symbol];
        if (count == 0)
            continue;
        uint32_t length = all - logarithm(count);
        if (length < 1 << fraction)
            length = 1 << fraction;
        if (length > most_code_bits << fraction)
            length = most_code_bits << fraction;
        bits += (uint64_t) count * length + (code_length_bits << fraction);
        // The only distance, 1, takes a bit.
        if (symbol >= first_run_symbol)
            bits += (uint64_t) count * (1u + further_bits[symbol - first_run_symbol]) << fraction;
    }
    it->bits += bits;
    it->symbols = 0;
    memset(it->counts, 0, sizeof it->counts);
}

static void add_symbol(run_estimate *it, int symbol) {
    it->counts[symbol]++;
    if (++it->symbols == block_symbols)
        end_block(it);
}

static int symbol_of(size_t run) {
    int symbol = (int) sizeof further_bits - 1;
    while (shortest[symbol] > run)
        symbol--;
    return first_run_symbol + symbol;
}

void run_estimate_add(run_estimate *it, const uint8_t *bytes, size_t count) {
    if (count == 0)
        return;
    add_symbol(it, bytes[0]);
    for (size_t index = 1; index < count;) {
        const uint8_t before = bytes[index - 1];
        if (bytes[index] != before) {
            add_symbol(it, bytes[index++]);
            continue;
        }
        size_t run = 1;
        while (run < longest_run && index + run < count && bytes[index + run] == before)
            run++;
        if (run >= least_run) {
            add_symbol(it, symbol_of(run));
            index += run;
        } else {
            add_symbol(it, bytes[index++]);
        }
    }
}

size_t run_estimate_end(run_estimate *it) {
    end_block(it);
    return (size_t) ((it->bits >> fraction) + 7) / 8;
}
