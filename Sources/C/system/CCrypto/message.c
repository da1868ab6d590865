#include "aes.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

enum direction { DECRYPT, ENCRYPT };

// Begins a message under a nonce of 12 bytes, GCM's own default.
static EVP_CIPHER_CTX *begin(enum direction direction, const uint8_t *key, const uint8_t *nonce,
    const void *context, size_t context_count) {
    EVP_CIPHER_CTX *state = EVP_CIPHER_CTX_new();
    int written = 0;
    if (state == NULL) return NULL;
    if (EVP_CipherInit_ex(state, EVP_aes_256_gcm(), NULL, key, nonce, direction) != 1
        || (context_count > 0
            && EVP_CipherUpdate(state, NULL, &written, context, (int)context_count) != 1)) {
        EVP_CIPHER_CTX_free(state);
        return NULL;
    }
    return state;
}

static bool pass(EVP_CIPHER_CTX *state, uint8_t *bytes, size_t count) {
    int written = 0;
    return count == 0
        || (EVP_CipherUpdate(state, bytes, &written, bytes, (int)count) == 1
            && written == (int)count);
}

bool thimble_gcm_seal(const uint8_t *key, const uint8_t *nonce, const void *context,
    size_t context_count, void *bytes, size_t count, uint8_t *tag) {
    uint8_t rest[THIMBLE_AES_BLOCK];
    int written = 0;
    if (count > INT_MAX || context_count > INT_MAX) return false;
    EVP_CIPHER_CTX *state = begin(ENCRYPT, key, nonce, context, context_count);
    if (state == NULL) return false;
    bool succeeds = pass(state, bytes, count) && EVP_CipherFinal_ex(state, rest, &written) == 1
        && EVP_CIPHER_CTX_ctrl(state, EVP_CTRL_AEAD_GET_TAG, THIMBLE_AES_BLOCK, tag) == 1;
    EVP_CIPHER_CTX_free(state);
    return succeeds;
}

bool thimble_gcm_open(const uint8_t *key, const uint8_t *nonce, const void *context,
    size_t context_count, void *bytes, size_t count, const uint8_t *tag) {
    uint8_t expected[THIMBLE_AES_BLOCK];
    uint8_t rest[THIMBLE_AES_BLOCK];
    int written = 0;
    if (count > INT_MAX || context_count > INT_MAX) return false;
    for (size_t index = 0; index < sizeof expected; index++) expected[index] = tag[index];
    EVP_CIPHER_CTX *state = begin(DECRYPT, key, nonce, context, context_count);
    if (state == NULL) return false;
    bool succeeds = pass(state, bytes, count)
        && EVP_CIPHER_CTX_ctrl(state, EVP_CTRL_AEAD_SET_TAG, sizeof expected, expected) == 1
        && EVP_CipherFinal_ex(state, rest, &written) == 1;
    EVP_CIPHER_CTX_free(state);
    // Unauthenticated plaintext is of no use to the caller.
    if (!succeeds) OPENSSL_cleanse(bytes, count);
    return succeeds;
}
