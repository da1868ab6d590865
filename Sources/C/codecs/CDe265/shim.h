// libde265, the HEVC decoder.
#pragma once

#include <libde265/de265.h>
