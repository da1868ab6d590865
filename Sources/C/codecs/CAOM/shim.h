// libaom, for the code in C that calls it.
#pragma once

#include <aom/aom_encoder.h>
#include <aom/aomcx.h>
