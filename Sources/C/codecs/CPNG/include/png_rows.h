// Writes PNGs row by row. libpng writes all chunks; it leaves functions by longjmp on errors, which
// Swift code must not see. Image data are filtered here and compressed by zlib, because libpng's
// filters take up to 80 % of the time for a flat picture.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { thimble_png_message_bytes = 200 };

typedef enum {
    THIMBLE_PNG_OK,
    /// libpng or zlib refuses, as the message says.
    THIMBLE_PNG_REFUSED,
    /// The caller's function failed to write.
    THIMBLE_PNG_IO,
} thimble_png_status;

/// Writes up to `count` bytes, at least 1; returns their number, negative on failure.
typedef ptrdiff_t (*thimble_png_write)(void *context, uint8_t *bytes, size_t count);

/// Search for repetitions.
typedef enum {
    /// zlib's level 6.
    THIMBLE_PNG_DENSE,
    /// Runs of equal bytes only (Z_RLE): a seventh of the time for photographs, which take up to 12 %
    /// more bytes. Text takes three times the bytes.
    THIMBLE_PNG_RUNS,
    /// zlib's level 4: half the time of level 6, and 1 to 7 % more bytes of photographs.
    THIMBLE_PNG_BRIEF,
    /// zlib's level 9: of drawings up to 27 % fewer bytes than level 6, for two to ten times the time.
    THIMBLE_PNG_DENSEST,
    /// Only for samples: an estimate of the length with runs alone, which compresses nothing.
    THIMBLE_PNG_ESTIMATED_RUNS,
} thimble_png_search;

typedef struct {
    int width, height;
    /// Interleaved samples of 8 bits: 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA. 1 with a palette.
    int bands;
    /// Four bytes of RGBA for each colour, alpha not premultiplied; NULL without a palette.
    const uint8_t *palette;
    /// Number of colours, 1 to 256.
    int colours;
    /// Of runs only for samples, not for indices.
    thimble_png_search search;
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

typedef struct thimble_png_sample thimble_png_sample;

/// Begins to measure image data of rows without a palette, which are not kept; NULL if memory is
/// short.
thimble_png_sample *thimble_png_sample_new(int width, int bands, thimble_png_search search);

void thimble_png_sample_row(thimble_png_sample *sample, const uint8_t *row);

/// Passes over a row, by which the next one is filtered.
void thimble_png_sample_pass(thimble_png_sample *sample, const uint8_t *row);

/// Number of bytes that the rows take, up to 7 % more than in a file. Frees the sample.
size_t thimble_png_sample_end(thimble_png_sample *sample);

/// The version of libpng.
const char *thimble_png_version(void);

/// Message of libpng or zlib.
const char *thimble_png_writer_message(const thimble_png_writer *writer);
