// Little CMS, imported without wrappers.
#pragma once

#include <lcms2.h>
