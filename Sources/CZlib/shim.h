// zlib as it is: nothing of it needs help to reach Swift.
#pragma once

#include <zlib.h>
