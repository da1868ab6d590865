#include <stdlib.h>
#include <string.h>

#include <jerror.h>

#include "blocks.h"
#include "entropy.h"
#include "errors.h"
#include "planes.h"

enum {
    /// Of one read; with 4 KB, 12 megapixels take 1 % more time.
    buffer_bytes = 16384,
    /// Rows of a plane in a row of MCUs: four blocks.
    most_rows = 4 * DCTSIZE,
};

struct thimble_jpeg_reader {
    struct jpeg_decompress_struct codec;
    thimble_jpeg_errors errors;
    struct jpeg_source_mgr source;
    thimble_jpeg_transfer read;
    void *context;
    /// True once all headers up to the first scan are read.
    bool is_started;
    /// NULL while libjpeg decodes entropy codes itself, and with blocks of the caller.
    thimble_jpeg_entropy *entropy;
    thimble_jpeg_block_source block_source;
    uint8_t buffer[buffer_bytes];
    JSAMPROW rows[thimble_jpeg_planes][most_rows];
    JSAMPARRAY planes[thimble_jpeg_planes];
    ptrdiff_t strides[thimble_jpeg_planes];
    /// Number of finished rows of MCUs.
    int finished;
};

static thimble_jpeg_reader *reader_of(j_decompress_ptr codec) {
    return (thimble_jpeg_reader *) codec->client_data;
}

thimble_jpeg_entropy *thimble_jpeg_entropy_of(j_decompress_ptr codec) {
    return reader_of(codec)->entropy;
}

thimble_jpeg_block_source *thimble_jpeg_block_source_of(j_decompress_ptr codec) {
    return &reader_of(codec)->block_source;
}

void thimble_jpeg_fail_blocks(j_decompress_ptr codec) {
    thimble_jpeg_fail(&reader_of(codec)->errors, THIMBLE_JPEG_IO);
}

static void do_nothing(j_decompress_ptr codec) { (void) codec; }

/// True if the decoded blocks tell whether anything but the end marker is missing.
static bool may_lack_end(thimble_jpeg_reader *it) {
    switch (it->errors.strictness) {
    case THIMBLE_JPEG_TOLERANT: return true;
    // With several scans, the last ones may be missing altogether.
    case THIMBLE_JPEG_LOSS: return it->is_started && !jpeg_has_multiple_scans(&it->codec);
    case THIMBLE_JPEG_WARNING: return false;
    }
    return false;
}

static boolean fill(j_decompress_ptr codec) {
    thimble_jpeg_reader *it = reader_of(codec);
    ptrdiff_t count = it->read(it->context, it->buffer, buffer_bytes);
    if (count < 0)
        thimble_jpeg_fail(&it->errors, THIMBLE_JPEG_IO);
    if (count == 0) {
        if (!may_lack_end(it))
            ERREXIT(codec, JERR_INPUT_EOF);
        WARNMS(codec, JWRN_JPEG_EOF);
        // An end marker. libjpeg warns of missing blocks, and leaves them blank.
        it->buffer[0] = 0xFF;
        it->buffer[1] = JPEG_EOI;
        count = 2;
    }
    it->source.next_input_byte = it->buffer;
    it->source.bytes_in_buffer = (size_t) count;
    return TRUE;
}

static void skip(j_decompress_ptr codec, long count) {
    thimble_jpeg_reader *it = reader_of(codec);
    while (count > (long) it->source.bytes_in_buffer) {
        count -= (long) it->source.bytes_in_buffer;
        fill(codec);
    }
    if (count > 0) {
        it->source.next_input_byte += count;
        it->source.bytes_in_buffer -= (size_t) count;
    }
}

/// Takes a restart marker of any number for the expected one.
///
/// All blocks before it were decoded, else libjpeg would have warned. If the number is right and an
/// interval is missing, the scan ends early, of which libjpeg warns. A tolerant reader keeps the
/// blocks after a missing interval in their places, as libjpeg does.
static boolean resync(j_decompress_ptr codec, int expected) {
    thimble_jpeg_reader *it = reader_of(codec);
    const int marker = codec->unread_marker;
    if (marker == JPEG_EOI)
        WARNMS(codec, JWRN_HIT_MARKER);
    if (it->errors.strictness == THIMBLE_JPEG_TOLERANT || marker < JPEG_RST0
        || marker > JPEG_RST0 + 7)
        return jpeg_resync_to_restart(codec, expected);
    it->errors.notes |= THIMBLE_JPEG_RESTARTS;
    if (it->errors.strictness == THIMBLE_JPEG_WARNING)
        WARNMS2(codec, JWRN_MUST_RESYNC, marker, expected);
    codec->unread_marker = 0;
    return TRUE;
}

thimble_jpeg_reader *thimble_jpeg_reader_new(
    thimble_jpeg_transfer read, void *context, thimble_jpeg_strictness strictness) {
    thimble_jpeg_reader *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    it->read = read;
    it->context = context;
    thimble_jpeg_prepare_errors(&it->errors, strictness);
    it->codec.err = &it->errors.base;
    if (setjmp(it->errors.escape)) {
        jpeg_destroy_decompress(&it->codec);
        free(it);
        return NULL;
    }
    jpeg_create_decompress(&it->codec);
    it->codec.client_data = it;
    it->source = (struct jpeg_source_mgr) {
        .init_source = do_nothing, .fill_input_buffer = fill, .skip_input_data = skip,
        .resync_to_restart = resync, .term_source = do_nothing};
    it->codec.src = &it->source;
    return it;
}

void thimble_jpeg_reader_free(thimble_jpeg_reader *it) {
    if (!it)
        return;
    jpeg_destroy_decompress(&it->codec);
    free(it);
}

static void allocate_row_of_inks(thimble_jpeg_reader *it) {
    const JDIMENSION samples = it->codec.output_width * (JDIMENSION) it->codec.output_components;
    it->planes[0] = it->codec.mem->alloc_sarray(
        (j_common_ptr) &it->codec, JPOOL_IMAGE, samples, 1);
}

/// Allocates the rows of a row of MCUs, up to whole MCUs.
static void allocate_rows(thimble_jpeg_reader *it, int plane) {
    const jpeg_component_info *component = &it->codec.comp_info[plane];
    const size_t size = (size_t) component->DCT_scaled_size;
    const size_t unit = (size_t) component->h_samp_factor * size;
    const size_t stride = (component->width_in_blocks * size + unit - 1) / unit * unit;
    const size_t rows = (size_t) component->v_samp_factor * size;
    uint8_t *samples =
        it->codec.mem->alloc_large((j_common_ptr) &it->codec, JPOOL_IMAGE, stride * rows);
    // Unusual sampling factors leave some samples unwritten.
    memset(samples, 0, stride * rows);
    for (size_t row = 0; row < rows; row++)
        it->rows[plane][row] = samples + row * stride;
    it->planes[plane] = it->rows[plane];
    it->strides[plane] = (ptrdiff_t) stride;
}

/// libjpeg tells components with the same identifier apart by their position.
static void check_identifiers(thimble_jpeg_reader *it) {
    const struct jpeg_decompress_struct *codec = &it->codec;
    for (int last = 1; last < codec->num_components; last++)
        for (int first = 0; first < last; first++)
            if (codec->comp_info[first].component_id == codec->comp_info[last].component_id)
                it->errors.notes |= THIMBLE_JPEG_REPEATED_COMPONENTS;
    if (it->errors.notes & THIMBLE_JPEG_REPEATED_COMPONENTS
        && it->errors.strictness == THIMBLE_JPEG_WARNING)
        ERREXIT1(&it->codec, JERR_BAD_COMPONENT_ID, codec->comp_info[0].component_id);
}

static void start_decoding(thimble_jpeg_reader *it) {
    jpeg_start_decompress(&it->codec);
    if (it->block_source.read)
        thimble_jpeg_install_blocks(&it->codec);
    else
        it->entropy = thimble_jpeg_install_entropy(&it->codec);
}

void thimble_jpeg_reader_take_blocks(
    thimble_jpeg_reader *it, const thimble_jpeg_blocks *blocks, int count,
    thimble_jpeg_blocks_transfer read, void *context) {
    memcpy(it->block_source.blocks, blocks, (size_t) count * sizeof *blocks);
    it->block_source.read = read;
    it->block_source.context = context;
}

thimble_jpeg_status thimble_jpeg_reader_start(
    thimble_jpeg_reader *it, int eighths, bool keeps_profile, thimble_jpeg_plane *planes,
    int *count) {
    struct jpeg_decompress_struct *codec = &it->codec;
    if (setjmp(it->errors.escape))
        return it->errors.status;
    if (keeps_profile)
        jpeg_save_markers(codec, JPEG_APP0 + 2, 0xFFFF);
    jpeg_read_header(codec, TRUE);
    it->is_started = true;
    check_identifiers(it);
    codec->scale_num = (unsigned) eighths;
    codec->scale_denom = 8;
    if (codec->num_components == 4) {
        codec->out_color_space = JCS_CMYK;
        start_decoding(it);
        *count = 1;
        planes[0] = thimble_jpeg_plane_of_inks(codec);
        allocate_row_of_inks(it);
        return THIMBLE_JPEG_OK;
    }
    const bool is_grey = codec->num_components == 1;
    if (!is_grey && (codec->num_components != 3 || codec->jpeg_color_space != JCS_YCbCr))
        ERREXIT(codec, JERR_CONVERSION_NOTIMPL);
    codec->raw_data_out = TRUE;
    codec->out_color_space = codec->jpeg_color_space;
    start_decoding(it);
    *count = codec->num_components;
    for (int plane = 0; plane < *count; plane++) {
        planes[plane] = thimble_jpeg_plane_of(codec, &codec->comp_info[plane]);
        allocate_rows(it, plane);
    }
    return THIMBLE_JPEG_OK;
}

uint8_t *thimble_jpeg_reader_profile(thimble_jpeg_reader *it, size_t *count) {
    JOCTET *bytes = NULL;
    unsigned length = 0;
    // A malformed profile is a warning.
    if (setjmp(it->errors.escape) || !jpeg_read_icc_profile(&it->codec, &bytes, &length))
        return NULL;
    *count = length;
    return bytes;
}

thimble_jpeg_status thimble_jpeg_reader_next(thimble_jpeg_reader *it, thimble_jpeg_rows *rows) {
    struct jpeg_decompress_struct *codec = &it->codec;
    if (setjmp(it->errors.escape))
        return it->errors.status;
    for (int plane = 0; plane < thimble_jpeg_planes; plane++)
        rows[plane].count = 0;
    if (codec->output_scanline >= codec->output_height) {
        if (it->entropy)
            thimble_jpeg_leave_scan(codec, it->entropy);
        // Without `jpeg_finish_decompress`, which would free the rows.
        while (it->errors.strictness == THIMBLE_JPEG_WARNING
               && jpeg_consume_input(codec) != JPEG_REACHED_EOI) {
        }
        return THIMBLE_JPEG_OK;
    }
    if (thimble_jpeg_has_inks(codec)) {
        jpeg_read_scanlines(codec, it->planes[0], 1);
        rows[0] = (thimble_jpeg_rows) {.first = it->planes[0][0], .count = 1};
        return THIMBLE_JPEG_OK;
    }
    jpeg_read_raw_data(
        codec, it->planes,
        (JDIMENSION) (codec->max_v_samp_factor * codec->min_DCT_scaled_size));
    for (int plane = 0; plane < codec->num_components; plane++) {
        const jpeg_component_info *component = &codec->comp_info[plane];
        const int most = component->v_samp_factor * component->DCT_scaled_size;
        const int left = (int) component->downsampled_height - it->finished * most;
        rows[plane] = (thimble_jpeg_rows) {
            .first = it->rows[plane][0],
            .stride = it->strides[plane],
            .count = left < 0 ? 0 : left < most ? left : most,
        };
    }
    it->finished++;
    return THIMBLE_JPEG_OK;
}

void thimble_jpeg_reader_place(thimble_jpeg_reader *it, int row) {
    const int rows = it->codec.max_v_samp_factor * it->codec.min_DCT_scaled_size;
    it->finished = row;
    // libjpeg ends the scan after its last row.
    it->codec.input_iMCU_row = (JDIMENSION) row;
    it->codec.output_scanline = (JDIMENSION) (row * rows);
}

bool thimble_jpeg_reader_skipped_bytes(thimble_jpeg_reader *it) {
    if (!it->entropy || setjmp(it->errors.escape))
        return true;
    thimble_jpeg_leave_scan(&it->codec, it->entropy);
    return it->errors.notes & THIMBLE_JPEG_STRAY_BYTES;
}

unsigned thimble_jpeg_reader_notes(const thimble_jpeg_reader *it) { return it->errors.notes; }

const char *thimble_jpeg_reader_message(const thimble_jpeg_reader *it) {
    return it->errors.message;
}
