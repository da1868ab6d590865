#include "bits.h"

/// Takes the next byte of the file, which libjpeg's source always has.
static uint8_t take_byte(j_decompress_ptr codec, thimble_jpeg_bits *it) {
    if (it->next == it->end) {
        codec->src->fill_input_buffer(codec);
        it->next = codec->src->next_input_byte;
        it->end = it->next + codec->src->bytes_in_buffer;
    }
    return *it->next++;
}

void thimble_jpeg_refill_by_bytes(j_decompress_ptr codec, thimble_jpeg_bits *it) {
    while (it->count < thimble_jpeg_full && codec->unread_marker == 0) {
        uint8_t byte = take_byte(codec, it);
        if (byte == 0xFF) {
            do
                byte = take_byte(codec, it);
            while (byte == 0xFF);
            if (byte != 0) {
                codec->unread_marker = byte;
                break;
            }
            byte = 0xFF;
        }
        it->bits |= (uint64_t) byte << (thimble_jpeg_full - it->count);
        it->count += 8;
    }
    if (it->count < thimble_jpeg_full) {
        it->zeros += thimble_jpeg_full - it->count;
        it->count = thimble_jpeg_full;
    }
}
