// Declarations of files.h for Darwin, whose sys/mount.h this machine lacks.
#pragma once

#include <stdbool.h>

bool thimble_is_in_memory(int descriptor);
