// Image data of a PNG: filtered rows in one stream of zlib, in chunks IDAT.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <png.h>
#include <zlib.h>

#include "estimate.h"
#include "png_rows.h"

enum {
    /// Most bytes of image data in a chunk.
    image_data_chunk = 16 << 10
};

typedef struct {
    /// NULL to count the bytes only.
    png_structp codec;
    size_t bytes;
    /// NULL to compress.
    run_estimate *estimate;
    z_stream stream;
    bool is_open, is_filtered;
    /// Samples of 8 bits, or indices of `depth` bits.
    int width, unit, depth;
    size_t row_bytes;
    /// The current row and the one above, after zeros; the filtered row; a chunk. One allocation.
    uint8_t *row, *above, *filtered, *chunk;
    uint8_t *memory;
} image_data;

/// False if memory is short. Rows of palette indices have a depth of 1, 2, 4 or 8 and are not
/// filtered, since indices do not rise and fall as light does.
bool image_data_open(
    image_data *data, png_structp codec, int width, int unit, int depth, bool is_palette,
    thimble_png_search search);

/// Adds a row of one byte a sample or an index. Leaves by png_error if the chunk cannot be written.
void image_data_add(image_data *data, const uint8_t *row);

/// Makes a row the one above the next, without compressing it; only of rows that are filtered.
void image_data_pass(image_data *data, const uint8_t *row);

/// Ends the stream and writes the last chunk.
void image_data_end(image_data *data);

void image_data_close(image_data *data);
