// libpng, for the code in C that calls it.
#pragma once

#include <png.h>
