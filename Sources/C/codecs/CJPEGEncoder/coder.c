#include "coder.h"

#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "markers.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum {
    end_of_block = 0x00,
    sixteen_zeros = 0xF0,
    /// No symbol of the file: the end of a held block whose last value is not zero.
    end_without_symbol = 0xFF,
    most_ac_bits = 10,
    most_dc_bits = 11,
    /// Least bits of a value that are in the word after its symbol.
    bits_in_next_word = 8,
};

/// True for values whose bits are in `small`, which are nearly all.
static bool is_small(int value) { return value >= -127 && value <= 127; }

/// Bits of a value's magnitude (T.81, F.1.2.1.1).
static int size_of(int value) {
    const unsigned magnitude = (unsigned) (value < 0 ? -value : value);
    return 32 - __builtin_clz(magnitude << 1 | 1) - 1;
}

/// The bits of a value that follow its symbol: of a negative value, those of the value less one.
static uint32_t bits_of(int value, int size) {
    return (uint32_t) (value + (value >> 31)) & ((1u << size) - 1);
}

bool thimble_jpeg_coder_start(thimble_jpeg_coder *it, int unit_blocks, size_t capacity) {
    memset(it, 0, sizeof *it);
    it->held = malloc(capacity * sizeof *it->held);
    it->capacity = capacity;
    it->unit_blocks = unit_blocks;
    for (int block = 0; block < unit_blocks; block++)
        it->tables[block] = unit_blocks > 1 && block >= unit_blocks - 2;
    uint8_t positions[thimble_jpeg_block];
    for (int position = 0; position < thimble_jpeg_block; position++)
        positions[thimble_jpeg_zigzag[position]] = (uint8_t) position;
    for (int row = 0; row < 8; row++)
        for (int mask = 1; mask < 256; mask++)
            it->zigzag_bits[row][mask] = it->zigzag_bits[row][mask & (mask - 1)]
                | (uint64_t) 1 << positions[8 * row + __builtin_ctz((unsigned) mask)];
    for (int value = -INT8_MAX; value <= INT8_MAX; value++) {
        const int size = size_of(value);
        it->small[(uint8_t) value] = (uint16_t) (bits_of(value, size) << 8 | (uint32_t) size);
    }
    return it->held != NULL;
}

void thimble_jpeg_coder_free(thimble_jpeg_coder *it) {
    free(it->held);
    it->held = NULL;
}

/// Bits of the values other than zero, in the block's order.
static uint64_t nonzero(const int16_t *levels) {
    uint64_t zeros = 0;
#if defined(__SSE2__)
    for (int quarter = 0; quarter < 4; quarter++) {
        const __m128i *pair = (const __m128i *) levels + 2 * quarter;
        const __m128i bytes = _mm_packs_epi16(_mm_loadu_si128(pair), _mm_loadu_si128(pair + 1));
        const int bits = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_setzero_si128()));
        zeros |= (uint64_t) (uint32_t) bits << (16 * quarter);
    }
#else
    for (int row = 0; row < 8; row++) {
        uint8_t bits = 0;
        for (int column = 0; column < 8; column++)
            bits |= (uint8_t) ((levels[8 * row + column] == 0) << column);
        zeros |= (uint64_t) bits << (8 * row);
    }
#endif
    return ~zeros;
}

uint64_t thimble_jpeg_coder_mask(const thimble_jpeg_coder *it, const int16_t *levels) {
    const uint64_t bits = nonzero(levels);
    uint64_t mask = 0;
    for (int row = 0; row < 8; row++)
        mask |= it->zigzag_bits[row][bits >> (8 * row) & 0xFF];
    return mask;
}

static void hold(thimble_jpeg_coder *it, int table, int difference, const int16_t *levels) {
    uint64_t mask = thimble_jpeg_coder_mask(it, levels) & ~(uint64_t) 1;
    uint32_t *occurrences = it->occurrences[table][1];
    uint16_t *next = it->held + it->count;
    const int size = size_of(difference);
    it->occurrences[table][0][size]++;
    *next++ = (uint16_t) size;
    *next++ = (uint16_t) bits_of(difference, size);
    int previous = 0;
    while (mask) {
        const int position = __builtin_ctzll(mask);
        mask &= mask - 1;
        int run = position - previous - 1;
        previous = position;
        for (; run > 15; run -= 16) {
            *next++ = sixteen_zeros;
            occurrences[sixteen_zeros]++;
        }
        const int value = levels[thimble_jpeg_zigzag[position]];
        if (is_small(value)) {
            const int word = run << 4 | it->small[(uint8_t) value];
            occurrences[word & 0xFF]++;
            *next++ = (uint16_t) word;
        } else {
            const int bits = size_of(value), symbol = run << 4 | bits;
            occurrences[symbol]++;
            *next++ = (uint16_t) symbol;
            *next++ = (uint16_t) bits_of(value, bits);
        }
    }
    if (previous == thimble_jpeg_block - 1) {
        *next++ = end_without_symbol;
    } else {
        *next++ = end_of_block;
        occurrences[end_of_block]++;
    }
    it->count = (size_t) (next - it->held);
}

/// Writes a symbol and the bits of its value.
static void put(thimble_jpeg_output *output, thimble_jpeg_entry entry, uint32_t bits) {
    thimble_jpeg_output_bits(output, entry >> 5 | bits, entry & 31);
}

static void write_block(
    const thimble_jpeg_coder *it, thimble_jpeg_output *output, int table, int difference,
    const int16_t *levels) {
    thimble_jpeg_output_reserve(output);
    uint64_t mask = thimble_jpeg_coder_mask(it, levels) & ~(uint64_t) 1;
    const thimble_jpeg_entry *entries = it->entries[table][1];
    const int size = size_of(difference);
    put(output, it->entries[table][0][size], bits_of(difference, size));
    int previous = 0;
    while (mask) {
        const int position = __builtin_ctzll(mask);
        mask &= mask - 1;
        int run = position - previous - 1;
        previous = position;
        for (; run > 15; run -= 16)
            put(output, entries[sixteen_zeros], 0);
        const int value = levels[thimble_jpeg_zigzag[position]];
        if (is_small(value)) {
            const uint32_t word = it->small[(uint8_t) value];
            put(output, entries[run << 4 | (word & 15)], word >> 8);
        } else {
            const int bits = size_of(value);
            put(output, entries[run << 4 | bits], bits_of(value, bits));
        }
    }
    if (previous != thimble_jpeg_block - 1)
        put(output, entries[end_of_block], 0);
}

static void write_held(const thimble_jpeg_coder *it, thimble_jpeg_output *output) {
    const uint16_t *next = it->held, *end = it->held + it->count;
    for (int block = 0; next < end; block = block + 1 < it->unit_blocks ? block + 1 : 0) {
        const int table = it->tables[block];
        const thimble_jpeg_entry *entries = it->entries[table][1];
        thimble_jpeg_output_reserve(output);
        put(output, it->entries[table][0][next[0]], next[1]);
        next += 2;
        for (;;) {
            const int word = *next++, symbol = word & 0xFF;
            if (word == end_without_symbol)
                break;
            put(output, entries[symbol],
                (symbol & 15) < bits_in_next_word ? (uint32_t) word >> 8 : *next++);
            if (word == end_of_block)
                break;
        }
    }
}

static void set_entries(thimble_jpeg_entry *entries, const thimble_jpeg_codes *codes) {
    uint32_t code = 0;
    int index = 0;
    for (int length = 1; length <= thimble_jpeg_longest_code; length++, code <<= 1)
        for (int n = 0; n < codes->counts[length - 1]; n++, code++) {
            const int symbol = codes->symbols[index++], size = symbol & 15;
            entries[symbol] = code << (size + 5) | (uint32_t) (length + size);
        }
}

/// Counts every symbol of baseline JPEG once, for those that come later.
static void count_others(thimble_jpeg_coder *it, int table) {
    for (int size = 0; size <= most_dc_bits; size++)
        it->occurrences[table][0][size]++;
    it->occurrences[table][1][end_of_block]++;
    it->occurrences[table][1][sixteen_zeros]++;
    for (int run = 0; run < 16; run++)
        for (int size = 1; size <= most_ac_bits; size++)
            it->occurrences[table][1][run << 4 | size]++;
}

static void choose_codes(thimble_jpeg_coder *it, thimble_jpeg_output *output, bool is_complete) {
    for (int table = 0; table < (it->unit_blocks > 1 ? 2 : 1); table++) {
        if (!is_complete)
            count_others(it, table);
        for (int class = 0; class < 2; class++) {
            thimble_jpeg_codes codes;
            thimble_jpeg_codes_choose(&codes, it->occurrences[table][class]);
            thimble_jpeg_put_codes(output, class, table, &codes);
            set_entries(it->entries[table][class], &codes);
        }
    }
    thimble_jpeg_put_scan(output, it->unit_blocks > 1 ? 3 : 1);
    write_held(it, output);
    it->are_codes_chosen = true;
}

void thimble_jpeg_coder_add(
    thimble_jpeg_coder *it, thimble_jpeg_output *output, int table, int difference,
    const int16_t *levels) {
    if (it->are_codes_chosen)
        write_block(it, output, table, difference, levels);
    else
        hold(it, table, difference, levels);
}

void thimble_jpeg_coder_advance(thimble_jpeg_coder *it, thimble_jpeg_output *output) {
    const size_t unit = thimble_jpeg_unit_blocks * thimble_jpeg_held_block_words;
    if (!it->are_codes_chosen && it->capacity - it->count < unit)
        choose_codes(it, output, false);
}

void thimble_jpeg_coder_finish(thimble_jpeg_coder *it, thimble_jpeg_output *output) {
    if (!it->are_codes_chosen)
        choose_codes(it, output, true);
    thimble_jpeg_output_align(output);
}
