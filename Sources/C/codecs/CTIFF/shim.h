// libtiff functions that Swift cannot import: variadic calls, and message handlers, which take a
// va_list.
#pragma once

#include <stdarg.h>
#include <stdio.h>

#include <tiffio.h>

/// Receives a message of libtiff; both texts are valid during the call.
typedef void (*ThimbleTIFFReceiver)(
    void *context, int is_error, const char *module, const char *text);

/// Receiver of the messages about one file; must not move while the file is open.
typedef struct {
    ThimbleTIFFReceiver receive;
    void *context;
} ThimbleTIFFMessages;

static inline void thimble_tiff_pass(
    void *messages, int is_error, const char *module, const char *format, va_list arguments) {
    char text[160];
    vsnprintf(text, sizeof text, format, arguments);
    const ThimbleTIFFMessages *receiver = (const ThimbleTIFFMessages *) messages;
    receiver->receive(receiver->context, is_error, module ? module : "", text);
}

/// Returns 1 so that the process-wide handlers, which may print, do not receive the message.
static inline int thimble_tiff_on_error(
    TIFF *tiff, void *messages, const char *module, const char *format, va_list arguments) {
    (void) tiff;
    thimble_tiff_pass(messages, 1, module, format, arguments);
    return 1;
}

static inline int thimble_tiff_on_warning(
    TIFF *tiff, void *messages, const char *module, const char *format, va_list arguments) {
    (void) tiff;
    thimble_tiff_pass(messages, 0, module, format, arguments);
    return 1;
}

static inline tmsize_t thimble_tiff_write_nothing(thandle_t client, void *bytes, tmsize_t count) {
    (void) client, (void) bytes, (void) count;
    return 0;
}

static inline int thimble_tiff_keep_open(thandle_t client) {
    (void) client;
    return 0;
}

/// Opens a file through callbacks, with `ceiling` bytes as the limit on single allocations.
/// Mode `r` reads, `m` disables mapping, and `C` splits a single uncompressed strip into many.
static inline TIFF *thimble_tiff_open(
    thandle_t client, TIFFReadWriteProc read, TIFFSeekProc seek, TIFFSizeProc size,
    ThimbleTIFFMessages *messages, tmsize_t ceiling) {
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options)
        return NULL;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, ceiling);
    TIFFOpenOptionsSetErrorHandlerExtR(options, thimble_tiff_on_error, messages);
    TIFFOpenOptionsSetWarningHandlerExtR(options, thimble_tiff_on_warning, messages);
    TIFF *tiff = TIFFClientOpenExt(
        "TIFF", "rmC", client, read, thimble_tiff_write_nothing, seek, thimble_tiff_keep_open,
        size, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

static inline int thimble_tiff_get_16(TIFF *tiff, uint32_t tag, uint16_t *value) {
    return TIFFGetFieldDefaulted(tiff, tag, value);
}

static inline int thimble_tiff_get_32(TIFF *tiff, uint32_t tag, uint32_t *value) {
    return TIFFGetFieldDefaulted(tiff, tag, value);
}

/// Reads the kinds of the extra samples, in memory owned by `tiff`.
static inline int thimble_tiff_get_extra_samples(
    TIFF *tiff, uint16_t *count, const uint16_t **kinds) {
    return TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, count, kinds);
}

/// Reads the colour map, in memory owned by `tiff`: 1 << bits-per-sample values each.
static inline int thimble_tiff_get_colour_map(
    TIFF *tiff, const uint16_t **red, const uint16_t **green, const uint16_t **blue) {
    return TIFFGetField(tiff, TIFFTAG_COLORMAP, red, green, blue);
}

static inline int thimble_tiff_expect_rgb(TIFF *tiff) {
    return TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
}
