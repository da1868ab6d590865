#include "blocks.h"

#include <string.h>

#include "libjpeg.h"
#include "zigzag.h"

/// Moves a block into libjpeg's blank one, and leaves it blank.
static void take_block(const thimble_jpeg_blocks *blocks, size_t index, JCOEF *result) {
    int16_t *block = blocks->coefficients + index * (size_t) blocks->stride;
    result[0] = block[0];
    block[0] = 0;
    uint64_t positions = blocks->stride == 1 ? 0 : blocks->masks[index];
    blocks->masks[index] = 0;
    if (positions == 0)
        return;
    do {
        const int position = __builtin_ctzll(positions);
        result[thimble_jpeg_natural_order[position]] = block[position];
        positions &= positions - 1;
    } while (positions != 0);
    memset(block, 0, DCTSIZE2 * sizeof *block);
}

/// Takes the blocks of a unit in the order of an interleaved scan (ITU-T T.81, A.2.3).
static boolean take_unit(j_decompress_ptr codec, JBLOCKROW *results) {
    thimble_jpeg_block_source *it = thimble_jpeg_block_source_of(codec);
    if (it->unit == 0 && !it->read(it->context, it->row++))
        thimble_jpeg_fail_blocks(codec);
    for (int number = 0; number < codec->comps_in_scan; number++) {
        const jpeg_component_info *component = codec->cur_comp_info[number];
        const thimble_jpeg_blocks *blocks = &it->blocks[number];
        for (int down = 0; down < component->MCU_height; down++) {
            const int first = down * blocks->columns + it->unit * component->MCU_width;
            for (int across = 0; across < component->MCU_width; across++)
                take_block(blocks, (size_t) (first + across), **results++);
        }
    }
    if (++it->unit == (int) codec->MCUs_per_row)
        it->unit = 0;
    return TRUE;
}

void thimble_jpeg_install_blocks(j_decompress_ptr codec) {
    codec->entropy->decode_mcu = take_unit;
}
