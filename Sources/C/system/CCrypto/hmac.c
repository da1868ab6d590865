// OpenSSL 3 deprecates these functions only because they take no other implementation; the ones that
// replace them are missing in OpenSSL 1.1.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "aes.h"

#include <limits.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdlib.h>

struct thimble_hmac {
    HMAC_CTX *context;
};

struct thimble_hmac *thimble_hmac_new(const uint8_t *key, size_t count) {
    if (count > INT_MAX) return NULL;
    struct thimble_hmac *hmac = calloc(1, sizeof *hmac);
    if (hmac == NULL) return NULL;
    hmac->context = HMAC_CTX_new();
    if (hmac->context == NULL
        || HMAC_Init_ex(hmac->context, key, (int)count, EVP_sha256(), NULL) != 1) {
        thimble_hmac_free(hmac);
        return NULL;
    }
    return hmac;
}

bool thimble_hmac_update(struct thimble_hmac *hmac, const void *bytes, size_t count) {
    return HMAC_Update(hmac->context, bytes, count) == 1;
}

bool thimble_hmac_finish(struct thimble_hmac *hmac, uint8_t *result) {
    return HMAC_Final(hmac->context, result, NULL) == 1;
}

void thimble_hmac_free(struct thimble_hmac *hmac) {
    if (hmac == NULL) return;
    HMAC_CTX_free(hmac->context);
    free(hmac);
}
