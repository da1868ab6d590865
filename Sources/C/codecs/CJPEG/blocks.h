#pragma once

#include <stdbool.h>
#include <stdio.h>

#include <jpeglib.h>

#include "jpeg_planes.h"

/// Coefficients that a caller reads, a row of units at a time.
typedef struct {
    thimble_jpeg_blocks blocks[MAX_COMPS_IN_SCAN];
    /// NULL if the coefficients are in the file's only scan.
    thimble_jpeg_blocks_transfer read;
    void *context;
    /// The next unit of the row, and the number of the next row.
    int unit, row;
} thimble_jpeg_block_source;

/// Makes libjpeg take coefficients from the source, and nothing from the scan.
///
/// To be called after `jpeg_start_decompress`.
void thimble_jpeg_install_blocks(j_decompress_ptr codec);

/// The source that was installed.
thimble_jpeg_block_source *thimble_jpeg_block_source_of(j_decompress_ptr codec);

/// Ends libjpeg's call because the source cannot read.
_Noreturn void thimble_jpeg_fail_blocks(j_decompress_ptr codec);
