#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "coder.h"
#include "markers.h"
#include "output.h"
#include "rate.h"
#include "rows.h"

struct thimble_jpeg_encoder {
    thimble_jpeg_settings settings;
    const thimble_jpeg_transform *transform;
    thimble_jpeg_quantiser quantisers[2];
    thimble_jpeg_rates rates[2];
    int previous[3];
    /// Rows of RGB or grey that are held, of one row of units.
    int held_rows;
    /// Samples of a held row of luma; chroma is as wide or half of it.
    size_t stride;
    uint8_t *planes[3];
    /// Chroma of the last two rows before it is halved.
    uint8_t *whole[2][2];
    uint8_t *samples;
    thimble_jpeg_coder coder;
    thimble_jpeg_output output;
};

static bool is_grey_layout(const thimble_jpeg_settings *settings) {
    return settings->layout == THIMBLE_JPEG_LAYOUT_GREY;
}

static bool is_halved_layout(const thimble_jpeg_settings *settings) {
    return settings->layout == THIMBLE_JPEG_LAYOUT_RGB_420
        || settings->layout == THIMBLE_JPEG_LAYOUT_YCBCR_420;
}

static bool is_grey(const thimble_jpeg_encoder *it) { return is_grey_layout(&it->settings); }

static bool is_halved(const thimble_jpeg_encoder *it) { return is_halved_layout(&it->settings); }

/// Rows and columns of a unit, in samples of luma.
static size_t layout_side(const thimble_jpeg_settings *settings) {
    return is_halved_layout(settings) ? 16 : 8;
}

static int unit_side(const thimble_jpeg_encoder *it) { return (int) layout_side(&it->settings); }

static int unit_blocks(const thimble_jpeg_settings *settings) {
    return is_grey_layout(settings) ? 1 : is_halved_layout(settings) ? 6 : 3;
}

/// Words that hold every symbol of a small picture.
static size_t symbol_words(const thimble_jpeg_settings *settings) {
    const size_t side = layout_side(settings);
    const size_t across = ((size_t) settings->width + side - 1) / side;
    const size_t down = ((size_t) settings->height + side - 1) / side;
    const size_t blocks =
        across * down * (size_t) unit_blocks(settings) + thimble_jpeg_unit_blocks;
    const size_t most = blocks * thimble_jpeg_held_block_words;
    const size_t limit = thimble_jpeg_symbol_bytes / sizeof(uint16_t);
    return most < limit ? most : limit;
}

/// Samples of the rows of a row of units.
typedef struct {
    size_t stride;
    /// Of each plane, and of a row of chroma before it is halved.
    size_t luma, chroma, whole;
} row_samples;

static row_samples samples_of_rows(const thimble_jpeg_settings *settings) {
    const size_t side = layout_side(settings);
    const size_t stride = ((size_t) settings->width + side - 1) / side * side;
    if (settings->layout == THIMBLE_JPEG_LAYOUT_YCBCR_420)
        return (row_samples) {.stride = stride};
    const size_t luma = side * stride;
    return (row_samples) {
        .stride = stride,
        .luma = luma,
        .chroma = is_grey_layout(settings) ? 0 : is_halved_layout(settings) ? luma / 4 : luma,
        .whole = is_halved_layout(settings) ? stride : 0,
    };
}

static size_t total(const row_samples *rows) {
    return rows->luma + 2 * rows->chroma + 4 * rows->whole;
}

/// Allocates the rows of a row of units.
static bool allocate_rows(thimble_jpeg_encoder *it) {
    const row_samples rows = samples_of_rows(&it->settings);
    it->stride = rows.stride;
    if (total(&rows) == 0)
        return true;
    it->samples = malloc(total(&rows));
    if (!it->samples)
        return false;
    uint8_t *next = it->samples;
    for (int plane = 0; plane < 3; plane++) {
        it->planes[plane] = next;
        next += plane == 0 ? rows.luma : rows.chroma;
    }
    for (int row = 0; row < 2; row++)
        for (int plane = 0; plane < 2; plane++, next += rows.whole)
            it->whole[row][plane] = next;
    return true;
}

size_t thimble_jpeg_encoder_bytes(const thimble_jpeg_settings *settings) {
    const row_samples rows = samples_of_rows(settings);
    return sizeof(thimble_jpeg_encoder) + sizeof(uint16_t) * symbol_words(settings) + total(&rows);
}

thimble_jpeg_encoder *thimble_jpeg_encoder_new(
    const thimble_jpeg_settings *settings, thimble_jpeg_write write, void *context) {
    thimble_jpeg_encoder *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    it->settings = *settings;
    it->transform = thimble_jpeg_transform_for(settings->vectors);
    for (int table = 0; table < 2; table++)
        thimble_jpeg_quantiser_set(&it->quantisers[table], settings, table);
    const size_t capacity = symbol_words(settings);
    if (!thimble_jpeg_coder_start(&it->coder, unit_blocks(settings), capacity)
        || !allocate_rows(it)) {
        thimble_jpeg_encoder_free(it);
        return NULL;
    }
    thimble_jpeg_output_start(&it->output, write, context);
    thimble_jpeg_put_header(&it->output, settings);
    return it;
}

void thimble_jpeg_encoder_free(thimble_jpeg_encoder *it) {
    if (!it)
        return;
    thimble_jpeg_coder_free(&it->coder);
    free(it->samples);
    free(it);
}

static thimble_jpeg_encoder_status status(const thimble_jpeg_encoder *it) {
    return it->output.has_failed ? THIMBLE_JPEG_ENCODER_IO : THIMBLE_JPEG_ENCODED;
}

/// Sets an invisible block, beyond the picture, to the DC of the previous one.
static void blank(int16_t *levels, int dc) {
    memset(levels, 0, thimble_jpeg_block * sizeof *levels);
    levels[0] = (int16_t) dc;
}

/// A block of a unit; `samples` is NULL beyond the picture.
typedef struct {
    int component;
    const uint8_t *samples;
} block;

/// Lists the blocks of a unit in the order of the scan (T.81, A.2.3).
///
/// @param rows Rows of luma that belong to the picture.
/// @return Their number.
static int list_blocks(
    const thimble_jpeg_encoder *it, const uint8_t *const *planes, const ptrdiff_t *strides, int left,
    int rows, block *blocks) {
    const int side = unit_side(it), chroma = is_halved(it) ? left / 2 : left;
    int count = 0;
    for (int y = 0; y < side; y += 8)
        for (int x = left; x < left + side; x += 8) {
            const bool is_visible = x < it->settings.width && y < rows;
            blocks[count++] =
                (block) {0, is_visible ? planes[0] + y * strides[0] + x : NULL};
        }
    for (int component = 1; component < (is_grey(it) ? 1 : 3); component++)
        blocks[count++] = (block) {component, planes[component] + chroma};
    return count;
}

static void quantise(
    const thimble_jpeg_encoder *it, const block *block, ptrdiff_t stride, int16_t *levels) {
    const int table = block->component > 0;
    const thimble_jpeg_quantiser *quantiser = &it->quantisers[table];
    if (it->settings.rounding != THIMBLE_JPEG_ROUNDING_BY_RATE) {
        it->transform->quantise(block->samples, stride, quantiser, levels);
        return;
    }
    float scaled[thimble_jpeg_block] __attribute__((aligned(32)));
    it->transform->scale(block->samples, stride, quantiser, scaled);
    thimble_jpeg_round_by_rate(&it->coder, quantiser, &it->rates[table], scaled, levels);
}

/// Encodes a row of units. All blocks of a unit are quantised first, so that the processor need not
/// wait for the branches of the coder in between.
///
/// @param rows Rows of luma that belong to the picture.
static void encode_units(
    thimble_jpeg_encoder *it, const uint8_t *const *planes, const ptrdiff_t *strides, int rows) {
    if (it->settings.rounding == THIMBLE_JPEG_ROUNDING_BY_RATE)
        for (int table = 0; table < (is_grey(it) ? 1 : 2); table++)
            thimble_jpeg_rates_estimate(&it->rates[table], &it->coder, table);
    for (int left = 0; left < it->settings.width; left += unit_side(it)) {
        block blocks[thimble_jpeg_unit_blocks];
        int16_t levels[thimble_jpeg_unit_blocks][thimble_jpeg_block] __attribute__((aligned(32)));
        const int count = list_blocks(it, planes, strides, left, rows, blocks);
        for (int index = 0; index < count; index++) {
            if (blocks[index].samples)
                quantise(it, &blocks[index], strides[blocks[index].component], levels[index]);
            else
                blank(levels[index], index > 0 ? levels[index - 1][0] : it->previous[0]);
        }
        thimble_jpeg_coder_advance(&it->coder, &it->output);
        for (int index = 0; index < count; index++) {
            const int component = blocks[index].component, dc = levels[index][0];
            thimble_jpeg_coder_add(
                &it->coder, &it->output, component > 0, dc - it->previous[component],
                levels[index]);
            it->previous[component] = dc;
        }
    }
}

thimble_jpeg_encoder_status thimble_jpeg_encoder_planes(
    thimble_jpeg_encoder *it, const uint8_t *const *planes, const ptrdiff_t *strides) {
    encode_units(it, planes, strides, 16);
    return status(it);
}

/// Repeats the last sample of a row.
static void pad(uint8_t *row, size_t count, size_t stride) {
    memset(row + count, row[count - 1], stride - count);
}

static void encode_held(thimble_jpeg_encoder *it) {
    const ptrdiff_t luma = (ptrdiff_t) it->stride, chroma = is_halved(it) ? luma / 2 : luma;
    const ptrdiff_t strides[3] = {luma, chroma, chroma};
    const int rows = it->held_rows;
    const int side = unit_side(it), halving = is_halved(it) ? 2 : 1;
    for (int plane = 0; plane < (is_grey(it) ? 1 : 3); plane++) {
        const int last = plane == 0 ? rows - 1 : (rows - 1) / halving;
        uint8_t *row = it->planes[plane] + last * strides[plane];
        for (int y = last + 1; y < (plane == 0 ? side : 8); y++)
            memcpy(it->planes[plane] + y * strides[plane], row, (size_t) strides[plane]);
    }
    encode_units(it, (const uint8_t *const *) it->planes, strides, rows);
    it->held_rows = 0;
}

/// Halves the chroma of the last two rows, or of the last one with itself.
static void halve(thimble_jpeg_encoder *it) {
    const size_t count = it->stride / 2;
    const int y = (it->held_rows - 1) / 2, lower = (it->held_rows - 1) % 2;
    for (int plane = 0; plane < 2; plane++)
        thimble_jpeg_halve(
            it->whole[0][plane], it->whole[lower][plane], count,
            it->planes[plane + 1] + (size_t) y * count);
}

thimble_jpeg_encoder_status thimble_jpeg_encoder_row(thimble_jpeg_encoder *it, const uint8_t *row) {
    const size_t width = (size_t) it->settings.width, y = (size_t) it->held_rows;
    uint8_t *luma = it->planes[0] + y * it->stride;
    if (is_grey(it)) {
        memcpy(luma, row, width);
    } else {
        uint8_t *blue = is_halved(it) ? it->whole[y % 2][0] : it->planes[1] + y * it->stride;
        uint8_t *red = is_halved(it) ? it->whole[y % 2][1] : it->planes[2] + y * it->stride;
        thimble_jpeg_convert(row, width, luma, blue, red);
        pad(blue, width, it->stride);
        pad(red, width, it->stride);
    }
    pad(luma, width, it->stride);
    it->held_rows++;
    if (is_halved(it) && it->held_rows % 2 == 0)
        halve(it);
    if (it->held_rows == unit_side(it))
        encode_held(it);
    return status(it);
}

thimble_jpeg_encoder_status thimble_jpeg_encoder_finish(thimble_jpeg_encoder *it) {
    if (it->held_rows > 0) {
        if (is_halved(it) && it->held_rows % 2 == 1)
            halve(it);
        encode_held(it);
    }
    thimble_jpeg_coder_finish(&it->coder, &it->output);
    thimble_jpeg_put_end(&it->output);
    thimble_jpeg_output_flush(&it->output);
    return status(it);
}
