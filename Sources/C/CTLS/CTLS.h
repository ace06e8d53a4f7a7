// libssl: its macros as functions, sockets without SIGPIPE, and one call for all records that have come.
#ifndef WEIR_CTLS_H
#define WEIR_CTLS_H

#include <errno.h>
#include <limits.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

/// How a step ended: with all that was asked for, until the socket is readable or writable, with the client's
/// close_notify or the end of the stream, with an error, or with plain HTTP in place of the handshake.
#define WEIR_TLS_DONE 0
#define WEIR_TLS_WAITS_TO_RECEIVE 1
#define WEIR_TLS_WAITS_TO_SEND 2
#define WEIR_TLS_ENDED 3
#define WEIR_TLS_FAILED 4
#define WEIR_TLS_PLAIN_HTTP 5

/// The bytes of the application that a step has transferred, and how it ended.
typedef struct {
    size_t count;
    int end;
} weir_tls_step;

/// The socket below a session.
struct weir_tls_wire {
    int descriptor;
    /// Whether the socket may be read from: once for each step, so that one client cannot starve the others.
    int may_receive;
    int has_ended;
    /// MSG_MORE while another record follows.
    int send_flags;
};

static inline int weir_tls_wire_read(BIO *bio, char *bytes, int size) {
    struct weir_tls_wire *wire = (struct weir_tls_wire *)BIO_get_data(bio);
    ssize_t count = -1;
    BIO_clear_retry_flags(bio);
    if (wire->may_receive) {
        wire->may_receive = 0;
        do count = recv(wire->descriptor, bytes, (size_t)size, 0);
        while (count < 0 && errno == EINTR);
        if (count == 0) wire->has_ended = 1;
        if (count >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) return (int)count;
    }
    BIO_set_retry_read(bio);
    return -1;
}

static inline int weir_tls_wire_write(BIO *bio, const char *bytes, int size) {
    struct weir_tls_wire *wire = (struct weir_tls_wire *)BIO_get_data(bio);
    ssize_t count;
    BIO_clear_retry_flags(bio);
    do count = send(wire->descriptor, bytes, (size_t)size, MSG_NOSIGNAL | wire->send_flags);
    while (count < 0 && errno == EINTR);
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) BIO_set_retry_write(bio);
    return (int)count;
}

static inline long weir_tls_wire_control(BIO *bio, int command, long number, void *pointer) {
    (void)number, (void)pointer;
    if (command == BIO_CTRL_FLUSH) return 1;
    return command == BIO_CTRL_EOF ? ((struct weir_tls_wire *)BIO_get_data(bio))->has_ended : 0;
}

static inline int weir_tls_wire_destroy(BIO *bio) {
    free(BIO_get_data(bio));
    return 1;
}

/// Makes the method of all sockets below sessions, once for a process; NULL without memory.
static inline BIO_METHOD *weir_tls_wire_method(void) {
    BIO_METHOD *method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "weir");
    if (method == NULL) return NULL;
    BIO_meth_set_read(method, weir_tls_wire_read);
    BIO_meth_set_write(method, weir_tls_wire_write);
    BIO_meth_set_ctrl(method, weir_tls_wire_control);
    BIO_meth_set_destroy(method, weir_tls_wire_destroy);
    return method;
}

/// Selects HTTP/1.1 if the client names protocols; without it the handshake ends (RFC 7301 §3.2).
static inline int weir_tls_select(SSL *session, const unsigned char **protocol, unsigned char *length,
                                  const unsigned char *offered, unsigned int size, void *unused) {
    static const unsigned char http11[9] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
    (void)session, (void)unused;
    int result = SSL_select_next_proto((unsigned char **)protocol, length, http11, sizeof http11, offered, size);
    return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

/// Refuses to decrypt a file; without it libcrypto asks for a password on the terminal.
static inline int weir_tls_no_password(char *buffer, int size, int is_writing, void *context) {
    (void)buffer, (void)size, (void)is_writing, (void)context;
    return -1;
}

/// Why there is no context.
#define WEIR_TLS_NO_CONTEXT 0
#define WEIR_TLS_NO_CERTIFICATE 1
#define WEIR_TLS_REFUSED_CERTIFICATE 2
#define WEIR_TLS_NO_KEY 3
#define WEIR_TLS_OTHER_KEY 4
#define WEIR_TLS_REFUSED_KEY 5

/// Takes the certificate and those that lead to its authority from PEM; returns -1, or why it cannot.
static inline int weir_tls_take_certificates(SSL_CTX *context, BIO *pem) {
    int failure = -1;
    X509 *certificate = PEM_read_bio_X509_AUX(pem, NULL, weir_tls_no_password, NULL);
    if (certificate == NULL) return WEIR_TLS_NO_CERTIFICATE;
    if (SSL_CTX_use_certificate(context, certificate) != 1) failure = WEIR_TLS_REFUSED_CERTIFICATE;
    X509_free(certificate);
    while (failure < 0 && (certificate = PEM_read_bio_X509(pem, NULL, weir_tls_no_password, NULL)) != NULL) {
        if (SSL_CTX_add0_chain_cert(context, certificate) == 1) continue;
        X509_free(certificate);
        failure = WEIR_TLS_REFUSED_CERTIFICATE;
    }
    // The end of the file is an error too: no further start line.
    if (failure < 0 && ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE) failure = WEIR_TLS_NO_CERTIFICATE;
    return failure;
}

/// Takes the key of the certificate from PEM; returns -1, or why it cannot.
static inline int weir_tls_take_key(SSL_CTX *context, BIO *pem) {
    int failure = -1;
    EVP_PKEY *key = PEM_read_bio_PrivateKey(pem, NULL, weir_tls_no_password, NULL);
    if (key == NULL) return WEIR_TLS_NO_KEY;
    ERR_clear_error();
    if (X509_check_private_key(SSL_CTX_get0_certificate(context), key) != 1)
        failure = WEIR_TLS_OTHER_KEY;
    else if (SSL_CTX_use_PrivateKey(context, key) != 1)
        failure = WEIR_TLS_REFUSED_KEY;
    EVP_PKEY_free(key);
    return failure;
}

/// Makes the context of sessions with a certificate and its key in PEM, from TLS `minimum` on.
///
/// NULL if it cannot; then `failure` is why, and `reason` libssl's own text, which quotes nothing, or NULL.
static inline SSL_CTX *weir_tls_context(const uint8_t *certificate, size_t certificate_size, const uint8_t *key,
                                        size_t key_size, int minimum, int *failure, const char **reason) {
    ERR_clear_error();
    *failure = WEIR_TLS_NO_CONTEXT;
    BIO *certificates = certificate_size > INT_MAX ? NULL : BIO_new_mem_buf(certificate, (int)certificate_size);
    BIO *keys = key_size > INT_MAX ? NULL : BIO_new_mem_buf(key, (int)key_size);
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    if (context != NULL && certificates != NULL && keys != NULL
        && SSL_CTX_set_min_proto_version(context, minimum) == 1
        && SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1) {
        // An end without close_notify is an end: the framing of HTTP shows what is missing.
        SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_IGNORE_UNEXPECTED_EOF);
        // A retry of a write can come from another buffer, which holds the same bytes.
        SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
                                      | SSL_MODE_RELEASE_BUFFERS);
        // A record's head and content in one call.
        SSL_CTX_set_read_ahead(context, 1);
        // Sessions are resumed by tickets, which need no memory here.
        SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
        SSL_CTX_set_alpn_select_cb(context, weir_tls_select, NULL);
        *failure = weir_tls_take_certificates(context, certificates);
        if (*failure < 0) *failure = weir_tls_take_key(context, keys);
    }
    *reason = *failure < 0 ? NULL : ERR_reason_error_string(ERR_peek_last_error());
    if (*failure >= 0) {
        SSL_CTX_free(context);
        context = NULL;
    }
    BIO_free(certificates);
    BIO_free(keys);
    ERR_clear_error();
    return context;
}

/// Whether PEM holds a certificate and nothing that is malformed, as libssl reads the authorities of a client.
static inline int weir_tls_holds_certificates(const uint8_t *bytes, size_t size) {
    int count = 0;
    BIO *pem = size > INT_MAX ? NULL : BIO_new_mem_buf(bytes, (int)size);
    STACK_OF(X509_INFO) *items = pem == NULL ? NULL : PEM_X509_INFO_read_bio(pem, NULL, weir_tls_no_password, NULL);
    for (int index = 0; index < sk_X509_INFO_num(items); index++)
        if (sk_X509_INFO_value(items, index)->x509 != NULL) count++;
    sk_X509_INFO_pop_free(items, X509_INFO_free);
    BIO_free(pem);
    ERR_clear_error();
    return count > 0;
}

/// Reads from when until when the certificate of a context is valid, in unix seconds; 0 if it does not say so.
static inline int weir_tls_validity(const SSL_CTX *context, int64_t *from, int64_t *until) {
    const X509 *certificate = SSL_CTX_get0_certificate(context);
    struct tm first, last;
    if (certificate == NULL || ASN1_TIME_to_tm(X509_get0_notBefore(certificate), &first) != 1
        || ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &last) != 1) return 0;
    *from = timegm(&first);
    *until = timegm(&last);
    return 1;
}

/// Makes a session on a socket, which must outlive it; NULL without memory.
///
/// The session is a client of `host`, a name or a numeric address that the certificate must have, or a server without one.
static inline SSL *weir_tls_session(SSL_CTX *context, BIO_METHOD *method, int descriptor, const char *host) {
    struct weir_tls_wire *wire = (struct weir_tls_wire *)calloc(1, sizeof *wire);
    BIO *bio = method == NULL || wire == NULL ? NULL : BIO_new(method);
    SSL *session = bio == NULL ? NULL : SSL_new(context);
    if (session == NULL) {
        BIO_free(bio);
        free(wire);
        ERR_clear_error();
        return NULL;
    }
    wire->descriptor = descriptor;
    BIO_set_data(bio, wire);
    BIO_set_init(bio, 1);
    SSL_set_bio(session, bio, bio);
    if (host == NULL) {
        SSL_set_accept_state(session);
        return session;
    }
    SSL_set_connect_state(session);
    int is_sound = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host) == 1
        || (SSL_set1_host(session, host) == 1 && SSL_set_tlsext_host_name(session, host) == 1);
    ERR_clear_error();
    if (is_sound) return session;
    SSL_free(session);
    return NULL;
}

/// Makes the context of sessions as a client, which trust the certificates in a file in PEM, or the system's without a path;
/// NULL if they cannot be read.
static inline SSL_CTX *weir_tls_client_context(const char *path) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    int is_sound = context != NULL && SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1
        && (path == NULL ? SSL_CTX_set_default_verify_paths(context) : SSL_CTX_load_verify_file(context, path)) == 1;
    ERR_clear_error();
    if (!is_sound) {
        SSL_CTX_free(context);
        return NULL;
    }
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    return context;
}

/// Why the certificate of the server is refused, in libssl's words; NULL if it is not.
static inline const char *weir_tls_refusal(const SSL *session) {
    long result = SSL_get_verify_result(session);
    return result == X509_V_OK ? NULL : X509_verify_cert_error_string(result);
}

/// Removes the errors of this thread: others would take them for their own.
///
/// To clear where there are none took 1,160 instructions for each request.
static inline void weir_tls_forget_errors(void) {
    if (ERR_peek_error() != 0) ERR_clear_error();
}

/// Why a call returned `result`, which is no success; leaves no error behind for others on this thread.
static inline int weir_tls_end(SSL *session, int result) {
    int end = WEIR_TLS_FAILED;
    switch (SSL_get_error(session, result)) {
        case SSL_ERROR_WANT_READ: end = WEIR_TLS_WAITS_TO_RECEIVE; break;
        case SSL_ERROR_WANT_WRITE: end = WEIR_TLS_WAITS_TO_SEND; break;
        case SSL_ERROR_ZERO_RETURN: end = WEIR_TLS_ENDED; break;
        default:
            if (ERR_GET_REASON(ERR_peek_error()) == SSL_R_HTTP_REQUEST) end = WEIR_TLS_PLAIN_HTTP;
    }
    weir_tls_forget_errors();
    return end;
}

/// Reads from the socket once, and decrypts all records that are complete, at first those of the handshake.
///
/// What is left is the beginning of a record, so the next event is one of the socket. `size` must be 32 KiB at least, twice
/// what libssl holds.
static inline weir_tls_step weir_tls_receive(SSL *session, void *bytes, size_t size) {
    weir_tls_step step = {0, WEIR_TLS_DONE};
    ((struct weir_tls_wire *)BIO_get_data(SSL_get_rbio(session)))->may_receive = 1;
    weir_tls_forget_errors();
    while (step.count < size && step.end == WEIR_TLS_DONE) {
        size_t count = 0;
        int result = SSL_read_ex(session, (char *)bytes + step.count, size - step.count, &count);
        if (result != 1) step.end = weir_tls_end(session, result);
        step.count += count;
        // Without this a call for what cannot be there makes a buffer and frees it.
        if (result == 1 && !SSL_has_pending(session)) break;
    }
    return step;
}

/// Encrypts and sends bytes, in records of at most 16 KiB, until the socket takes no more.
///
/// A record that the socket took in part counts as not sent; the next call must begin with its bytes. With `more`, other
/// bytes follow at once.
static inline weir_tls_step weir_tls_send(SSL *session, const void *bytes, size_t size, int more) {
    weir_tls_step step = {0, WEIR_TLS_DONE};
    ((struct weir_tls_wire *)BIO_get_data(SSL_get_wbio(session)))->send_flags = more ? MSG_MORE : 0;
    weir_tls_forget_errors();
    while (step.count < size && step.end == WEIR_TLS_DONE) {
        size_t count = 0;
        int result = SSL_write_ex(session, (const char *)bytes + step.count, size - step.count, &count);
        if (result == 1) step.count += count;
        else step.end = weir_tls_end(session, result);
    }
    return step;
}

/// Sends close_notify if the socket takes it, unless the handshake is not complete.
static inline void weir_tls_finish(SSL *session) {
    ((struct weir_tls_wire *)BIO_get_data(SSL_get_wbio(session)))->send_flags = 0;
    if (SSL_is_init_finished(session)) SSL_shutdown(session);
    weir_tls_forget_errors();
}

#endif
