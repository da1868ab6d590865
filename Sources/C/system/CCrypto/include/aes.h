// AES (FIPS 197) in the modes CTR and CBC (NIST SP 800-38A) and GCM (SP 800-38D), and HMAC-SHA-256
// (RFC 2104), of libcrypto.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define THIMBLE_AES_BLOCK 16

enum thimble_aes_mode { THIMBLE_AES_CTR, THIMBLE_AES_CBC };

// Decrypts in place, with a key of 16, 24 or 32 bytes, from an initial counter or vector of 16 bytes; in
// CBC whole blocks, without padding.
bool thimble_aes_decrypt(enum thimble_aes_mode mode, const uint8_t *key, size_t key_count,
    const uint8_t *vector, void *bytes, size_t count);

struct thimble_gcm;

// Authentication of a ciphertext; null for another length of the key, and when memory is exhausted.
struct thimble_gcm *thimble_gcm_new(const uint8_t *key, size_t count, const uint8_t *nonce,
    size_t nonce_count, const uint8_t *context, size_t context_count);
// Adds ciphertext. The plaintext is discarded.
bool thimble_gcm_update(struct thimble_gcm *gcm, const void *bytes, size_t count);
// True if the tag of 16 bytes is the ciphertext's.
bool thimble_gcm_finish(struct thimble_gcm *gcm, const uint8_t *tag);
void thimble_gcm_free(struct thimble_gcm *gcm);

// Encrypts a whole message in place by AES-256-GCM, with a key of 32 bytes and a nonce of 12 that the key
// never had; writes the tag of 16 bytes.
bool thimble_gcm_seal(const uint8_t *key, const uint8_t *nonce, const void *context,
    size_t context_count, void *bytes, size_t count, uint8_t *tag);
// Decrypts it in place; false, and zeros, unless every byte is authentic.
bool thimble_gcm_open(const uint8_t *key, const uint8_t *nonce, const void *context,
    size_t context_count, void *bytes, size_t count, const uint8_t *tag);

struct thimble_hmac;

// Null when memory is exhausted.
struct thimble_hmac *thimble_hmac_new(const uint8_t *key, size_t count);
bool thimble_hmac_update(struct thimble_hmac *hmac, const void *bytes, size_t count);
// Writes the 32 bytes of the code.
bool thimble_hmac_finish(struct thimble_hmac *hmac, uint8_t *result);
void thimble_hmac_free(struct thimble_hmac *hmac);
