#include "entropy.h"

#include <string.h>

#include <jerror.h>

#include "bits.h"
#include "huffman.h"
#include "libjpeg.h"
#include "zigzag.h"

struct thimble_jpeg_entropy {
    thimble_jpeg_bits reader;
    /// Last DC coefficient of each component of the scan.
    int predictions[MAX_COMPS_IN_SCAN];
    unsigned units_to_restart;
    /// True after the data ended inside a unit; blocks stay blank up to the next restart.
    bool is_exhausted;
    thimble_jpeg_codes *dc[NUM_HUFF_TBLS], *ac[NUM_HUFF_TBLS];
    /// Takes coefficients that the scale does not need.
    JBLOCK unread;
};

/// Warns once if zeros after the data were taken.
static void check_end(j_decompress_ptr codec, thimble_jpeg_entropy *it) {
    if (it->reader.count >= it->reader.zeros || it->is_exhausted)
        return;
    it->is_exhausted = true;
    WARNMS(codec, JWRN_HIT_MARKER);
}

/// Takes a symbol alone and its value, where an entry does not tell the value, or more than the block holds.
///
/// @param bits The index of the entry, in bits.
static __attribute__((noinline)) thimble_jpeg_symbol take_symbol(
    j_decompress_ptr codec, thimble_jpeg_entropy *it, const thimble_jpeg_codes *codes,
    thimble_jpeg_entry entry, int bits, int *value) {
    thimble_jpeg_bits *reader = &it->reader;
    if (reader->count < thimble_jpeg_most_bits)
        thimble_jpeg_refill_by_bytes(codec, reader);
    thimble_jpeg_symbol symbol = {.length = entry.length, .run = entry.run, .size = entry.values[0]};
    if (entry.second <= thimble_jpeg_beyond)
        symbol = thimble_jpeg_find_symbol(codes, reader->bits, 1);
    else if (entry.length == 0)
        symbol = thimble_jpeg_find_symbol(codes, reader->bits, bits + 1);
    thimble_jpeg_drop(reader, symbol.length);
    if (symbol.length > thimble_jpeg_longest_code) {
        check_end(codec, it);
        WARNMS(codec, JWRN_HUFF_BAD_CODE);
    }
    *value = 0;
    if (symbol.size != 0) {
        *value = thimble_jpeg_extend((int) (reader->bits >> (64 - symbol.size)), symbol.size);
        thimble_jpeg_drop(reader, symbol.size);
    }
    return symbol;
}

INLINED int take_difference(
    j_decompress_ptr codec, thimble_jpeg_entropy *it, const thimble_jpeg_codes *codes, thimble_jpeg_bits *reader) {
    const thimble_jpeg_entry entry = codes->entries[reader->bits >> (64 - thimble_jpeg_dc_bits)];
    if (entry.second <= thimble_jpeg_beyond) {
        thimble_jpeg_drop(reader, entry.length);
        return entry.values[0];
    }
    int value;
    it->reader = *reader;
    take_symbol(codec, it, codes, entry, thimble_jpeg_dc_bits, &value);
    *reader = it->reader;
    return value;
}

/// Decodes the AC coefficients of a block (T.81, F.2.2.2).
INLINED void decode_coefficients(
    j_decompress_ptr codec, thimble_jpeg_entropy *it, const thimble_jpeg_codes *codes, thimble_jpeg_bits *reader,
    JCOEF *block) {
    for (int position = 1; position < DCTSIZE2;) {
        // Bits for four entries. Whether fewer last is hard for a processor to guess.
        thimble_jpeg_refill(codec, &it->reader, reader);
        thimble_jpeg_entry entry;
        int first;
        for (int count = 0; count < 4; count++) {
            entry = codes->entries[reader->bits >> (64 - thimble_jpeg_ac_bits)];
            first = position + entry.run;
            const int second = first + entry.second;
            if (second >= DCTSIZE2)
                goto last;
            block[thimble_jpeg_natural_order[first]] = entry.values[0];
            block[thimble_jpeg_natural_order[second]] = entry.values[1];
            thimble_jpeg_drop(reader, entry.length);
            position += entry.advance;
        }
        continue;
    last:
        if (position >= DCTSIZE2)
            return;
        if (entry.second == thimble_jpeg_beyond && position + entry.advance < DCTSIZE2) {
            block[thimble_jpeg_natural_order[first]] = entry.values[0];
            thimble_jpeg_drop(reader, entry.length);
            return;
        }
        int value;
        it->reader = *reader;
        const thimble_jpeg_symbol symbol =
            take_symbol(codec, it, codes, entry, thimble_jpeg_ac_bits, &value);
        *reader = it->reader;
        if (symbol.ends_block)
            return;
        position += symbol.run;
        if (symbol.size != 0)
            block[thimble_jpeg_natural_order[position]] = (JCOEF) value;
        position++;
    }
}

INLINED void decode_block(
    j_decompress_ptr codec, thimble_jpeg_entropy *it, const jpeg_component_info *component,
    thimble_jpeg_bits *reader, int *prediction, JCOEF *block) {
    if (reader->count < thimble_jpeg_most_bits)
        thimble_jpeg_refill(codec, &it->reader, reader);
    const int difference = take_difference(codec, it, it->dc[component->dc_tbl_no], reader);
    // Damaged data may add up to any number, of which libjpeg keeps the lower bits.
    *prediction = (int) ((unsigned) *prediction + (unsigned) difference);
    block[0] = (JCOEF) *prediction;
    decode_coefficients(
        codec, it, it->ac[component->ac_tbl_no], reader,
        component->DCT_scaled_size == 1 ? it->unread : block);
}

static void open_reader(j_decompress_ptr codec, thimble_jpeg_entropy *it) {
    it->reader.next = codec->src->next_input_byte;
    it->reader.end = it->reader.next + codec->src->bytes_in_buffer;
}

static void close_reader(j_decompress_ptr codec, const thimble_jpeg_entropy *it) {
    codec->src->next_input_byte = it->reader.next;
    codec->src->bytes_in_buffer = (size_t) (it->reader.end - it->reader.next);
}

/// Leaves unread bits, and warns of whole bytes.
static void leave_bits(j_decompress_ptr codec, thimble_jpeg_entropy *it) {
    const int bytes = (it->reader.count - it->reader.zeros) / 8;
    it->reader = (thimble_jpeg_bits) {.bits = 0};
    if (bytes > 0)
        WARNMS2(codec, JWRN_EXTRANEOUS_DATA, bytes, codec->unread_marker);
}

static void restart(j_decompress_ptr codec, thimble_jpeg_entropy *it) {
    leave_bits(codec, it);
    codec->marker->read_restart_marker(codec);
    memset(it->predictions, 0, sizeof it->predictions);
    it->units_to_restart = codec->restart_interval;
    if (codec->unread_marker == 0)
        it->is_exhausted = false;
}

/// Decodes the blocks of a unit, which are blank.
static boolean decode_unit(j_decompress_ptr codec, JBLOCKROW *blocks) {
    thimble_jpeg_entropy *it = thimble_jpeg_entropy_of(codec);
    if (codec->restart_interval != 0 && it->units_to_restart == 0)
        restart(codec, it);
    it->units_to_restart--;
    if (it->is_exhausted)
        return TRUE;
    open_reader(codec, it);
    thimble_jpeg_bits reader = it->reader;
    for (int index = 0; index < codec->blocks_in_MCU; index++) {
        const int component = codec->MCU_membership[index];
        decode_block(
            codec, it, codec->cur_comp_info[component], &reader, &it->predictions[component],
            blocks[index][0]);
    }
    it->reader = reader;
    close_reader(codec, it);
    check_end(codec, it);
    return TRUE;
}

void thimble_jpeg_leave_scan(j_decompress_ptr codec, thimble_jpeg_entropy *it) {
    open_reader(codec, it);
    thimble_jpeg_refill_by_bytes(codec, &it->reader);
    close_reader(codec, it);
    leave_bits(codec, it);
}

static thimble_jpeg_codes *make_codes(
    j_decompress_ptr codec, const JHUFF_TBL *table, bool is_dc) {
    const size_t count = (size_t) 1 << (is_dc ? thimble_jpeg_dc_bits : thimble_jpeg_ac_bits);
    thimble_jpeg_codes *codes = codec->mem->alloc_large(
        (j_common_ptr) codec, JPOOL_IMAGE, sizeof *codes + count * sizeof *codes->entries);
    thimble_jpeg_make_codes(codes, table->bits, table->huffval, is_dc);
    return codes;
}

static bool has_tables(j_decompress_ptr codec, const jpeg_component_info *component) {
    const int dc = component->dc_tbl_no, ac = component->ac_tbl_no;
    return dc < NUM_HUFF_TBLS && codec->dc_huff_tbl_ptrs[dc] && ac < NUM_HUFF_TBLS
        && codec->ac_huff_tbl_ptrs[ac];
}

thimble_jpeg_entropy *thimble_jpeg_install_entropy(j_decompress_ptr codec) {
    if (codec->progressive_mode || codec->arith_code || codec->data_precision != 8
        || jpeg_has_multiple_scans(codec))
        return NULL;
    thimble_jpeg_entropy *it = codec->mem->alloc_large(
        (j_common_ptr) codec, JPOOL_IMAGE, sizeof *it);
    memset(it, 0, sizeof *it);
    for (int index = 0; index < codec->comps_in_scan; index++) {
        const jpeg_component_info *component = codec->cur_comp_info[index];
        // libjpeg-turbo 3 checks no AC table of a lossless scan.
        if (!has_tables(codec, component))
            return NULL;
        thimble_jpeg_codes **dc = &it->dc[component->dc_tbl_no], **ac = &it->ac[component->ac_tbl_no];
        if (!*dc)
            *dc = make_codes(codec, codec->dc_huff_tbl_ptrs[component->dc_tbl_no], true);
        if (!*ac)
            *ac = make_codes(codec, codec->ac_huff_tbl_ptrs[component->ac_tbl_no], false);
    }
    it->units_to_restart = codec->restart_interval;
    codec->entropy->decode_mcu = decode_unit;
    return it;
}
