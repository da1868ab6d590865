// SHA-256 (FIPS 180-4) of libcrypto.
//
// OpenSSL's own headers stay out of the module: they would include the headers of threads and
// times, which Swift would then no longer find in Glibc.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thimble_sha256;

// An empty digest; null when memory is exhausted.
struct thimble_sha256 *thimble_sha256_new(void);
bool thimble_sha256_update(struct thimble_sha256 *digest, const void *bytes, size_t count);
// Writes the 32 bytes of the digest.
bool thimble_sha256_finish(struct thimble_sha256 *digest, uint8_t *result);
void thimble_sha256_free(struct thimble_sha256 *digest);
