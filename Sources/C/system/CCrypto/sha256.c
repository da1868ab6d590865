// The digest's own functions need no provider and no configuration file, which cost each new process
// a millisecond. OpenSSL 3 deprecates them only because they take no other implementation.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "sha256.h"

#include <openssl/sha.h>
#include <stdlib.h>

struct thimble_sha256 {
    SHA256_CTX context;
};

struct thimble_sha256 *thimble_sha256_new(void) {
    struct thimble_sha256 *digest = malloc(sizeof *digest);
    if (digest != NULL) SHA256_Init(&digest->context);
    return digest;
}

bool thimble_sha256_update(struct thimble_sha256 *digest, const void *bytes, size_t count) {
    return SHA256_Update(&digest->context, bytes, count) == 1;
}

bool thimble_sha256_finish(struct thimble_sha256 *digest, uint8_t *result) {
    return SHA256_Final(result, &digest->context) == 1;
}

void thimble_sha256_free(struct thimble_sha256 *digest) { free(digest); }
