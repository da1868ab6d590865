#include "aes.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdlib.h>

// libcrypto counts in int.
static const size_t longest_call = INT_MAX & ~(size_t)(THIMBLE_AES_BLOCK - 1);

static const EVP_CIPHER *cipher(enum thimble_aes_mode mode, size_t key_bytes) {
    switch (key_bytes) {
    case 16: return mode == THIMBLE_AES_CTR ? EVP_aes_128_ctr() : EVP_aes_128_cbc();
    case 24: return mode == THIMBLE_AES_CTR ? EVP_aes_192_ctr() : EVP_aes_192_cbc();
    case 32: return mode == THIMBLE_AES_CTR ? EVP_aes_256_ctr() : EVP_aes_256_cbc();
    default: return NULL;
    }
}

static bool decrypt(EVP_CIPHER_CTX *context, const EVP_CIPHER *kind, const uint8_t *key,
    const uint8_t *vector, uint8_t *next, size_t count) {
    if (EVP_DecryptInit_ex(context, kind, NULL, key, vector) != 1) return false;
    EVP_CIPHER_CTX_set_padding(context, 0);
    while (count > 0) {
        size_t part = count < longest_call ? count : longest_call;
        int written = 0;
        if (EVP_DecryptUpdate(context, next, &written, next, (int)part) != 1) return false;
        if (written < 0 || (size_t)written != part) return false;
        next += part;
        count -= part;
    }
    return true;
}

bool thimble_aes_decrypt(enum thimble_aes_mode mode, const uint8_t *key, size_t key_count,
    const uint8_t *vector, void *bytes, size_t count) {
    const EVP_CIPHER *kind = cipher(mode, key_count);
    EVP_CIPHER_CTX *context = kind == NULL ? NULL : EVP_CIPHER_CTX_new();
    if (context == NULL) return false;
    bool succeeds = decrypt(context, kind, key, vector, bytes, count);
    EVP_CIPHER_CTX_free(context);
    return succeeds;
}

struct thimble_gcm {
    EVP_CIPHER_CTX *context;
};

static const EVP_CIPHER *gcm_cipher(size_t key_bytes) {
    switch (key_bytes) {
    case 16: return EVP_aes_128_gcm();
    case 24: return EVP_aes_192_gcm();
    case 32: return EVP_aes_256_gcm();
    default: return NULL;
    }
}

static bool gcm_begin(struct thimble_gcm *gcm, const EVP_CIPHER *kind, const uint8_t *key,
    const uint8_t *nonce, size_t nonce_count, const uint8_t *context, size_t context_count) {
    int written = 0;
    if (nonce_count == 0 || nonce_count > INT_MAX || context_count > INT_MAX) return false;
    gcm->context = EVP_CIPHER_CTX_new();
    if (gcm->context == NULL) return false;
    if (EVP_DecryptInit_ex(gcm->context, kind, NULL, NULL, NULL) != 1) return false;
    if (EVP_CIPHER_CTX_ctrl(gcm->context, EVP_CTRL_AEAD_SET_IVLEN, (int)nonce_count, NULL) != 1)
        return false;
    if (EVP_DecryptInit_ex(gcm->context, NULL, NULL, key, nonce) != 1) return false;
    return context_count == 0
        || EVP_DecryptUpdate(gcm->context, NULL, &written, context, (int)context_count) == 1;
}

struct thimble_gcm *thimble_gcm_new(const uint8_t *key, size_t count, const uint8_t *nonce,
    size_t nonce_count, const uint8_t *context, size_t context_count) {
    const EVP_CIPHER *kind = gcm_cipher(count);
    if (kind == NULL) return NULL;
    struct thimble_gcm *gcm = calloc(1, sizeof *gcm);
    if (gcm == NULL) return NULL;
    if (!gcm_begin(gcm, kind, key, nonce, nonce_count, context, context_count)) {
        thimble_gcm_free(gcm);
        return NULL;
    }
    return gcm;
}

bool thimble_gcm_update(struct thimble_gcm *gcm, const void *bytes, size_t count) {
    uint8_t discarded[4096];
    const uint8_t *next = bytes;
    bool succeeds = true;
    while (count > 0 && succeeds) {
        size_t part = count < sizeof discarded ? count : sizeof discarded;
        int written = 0;
        succeeds = EVP_DecryptUpdate(gcm->context, discarded, &written, next, (int)part) == 1;
        next += part;
        count -= part;
    }
    // Unauthenticated plaintext leaves no trace on the stack.
    OPENSSL_cleanse(discarded, sizeof discarded);
    return succeeds;
}

bool thimble_gcm_finish(struct thimble_gcm *gcm, const uint8_t *tag) {
    uint8_t expected[THIMBLE_AES_BLOCK];
    uint8_t discarded[THIMBLE_AES_BLOCK];
    int written = 0;
    for (size_t index = 0; index < sizeof expected; index++) expected[index] = tag[index];
    return EVP_CIPHER_CTX_ctrl(gcm->context, EVP_CTRL_AEAD_SET_TAG, sizeof expected, expected) == 1
        && EVP_DecryptFinal_ex(gcm->context, discarded, &written) == 1;
}

void thimble_gcm_free(struct thimble_gcm *gcm) {
    if (gcm == NULL) return;
    EVP_CIPHER_CTX_free(gcm->context);
    free(gcm);
}
