// Entropy coding of quantised blocks: holds symbols until their codes are chosen (T.81, annex F.1.2).
#pragma once

#include "huffman.h"
#include "output.h"

enum {
    /// Blocks of a unit, at most: 4:2:0.
    thimble_jpeg_unit_blocks = 6,
    /// Most words of a held block: symbol and value of 64 coefficients, and the end.
    thimble_jpeg_held_block_words = 2 * thimble_jpeg_block + 1,
};

/// A symbol's code, shifted by the bits of the value that follows it, and the length of both in the lowest
/// 5 bits.
typedef uint32_t thimble_jpeg_entry;

typedef struct {
    /// Symbols in the lower bytes of words, with value bits in the upper bytes or, of more than 8 bits and
    /// of DC, in a word of their own.
    uint16_t *held;
    /// Words in use, and in total.
    size_t count, capacity;
    bool are_codes_chosen;
    /// Table of each block of a unit, 0 for luma and 1 for chroma.
    uint8_t tables[thimble_jpeg_unit_blocks];
    int unit_blocks;
    /// By table: of DC and of AC.
    uint32_t occurrences[2][2][thimble_jpeg_most_codes];
    thimble_jpeg_entry entries[2][2][thimble_jpeg_most_codes];
    /// Size and, in the upper byte, value bits of each value from −127 to 127, as an unsigned byte.
    uint16_t small[256];
    /// For each byte of a block's mask of values other than zero, the same bits in zigzag order.
    uint64_t zigzag_bits[8][256];
} thimble_jpeg_coder;

/// Sets up a coder for `unit_blocks` blocks a unit, the last two of chroma unless it is one block.
///
/// @param capacity Words of symbols to hold, at least of one unit.
/// @return False if memory is short.
bool thimble_jpeg_coder_start(thimble_jpeg_coder *coder, int unit_blocks, size_t capacity);

void thimble_jpeg_coder_free(thimble_jpeg_coder *coder);

/// Codes a block of the transposed order.
///
/// @param difference DC less the previous block's.
void thimble_jpeg_coder_add(
    thimble_jpeg_coder *coder, thimble_jpeg_output *output, int table, int difference,
    const int16_t *levels);

/// Chooses codes before the next unit if the held symbols leave no room for it.
void thimble_jpeg_coder_advance(thimble_jpeg_coder *coder, thimble_jpeg_output *output);

/// Writes all held symbols and the end of the scan.
void thimble_jpeg_coder_finish(thimble_jpeg_coder *coder, thimble_jpeg_output *output);

/// Bits of the block's values other than zero, in zigzag order.
uint64_t thimble_jpeg_coder_mask(const thimble_jpeg_coder *coder, const int16_t *levels);
