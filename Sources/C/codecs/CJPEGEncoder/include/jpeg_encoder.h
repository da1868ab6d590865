// Encodes rows as baseline JPEG (ITU-T T.81) with Huffman codes of the picture, and with the same bytes
// on every processor.
//
// Symbols are held until the picture ends or the buffer is full; then the codes are chosen, and later
// symbols are written at once.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    thimble_jpeg_block = 64,
    /// Most bytes of held symbols. Of 33 pictures of up to 1.7 million pixels at quality 80, half have
    /// more, up to 0.85 MB; codes of the first 0.26 MB cost them 0.05 to 1.3 % more bytes.
    thimble_jpeg_symbol_bytes = 256 << 10,
};

typedef enum {
    THIMBLE_JPEG_ENCODED,
    /// The caller's function failed to write.
    THIMBLE_JPEG_ENCODER_IO,
} thimble_jpeg_encoder_status;

typedef enum {
    THIMBLE_JPEG_LAYOUT_GREY,
    /// Interleaved RGB, coded as YCbCr with whole chroma (4:4:4).
    THIMBLE_JPEG_LAYOUT_RGB_444,
    /// Interleaved RGB, coded as YCbCr with both sides of chroma halved (4:2:0).
    THIMBLE_JPEG_LAYOUT_RGB_420,
    /// Planes of YCbCr, both sides of chroma halved and rounded up.
    THIMBLE_JPEG_LAYOUT_YCBCR_420,
} thimble_jpeg_layout;

typedef enum {
    /// To the nearest multiple.
    THIMBLE_JPEG_ROUNDING_NEAREST,
    /// Toward zero beyond a threshold that rises with the frequency.
    THIMBLE_JPEG_ROUNDING_SHIFTED,
    /// By rate and distortion, about twice the time.
    THIMBLE_JPEG_ROUNDING_BY_RATE,
} thimble_jpeg_rounding;

typedef enum {
    /// The fastest that the processor has.
    THIMBLE_JPEG_VECTORS_BEST,
    /// 16 bytes, which every processor has. For tests: the result is the same.
    THIMBLE_JPEG_VECTORS_PLAIN,
} thimble_jpeg_vectors;

typedef struct {
    /// From 1 to 65,535.
    int width, height;
    thimble_jpeg_layout layout;
    /// Quantisation tables of luma and chroma, row by row, from 1 to 255.
    uint8_t tables[2][thimble_jpeg_block];
    thimble_jpeg_rounding rounding;
    /// Share of the way from rounding to the nearest, from 0 to 1.
    float rounding_strength;
    thimble_jpeg_vectors vectors;
} thimble_jpeg_settings;

typedef struct thimble_jpeg_encoder thimble_jpeg_encoder;

/// Writes up to `count` bytes, at least 1; returns their number, 0 or negative on failure.
typedef ptrdiff_t (*thimble_jpeg_write)(void *context, uint8_t *bytes, size_t count);

/// Number of bytes that `thimble_jpeg_encoder_new` allocates.
size_t thimble_jpeg_encoder_bytes(const thimble_jpeg_settings *settings);

/// Creates an encoder; NULL if memory is short.
thimble_jpeg_encoder *thimble_jpeg_encoder_new(
    const thimble_jpeg_settings *settings, thimble_jpeg_write write, void *context);

void thimble_jpeg_encoder_free(thimble_jpeg_encoder *encoder);

/// Encodes the next row of RGB or grey.
thimble_jpeg_encoder_status thimble_jpeg_encoder_row(
    thimble_jpeg_encoder *encoder, const uint8_t *row);

/// Encodes the next 16 rows of luma and 8 of each chroma plane.
///
/// Rows below the picture must repeat its last one.
///
/// @param planes First rows. Rows have `strides` bytes, and samples up to a multiple of 16 or, for
/// chroma, 8.
thimble_jpeg_encoder_status thimble_jpeg_encoder_planes(
    thimble_jpeg_encoder *encoder, const uint8_t *const *planes, const ptrdiff_t *strides);

/// Encodes what is held of the last rows, and ends the file.
thimble_jpeg_encoder_status thimble_jpeg_encoder_finish(thimble_jpeg_encoder *encoder);
