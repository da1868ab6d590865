// Filters of PNG rows, reversed (PNG specification, third edition, 9.2).
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    THIMBLE_FILTER_NONE,
    THIMBLE_FILTER_SUB,
    THIMBLE_FILTER_UP,
    THIMBLE_FILTER_AVERAGE,
    THIMBLE_FILTER_PAETH,
};

/// Bytes after a row that are read and written.
enum { thimble_filter_padding = 8 };

/// Reverses a filter.
///
/// On input, `row` is the row above, or zeros for the first row. Both buffers have
/// `thimble_filter_padding` more bytes, and `count` is a multiple of `unit`: 1, 2, 3, 4, 6 or 8 bytes
/// of a pixel.
void thimble_unfilter(int filter, const uint8_t *filtered, uint8_t *row, size_t count, size_t unit);

/// The same byte by byte, for tests.
void thimble_unfilter_plain(
    int filter, const uint8_t *filtered, uint8_t *row, size_t count, size_t unit);
