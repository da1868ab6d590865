#pragma once

#include "kernels.h"

enum { most_scales = 6 };

/// True if the error maps of a channel at a scale can change a score by more than a thousandth.
bool thimble_has_weight(int channel, int scale, int scales);

/// The score of the norms of `scales` scales, each of `pixels` pixels; those without weight are zero.
double thimble_score_of_norms(
    const thimble_norms (*norms)[channels], const double *pixels, int scales);
