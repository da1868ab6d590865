#include "sha256.h"

#include <openssl/evp.h>

static EVP_MD_CTX *context(struct thimble_sha256 *digest) { return (EVP_MD_CTX *)digest; }

struct thimble_sha256 *thimble_sha256_new(void) {
    EVP_MD_CTX *made = EVP_MD_CTX_new();
    if (made == NULL) return NULL;
    if (EVP_DigestInit_ex(made, EVP_sha256(), NULL) != 1) {
        EVP_MD_CTX_free(made);
        return NULL;
    }
    return (struct thimble_sha256 *)made;
}

bool thimble_sha256_update(struct thimble_sha256 *digest, const void *bytes, size_t count) {
    return EVP_DigestUpdate(context(digest), bytes, count) == 1;
}

bool thimble_sha256_finish(struct thimble_sha256 *digest, uint8_t *result) {
    return EVP_DigestFinal_ex(context(digest), result, NULL) == 1;
}

void thimble_sha256_free(struct thimble_sha256 *digest) { EVP_MD_CTX_free(context(digest)); }
