#include "png_rows.h"

#include <stdlib.h>

#include "image_data.h"

struct thimble_png_sample {
    image_data data;
    run_estimate estimate;
};

thimble_png_sample *thimble_png_sample_new(int width, int bands, thimble_png_search search) {
    thimble_png_sample *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    if (search == THIMBLE_PNG_ESTIMATED_RUNS)
        it->data.estimate = &it->estimate;
    if (!image_data_open(&it->data, NULL, width, bands, 8, false, search)) {
        image_data_close(&it->data);
        free(it);
        return NULL;
    }
    return it;
}

void thimble_png_sample_row(thimble_png_sample *sample, const uint8_t *row) {
    image_data_add(&sample->data, row);
}

void thimble_png_sample_pass(thimble_png_sample *sample, const uint8_t *row) {
    image_data_pass(&sample->data, row);
}

size_t thimble_png_sample_end(thimble_png_sample *sample) {
    image_data_end(&sample->data);
    const size_t bytes = sample->data.bytes;
    image_data_close(&sample->data);
    free(sample);
    return bytes;
}
