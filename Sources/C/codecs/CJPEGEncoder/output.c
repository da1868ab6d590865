#include "output.h"

#include <string.h>

void thimble_jpeg_output_start(thimble_jpeg_output *it, thimble_jpeg_write write, void *context) {
    it->write = write;
    it->context = context;
    it->bits = 0;
    it->room = 64;
    it->count = 0;
    it->has_failed = false;
}

void thimble_jpeg_output_flush(thimble_jpeg_output *it) {
    for (size_t done = 0; done < it->count && !it->has_failed;) {
        const ptrdiff_t written = it->write(it->context, it->bytes + done, it->count - done);
        if (written <= 0)
            it->has_failed = true;
        else
            done += (size_t) written;
    }
    it->count = 0;
}

void thimble_jpeg_output_put(thimble_jpeg_output *it, const uint8_t *bytes, size_t count) {
    thimble_jpeg_output_reserve(it);
    memcpy(it->bytes + it->count, bytes, count);
    it->count += count;
}

static void stuff_byte(thimble_jpeg_output *it, uint8_t byte) {
    it->bytes[it->count++] = byte;
    if (byte == 0xFF)
        it->bytes[it->count++] = 0;
}

void thimble_jpeg_output_stuff(thimble_jpeg_output *it, uint64_t bits) {
    const uint64_t ones = 0x0101010101010101, highest = 0x8080808080808080;
    // A byte of ones has its highest bit, and loses it when one is added.
    if (bits & highest & ~(bits + ones)) {
        for (int shift = 56; shift >= 0; shift -= 8)
            stuff_byte(it, (uint8_t) (bits >> shift));
        return;
    }
    for (int index = 0; index < 8; index++)
        it->bytes[it->count + (size_t) index] = (uint8_t) (bits >> (56 - 8 * index));
    it->count += 8;
}

void thimble_jpeg_output_align(thimble_jpeg_output *it) {
    thimble_jpeg_output_reserve(it);
    const int held = 64 - it->room, bytes = (held + 7) / 8, ones = 8 * bytes - held;
    const uint64_t bits = it->bits << ones | ((1u << ones) - 1);
    for (int index = bytes - 1; index >= 0; index--)
        stuff_byte(it, (uint8_t) (bits >> (8 * index)));
    it->bits = 0;
    it->room = 64;
}
