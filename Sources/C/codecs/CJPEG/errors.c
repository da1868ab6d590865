#include "errors.h"

#include <jerror.h>

/// Loss that a warning of libjpeg reports.
typedef struct {
    int code;
    /// Note for a warning that loses no pixel, or 0.
    thimble_jpeg_note note;
    /// Failure for a warning that loses pixels, or `THIMBLE_JPEG_OK`.
    thimble_jpeg_status loss;
} thimble_jpeg_warning;

/// All warnings of libjpeg-turbo 2.1 (`jerror.h`) that a decoder gives. Others lose pixels.
static const thimble_jpeg_warning warnings[] = {
    // Three components are read as YCbCr, four as YCCK.
    {JWRN_ADOBE_XFORM, THIMBLE_JPEG_ADOBE_TRANSFORM, THIMBLE_JPEG_OK},
    // The profile is ignored.
    {JWRN_BOGUS_ICC, THIMBLE_JPEG_PROFILE, THIMBLE_JPEG_OK},
    // All blocks before the bytes were decoded.
    {JWRN_EXTRANEOUS_DATA, THIMBLE_JPEG_STRAY_BYTES, THIMBLE_JPEG_OK},
    // Only the version of a segment without pixels is unknown.
    {JWRN_JFIF_MAJOR, THIMBLE_JPEG_JFIF_VERSION, THIMBLE_JPEG_OK},
    // Ss, Se, Ah and Al have no meaning in a sequential scan (T.81, B.2.3).
    {JWRN_NOT_SEQUENTIAL, THIMBLE_JPEG_SCAN_PARAMETERS, THIMBLE_JPEG_OK},
    // Blocks are missing if the marker is in their place; `JWRN_HIT_MARKER` says so.
    {JWRN_JPEG_EOF, THIMBLE_JPEG_MISSING_END, THIMBLE_JPEG_OK},
    // Blocks up to the next restart are blank.
    {JWRN_HIT_MARKER, 0, THIMBLE_JPEG_TRUNCATED},
    // Coefficients are lost.
    {JWRN_ARITH_BAD_CODE, 0, THIMBLE_JPEG_MALFORMED},
    {JWRN_BOGUS_PROGRESSION, 0, THIMBLE_JPEG_MALFORMED},
    {JWRN_HUFF_BAD_CODE, 0, THIMBLE_JPEG_MALFORMED},
    // A restart interval is skipped or left blank.
    {JWRN_MUST_RESYNC, 0, THIMBLE_JPEG_MALFORMED},
};

static thimble_jpeg_warning warning_of(int code) {
    for (size_t index = 0; index < sizeof warnings / sizeof *warnings; index++)
        if (warnings[index].code == code)
            return warnings[index];
    return (thimble_jpeg_warning) {code, 0, THIMBLE_JPEG_MALFORMED};
}

static void keep_message(j_common_ptr codec) {
    thimble_jpeg_errors *errors = (thimble_jpeg_errors *) codec->err;
    char text[JMSG_LENGTH_MAX];
    if (errors->message[0])
        return;
    errors->base.format_message(codec, text);
    snprintf(errors->message, sizeof errors->message, "%s", text);
}

static thimble_jpeg_status status_of(int code) {
    switch (code) {
    case JERR_OUT_OF_MEMORY: return THIMBLE_JPEG_NO_MEMORY;
    case JERR_INPUT_EOF:
    case JERR_INPUT_EMPTY: return THIMBLE_JPEG_TRUNCATED;
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_CCIR601_NOTIMPL:
    case JERR_COMPONENT_COUNT:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_SOF_UNSUPPORTED:
    case JERR_IMAGE_TOO_BIG:
    case JERR_WIDTH_OVERFLOW: return THIMBLE_JPEG_UNSUPPORTED;
    default: return THIMBLE_JPEG_MALFORMED;
    }
}

void thimble_jpeg_fail(thimble_jpeg_errors *errors, thimble_jpeg_status status) {
    errors->status = status;
    longjmp(errors->escape, 1);
}

static void fail(j_common_ptr codec) {
    keep_message(codec);
    thimble_jpeg_fail((thimble_jpeg_errors *) codec->err, status_of(codec->err->msg_code));
}

/// Warnings have negative levels.
static void note(j_common_ptr codec, int level) {
    thimble_jpeg_errors *errors = (thimble_jpeg_errors *) codec->err;
    if (level >= 0)
        return;
    errors->base.num_warnings++;
    const thimble_jpeg_warning warning = warning_of(codec->err->msg_code);
    errors->notes |= warning.note;
    if (errors->strictness == THIMBLE_JPEG_TOLERANT)
        return;
    if (warning.loss == THIMBLE_JPEG_OK && errors->strictness == THIMBLE_JPEG_LOSS)
        return;
    keep_message(codec);
    thimble_jpeg_fail(
        errors, warning.loss == THIMBLE_JPEG_OK ? THIMBLE_JPEG_MALFORMED : warning.loss);
}

void thimble_jpeg_prepare_errors(thimble_jpeg_errors *errors, thimble_jpeg_strictness strictness) {
    jpeg_std_error(&errors->base);
    errors->base.error_exit = fail;
    errors->base.emit_message = note;
    errors->base.output_message = keep_message;
    errors->strictness = strictness;
    errors->notes = 0;
    errors->message[0] = 0;
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
