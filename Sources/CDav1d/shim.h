// dav1d, which decodes AV1 pictures.
#pragma once

#include <dav1d/dav1d.h>
