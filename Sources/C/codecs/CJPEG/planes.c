#include "planes.h"

thimble_jpeg_plane thimble_jpeg_plane_of(
    const struct jpeg_decompress_struct *codec, const jpeg_component_info *component) {
    const double size = component->DCT_scaled_size / (double) DCTSIZE;
    return (thimble_jpeg_plane) {
        .width = (int) component->downsampled_width,
        .height = (int) component->downsampled_height,
        .covered_width =
            codec->image_width * size * component->h_samp_factor / codec->max_h_samp_factor,
        .covered_height =
            codec->image_height * size * component->v_samp_factor / codec->max_v_samp_factor,
        .bands = 1,
        .rows = component->v_samp_factor * component->DCT_scaled_size,
    };
}

thimble_jpeg_plane thimble_jpeg_plane_of_inks(const struct jpeg_decompress_struct *codec) {
    const double scale = codec->scale_num / (double) codec->scale_denom;
    return (thimble_jpeg_plane) {
        .width = (int) codec->output_width,
        .height = (int) codec->output_height,
        .covered_width = codec->image_width * scale,
        .covered_height = codec->image_height * scale,
        .bands = codec->output_components,
        .rows = 1,
    };
}

bool thimble_jpeg_has_inks(const struct jpeg_decompress_struct *codec) {
    return codec->out_color_space == JCS_CMYK;
}
