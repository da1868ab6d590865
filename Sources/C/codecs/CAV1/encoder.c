#include "av1_still.h"

#include <aom/aom_encoder.h>
#include <aom/aomcx.h>
#include <errno.h>
#include <math.h>
#include <string.h>

/// Speed with most of the quality: speed 4 takes 2.5 to 4 times as long for 2 points of SSIMULACRA2
/// either way (measured with 60 pictures).
#define SPEED 6
#define FINEST 0
#define COARSEST 63
/// Lengths of most photographs are close enough to a line by then; the rest is bisected.
#define MOST_SECANTS 5
/// Five secants leave few quantisers to bisect.
#define MOST_ENCODES 9
/// A step of the quantiser changes the length by 3 to 6 %.
#define ENOUGH_OF_BUDGET 0.985
/// Median of photographs of 180 pixels at 0.1 bytes a pixel, for the first guess, and the change of the
/// logarithm of the length with each step, until two lengths are known (25 pictures).
#define USUAL_QUANTISER 30.0
#define USUAL_BYTES_A_PIXEL 0.1
#define USUAL_SLOPE 0.06
/// Delimiter, sequence header and the head of the frame's unit have 17 at most.
#define HEADERS 32

static aom_codec_err_t configure(
    aom_codec_ctx_t *codec, const thimble_av1_picture *picture, uint32_t quantiser) {
    aom_codec_enc_cfg_t settings;
    aom_codec_err_t error =
        aom_codec_enc_config_default(aom_codec_av1_cx(), &settings, AOM_USAGE_ALL_INTRA);
    if (error)
        return error;
    settings.g_profile = picture->halves_chroma ? 0 : 1;
    settings.g_w = picture->width;
    settings.g_h = picture->height;
    settings.g_threads = 1;
    settings.g_lag_in_frames = 0;
    // One frame: libaom writes the reduced header of a still picture.
    settings.g_limit = 1;
    settings.g_bit_depth = AOM_BITS_8;
    settings.g_input_bit_depth = 8;
    settings.rc_end_usage = AOM_Q;
    settings.rc_min_quantizer = settings.rc_max_quantizer = quantiser;
    error = aom_codec_enc_init(codec, aom_codec_av1_cx(), &settings, 0);
    if (error)
        return error;
    const bool failed =
        aom_codec_control(codec, AOME_SET_CPUUSED, SPEED)
        || aom_codec_control(codec, AOME_SET_CQ_LEVEL, (int) quantiser)
        || aom_codec_control(codec, AOME_SET_TUNING, AOM_TUNE_SSIM)
        || aom_codec_control(codec, AV1E_SET_COLOR_PRIMARIES, AOM_CICP_CP_BT_709)
        || aom_codec_control(codec, AV1E_SET_TRANSFER_CHARACTERISTICS, AOM_CICP_TC_SRGB)
        || aom_codec_control(codec, AV1E_SET_MATRIX_COEFFICIENTS, AOM_CICP_MC_BT_601)
        || aom_codec_control(codec, AV1E_SET_COLOR_RANGE, AOM_CR_FULL_RANGE)
        || aom_codec_control(codec, AV1E_SET_ENABLE_SUPERRES, 0)
        || aom_codec_control(codec, AV1E_SET_ROW_MT, 0);
    if (!failed)
        return AOM_CODEC_OK;
    // The codec has the code of the last call, which failed.
    error = codec->err;
    aom_codec_destroy(codec);
    return error;
}

/// Length of the frame in a temporal unit of delimiter, sequence header and frame, without the head of
/// its open bitstream unit; 0 if it is malformed (AV1 specification, 5.3 and 4.10.5).
static size_t frame_length(const uint8_t *unit, size_t length) {
    // The delimiter has two bytes, and the sequence header a size of one.
    if (length < 6 || unit[0] != 0x12 || unit[2] != 0x0A)
        return 0;
    size_t next = (size_t) unit[3] + 5, frame = 0;
    if (next >= length || unit[next - 1] != 0x32)
        return 0;
    for (unsigned shift = 0; next < length && shift < 21; shift += 7) {
        const uint8_t byte = unit[next++];
        frame |= (size_t) (byte & 0x7F) << shift;
        if (byte < 0x80)
            return frame == length - next ? frame : 0;
    }
    return 0;
}

/// Reads the temporal unit of the only frame; it replaces the last one if it is within the budget. False if
/// the unit is missing or malformed.
static bool take_unit(
    aom_codec_ctx_t *codec, size_t budget, thimble_av1_still *still, size_t *length) {
    aom_codec_iter_t place = NULL;
    const aom_codec_cx_pkt_t *packet;
    while ((packet = aom_codec_get_cx_data(codec, &place)) != NULL) {
        if (packet->kind != AOM_CODEC_CX_FRAME_PKT)
            continue;
        const size_t bytes = packet->data.frame.sz;
        *length = frame_length(packet->data.frame.buf, bytes);
        if (*length <= budget && bytes <= still->capacity) {
            memcpy(still->unit, packet->data.frame.buf, bytes);
            still->length = bytes;
        }
        return *length > 0;
    }
    return false;
}

/// Encodes the picture once; the length is 0 if libaom gives no frame, or a malformed unit.
static aom_codec_err_t encode(
    const thimble_av1_picture *picture, uint32_t quantiser, size_t budget, thimble_av1_still *still,
    size_t *length) {
    aom_image_t image;
    const aom_img_fmt_t format = picture->halves_chroma ? AOM_IMG_FMT_I420 : AOM_IMG_FMT_I444;
    if (!aom_img_wrap(
            &image, format, picture->width, picture->height, 1,
            (unsigned char *) picture->planes[0]))
        return AOM_CODEC_INVALID_PARAM;
    for (int plane = 0; plane < 3; plane++) {
        image.planes[plane] = (unsigned char *) picture->planes[plane];
        image.stride[plane] = (int) picture->strides[plane];
    }
    image.range = AOM_CR_FULL_RANGE;
    image.cp = AOM_CICP_CP_BT_709;
    image.tc = AOM_CICP_TC_SRGB;
    image.mc = AOM_CICP_MC_BT_601;
    aom_codec_ctx_t codec;
    aom_codec_err_t error = configure(&codec, picture, quantiser);
    if (error)
        return error;
    error = aom_codec_encode(&codec, &image, 0, 1, 0);
    // The frame leaves the encoder at its end, if not before.
    if (!error && !take_unit(&codec, budget, still, length)) {
        error = aom_codec_encode(&codec, NULL, 0, 1, 0);
        if (!error)
            take_unit(&codec, budget, still, length);
    }
    aom_codec_destroy(&codec);
    still->encodes++;
    return error;
}

/// A quantiser whose frame has been encoded.
typedef struct {
    uint32_t quantiser;
    /// 0 if the frame has not been encoded.
    size_t length;
} attempt;

/// The quantiser at which the budget is met if the logarithm of the length is linear: between two
/// attempts, or else from one of them by the usual slope. `low` is too long, `high` short enough.
static uint32_t next_quantiser(attempt low, attempt high, double pixels, double budget) {
    double next = USUAL_QUANTISER + log(USUAL_BYTES_A_PIXEL * pixels / budget) / USUAL_SLOPE;
    const attempt known = low.length > 0 ? low : high;
    if (known.length > 0) {
        double slope = USUAL_SLOPE;
        if (low.length > 0 && high.length > 0)
            slope = log((double) low.length / (double) high.length)
                / (double) (high.quantiser - low.quantiser);
        const double steps = slope > 0 ? log((double) known.length / budget) / slope : 0;
        next = (double) known.quantiser + steps;
    }
    // Rounded up, toward the lengths within the budget.
    next = ceil(next);
    if (!(next > (double) low.quantiser))
        return low.quantiser + 1;
    return next < (double) high.quantiser ? (uint32_t) next : high.quantiser - 1;
}

/// Fails with libaom's reason, which for want of memory may also be an unspecified one.
static thimble_av1_status fail(thimble_av1_still *still, aom_codec_err_t error, int system_error) {
    still->reason = aom_codec_err_to_string(error);
    return error == AOM_CODEC_MEM_ERROR || system_error == ENOMEM
        ? THIMBLE_AV1_NO_MEMORY
        : THIMBLE_AV1_FAILED;
}

thimble_av1_status thimble_av1_encode(
    const thimble_av1_picture *picture, size_t budget, thimble_av1_still *still,
    bool (*is_cancelled)(void *context), void *context) {
    still->reason = NULL;
    if (budget + HEADERS > still->capacity)
        return fail(still, AOM_CODEC_INVALID_PARAM, 0);
    const double pixels = (double) picture->width * (double) picture->height;
    attempt low = {FINEST, 0}, high = {COARSEST + 1, 0};
    still->length = still->encodes = 0;
    while (high.quantiser - low.quantiser > 1 && still->encodes < MOST_ENCODES) {
        if (is_cancelled(context))
            return THIMBLE_AV1_CANCELLED;
        attempt next = {0, 0};
        next.quantiser = still->encodes < MOST_SECANTS
            ? next_quantiser(low, high, pixels, (double) budget)
            : (low.quantiser + high.quantiser) / 2;
        errno = 0;
        const aom_codec_err_t error = encode(picture, next.quantiser, budget, still, &next.length);
        if (error || next.length == 0)
            return fail(still, error ? error : AOM_CODEC_CORRUPT_FRAME, errno);
        if (next.length > budget) {
            low = next;
        } else {
            high = next;
            still->quantiser = next.quantiser;
            if ((double) next.length >= ENOUGH_OF_BUDGET * (double) budget)
                break;
        }
    }
    return still->length > 0 ? THIMBLE_AV1_OK : THIMBLE_AV1_OVER_BUDGET;
}

const char *thimble_av1_version(void) {
    const char *version = aom_codec_version_str();
    return version[0] == 'v' ? version + 1 : version;
}
