#include "errors.h"

#include <jerror.h>

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
    case JERR_INPUT_EMPTY:
    case JWRN_JPEG_EOF: return THIMBLE_JPEG_TRUNCATED;
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
    if (errors->warnings_fail)
        fail(codec);
}

void thimble_jpeg_prepare_errors(thimble_jpeg_errors *errors, bool warnings_fail) {
    jpeg_std_error(&errors->base);
    errors->base.error_exit = fail;
    errors->base.emit_message = note;
    errors->base.output_message = keep_message;
    errors->warnings_fail = warnings_fail;
    errors->message[0] = 0;
}
