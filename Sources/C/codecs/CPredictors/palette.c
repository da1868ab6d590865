#include "palette.h"

#include <string.h>

static inline void store(uint8_t *bytes, uint64_t word) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(bytes, &word, sizeof word);
}

static void write_rest(
    const uint8_t *indices, size_t count, const uint32_t *colours, size_t bands, uint8_t *pixels) {
    for (size_t x = 0; x < count; x++)
        for (size_t band = 0; band < bands; band++)
            pixels[x * bands + band] = (uint8_t) (colours[indices[x]] >> 8 * band);
}

/// Eight pixels as three words: fewer stores than pixels.
static size_t write_rgb(
    const uint8_t *indices, size_t count, const uint32_t *colours, uint8_t *pixels) {
    size_t x = 0;
    for (; x + 8 <= count; x += 8, pixels += 24) {
        uint64_t rgb[8];
        for (int i = 0; i < 8; i++)
            rgb[i] = colours[indices[x + i]] & 0xFFFFFF;
        store(pixels, rgb[0] | rgb[1] << 24 | rgb[2] << 48);
        store(pixels + 8, rgb[2] >> 16 | rgb[3] << 8 | rgb[4] << 32 | rgb[5] << 56);
        store(pixels + 16, rgb[5] >> 8 | rgb[6] << 16 | rgb[7] << 40);
    }
    return x;
}

static size_t write_rgba(
    const uint8_t *indices, size_t count, const uint32_t *colours, uint8_t *pixels) {
    size_t x = 0;
    for (; x + 2 <= count; x += 2, pixels += 8)
        store(pixels, colours[indices[x]] | (uint64_t) colours[indices[x + 1]] << 32);
    return x;
}

void thimble_write_colours(
    const uint8_t *indices, size_t count, const uint32_t colours[256], size_t bands,
    uint8_t *pixels) {
    const size_t written = bands == 3 ? write_rgb(indices, count, colours, pixels)
                                      : write_rgba(indices, count, colours, pixels);
    write_rest(indices + written, count - written, colours, bands, pixels + written * bands);
}
