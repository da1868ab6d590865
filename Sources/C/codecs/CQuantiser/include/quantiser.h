// Chooses up to 256 colours with alpha for a picture, and maps its rows to them with error diffusion,
// in about a megabyte at any height. The caller passes all rows twice, from the top. Pixels are
// mapped by integers alone, and colours are chosen by exactly rounded operations, so all processors
// give the same bytes, as content addresses require.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Most colours of a palette.
enum { thimble_quantiser_colours = 256 };

typedef struct thimble_quantiser thimble_quantiser;

/// Number of bytes that `thimble_quantiser_new` allocates; 0 for an invalid width.
size_t thimble_quantiser_bytes(int width);

/// Creates a quantiser for rows of `width` pixels, 1 to 16,777,216.
///
/// @return NULL if memory is short or the width is invalid.
thimble_quantiser *thimble_quantiser_new(int width);

void thimble_quantiser_free(thimble_quantiser *quantiser);

/// First pass: counts the pixels of the next row, four bytes of RGBA each; alpha is not premultiplied.
void thimble_quantiser_count(thimble_quantiser *quantiser, const uint8_t *row);

/// Ends the first pass, and chooses the palette.
///
/// Pixels with alpha 0 have a colour of their own, and opaque pixels get opaque colours only.
///
/// @param most Upper bound on the number of colours, 4 to 256.
/// @param palette Receives four bytes of RGBA for each colour.
/// @return The number of colours, at least 1.
int thimble_quantiser_choose(
    thimble_quantiser *quantiser, int most, uint8_t palette[4 * thimble_quantiser_colours]);

/// True if the picture has so many colours that similar ones were counted as one: photographs, whose
/// dithered indices repeat little.
bool thimble_quantiser_merged(const thimble_quantiser *quantiser);

/// Second pass: writes the palette indices of the next row, the same as in the first pass.
void thimble_quantiser_map(thimble_quantiser *quantiser, const uint8_t *row, uint8_t *indices);
