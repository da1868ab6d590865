#include "image_data.h"

#include <stdlib.h>
#include <string.h>

#include "filtering.h"

static int level_of(thimble_png_search search) {
    switch (search) {
    case THIMBLE_PNG_BRIEF: return 4;
    case THIMBLE_PNG_DENSEST: return 9;
    default: return 6;
    }
}

bool image_data_open(
    image_data *data, png_structp codec, int width, int unit, int depth, bool is_palette,
    thimble_png_search search) {
    const size_t bytes = ((size_t) width * (size_t) unit * (size_t) depth + 7) / 8;
    const size_t room = filter_margin + bytes;
    data->codec = codec;
    data->width = width, data->unit = unit, data->depth = depth;
    data->is_filtered = !is_palette;
    data->row_bytes = bytes;
    data->memory = calloc(1, 2 * room + bytes + 1 + image_data_chunk);
    if (!data->memory)
        return false;
    data->row = data->memory + filter_margin;
    data->above = data->row + room;
    data->filtered = data->above + bytes;
    data->chunk = data->filtered + bytes + 1;
    data->stream.next_out = data->chunk;
    data->stream.avail_out = image_data_chunk;
    if (data->estimate)
        return true;
    // zlib's documentation advises Z_FILTERED for residues. Window and memory are its defaults.
    const int strategy = is_palette ? Z_DEFAULT_STRATEGY
        : search == THIMBLE_PNG_RUNS ? Z_RLE
                                     : Z_FILTERED;
    data->is_open = deflateInit2(&data->stream, level_of(search), Z_DEFLATED, 15, 8, strategy) == Z_OK;
    return data->is_open;
}

static void write_chunk(image_data *data) {
    const size_t bytes = image_data_chunk - data->stream.avail_out;
    if (data->codec)
        png_write_chunk(data->codec, (png_const_bytep) "IDAT", data->chunk, bytes);
    data->bytes += bytes;
    data->stream.next_out = data->chunk;
    data->stream.avail_out = image_data_chunk;
}

/// Packs indices of fewer than 8 bits, the first one in the highest bits (PNG specification, 7.2).
static void pack(const uint8_t *indices, int count, int depth, uint8_t *bytes) {
    const int each = 8 / depth;
    for (int index = 0; index < count; index += each) {
        unsigned packed = 0;
        for (int next = index; next < index + each; next++)
            packed = packed << depth | (next < count ? indices[next] : 0);
        *bytes++ = (uint8_t) packed;
    }
}

static void compress_row(image_data *data) {
    if (data->estimate) {
        run_estimate_add(data->estimate, data->filtered, data->row_bytes + 1);
        return;
    }
    data->stream.next_in = data->filtered;
    data->stream.avail_in = (uInt) data->row_bytes + 1;
    while (data->stream.avail_in > 0) {
        deflate(&data->stream, Z_NO_FLUSH);
        if (data->stream.avail_out == 0)
            write_chunk(data);
    }
}

void image_data_add(image_data *data, const uint8_t *row) {
    if (!data->is_filtered) {
        data->filtered[0] = 0;
        if (data->depth < 8)
            pack(row, data->width, data->depth, data->filtered + 1);
        else
            memcpy(data->filtered + 1, row, data->row_bytes);
    } else {
        memcpy(data->row, row, data->row_bytes);
        thimble_png_filter_best(
            data->row, data->above, data->row_bytes, (size_t) data->unit, data->filtered);
        uint8_t *done = data->row;
        data->row = data->above;
        data->above = done;
    }
    compress_row(data);
}

void image_data_pass(image_data *data, const uint8_t *row) {
    memcpy(data->above, row, data->row_bytes);
}

void image_data_end(image_data *data) {
    if (data->estimate) {
        data->bytes = run_estimate_end(data->estimate);
        return;
    }
    while (deflate(&data->stream, Z_FINISH) != Z_STREAM_END)
        write_chunk(data);
    write_chunk(data);
}

void image_data_close(image_data *data) {
    if (data->is_open)
        deflateEnd(&data->stream);
    free(data->memory);
}
