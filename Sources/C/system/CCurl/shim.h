// Typed setters and getters of libcurl, whose own are variadic, which Swift cannot call.
#pragma once

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

/// curl_easy_setopt(3) with a long.
static inline CURLcode thimble_curl_set_number(
    CURL *_Nonnull handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

/// curl_easy_setopt(3) with a file offset or length.
static inline CURLcode thimble_curl_set_length(
    CURL *_Nonnull handle, CURLoption option, int64_t value) {
    return curl_easy_setopt(handle, option, (curl_off_t) value);
}

/// curl_easy_setopt(3) with a text, which libcurl copies.
static inline CURLcode thimble_curl_set_text(
    CURL *_Nonnull handle, CURLoption option, const char *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

/// curl_easy_setopt(3) with a list, which must outlive the transfer.
static inline CURLcode thimble_curl_set_list(
    CURL *_Nonnull handle, CURLoption option, struct curl_slist *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

/// curl_easy_setopt(3) with a pointer for callbacks.
static inline CURLcode thimble_curl_set_context(
    CURL *_Nonnull handle, CURLoption option, void *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

/// Receives or supplies `size * count` bytes.
typedef size_t (*thimble_curl_bytes)(
    char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);

static inline CURLcode thimble_curl_set_bytes_function(
    CURL *_Nonnull handle, CURLoption option, thimble_curl_bytes _Nonnull function) {
    return curl_easy_setopt(handle, option, function);
}

static inline CURLcode thimble_curl_set_seek_function(
    CURL *_Nonnull handle,
    int (*_Nonnull function)(void *_Nullable context, curl_off_t offset, int origin)) {
    return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, function);
}

/// Creates the socket of a connection, or refuses it with CURL_SOCKET_BAD.
typedef curl_socket_t (*thimble_curl_socket)(
    void *_Nullable context, curlsocktype purpose, struct curl_sockaddr *_Nonnull address);

static inline CURLcode thimble_curl_set_socket_function(
    CURL *_Nonnull handle, thimble_curl_socket _Nonnull function) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, function);
}

/// curl_multi_setopt(3) with a long.
static inline CURLMcode thimble_curl_multi_set_number(
    CURLM *_Nonnull multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/// curl_easy_getinfo(3) with a long; -1 on failure.
static inline long thimble_curl_number(CURL *_Nonnull handle, CURLINFO info) {
    long value = -1;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : -1;
}

/// curl_easy_getinfo(3) with a time in microseconds, or a length; -1 on failure.
static inline int64_t thimble_curl_length(CURL *_Nonnull handle, CURLINFO info) {
    curl_off_t value = -1;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : -1;
}

/// Result of a finished transfer; the field of the message is a union.
static inline CURLcode thimble_curl_result(const CURLMsg *_Nonnull message) {
    return message->data.result;
}

/// Copies the address to which a connection is about to be made. Returns its length, 4 or 16; 0
/// for other families. The structure that libcurl declares is shorter than the address in it.
static inline size_t thimble_curl_address(
    const struct curl_sockaddr *_Nonnull address, uint8_t bytes[_Nonnull 16],
    uint16_t *_Nonnull port) {
    if (address->family == AF_INET && address->addrlen >= sizeof(struct sockaddr_in)) {
        struct sockaddr_in in;
        memcpy(&in, &address->addr, sizeof in);
        memcpy(bytes, &in.sin_addr, 4);
        *port = ntohs(in.sin_port);
        return 4;
    }
    if (address->family == AF_INET6 && address->addrlen >= sizeof(struct sockaddr_in6)) {
        struct sockaddr_in6 in;
        memcpy(&in, &address->addr, sizeof in);
        memcpy(bytes, &in.sin6_addr, 16);
        *port = ntohs(in.sin6_port);
        return 16;
    }
    return 0;
}

/// File of certificate authorities that libcurl was built for; null without one.
static inline const char *_Nullable thimble_curl_authorities(void) {
    return curl_version_info(CURLVERSION_NOW)->cainfo;
}

/// Sets the stack size of threads that libraries start, where the C library can.
static inline void thimble_curl_set_stacks(size_t bytes) {
#ifdef __GLIBC__
    extern int pthread_setattr_default_np(const pthread_attr_t *);
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return;
    if (pthread_attr_setstacksize(&attributes, bytes) == 0) pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
#else
    (void) bytes;
#endif
}
