// The wrappers of CVips, over the headers of the framework; empty without the trait BinaryVips.
#pragma once

#if defined(__APPLE__) && __has_include(<vips/vips.h>)
#include "../../CVips/shim.h"
#endif
