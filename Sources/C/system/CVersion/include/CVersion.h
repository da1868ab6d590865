// The commit that a program was built from, which only the build knows.
#pragma once

/// The commit's short digest; empty for a build without one.
const char *thimble_commit(void);
