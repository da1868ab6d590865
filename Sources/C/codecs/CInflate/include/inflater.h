// Inflates zlib streams (RFC 1950, RFC 1951) piece by piece, in a fixed amount of memory. Accepts and
// refuses the same streams as zlib, with the same bytes before a fault.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    /// More input is needed, or there is no room for more output.
    THIMBLE_INFLATE_OK,
    /// The stream is complete.
    THIMBLE_INFLATE_END,
    /// The stream is malformed, as `thimble_inflater_message` says.
    THIMBLE_INFLATE_INVALID,
    /// More consecutive blocks without output than allowed.
    THIMBLE_INFLATE_EMPTY_BLOCKS,
} thimble_inflate_status;

typedef struct thimble_inflater thimble_inflater;

/// Bytes that an inflater allocates.
size_t thimble_inflater_bytes(void);

/// Creates an inflater; NULL if memory is short.
///
/// `is_checked` compares the checksum at the end of the stream. `max_empty_blocks` limits consecutive
/// blocks without output.
thimble_inflater *thimble_inflater_new(bool is_checked, uint32_t max_empty_blocks);

/// A copy in the same state, which does not check the checksum; NULL if memory is short.
thimble_inflater *thimble_inflater_copy(const thimble_inflater *inflater);

void thimble_inflater_free(thimble_inflater *inflater);

/// Inflates 32 kB at most, or 64 kB at the beginning; returns the number of bytes used of the input.
///
/// Uses all input, unless the window is full, or the stream ends. With at most 32 kB that are not taken
/// yet, it is not full.
size_t thimble_inflate(thimble_inflater *inflater, const uint8_t *input, size_t count);

/// Inflated bytes that are not taken yet, and their number; valid until more is inflated. Eight bytes
/// more are readable.
const uint8_t *thimble_inflater_ready(const thimble_inflater *inflater, size_t *count);

/// Takes the first `count` of these bytes.
void thimble_inflater_skip(thimble_inflater *inflater, size_t count);

/// Takes at most `room` inflated bytes, and copies them; returns their number.
size_t thimble_inflater_take(thimble_inflater *inflater, uint8_t *output, size_t room);

/// State after the last byte that was taken.
thimble_inflate_status thimble_inflater_status(const thimble_inflater *inflater);

/// Fault of an invalid stream, in zlib's words.
const char *thimble_inflater_message(const thimble_inflater *inflater);

/// Adler-32 of bytes (RFC 1950, 8.2), continued from `sum`; 1 for a new checksum.
uint32_t thimble_adler32(uint32_t sum, const uint8_t *bytes, size_t count);

/// CRC-32 of bytes (PNG specification, 5.5), continued from `sum`; 0 for a new checksum.
uint32_t thimble_crc32(uint32_t sum, const uint8_t *bytes, size_t count);
