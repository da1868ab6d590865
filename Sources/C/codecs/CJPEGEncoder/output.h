// Bytes and bits of the file.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jpeg_encoder.h"

enum {
    thimble_jpeg_output_bytes = 16 << 10,
    /// Most bytes of a block: 64 symbols of 27 bits, each byte stuffed, and the bits before.
    thimble_jpeg_block_bytes = 512,
};

typedef struct {
    thimble_jpeg_write write;
    void *context;
    /// Bits not yet in `bytes`, right-aligned.
    uint64_t bits;
    /// Room in `bits`.
    int room;
    size_t count;
    bool has_failed;
    uint8_t bytes[thimble_jpeg_output_bytes];
} thimble_jpeg_output;

void thimble_jpeg_output_start(thimble_jpeg_output *output, thimble_jpeg_write write, void *context);

/// Writes held bytes to the file.
void thimble_jpeg_output_flush(thimble_jpeg_output *output);

/// Makes room for bytes, at most `thimble_jpeg_block_bytes`.
static inline void thimble_jpeg_output_reserve(thimble_jpeg_output *it) {
    if (it->count > thimble_jpeg_output_bytes - thimble_jpeg_block_bytes)
        thimble_jpeg_output_flush(it);
}

/// Writes bytes of a segment; bits must be whole bytes so far.
void thimble_jpeg_output_put(thimble_jpeg_output *output, const uint8_t *bytes, size_t count);

/// Moves eight bytes of coded bits, with a zero after each byte of ones (T.81, B.1.1.5).
void thimble_jpeg_output_stuff(thimble_jpeg_output *output, uint64_t bits);

/// Writes up to 32 bits; the others of `value` are zero.
static inline void thimble_jpeg_output_bits(thimble_jpeg_output *it, uint32_t value, int count) {
    it->room -= count;
    if (it->room >= 0) {
        it->bits = it->bits << count | value;
        return;
    }
    const int rest = -it->room;
    thimble_jpeg_output_stuff(it, it->bits << (count - rest) | value >> rest);
    // Bits already written leave at the upper end.
    it->bits = value;
    it->room += 64;
}

/// Fills the last byte with ones (T.81, F.1.2.3).
void thimble_jpeg_output_align(thimble_jpeg_output *output);
