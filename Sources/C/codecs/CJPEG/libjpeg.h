// The part of libjpeg's inner interface that its own entropy decoders have (`jpegint.h`, which most systems do not
// install).
#pragma once

#include <stdio.h>

#include <jpeglib.h>

/// The start of an entropy decoder, the same in every version since 6a of 1996.
struct jpeg_entropy_decoder {
    void (*start_pass)(j_decompress_ptr codec);
    boolean (*decode_mcu)(j_decompress_ptr codec, JBLOCKROW *blocks);
};

/// The start of the reader of markers, likewise.
struct jpeg_marker_reader {
    void (*reset_marker_reader)(j_decompress_ptr codec);
    int (*read_markers)(j_decompress_ptr codec);
    boolean (*read_restart_marker)(j_decompress_ptr codec);
};
