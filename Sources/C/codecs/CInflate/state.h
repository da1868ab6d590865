// State of an inflater, between two pieces of a stream.
#pragma once

#include "codes.h"
#include "copies.h"
#include "inflater.h"

enum {
    // Farthest distance of a match (RFC 1951, 2).
    history_bytes = 32 << 10,
    // Output that is decoded ahead: half of the window, so that each byte is moved down once at most.
    ahead_bytes = 32 << 10,
    window_limit = history_bytes + ahead_bytes,
    // What a round of the fast loop writes beyond the limit: four lookups of literals or a short match, a
    // long one, and less than a vector.
    window_bytes = window_limit + longest_short + longest_match + vector_bytes,
    // As many as of the fixed codes.
    all_symbols = literal_symbols + distance_symbols,
};

typedef enum {
    STAGE_HEADER,
    STAGE_DICTIONARY,
    STAGE_BLOCK,
    STAGE_STORED_LENGTH,
    STAGE_STORED,
    STAGE_COUNTS,
    STAGE_CODE_LENGTHS,
    STAGE_LENGTHS,
    STAGE_CODED,
    STAGE_CHECKSUM,
    STAGE_END,
} thimble_stage;

struct thimble_inflater {
    thimble_stage stage;
    /// OK up to the end or a fault, which is due after the last byte of the window.
    thimble_inflate_status status;
    const char *message;
    bool is_checked, is_last_block, has_fixed_codes;
    uint32_t checksum, empty_blocks, max_empty_blocks;
    /// Bits that were read and not used, from the lowest on; all above are 0.
    uint64_t bits;
    unsigned bit_count;
    const uint8_t *input, *input_end;
    /// Bytes of the window: handed over up to `start`, in the checksum up to `summed`, decoded up to
    /// `end`, in the current block from `block` on.
    size_t start, summed, end, block;
    /// Bytes left of a stored block.
    unsigned stored;
    /// True for codes of which a branch that tells literals from matches is hard to predict.
    bool is_mixed;
    /// Symbols of the lengths that are read, and their number so far.
    unsigned literals, distances, code_lengths, have;
    /// Also while symbols are decoded.
    uint8_t lengths[all_symbols];
    thimble_code length_codes[length_entries];
    uint8_t window[window_bytes];
    /// Behind the window, so that no literal of a code looks like a match before the window.
    thimble_code literal_codes[literal_entries], distance_codes[distance_entries];
};

/// Makes the codes of RFC 1951, 3.2.6.
void thimble_make_fixed_codes(thimble_inflater *it);

/// Reads the numbers of symbols (RFC 1951, 3.2.7); like the next two, false at the end of the input.
bool thimble_read_counts(thimble_inflater *it);

/// Reads the lengths of the code of lengths.
bool thimble_read_code_lengths(thimble_inflater *it);

/// Reads the lengths of all codes, in which three symbols repeat a length, and makes the codes.
bool thimble_read_lengths(thimble_inflater *it);

/// Faults of symbols, in zlib's words.
extern const char thimble_wrong_literal[], thimble_wrong_distance[], thimble_too_far[];

/// Decodes symbols while much input and room are left.
void thimble_decode_fast(thimble_inflater *it);

/// Decodes symbols up to the end of the input, the room or the block.
void thimble_decode_codes(thimble_inflater *it);

static inline void thimble_fail(thimble_inflater *it, const char *message) {
    it->stage = STAGE_END;
    it->status = THIMBLE_INFLATE_INVALID;
    it->message = message;
}

/// Reads bits until there are `count`, at most 56; false at the end of the input.
static inline bool thimble_need(thimble_inflater *it, unsigned count) {
    while (it->bit_count < count) {
        if (it->input == it->input_end)
            return false;
        it->bits |= (uint64_t) *it->input++ << it->bit_count;
        it->bit_count += 8;
    }
    return true;
}

static inline unsigned thimble_take(thimble_inflater *it, unsigned count) {
    const unsigned value = (unsigned) (it->bits & ((1ull << count) - 1));
    it->bits >>= count;
    it->bit_count -= count;
    return value;
}

