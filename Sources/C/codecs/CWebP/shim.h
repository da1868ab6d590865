// libwebp's incremental decoder for lossy images. Tests also use its encoder for images that cwebp
// has no option for.
#pragma once

#include <webp/decode.h>
#include <webp/encode.h>
