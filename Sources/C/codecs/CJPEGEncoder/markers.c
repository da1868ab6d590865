#include "markers.h"

#include <string.h>

#include "blocks.h"

enum {
    start_of_image = 0xD8,
    application_0 = 0xE0,
    quantisation_tables = 0xDB,
    baseline_frame = 0xC0,
    huffman_tables = 0xC4,
    start_of_scan = 0xDA,
    end_of_image = 0xD9,
};

static void put_marker(thimble_jpeg_output *it, uint8_t marker) {
    thimble_jpeg_output_put(it, (const uint8_t[]) {0xFF, marker}, 2);
}

/// Writes a marker and the length of what follows, which counts itself.
static void put_segment(thimble_jpeg_output *it, uint8_t marker, size_t count) {
    put_marker(it, marker);
    const size_t length = count + 2;
    thimble_jpeg_output_put(it, (const uint8_t[]) {(uint8_t) (length >> 8), (uint8_t) length}, 2);
}

static void put_quantisation(thimble_jpeg_output *it, int table, const uint8_t *steps) {
    uint8_t bytes[1 + thimble_jpeg_block] = {(uint8_t) table};
    for (int position = 0; position < thimble_jpeg_block; position++) {
        const int transposed = thimble_jpeg_zigzag[position];
        bytes[1 + position] = steps[8 * (transposed % 8) + transposed / 8];
    }
    put_segment(it, quantisation_tables, sizeof bytes);
    thimble_jpeg_output_put(it, bytes, sizeof bytes);
}

void thimble_jpeg_put_header(thimble_jpeg_output *it, const thimble_jpeg_settings *settings) {
    const bool is_grey = settings->layout == THIMBLE_JPEG_LAYOUT_GREY;
    const int components = is_grey ? 1 : 3;
    put_marker(it, start_of_image);
    // Version 1.01, square pixels, no thumbnail.
    static const uint8_t jfif[] = {'J', 'F', 'I', 'F', 0, 1, 1, 0, 0, 1, 0, 1, 0, 0};
    put_segment(it, application_0, sizeof jfif);
    thimble_jpeg_output_put(it, jfif, sizeof jfif);
    for (int table = 0; table < (is_grey ? 1 : 2); table++)
        put_quantisation(it, table, settings->tables[table]);
    const bool is_halved = !is_grey && settings->layout != THIMBLE_JPEG_LAYOUT_RGB_444;
    put_segment(it, baseline_frame, 6 + 3 * (size_t) components);
    const uint8_t frame[] = {
        8, (uint8_t) (settings->height >> 8), (uint8_t) settings->height,
        (uint8_t) (settings->width >> 8), (uint8_t) settings->width, (uint8_t) components};
    thimble_jpeg_output_put(it, frame, sizeof frame);
    for (int component = 0; component < components; component++) {
        const uint8_t bytes[] = {
            (uint8_t) (component + 1), is_halved && component == 0 ? 0x22 : 0x11, component > 0};
        thimble_jpeg_output_put(it, bytes, sizeof bytes);
    }
}

void thimble_jpeg_put_codes(
    thimble_jpeg_output *it, int class, int table, const thimble_jpeg_codes *codes) {
    put_segment(it, huffman_tables, 1 + sizeof codes->counts + (size_t) codes->count);
    thimble_jpeg_output_put(it, (const uint8_t[]) {(uint8_t) (class << 4 | table)}, 1);
    thimble_jpeg_output_put(it, codes->counts, sizeof codes->counts);
    thimble_jpeg_output_put(it, codes->symbols, (size_t) codes->count);
}

void thimble_jpeg_put_scan(thimble_jpeg_output *it, int components) {
    put_segment(it, start_of_scan, 4 + 2 * (size_t) components);
    thimble_jpeg_output_put(it, (const uint8_t[]) {(uint8_t) components}, 1);
    for (int component = 0; component < components; component++) {
        const uint8_t bytes[] = {(uint8_t) (component + 1), component > 0 ? 0x11 : 0x00};
        thimble_jpeg_output_put(it, bytes, sizeof bytes);
    }
    // All coefficients at full precision.
    thimble_jpeg_output_put(it, (const uint8_t[]) {0, 63, 0}, 3);
}

void thimble_jpeg_put_end(thimble_jpeg_output *it) { put_marker(it, end_of_image); }
