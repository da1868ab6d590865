// Encodes stills of AV1 with libaom, within a number of bytes.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A picture of 8-bit YCbCr in full range, with the matrix of BT.601.
typedef struct {
    /// Luma, Cb and Cr.
    const uint8_t *planes[3];
    size_t strides[3];
    /// At most 256 each.
    uint32_t width;
    uint32_t height;
    /// Chroma of half the size, rounded up (4:2:0); false for 4:4:4.
    bool halves_chroma;
} thimble_av1_picture;

typedef enum {
    THIMBLE_AV1_OK,
    /// The coarsest quantiser takes more than the budget.
    THIMBLE_AV1_OVER_BUDGET,
    THIMBLE_AV1_CANCELLED,
    THIMBLE_AV1_NO_MEMORY,
    /// libaom failed for another reason, which the still has.
    THIMBLE_AV1_FAILED,
} thimble_av1_status;

/// The best still of a picture within a number of bytes.
typedef struct {
    /// Temporal unit: delimiter, sequence header, frame.
    uint8_t *unit;
    size_t capacity;
    size_t length;
    /// libaom's quantiser, 0 to 63.
    uint32_t quantiser;
    uint32_t encodes;
    /// The reason of a failure, a constant; NULL without one.
    const char *reason;
} thimble_av1_still;

/// Searches the finest quantiser whose frame takes at most `budget` bytes, by at most 9 encodings; ends
/// early with a frame of 98.5 % of the budget.
///
/// The frame's length is without headers; `still->capacity` is at least 32 bytes more.
/// `is_cancelled` is called with `context` before each encoding.
thimble_av1_status thimble_av1_encode(
    const thimble_av1_picture *picture, size_t budget, thimble_av1_still *still,
    bool (*is_cancelled)(void *context), void *context);

/// libaom's version, such as `3.6.0`.
const char *thimble_av1_version(void);
