#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    /// Bits of the index of a table for AC coefficients. With one more or fewer, a photograph takes 3 to 5 % more
    /// time.
    thimble_jpeg_ac_bits = 11,
    /// And of one for DC coefficients, each of which is found alone.
    thimble_jpeg_dc_bits = 9,
    thimble_jpeg_longest_code = 16,
    /// A distance beyond every block.
    thimble_jpeg_beyond = 64,
};

/// What the next bits of the data say: one or two coefficients with their values, or the end of the block
/// after at most one, or a symbol whose value follows.
typedef struct {
    /// Bits to pass, of the code alone if the value follows; 0 if the code is longer than the index.
    uint8_t length;
    /// Zeros before the first coefficient.
    uint8_t run;
    /// From the first coefficient to the second, or to the next if there is one only; `beyond` at the end
    /// of a block, and more if the first code or its value is longer than the index.
    uint8_t second;
    /// Coefficients that are told, with zeros.
    uint8_t advance;
    /// Values of both; 0 if there is no such coefficient. The first is the size of a value that follows.
    int16_t values[2];
} thimble_jpeg_entry;

/// Codes of a table (ITU-T T.81, annex C).
typedef struct {
    /// The first 16 bits of the data are below this if the code has that length or a shorter one.
    uint32_t limits[thimble_jpeg_longest_code + 1];
    /// Index of a symbol less its code, by length.
    int32_t offsets[thimble_jpeg_longest_code + 1];
    uint8_t symbols[256];
    /// By the next bits of the data.
    thimble_jpeg_entry entries[];
} thimble_jpeg_codes;

/// A symbol of a sequential scan (T.81, F.2.2): zeros, and the size of a value.
typedef struct {
    int length, run, size;
    bool ends_block;
} thimble_jpeg_symbol;

/// @param codes With room for entries of `thimble_jpeg_dc_bits` or `thimble_jpeg_ac_bits`.
/// @param counts Number of codes of each length, from 1; a table that libjpeg has checked.
/// @param symbols 256 symbols in the order of their codes.
/// @param is_dc True for the codes of DC coefficients.
void thimble_jpeg_make_codes(
    thimble_jpeg_codes *codes, const uint8_t counts[thimble_jpeg_longest_code + 1],
    const uint8_t symbols[256], bool is_dc);

/// Finds the first code alone, which has at least so many bits.
///
/// @param bits The next bits of the data, from the most significant one.
/// @return The end of a block, of one bit more than the longest code, if there is no such code.
thimble_jpeg_symbol thimble_jpeg_find_symbol(
    const thimble_jpeg_codes *codes, uint64_t bits, int least_length);

/// The value of a category's bits (T.81, F.2.2.1, EXTEND).
///
/// @param size At least 1.
static inline int thimble_jpeg_extend(int bits, int size) {
    return bits < 1 << (size - 1) ? bits - (1 << size) + 1 : bits;
}
