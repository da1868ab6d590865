#include "light.h"

const int16_t thimble_light_terms[3][16] = {
    {0, 85, 237, 484, 840, 1314, 1916, 2655, 3537, 4569, 5759, 7113, 8636, 10334, 12212, 14276},
    {589, 856, 1551, 2399, 3300, 4301, 5351, 6441, 7618, 8884, 10169, 11486, 12860, 14285, 15757,
     17242},
    {656, 2846, 3426, 3585, 3948, 4127, 4481, 4914, 5132, 5086, 5279, 5561, 5786, 5902, 6011,
     6311},
};

/// Multiplies, with 15 fractional bits.
static int product(int one, int other) { return (one * other + (1 << 14)) >> 15; }

/// Light of a level with 8 fractional bits.
static int16_t light_of(int level) {
    const int part = level >> 12, distance = level & 4095;
    const int slope =
        thimble_light_terms[1][part] + product(thimble_light_terms[2][part], distance);
    return (int16_t) (thimble_light_terms[0][part] + product(slope, distance));
}

void thimble_light_fill(const thimble_light *light) {
    if (light->of_bytes)
        for (int byte = 0; byte < 256; byte++)
            light->of_bytes[byte] = light_of(byte << 8);
    for (int word = 0; light->of_words && word < thimble_light_count; word++) {
        // Of 65,535 to 255 with 8 fractional bits.
        const int sample = word << 2 | word >> 12;
        light->of_words[word] = light_of(sample - (sample >> 8));
    }
    for (int byte = 0, word = 0; light->bytes && word < thimble_light_count; word++) {
        while (byte < 255 && light_of((byte << 8) + 128) <= word)
            byte++;
        light->bytes[word] = (uint8_t) byte;
    }
}
