// libjxl, the decoder of JPEG XL.
#pragma once

#include <jxl/decode.h>
#include <jxl/version.h>

// Version 0.9 removed the pixel format from two functions, which did not use it before.
#if JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define THIMBLE_UNUSED_FORMAT (JxlPixelFormat *)0,
#else
#define THIMBLE_UNUSED_FORMAT
#endif

static inline JxlDecoderStatus thimble_jxl_profile_size(
    const JxlDecoder *decoder, JxlColorProfileTarget target, size_t *size) {
    return JxlDecoderGetICCProfileSize(decoder, THIMBLE_UNUSED_FORMAT target, size);
}

static inline JxlDecoderStatus thimble_jxl_profile(
    const JxlDecoder *decoder, JxlColorProfileTarget target, uint8_t *profile, size_t size) {
    return JxlDecoderGetColorAsICCProfile(decoder, THIMBLE_UNUSED_FORMAT target, profile, size);
}
