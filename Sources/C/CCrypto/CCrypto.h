// libcrypto's functions with the types that Swift has for sizes and bytes.
#ifndef WEIR_CCRYPTO_H
#define WEIR_CCRYPTO_H

#include <limits.h>
#include <openssl/bn.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define WEIR_SHA1_BYTES 20

/// Writes the HMAC-SHA1 (RFC 2104) of `message` to the 20 bytes at `output`; returns 0 if libcrypto refuses.
static inline int weir_hmac_sha1(const uint8_t *key, size_t key_length, const uint8_t *message, size_t length,
                                 uint8_t *output) {
    unsigned int written = 0;
    if (key_length > INT_MAX) return 0;
    return HMAC(EVP_sha1(), key, (int)key_length, message, length, output, &written) != NULL
        && written == WEIR_SHA1_BYTES;
}

/// Writes the SHA-1 or, for 32 bytes of output, the SHA-256 (FIPS 180-4) of `message`; returns 0 if libcrypto refuses.
static inline int weir_sha(const uint8_t *message, size_t length, uint8_t *output, size_t size) {
    return EVP_Digest(message, length, output, NULL, size == WEIR_SHA1_BYTES ? EVP_sha1() : EVP_sha256(), NULL);
}

/// The size of the buffer for the base64 of `length` bytes, with the NUL that libcrypto appends.
static inline size_t weir_base64_bound(size_t length) { return (length + 2) / 3 * 4 + 1; }

/// Writes the base64 (RFC 4648 §4) of `input` to `output` and returns its length without the NUL; 0 if it is too long.
static inline size_t weir_base64(const uint8_t *input, size_t length, uint8_t *output) {
    return length > INT_MAX / 2 ? 0 : (size_t)EVP_EncodeBlock(output, input, (int)length);
}

/// The size of a signature with ES256: R and S in 32 bytes each (RFC 7518 §3.4).
#define WEIR_ES256_BYTES 64

/// Why there is no signature.
#define WEIR_ES256_NO_KEY 0
#define WEIR_ES256_OTHER_KEY (-1)
#define WEIR_ES256_FAILED (-2)

/// Refuses to decrypt a key; without it libcrypto asks for a password on the terminal.
static inline int weir_no_password(char *buffer, int size, int is_writing, void *context) {
    (void)buffer, (void)size, (void)is_writing, (void)context;
    return -1;
}

/// Writes the 64 bytes that the DER of an ECDSA signature means to `output`; returns 0 if it is malformed.
static inline int weir_es256_raw(const uint8_t *der, size_t length, uint8_t *output) {
    ECDSA_SIG *signature = d2i_ECDSA_SIG(NULL, &der, (long)length);
    int is_done = signature != NULL && BN_bn2binpad(ECDSA_SIG_get0_r(signature), output, 32) == 32
        && BN_bn2binpad(ECDSA_SIG_get0_s(signature), output + 32, 32) == 32;
    ECDSA_SIG_free(signature);
    return is_done;
}

/// Returns 1 if the number of a private key is within its range and belongs to the public key; signing checks neither.
static inline int weir_is_sound(EVP_PKEY *key) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    int is_sound = context != NULL && EVP_PKEY_check(context) == 1;
    EVP_PKEY_CTX_free(context);
    return is_sound;
}

/// Writes the ECDSA signature of the SHA-256 of `message` to the 64 bytes at `output`; returns 1, or why it cannot.
///
/// `pem` is an unencrypted private key on the curve P-256 in PEM.
static inline int weir_es256(const uint8_t *pem, size_t pem_length, const uint8_t *message, size_t length,
                             uint8_t *output) {
    char group[32] = "";
    uint8_t der[128];
    size_t der_length = sizeof der;
    int result = WEIR_ES256_NO_KEY;
    BIO *input = pem_length > INT_MAX ? NULL : BIO_new_mem_buf(pem, (int)pem_length);
    EVP_PKEY *key = input == NULL ? NULL : PEM_read_bio_PrivateKey(input, NULL, weir_no_password, NULL);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (key != NULL) {
        result = WEIR_ES256_OTHER_KEY;
        if (EVP_PKEY_get_group_name(key, group, sizeof group, NULL) == 1 && strcmp(group, SN_X9_62_prime256v1) == 0) {
            int is_done = context != NULL && weir_is_sound(key)
                && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1
                && EVP_DigestSign(context, der, &der_length, message, length) == 1
                && weir_es256_raw(der, der_length, output);
            result = is_done ? 1 : WEIR_ES256_FAILED;
        }
    }
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    BIO_free(input);
    // TLS connections on this thread would take what is left for their own errors.
    ERR_clear_error();
    return result;
}

#endif
