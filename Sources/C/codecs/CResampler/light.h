// Light of coded samples by the transfer function of sRGB and Display P3 (IEC 61966-2-1, 5.2), in
// integers only.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    /// Number of lights, and of samples of 16 bits without the last 2.
    thimble_light_count = 1 << 14,
};

/// Terms of the light of the 16 levels from a multiple of 16: the light of the first one, then factors of
/// the distance to it with 7 fractional bits, and of its square with 14.
///
/// Fitted so that bytes differ from the definition by at most 1.1 of 16,383, a fifth of the darkest level.
extern const int16_t thimble_light_terms[3][16];

/// Tables between samples and light.
typedef struct {
    /// Light of the 256 bytes.
    int16_t *of_bytes;
    /// Light of samples of 14 bits; NULL for sources of bytes.
    int16_t *of_words;
    /// Nearest byte of each light.
    uint8_t *bytes;
} thimble_light;

/// Fills the tables that are not NULL.
void thimble_light_fill(const thimble_light *light);
