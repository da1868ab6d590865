// libwebp's decoder, which reads lossy pictures piece by piece; and its encoder, by which the tests
// make pictures that cwebp has no option for.
#pragma once

#include <webp/decode.h>
#include <webp/encode.h>
