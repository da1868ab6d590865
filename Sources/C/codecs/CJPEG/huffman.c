#include "huffman.h"

#include <string.h>

/// Without a value, 15 zeros are followed by another, and all other symbols end the block.
static thimble_jpeg_symbol symbol_of(uint8_t symbol, int length) {
    const int size = symbol & 15, zeros = symbol >> 4;
    return (thimble_jpeg_symbol) {
        .length = length, .run = zeros, .size = size, .ends_block = size == 0 && zeros != 15};
}

thimble_jpeg_symbol thimble_jpeg_find_symbol(
    const thimble_jpeg_codes *codes, uint64_t bits, int least_length) {
    const uint32_t start = (uint32_t) (bits >> (64 - thimble_jpeg_longest_code));
    for (int length = least_length; length <= thimble_jpeg_longest_code; length++)
        if (start < codes->limits[length]) {
            const int32_t code = (int32_t) (start >> (thimble_jpeg_longest_code - length));
            return symbol_of(codes->symbols[code + codes->offsets[length]], length);
        }
    return symbol_of(0, thimble_jpeg_longest_code + 1);
}

/// The value that follows a symbol, if it is in the first bits.
static bool find_value(const thimble_jpeg_symbol *symbol, uint64_t bits, int count, int *value) {
    *value = 0;
    if (symbol->size == 0)
        return symbol->length <= count;
    if (symbol->length + symbol->size > count)
        return false;
    const int start = (int) (bits << symbol->length >> (64 - symbol->size));
    *value = thimble_jpeg_extend(start, symbol->size);
    return true;
}

static thimble_jpeg_entry entry_of(
    const thimble_jpeg_codes *codes, const thimble_jpeg_symbol *first, uint64_t bits, bool is_dc) {
    const int count = is_dc ? thimble_jpeg_dc_bits : thimble_jpeg_ac_bits;
    int value;
    if (!find_value(first, bits, count, &value))
        return (thimble_jpeg_entry) {
            .length = (uint8_t) (first->length > count ? 0 : first->length),
            .run = (uint8_t) first->run,
            .second = thimble_jpeg_beyond + 1,
            .values = {(int16_t) first->size},
        };
    if (first->ends_block && !is_dc)
        return (thimble_jpeg_entry) {
            .length = (uint8_t) first->length, .second = thimble_jpeg_beyond};
    thimble_jpeg_entry entry = {
        .length = (uint8_t) (first->length + first->size),
        .run = (uint8_t) first->run,
        .second = 1,
        .advance = (uint8_t) (first->run + 1),
        .values = {(int16_t) value},
    };
    const int left = count - entry.length;
    const thimble_jpeg_symbol next = thimble_jpeg_find_symbol(codes, bits << entry.length, 1);
    if (is_dc || !find_value(&next, bits << entry.length, left, &value))
        return entry;
    entry.length += (uint8_t) (next.length + next.size);
    entry.values[1] = (int16_t) value;
    if (next.ends_block) {
        entry.second = thimble_jpeg_beyond;
    } else {
        entry.second = (uint8_t) (next.run + 1);
        entry.advance += (uint8_t) (next.run + 1);
    }
    return entry;
}

void thimble_jpeg_make_codes(
    thimble_jpeg_codes *codes, const uint8_t counts[thimble_jpeg_longest_code + 1],
    const uint8_t symbols[256], bool is_dc) {
    memcpy(codes->symbols, symbols, sizeof codes->symbols);
    uint32_t next = 0;
    int symbol = 0;
    for (int length = 1; length <= thimble_jpeg_longest_code; length++) {
        codes->offsets[length] = symbol - (int32_t) next;
        next += counts[length];
        symbol += counts[length];
        codes->limits[length] = next << (thimble_jpeg_longest_code - length);
        next <<= 1;
    }
    const int index_bits = is_dc ? thimble_jpeg_dc_bits : thimble_jpeg_ac_bits;
    for (uint64_t index = 0; index < 1 << index_bits; index++) {
        const uint64_t bits = index << (64 - index_bits);
        const thimble_jpeg_symbol first = thimble_jpeg_find_symbol(codes, bits, 1);
        codes->entries[index] = entry_of(codes, &first, bits, is_dc);
    }
}
