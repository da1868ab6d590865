// Huffman codes of at most 16 bits (T.81, annex K.2).
#pragma once

#include <stdint.h>

enum { thimble_jpeg_longest_code = 16, thimble_jpeg_most_codes = 256 };

/// A table as in a file (T.81, B.2.4.2).
typedef struct {
    /// Codes of each length, from 1 bit.
    uint8_t counts[thimble_jpeg_longest_code];
    /// Symbols by rising length.
    uint8_t symbols[thimble_jpeg_most_codes];
    int count;
} thimble_jpeg_codes;

/// Chooses the codes of all symbols that occur.
void thimble_jpeg_codes_choose(thimble_jpeg_codes *codes, const uint32_t *occurrences);
