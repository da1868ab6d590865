#pragma once

#include <stdint.h>

enum {
    /// Zeros that a symbol may have beyond the last coefficient.
    thimble_jpeg_beyond_order = 16,
};

/// Positions in rows of the zigzag sequence (ITU-T T.81, figure A.6), and the last one for those that damaged
/// data reaches beyond it.
static const uint8_t thimble_jpeg_natural_order[64 + thimble_jpeg_beyond_order] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33,
    40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36,
    29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54,
    47, 55, 62, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63,
};
