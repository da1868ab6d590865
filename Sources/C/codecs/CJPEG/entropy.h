#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

/// Decoder of the Huffman codes of a sequential scan (ITU-T T.81, F.2.2).
typedef struct thimble_jpeg_entropy thimble_jpeg_entropy;

/// Makes libjpeg take coefficients from a decoder of our own, if the file has one sequential scan with
/// Huffman codes.
///
/// To be called after `jpeg_start_decompress`, which has checked the tables. The decoder belongs to the
/// codec. It gives the coefficients and warnings of libjpeg's in 0.6 of the time, because it finds two codes
/// with their values at once and reads eight bytes at once. Two warnings depend on libjpeg's buffer, and not
/// on this decoder's: of bad codes, of which libjpeg-turbo only warns near the end of a buffer, and of bytes
/// before a marker, which libjpeg takes into its bits.
///
/// @return NULL if libjpeg's own decoder stays.
thimble_jpeg_entropy *thimble_jpeg_install_entropy(j_decompress_ptr codec);

/// The decoder that was installed.
thimble_jpeg_entropy *thimble_jpeg_entropy_of(j_decompress_ptr codec);

/// Reads up to a marker after the last unit of a scan or of a restart interval, and warns of bytes before it.
void thimble_jpeg_leave_scan(j_decompress_ptr codec, thimble_jpeg_entropy *entropy);
