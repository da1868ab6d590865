// What Swift cannot import from libtiff's header: calls with variable arguments, and handlers of
// messages, which take a va_list. Everything else is called as it is.
#pragma once

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <tiffio.h>

/// What libtiff said of one file; it must stay where it is while the file is open.
typedef struct {
    /// How often something was wrong: every error, and every warning of libjpeg, all of which tell
    /// of damaged data that it went over.
    int faults;
    /// The first message since `faults` was last 0.
    char first[160];
} ThimbleTIFFMessages;

static inline void thimble_tiff_note(
    ThimbleTIFFMessages *messages, const char *format, va_list arguments) {
    if (messages->faults == 0)
        vsnprintf(messages->first, sizeof messages->first, format, arguments);
    if (messages->faults < 1000)
        messages->faults++;
}

/// 1 keeps a message from the handlers of the process, which may print it.
static inline int thimble_tiff_on_error(
    TIFF *tiff, void *messages, const char *module, const char *format, va_list arguments) {
    (void) tiff, (void) module;
    thimble_tiff_note((ThimbleTIFFMessages *) messages, format, arguments);
    return 1;
}

static inline int thimble_tiff_on_warning(
    TIFF *tiff, void *messages, const char *module, const char *format, va_list arguments) {
    (void) tiff;
    if (module && strcmp(module, "JPEGLib") == 0)
        thimble_tiff_note((ThimbleTIFFMessages *) messages, format, arguments);
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

/// Opens a file through callbacks. `r` reads, `m` never maps, and `C` reads one uncompressed strip
/// for the whole picture as if it were many. No single allocation passes `ceiling`, in bytes.
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

/// A tag of one 16-bit value, or its default; false when it has neither.
static inline int thimble_tiff_get_16(TIFF *tiff, uint32_t tag, uint16_t *value) {
    return TIFFGetFieldDefaulted(tiff, tag, value);
}

/// A tag of one 32-bit value, or its default; false when it has neither.
static inline int thimble_tiff_get_32(TIFF *tiff, uint32_t tag, uint32_t *value) {
    return TIFFGetFieldDefaulted(tiff, tag, value);
}

/// The kinds of the samples beyond the colours, in memory of `tiff`.
static inline int thimble_tiff_get_extra_samples(
    TIFF *tiff, uint16_t *count, const uint16_t **kinds) {
    return TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, count, kinds);
}

/// The colour map, in memory of `tiff`: as many 16-bit values each as samples have values.
static inline int thimble_tiff_get_colour_map(
    TIFF *tiff, const uint16_t **red, const uint16_t **green, const uint16_t **blue) {
    return TIFFGetField(tiff, TIFFTAG_COLORMAP, red, green, blue);
}

/// Asks for RGB where a JPEG strip or tile holds YCbCr.
static inline int thimble_tiff_expect_rgb(TIFF *tiff) {
    return TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
}
