// zlib, imported without wrappers.
#pragma once

#include <zlib.h>
