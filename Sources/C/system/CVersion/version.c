#include "CVersion.h"

#ifndef THIMBLE_COMMIT
#define THIMBLE_COMMIT ""
#endif

const char *thimble_commit(void) { return THIMBLE_COMMIT; }
