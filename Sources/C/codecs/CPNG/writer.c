#include "png_rows.h"

#include "image_data.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

struct thimble_png_writer {
    png_structp codec;
    png_infop info;
    thimble_png_write write;
    void *context;
    thimble_png_status status;
    image_data data;
    /// Bytes that wait for more: libpng writes a palette by three bytes, and each chunk in three parts.
    uint8_t held[4 << 10];
    size_t held_bytes;
    jmp_buf escape;
    char message[thimble_png_message_bytes];
};

static _Noreturn void fail(png_structp codec, png_const_charp message) {
    thimble_png_writer *it = png_get_error_ptr(codec);
    if (it->status == THIMBLE_PNG_OK)
        it->status = THIMBLE_PNG_REFUSED;
    snprintf(it->message, sizeof it->message, "%s", message);
    longjmp(it->escape, 1);
}

static void ignore(png_structp codec, png_const_charp message) {
    (void) codec, (void) message;
}

static void send(thimble_png_writer *it, const uint8_t *bytes, size_t count) {
    for (size_t done = 0; done < count;) {
        const ptrdiff_t written = it->write(it->context, bytes + done, count - done);
        if (written <= 0) {
            it->status = THIMBLE_PNG_IO;
            png_error(it->codec, "the file cannot be written");
        }
        done += (size_t) written;
    }
}

static void send_held(thimble_png_writer *it) {
    const size_t count = it->held_bytes;
    it->held_bytes = 0;
    send(it, it->held, count);
}

static void write_out(png_structp codec, png_bytep bytes, size_t count) {
    thimble_png_writer *it = png_get_io_ptr(codec);
    if (count > sizeof it->held - it->held_bytes)
        send_held(it);
    if (count > sizeof it->held) {
        send(it, bytes, count);
        return;
    }
    memcpy(it->held + it->held_bytes, bytes, count);
    it->held_bytes += count;
}

static void flush(png_structp codec) { (void) codec; }

thimble_png_writer *thimble_png_writer_new(thimble_png_write write, void *context) {
    thimble_png_writer *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    it->write = write;
    it->context = context;
    if (setjmp(it->escape)) {
        thimble_png_writer_free(it);
        return NULL;
    }
    it->codec = png_create_write_struct(PNG_LIBPNG_VER_STRING, it, fail, ignore);
    it->info = it->codec ? png_create_info_struct(it->codec) : NULL;
    if (!it->info) {
        thimble_png_writer_free(it);
        return NULL;
    }
    png_set_write_fn(it->codec, it, write_out, flush);
    return it;
}

void thimble_png_writer_free(thimble_png_writer *it) {
    if (!it)
        return;
    png_destroy_write_struct(&it->codec, &it->info);
    image_data_close(&it->data);
    free(it);
}

static void set_palette(thimble_png_writer *it, const thimble_png_header *header) {
    png_color colours[PNG_MAX_PALETTE_LENGTH];
    png_byte alphas[PNG_MAX_PALETTE_LENGTH];
    int transparent = 0;
    for (int index = 0; index < header->colours; index++) {
        const uint8_t *colour = header->palette + 4 * index;
        colours[index] = (png_color) {colour[0], colour[1], colour[2]};
        alphas[index] = colour[3];
        if (colour[3] < 255)
            transparent = index + 1;
    }
    png_set_PLTE(it->codec, it->info, colours, header->colours);
    if (transparent > 0)
        png_set_tRNS(it->codec, it->info, alphas, transparent, NULL);
}

thimble_png_status thimble_png_writer_start(
    thimble_png_writer *it, const thimble_png_header *header) {
    static const int types[] = {
        0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
        PNG_COLOR_TYPE_RGB_ALPHA};
    if (setjmp(it->escape))
        return it->status;
    const int type = header->palette ? PNG_COLOR_TYPE_PALETTE : types[header->bands];
    const int colours = header->palette ? header->colours : 256;
    const int depth = colours <= 2 ? 1 : colours <= 4 ? 2 : colours <= 16 ? 4 : 8;
    png_set_IHDR(
        it->codec, it->info, (png_uint_32) header->width, (png_uint_32) header->height, depth, type,
        PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (header->palette)
        set_palette(it, header);
    // libpng keeps the profile's deflate state beside the image data's: 15 kB in place of 138.
    png_set_text_compression_mem_level(it->codec, 4);
    if (header->profile_bytes > 0)
        png_set_iCCP(
            it->codec, it->info, "ICC", PNG_COMPRESSION_TYPE_DEFAULT, header->profile,
            (png_uint_32) header->profile_bytes);
    png_write_info(it->codec, it->info);
    if (!image_data_open(
            &it->data, it->codec, header->width, header->palette ? 1 : header->bands, depth,
            header->palette != NULL, header->search))
        png_error(it->codec, "there is no memory for zlib");
    return THIMBLE_PNG_OK;
}

thimble_png_status thimble_png_writer_row(thimble_png_writer *it, const uint8_t *row) {
    if (setjmp(it->escape))
        return it->status;
    image_data_add(&it->data, row);
    return THIMBLE_PNG_OK;
}

thimble_png_status thimble_png_writer_finish(thimble_png_writer *it) {
    if (setjmp(it->escape))
        return it->status;
    image_data_end(&it->data);
    // png_write_end refuses a picture whose image data libpng has not compressed.
    png_write_chunk(it->codec, (png_const_bytep) "IEND", NULL, 0);
    send_held(it);
    return THIMBLE_PNG_OK;
}

const char *thimble_png_writer_message(const thimble_png_writer *it) { return it->message; }

const char *thimble_png_version(void) { return png_get_libpng_ver(NULL); }
