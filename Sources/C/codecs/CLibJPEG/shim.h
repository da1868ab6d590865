// libjpeg, for the code in C that calls it.
#pragma once

#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>
