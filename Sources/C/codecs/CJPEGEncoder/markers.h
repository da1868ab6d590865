// Segments of the file (T.81, annex B).
#pragma once

#include "huffman.h"
#include "output.h"

/// Writes all segments before the codes: JFIF (T.871), quantisation tables and frame.
void thimble_jpeg_put_header(thimble_jpeg_output *output, const thimble_jpeg_settings *settings);

/// Writes a table of Huffman codes.
///
/// @param class 0 for DC, 1 for AC.
void thimble_jpeg_put_codes(
    thimble_jpeg_output *output, int class, int table, const thimble_jpeg_codes *codes);

/// Writes the scan's header.
void thimble_jpeg_put_scan(thimble_jpeg_output *output, int components);

void thimble_jpeg_put_end(thimble_jpeg_output *output);
