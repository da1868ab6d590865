// fstatfs, which Swift's module of the C library on Linux leaves out.
#pragma once

#ifdef __linux__
#include <sys/vfs.h>
#else
#include <sys/mount.h>
#endif
