// Fits planes with halved chroma to a picture, in the colours in which its score is taken.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Planes of 8-bit YCbCr in full range, with the matrix of ITU-T T.871, section 7, without gaps.
typedef struct {
    /// Luma, and Cb and Cr at half the size, rounded up.
    uint8_t *planes[3];
    /// At least 1.
    int width, height;
} thimble_halved_picture;

/// Moves samples so that a decoder shows colours nearer to `full`, planes of 4:4:4.
///
/// The decoder interpolates chroma between the centres of two by two samples, with the weights 3/4
/// and 1/4. The blur at an edge of colour also changes the brightness, which luma can restore.
///
/// @param picture Averages to begin with, and the result.
/// @param rounds Steps, each over all samples.
/// @return False if memory is short; the picture is then unchanged.
bool thimble_fit_halved_chroma(
    const thimble_halved_picture *picture, const uint8_t *const full[3], int rounds);
