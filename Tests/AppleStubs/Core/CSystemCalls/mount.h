// Darwin's sys/mount.h, as far as it is used.
#pragma once

struct statfs {
    char f_fstypename[16];
};

int fstatfs(int descriptor, struct statfs *system);
