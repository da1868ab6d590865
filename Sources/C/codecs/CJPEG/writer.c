#include <stdlib.h>

#include "errors.h"

enum { buffer_bytes = 4096 };

struct thimble_jpeg_writer {
    struct jpeg_compress_struct codec;
    thimble_jpeg_errors errors;
    struct jpeg_destination_mgr destination;
    thimble_jpeg_transfer write;
    void *context;
    uint8_t buffer[buffer_bytes];
};

static void begin(j_compress_ptr codec) {
    thimble_jpeg_writer *it = codec->client_data;
    it->destination.next_output_byte = it->buffer;
    it->destination.free_in_buffer = buffer_bytes;
}

static void write_out(thimble_jpeg_writer *it, size_t count) {
    for (size_t done = 0; done < count;) {
        const ptrdiff_t written = it->write(it->context, it->buffer + done, count - done);
        if (written <= 0)
            thimble_jpeg_fail(&it->errors, THIMBLE_JPEG_IO);
        done += (size_t) written;
    }
}

static boolean empty(j_compress_ptr codec) {
    write_out(codec->client_data, buffer_bytes);
    begin(codec);
    return TRUE;
}

static void end(j_compress_ptr codec) {
    thimble_jpeg_writer *it = codec->client_data;
    write_out(it, buffer_bytes - it->destination.free_in_buffer);
}

thimble_jpeg_writer *thimble_jpeg_writer_new(thimble_jpeg_transfer write, void *context) {
    thimble_jpeg_writer *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    it->write = write;
    it->context = context;
    thimble_jpeg_prepare_errors(&it->errors, THIMBLE_JPEG_WARNING);
    it->codec.err = &it->errors.base;
    if (setjmp(it->errors.escape)) {
        jpeg_destroy_compress(&it->codec);
        free(it);
        return NULL;
    }
    jpeg_create_compress(&it->codec);
    it->codec.client_data = it;
    it->destination = (struct jpeg_destination_mgr) {
        .init_destination = begin, .empty_output_buffer = empty, .term_destination = end};
    it->codec.dest = &it->destination;
    return it;
}

void thimble_jpeg_writer_free(thimble_jpeg_writer *it) {
    if (!it)
        return;
    jpeg_destroy_compress(&it->codec);
    free(it);
}

thimble_jpeg_status thimble_jpeg_writer_start(
    thimble_jpeg_writer *it, thimble_jpeg_colours colours, int width, int height, int quality,
    bool halves_chroma, bool has_optimal_tables) {
    struct jpeg_compress_struct *codec = &it->codec;
    if (setjmp(it->errors.escape))
        return it->errors.status;
    codec->image_width = (JDIMENSION) width;
    codec->image_height = (JDIMENSION) height;
    codec->input_components = colours == THIMBLE_JPEG_GREY ? 1 : 3;
    codec->in_color_space = colours == THIMBLE_JPEG_GREY ? JCS_GRAYSCALE
        : colours == THIMBLE_JPEG_RGB                    ? JCS_RGB
                                                         : JCS_YCbCr;
    // 4:2:0 and Huffman coding, each the default of libjpeg.
    jpeg_set_defaults(codec);
    codec->optimize_coding = has_optimal_tables;
    if (colours == THIMBLE_JPEG_RGB && !halves_chroma)
        codec->comp_info[0].h_samp_factor = codec->comp_info[0].v_samp_factor = 1;
    jpeg_set_quality(codec, quality, TRUE);
    codec->raw_data_in = colours == THIMBLE_JPEG_YCBCR_420;
    jpeg_start_compress(codec, TRUE);
    return THIMBLE_JPEG_OK;
}

thimble_jpeg_status thimble_jpeg_writer_row(thimble_jpeg_writer *it, const uint8_t *row) {
    if (setjmp(it->errors.escape))
        return it->errors.status;
    // libjpeg does not write to its input.
    JSAMPROW rows[1] = {(JSAMPROW) row};
    jpeg_write_scanlines(&it->codec, rows, 1);
    return THIMBLE_JPEG_OK;
}

thimble_jpeg_status thimble_jpeg_writer_planes(
    thimble_jpeg_writer *it, const uint8_t *const *planes, const ptrdiff_t *strides) {
    if (setjmp(it->errors.escape))
        return it->errors.status;
    JSAMPROW rows[thimble_jpeg_planes][2 * DCTSIZE];
    JSAMPARRAY arrays[thimble_jpeg_planes];
    for (int plane = 0; plane < thimble_jpeg_planes; plane++) {
        arrays[plane] = rows[plane];
        for (int row = 0; row < (plane == 0 ? 2 : 1) * DCTSIZE; row++)
            rows[plane][row] = (JSAMPROW) planes[plane] + row * strides[plane];
    }
    jpeg_write_raw_data(&it->codec, arrays, 2 * DCTSIZE);
    return THIMBLE_JPEG_OK;
}

thimble_jpeg_status thimble_jpeg_writer_finish(thimble_jpeg_writer *it) {
    if (setjmp(it->errors.escape))
        return it->errors.status;
    jpeg_finish_compress(&it->codec);
    return THIMBLE_JPEG_OK;
}

const char *thimble_jpeg_writer_message(const thimble_jpeg_writer *it) {
    return it->errors.message;
}

#define TEXT_OF(token) #token
#define TEXT(macro) TEXT_OF(macro)

const char *thimble_jpeg_version(void) {
#ifdef LIBJPEG_TURBO_VERSION
    return TEXT(LIBJPEG_TURBO_VERSION);
#else
    return TEXT(JPEG_LIB_VERSION);
#endif
}
