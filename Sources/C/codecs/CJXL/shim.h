// libjxl, the decoder of JPEG XL.
#pragma once

#include <jxl/decode.h>
