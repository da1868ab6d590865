#include <stdlib.h>
#include <string.h>

#include "state.h"

thimble_inflater *thimble_inflater_new(bool is_checked, uint32_t max_empty_blocks) {
    // Pages of the window are taken as they are written.
    thimble_inflater *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    it->is_checked = is_checked;
    it->max_empty_blocks = max_empty_blocks;
    it->checksum = 1;
    return it;
}

thimble_inflater *thimble_inflater_copy(const thimble_inflater *original) {
    thimble_inflater *it = malloc(sizeof *it);
    if (!it)
        return NULL;
    memcpy(it, original, offsetof(thimble_inflater, window));
    memcpy(it->window, original->window, original->end);
    memcpy(it->literal_codes, original->literal_codes, sizeof it->literal_codes);
    memcpy(it->distance_codes, original->distance_codes, sizeof it->distance_codes);
    it->is_checked = false;
    return it;
}

void thimble_inflater_free(thimble_inflater *it) { free(it); }

size_t thimble_inflater_bytes(void) { return sizeof(thimble_inflater); }

thimble_inflate_status thimble_inflater_status(const thimble_inflater *it) {
    return it->start < it->end ? THIMBLE_INFLATE_OK : it->status;
}

const char *thimble_inflater_message(const thimble_inflater *it) { return it->message; }

/// Reads the header of the stream (RFC 1950, 2.2).
static bool read_header(thimble_inflater *it) {
    if (!thimble_need(it, 16))
        return false;
    const unsigned method = thimble_take(it, 8), flags = thimble_take(it, 8);
    if ((method << 8 | flags) % 31 != 0)
        thimble_fail(it, "incorrect header check");
    else if ((method & 15) != 8)
        thimble_fail(it, "unknown compression method");
    else if (method >> 4 > 7)
        thimble_fail(it, "invalid window size");
    else
        it->stage = flags & 32 ? STAGE_DICTIONARY : STAGE_BLOCK;
    return true;
}

/// Counts a block without output.
static void count_block(thimble_inflater *it) {
    it->empty_blocks = it->end == it->block ? it->empty_blocks + 1 : 0;
    if (it->empty_blocks > it->max_empty_blocks) {
        it->stage = STAGE_END;
        it->status = THIMBLE_INFLATE_EMPTY_BLOCKS;
    }
}

/// Reads the head of a block (RFC 1951, 3.2.3), or goes to the checksum after the last one.
static bool read_block(thimble_inflater *it) {
    if (it->is_last_block) {
        thimble_take(it, it->bit_count % 8);
        it->stage = STAGE_CHECKSUM;
        return true;
    }
    if (!thimble_need(it, 3))
        return false;
    it->block = it->end;
    it->is_last_block = thimble_take(it, 1) == 1;
    switch (thimble_take(it, 2)) {
    case 0:
        thimble_take(it, it->bit_count % 8);
        it->stage = STAGE_STORED_LENGTH;
        break;
    case 1: thimble_make_fixed_codes(it); break;
    case 2: it->stage = STAGE_COUNTS; break;
    default: thimble_fail(it, "invalid block type");
    }
    return true;
}

static bool read_stored_length(thimble_inflater *it) {
    if (!thimble_need(it, 32))
        return false;
    const unsigned length = thimble_take(it, 16), complement = thimble_take(it, 16);
    if (length != (complement ^ 0xFFFF)) {
        thimble_fail(it, "invalid stored block lengths");
        return true;
    }
    it->stored = length;
    it->stage = STAGE_STORED;
    return true;
}

static bool read_stored(thimble_inflater *it) {
    // Bytes that were read as bits come first.
    while (it->stored > 0 && it->bit_count > 0 && it->end < window_limit) {
        it->window[it->end++] = (uint8_t) thimble_take(it, 8);
        it->stored--;
    }
    const size_t input = (size_t) (it->input_end - it->input);
    size_t count = it->stored;
    count = count < input ? count : input;
    count = count < window_limit - it->end ? count : window_limit - it->end;
    if (count > 0) {
        memcpy(it->window + it->end, it->input, count);
        it->input += count;
        it->end += count;
        it->stored -= count;
    }
    if (it->stored > 0)
        return false;
    it->stage = STAGE_BLOCK;
    count_block(it);
    return true;
}

static bool read_coded(thimble_inflater *it) {
    thimble_decode_fast(it);
    if (it->stage == STAGE_CODED)
        thimble_decode_codes(it);
    if (it->stage == STAGE_BLOCK)
        count_block(it);
    return it->stage != STAGE_CODED;
}

/// Adds what was decoded to the checksum.
static void add_to_checksum(thimble_inflater *it) {
    if (it->is_checked)
        it->checksum = thimble_adler32(
            it->checksum, it->window + it->summed, it->end - it->summed);
    it->summed = it->end;
}

static bool read_checksum(thimble_inflater *it) {
    if (!thimble_need(it, 32))
        return false;
    add_to_checksum(it);
    if (it->is_checked && __builtin_bswap32(thimble_take(it, 32)) != it->checksum) {
        thimble_fail(it, "incorrect data check");
    } else {
        it->stage = STAGE_END;
        it->status = THIMBLE_INFLATE_END;
    }
    return true;
}

/// Advances by a stage; false at the end of the input or of the room.
static bool advance(thimble_inflater *it) {
    switch (it->stage) {
    case STAGE_HEADER: return read_header(it);
    case STAGE_DICTIONARY:
        if (!thimble_need(it, 32))
            return false;
        thimble_fail(it, "preset dictionary");
        return true;
    case STAGE_BLOCK: return read_block(it);
    case STAGE_STORED_LENGTH: return read_stored_length(it);
    case STAGE_STORED: return read_stored(it);
    case STAGE_COUNTS: return thimble_read_counts(it);
    case STAGE_CODE_LENGTHS: return thimble_read_code_lengths(it);
    case STAGE_LENGTHS: return thimble_read_lengths(it);
    case STAGE_CODED: return read_coded(it);
    case STAGE_CHECKSUM: return read_checksum(it);
    case STAGE_END: return false;
    }
}

/// Moves the history down with what is not taken of it, and makes room.
static void slide(thimble_inflater *it) {
    const size_t by = it->end - history_bytes;
    memmove(it->window, it->window + by, history_bytes);
    // A block that began before the history has output, however much.
    it->block = it->block < by ? SIZE_MAX : it->block - by;
    it->start -= by;
    it->summed = it->end = history_bytes;
}

size_t thimble_inflate(thimble_inflater *it, const uint8_t *input, size_t count) {
    it->input = input;
    it->input_end = count > 0 ? input + count : input;
    if (it->end >= window_limit && it->end - it->start <= history_bytes)
        slide(it);
    while (it->end < window_limit && advance(it)) {}
    add_to_checksum(it);
    return (size_t) (it->input - input);
}

const uint8_t *thimble_inflater_ready(const thimble_inflater *it, size_t *count) {
    *count = it->end - it->start;
    return it->window + it->start;
}

void thimble_inflater_skip(thimble_inflater *it, size_t count) { it->start += count; }

size_t thimble_inflater_take(thimble_inflater *it, uint8_t *output, size_t room) {
    const size_t ready = it->end - it->start;
    const size_t count = ready < room ? ready : room;
    if (count > 0)
        memcpy(output, it->window + it->start, count);
    it->start += count;
    return count;
}
