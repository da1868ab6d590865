// dav1d, the AV1 decoder.
#pragma once

#include <dav1d/dav1d.h>
