// libde265, which decodes HEVC pictures.
#pragma once

#include <libde265/de265.h>
