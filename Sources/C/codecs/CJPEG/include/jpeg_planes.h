// Reads the planes of JPEGs with libjpeg, without colour conversion and without the resampling of
// chroma, except that inks are read as interleaved CMYK. libjpeg leaves functions by
// longjmp on errors, which Swift code must not see.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    thimble_jpeg_message_bytes = 200,
    thimble_jpeg_planes = 3,
};

typedef enum {
    THIMBLE_JPEG_OK,
    /// The file ended early.
    THIMBLE_JPEG_TRUNCATED,
    /// The data is damaged.
    THIMBLE_JPEG_MALFORMED,
    /// libjpeg does not support the coding.
    THIMBLE_JPEG_UNSUPPORTED,
    THIMBLE_JPEG_NO_MEMORY,
    /// The caller's function failed to read.
    THIMBLE_JPEG_IO,
} thimble_jpeg_status;

/// Kinds of damage that make reading fail.
typedef enum {
    /// None: missing rows stay blank.
    THIMBLE_JPEG_TOLERANT,
    /// Damage that loses pixels.
    THIMBLE_JPEG_LOSS,
    /// All that libjpeg warns of, and all that stricter decoders refuse.
    THIMBLE_JPEG_WARNING,
} thimble_jpeg_strictness;

/// Faults of a file that lose no pixel, as bits.
typedef enum {
    THIMBLE_JPEG_ADOBE_TRANSFORM = 1,
    THIMBLE_JPEG_PROFILE = 2,
    THIMBLE_JPEG_STRAY_BYTES = 4,
    THIMBLE_JPEG_JFIF_VERSION = 8,
    THIMBLE_JPEG_SCAN_PARAMETERS = 16,
    THIMBLE_JPEG_MISSING_END = 32,
    THIMBLE_JPEG_RESTARTS = 64,
    THIMBLE_JPEG_REPEATED_COMPONENTS = 128,
} thimble_jpeg_note;

/// Reads up to `count` bytes, at least 1; returns their number, 0 at the end, negative on
/// failure.
typedef ptrdiff_t (*thimble_jpeg_transfer)(void *context, uint8_t *bytes, size_t count);

typedef struct thimble_jpeg_reader thimble_jpeg_reader;

typedef struct {
    /// Samples.
    int width, height;
    /// Part of the samples that the picture covers: the last column and row may reach beyond it.
    double covered_width, covered_height;
    /// Interleaved samples: 1, or 4 for CMYK.
    int bands;
    /// Most rows that are read at once.
    int rows;
} thimble_jpeg_plane;

/// Rows of a plane, valid until the next call.
typedef struct {
    const uint8_t *first;
    ptrdiff_t stride;
    int count;
} thimble_jpeg_rows;

/// Coefficients of a component in a row of units.
typedef struct {
    /// Blocks in rows of whole units, each in zigzag order.
    int16_t *coefficients;
    /// Bit of each AC coefficient that is not 0, by blocks.
    uint64_t *masks;
    /// Coefficients of a block: 64, or 1 if only the DC coefficient is needed.
    int stride;
    /// Blocks of a row.
    int columns;
} thimble_jpeg_blocks;

/// Reads a row of units into blank blocks; false on failure.
typedef bool (*thimble_jpeg_blocks_transfer)(void *context, int row);

/// Creates a reader; NULL if memory is short.
thimble_jpeg_reader *thimble_jpeg_reader_new(
    thimble_jpeg_transfer read, void *context, thimble_jpeg_strictness strictness);

void thimble_jpeg_reader_free(thimble_jpeg_reader *reader);

/// Takes the coefficients from the caller. The stream then has the header of a sequential picture with one
/// scan, and an end marker in place of its data.
///
/// To be called before `thimble_jpeg_reader_start`.
///
/// @param blocks Of each component; blank again once a row was taken. They outlive the reader.
/// @param count Number of components, at most four.
void thimble_jpeg_reader_take_blocks(
    thimble_jpeg_reader *reader, const thimble_jpeg_blocks *blocks, int count,
    thimble_jpeg_blocks_transfer read, void *context);

/// Reads the header of a picture with one component, with three in YCbCr, or with four inks.
///
/// @param eighths Scale of the planes: 1, 2, 4 or 8.
/// @param keeps_profile True to hold the colour profile in memory.
/// @param planes The planes of the picture.
/// @param count Their number.
thimble_jpeg_status thimble_jpeg_reader_start(
    thimble_jpeg_reader *reader, int eighths, bool keeps_profile, thimble_jpeg_plane *planes,
    int *count);

/// Copies the colour profile.
///
/// The profile is only there if `keeps_profile` was true.
///
/// @param count Its length in bytes.
/// @return NULL without a complete profile or memory. To be freed by the caller.
uint8_t *thimble_jpeg_reader_profile(thimble_jpeg_reader *reader, size_t *count);

/// Reads the next rows of every plane, one row of MCUs or one of inks; all counts are 0 at the end.
///
/// With `THIMBLE_JPEG_WARNING`, the call at the end reads up to the end marker.
thimble_jpeg_status thimble_jpeg_reader_next(
    thimble_jpeg_reader *reader, thimble_jpeg_rows *rows);

/// Numbers the row of MCUs that is read next, for a stream that leaves out rows before it.
///
/// The planes end at the same row as those of the whole stream.
void thimble_jpeg_reader_place(thimble_jpeg_reader *reader, int row);

/// Reads up to the next marker; true if bytes before it or before restart markers were skipped.
///
/// To be called after the last row of a restart interval.
bool thimble_jpeg_reader_skipped_bytes(thimble_jpeg_reader *reader);

/// Faults so far that lose no pixel, bits of `thimble_jpeg_note`.
unsigned thimble_jpeg_reader_notes(const thimble_jpeg_reader *reader);

/// First message of libjpeg.
const char *thimble_jpeg_reader_message(const thimble_jpeg_reader *reader);

/// Converts interleaved YCbCr to RGB, in place (ITU-T T.871, section 7).
///
/// @param bands 3, or 4 with alpha. Fully transparent pixels become 0, as the resampler makes them; others
/// without chroma become grey.
void thimble_jpeg_to_rgb(uint8_t *pixels, size_t count, int bands);

/// Converts a row of planes of YCbCr to interleaved RGB (ITU-T T.871, section 7).
void thimble_jpeg_weave_rgb(
    const uint8_t *luma, const uint8_t *blue, const uint8_t *red, int width, uint8_t *pixels);

/// Upsamples a row of chroma of half the size as libjpeg's decoder does by default: three quarters of
/// the nearest sample and one of the next, in both directions (jdsample.c); one and two columns are
/// repeated.
///
/// @param near The row of chroma that covers the row of luma.
/// @param far The row above for an even row of luma, below for an odd one; the same at the border.
/// @param width Samples of luma.
void thimble_jpeg_upsample_row(const uint8_t *near, const uint8_t *far, int width, uint8_t *row);

/// The version of libjpeg-turbo that the program was built with; the library does not tell its own.
const char *thimble_jpeg_version(void);
