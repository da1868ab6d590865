#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#define INLINED static inline __attribute__((always_inline))

/// Bits read from the data of a scan.
typedef struct {
    /// The next bits, from the most significant one; those below `count` may already be set.
    uint64_t bits;
    /// Number of bits ahead, with zeros after the data.
    int count;
    /// Zeros that were put after the data.
    int zeros;
    const uint8_t *next, *end;
} thimble_jpeg_bits;

enum {
    /// Least bits after a refill: those of four entries.
    thimble_jpeg_full = 56,
    /// More than the most bits of a code with its value.
    thimble_jpeg_most_bits = 32,
};

/// Reads byte by byte, without stuffed zeros (T.81, F.1.2.3), and zeros after a marker.
void thimble_jpeg_refill_by_bytes(j_decompress_ptr codec, thimble_jpeg_bits *it);

INLINED uint64_t thimble_jpeg_load(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

INLINED bool thimble_jpeg_has_ff(uint64_t bytes) {
    return ((~bytes - 0x0101010101010101) & bytes & 0x8080808080808080) != 0;
}

/// Reads until there are `thimble_jpeg_full` bits.
///
/// @param copy Goes to memory, so that the reader itself can stay in registers.
INLINED void thimble_jpeg_refill(j_decompress_ptr codec, thimble_jpeg_bits *copy, thimble_jpeg_bits *it) {
    if (it->end - it->next >= 8 && codec->unread_marker == 0) {
        const uint64_t bytes = thimble_jpeg_load(it->next);
        if (!thimble_jpeg_has_ff(bytes)) {
            it->bits |= bytes >> it->count;
            it->next += (63 - it->count) >> 3;
            it->count |= thimble_jpeg_full;
            return;
        }
    }
    *copy = *it;
    thimble_jpeg_refill_by_bytes(codec, copy);
    *it = *copy;
}

INLINED void thimble_jpeg_drop(thimble_jpeg_bits *it, unsigned count) {
    it->bits <<= count;
    it->count -= (int) count;
}
