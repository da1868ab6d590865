// Writes PNGs row by row with libpng, which leaves functions by longjmp on errors. Swift code must
// not see that.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { thimble_png_message_bytes = 200 };

typedef enum {
    THIMBLE_PNG_OK,
    /// libpng refuses, as its message says.
    THIMBLE_PNG_REFUSED,
    /// The caller's function failed to write.
    THIMBLE_PNG_IO,
} thimble_png_status;

/// Writes up to `count` bytes, at least 1; returns their number, negative on failure.
typedef ptrdiff_t (*thimble_png_write)(void *context, uint8_t *bytes, size_t count);

typedef struct {
    int width, height;
    /// Interleaved samples of 8 bits: 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA. 1 with a palette.
    int bands;
    /// Four bytes of RGBA for each colour, alpha not premultiplied; NULL without a palette.
    const uint8_t *palette;
    /// Number of colours, 1 to 256.
    int colours;
    /// ICC profile of RGB, of `profile_bytes`; not written if that is 0.
    const uint8_t *profile;
    size_t profile_bytes;
} thimble_png_header;

typedef struct thimble_png_writer thimble_png_writer;

/// Creates a writer; NULL if memory is short.
thimble_png_writer *thimble_png_writer_new(thimble_png_write write, void *context);

void thimble_png_writer_free(thimble_png_writer *writer);

/// Writes the header of a PNG that is not interlaced.
thimble_png_status thimble_png_writer_start(
    thimble_png_writer *writer, const thimble_png_header *header);

/// Writes the next row.
thimble_png_status thimble_png_writer_row(thimble_png_writer *writer, const uint8_t *row);

thimble_png_status thimble_png_writer_finish(thimble_png_writer *writer);

/// The version of libpng.
const char *thimble_png_version(void);

/// Message of libpng.
const char *thimble_png_writer_message(const thimble_png_writer *writer);
