// The wrappers are inline; a C target needs a source file.
#include "CVipsFramework.h"
