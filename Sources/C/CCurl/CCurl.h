// One typed wrapper for each signature of libcurl's variadic functions, which Swift cannot call.
#ifndef WEIR_CCURL_H
#define WEIR_CCURL_H

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

typedef size_t (*weir_write_function)(char *_Nonnull bytes, size_t size, size_t count, void *_Nonnull context);
typedef int (*weir_socket_function)(CURL *easy, curl_socket_t socket, int what, void *_Nonnull context,
                                    void *socket_context);
typedef int (*weir_timer_function)(CURLM *multi, long milliseconds, void *_Nonnull context);

typedef int (*weir_close_function)(void *_Nonnull context, curl_socket_t socket);
typedef curl_socket_t (*weir_open_function)(void *_Nonnull context, curlsocktype purpose,
                                            struct curl_sockaddr *_Nonnull address);
typedef int (*weir_before_request_function)(void *_Nonnull context, char *remote_ip, char *local_ip, int remote_port,
                                            int local_port);
typedef int (*weir_debug_function)(CURL *easy, curl_infotype type, char *_Nonnull bytes, size_t count,
                                   void *_Nonnull context);

/// Memory of zeros, from `malloc`: the `calloc` of glibc 2.36 does not look among the blocks that the thread has freed.
static inline void *weir_zeroed(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
    void *memory = malloc(bytes);
    __asm__("" : "+r"(memory));  // Otherwise the compiler makes a call of `calloc` from the two.
    return memory != NULL ? memset(memory, 0, bytes) : NULL;
}

/// Starts libcurl in this process; must be called before any other of its functions.
static inline CURLcode weir_start_curl(void) {
    return curl_global_init_mem(CURL_GLOBAL_DEFAULT, malloc, free, realloc, strdup, weir_zeroed);
}

static inline CURLcode weir_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode weir_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode weir_set_url(CURL *easy, CURLU *_Nonnull url) {
    return curl_easy_setopt(easy, CURLOPT_CURLU, url);
}
/// Makes a transfer refuse all protocols but http and https; libcurl's newer option is a text that it parses each time.
static inline CURLcode weir_set_web_protocols(CURL *easy) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#pragma clang diagnostic pop
}
static inline CURLcode weir_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode weir_set_writer(CURL *easy, weir_write_function function, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, function);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}
static inline CURLcode weir_set_error_buffer(CURL *easy, char *buffer) {
    return curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, buffer);
}
static inline CURLcode weir_set_closer(CURL *easy, weir_close_function function, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, function);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context);
}
static inline CURLcode weir_set_opener(CURL *easy, weir_open_function function, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
}
static inline CURLcode weir_set_before_request(CURL *easy, weir_before_request_function function, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
}
static inline CURLcode weir_set_debug(CURL *easy, weir_debug_function function, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, function);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_DEBUGDATA, context);
}
static inline CURLcode weir_set_private(CURL *easy, void *value) {
    return curl_easy_setopt(easy, CURLOPT_PRIVATE, value);
}
static inline void *weir_get_private(CURL *easy) {
    void *value = NULL;
    return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}
static inline CURLcode weir_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode weir_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode weir_get_socket(CURL *easy, CURLINFO info, curl_socket_t *value) {
    return curl_easy_getinfo(easy, info, value);
}
/// Whether libcurl has a text for `info`.
static inline int weir_has_text(CURL *easy, CURLINFO info) {
    char *text = NULL;
    return curl_easy_getinfo(easy, info, &text) == CURLE_OK && text != NULL;
}

/// Copies the bytes of an IP address in network order to `bytes`, and returns their number; 0 for another family.
///
/// By their offsets in `sockaddr_in` and `sockaddr_in6`: their header would become a part of this module for Swift.
static inline int weir_address_bytes(const struct curl_sockaddr *_Nonnull address, unsigned char bytes[_Nonnull 16]) {
    const unsigned char *start = (const unsigned char *)&address->addr;
    if (address->family == AF_INET) {
        __builtin_memcpy(bytes, start + 4, 4);
        return 4;
    }
    if (address->family == AF_INET6) {
        __builtin_memcpy(bytes, start + 8, 16);
        return 16;
    }
    return 0;
}

/// Opens a socket as libcurl does, but without leaving it to child processes.
static inline curl_socket_t weir_open_socket(const struct curl_sockaddr *_Nonnull address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// OpenSSL's, of the library that libcurl uses; declared here, so that its headers are not needed.
extern int SSL_has_pending(const void *ssl);
extern int SSL_version(const void *ssl);
extern unsigned long ERR_peek_last_error(void);
extern void ERR_error_string_n(unsigned long code, char *text, size_t size);

/// The OpenSSL connection of a transfer; NULL without TLS.
static inline const void *weir_tls(CURL *easy) {
    struct curl_tlssessioninfo *session = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || session == NULL) return NULL;
    return session->backend == CURLSSLBACKEND_OPENSSL ? session->internals : NULL;
}

/// Whether the transfer's connection speaks TLS 1.3.
static inline int weir_is_tls13(CURL *easy) {
    const void *tls = weir_tls(easy);
    return tls != NULL && SSL_version(tls) == 0x0304;
}

/// Copies OpenSSL's text for the last error of this thread to `text`; libcurl clears it before it reads and writes.
static inline void weir_get_tls_error(char *_Nonnull text, size_t size) {
    unsigned long code = ERR_peek_last_error();
    if (code != 0) ERR_error_string_n(code, text, size);
}

/// Whether TLS has bytes of the transfer's connection that libcurl has not read.
static inline int weir_has_unread_tls(CURL *easy) {
    const void *tls = weir_tls(easy);
    return tls != NULL && SSL_has_pending(tls);
}

static inline CURLMcode weir_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode weir_multi_set_socket(CURLM *multi, weir_socket_function function, void *context) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
    return code != CURLM_OK ? code : curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
}
static inline CURLMcode weir_multi_set_timer(CURLM *multi, weir_timer_function function, void *context) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
    return code != CURLM_OK ? code : curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}

/// Returns the port that a socket is bound to; 0 if it has none.
static inline int weir_local_port(curl_socket_t socket) {
    struct sockaddr_storage address = {0};
    socklen_t size = sizeof address;
    if (getsockname(socket, (struct sockaddr *)&address, &size) != 0) return 0;
    if (address.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&address)->sin_port);
    if (address.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
    return 0;
}

/// Returns the number of bytes that a TCP connection has received; 0 if the kernel does not know it.
///
/// By the offset of `tcpi_bytes_received` in the kernel's `tcp_info`, which the C library's header does not have.
static inline long weir_received_bytes(curl_socket_t socket) {
    unsigned char info[136] = {0};
    socklen_t size = sizeof info;
    unsigned long long count = 0;
    if (getsockopt(socket, IPPROTO_TCP, 11 /* TCP_INFO */, info, &size) != 0 || size < sizeof info) return 0;
    __builtin_memcpy(&count, info + 128, sizeof count);
    return (long)count;
}

/// Returns the next finished transfer of the multi handle and sets its result; NULL if there is none.
static inline CURL *weir_multi_next_done(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}

#endif
