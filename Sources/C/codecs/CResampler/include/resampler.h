// Resamples a picture row by row with a Lanczos 3 kernel, in a few hundred kilobytes at any height.
// Rows are pushed from the top, and finished rows pulled. All arithmetic on samples is integer, so
// the plain, SSE2, AVX2 and NEON code give the same bytes, as content addresses require.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One direction of a resampling.
typedef struct {
    /// Samples of the source and of the target, at least 1.
    int source, target;
    /// Position of the target's first edge, in source samples: 0 unless cropped, and negative for
    /// chroma that begins inside a sample.
    double origin;
    /// Source samples per target sample. It may differ from `source / target`, because the chroma
    /// planes of JPEG end inside a sample.
    double step;
    /// Samples that are averaged before the kernel; 1 for none.
    ///
    /// The window then holds averages of 2 bytes, in as many fewer rows and columns. A kernel that
    /// spans `step / box` averages hardly differs if that is 3 or more.
    int box;
} thimble_axis;

/// Description of a resampling.
typedef struct {
    thimble_axis columns, rows;
    /// Interleaved samples per pixel, 1 to 4.
    int bands;
    /// Bytes per source sample: 1, or 2 in native byte order. Target samples always have 1.
    int sample_bytes;
    /// True if the last band is alpha. Colour is then weighted by it, and target colour is not
    /// premultiplied.
    bool has_alpha;
    /// True to average light instead of samples, which the transfer function of sRGB and Display P3
    /// has coded, of grey too.
    bool is_linear;
} thimble_resampling;

/// Vector instructions.
typedef enum {
    THIMBLE_VECTORS_BEST,
    THIMBLE_VECTORS_NONE,
    THIMBLE_VECTORS_SSE2,
    THIMBLE_VECTORS_AVX2,
    THIMBLE_VECTORS_NEON,
} thimble_vectors;

typedef struct thimble_resampler thimble_resampler;

/// Largest supported `step` of a box.
///
/// Beyond it the coefficients, of 14 bits, would become too coarse.
extern const double thimble_resampler_largest_step;

/// Number of bytes that `thimble_resampler_new` allocates; 0 for an invalid description.
size_t thimble_resampler_bytes(const thimble_resampling *resampling);

/// Creates a resampler.
///
/// @return NULL if memory is short, the description is invalid or the processor lacks `vectors`.
thimble_resampler *thimble_resampler_new(
    const thimble_resampling *resampling, thimble_vectors vectors);

/// Begins again with the first row of another picture.
void thimble_resampler_restart(thimble_resampler *resampler);

void thimble_resampler_free(thimble_resampler *resampler);

/// Adds the next source row; further rows than `rows.source` are ignored.
///
/// All finished rows must have been pulled before.
void thimble_resampler_push(thimble_resampler *resampler, const void *row);

/// Copies the next target row, without padding.
///
/// @return False if further source rows are needed, or all target rows have been pulled.
bool thimble_resampler_pull(thimble_resampler *resampler, uint8_t *row);
