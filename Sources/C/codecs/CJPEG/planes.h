#pragma once

#include <stdio.h>

#include <jpeglib.h>

#include "jpeg_planes.h"

/// The plane of a component.
thimble_jpeg_plane thimble_jpeg_plane_of(
    const struct jpeg_decompress_struct *codec, const jpeg_component_info *component);

/// The plane of all inks, which libjpeg converts from YCCK and upsamples.
thimble_jpeg_plane thimble_jpeg_plane_of_inks(const struct jpeg_decompress_struct *codec);

bool thimble_jpeg_has_inks(const struct jpeg_decompress_struct *codec);
