// libcrypto's functions with the types that Swift has for sizes and bytes.
#ifndef WEIR_CCRYPTO_H
#define WEIR_CCRYPTO_H

#include <limits.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stddef.h>
#include <stdint.h>

#define WEIR_SHA1_BYTES 20

/// Writes the HMAC-SHA1 (RFC 2104) of `message` to the 20 bytes at `output`; returns 0 if libcrypto refuses.
static inline int weir_hmac_sha1(const uint8_t *key, size_t key_length, const uint8_t *message, size_t length,
                                 uint8_t *output) {
    unsigned int written = 0;
    if (key_length > INT_MAX) return 0;
    return HMAC(EVP_sha1(), key, (int)key_length, message, length, output, &written) != NULL
        && written == WEIR_SHA1_BYTES;
}

/// The size of the buffer for the base64 of `length` bytes, with the NUL that libcrypto appends.
static inline size_t weir_base64_bound(size_t length) { return (length + 2) / 3 * 4 + 1; }

/// Writes the base64 (RFC 4648 §4) of `input` to `output` and returns its length without the NUL; 0 if it is too long.
static inline size_t weir_base64(const uint8_t *input, size_t length, uint8_t *output) {
    return length > INT_MAX / 2 ? 0 : (size_t)EVP_EncodeBlock(output, input, (int)length);
}

#endif
