// Sending and receiving descriptors over a Unix socket (unix(7), cmsg(3)). Swift does not import
// the macros for it.
#pragma once

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#ifdef MSG_NOSIGNAL
#define THIMBLE_SEND_FLAGS (MSG_DONTWAIT | MSG_NOSIGNAL)
#else
#define THIMBLE_SEND_FLAGS MSG_DONTWAIT
#endif
#ifdef MSG_CMSG_CLOEXEC
#define THIMBLE_RECEIVE_FLAGS MSG_CMSG_CLOEXEC
#else
#define THIMBLE_RECEIVE_FLAGS 0
#endif

/// Maximum number of descriptors per message.
enum { THIMBLE_MOST_DESCRIPTORS = 16 };

/// Buffer for descriptors, aligned for their header (cmsg(3)).
union thimble_control {
    struct cmsghdr header;
    char room[CMSG_SPACE(THIMBLE_MOST_DESCRIPTORS * sizeof(int))];
};

/// Sends bytes, and up to THIMBLE_MOST_DESCRIPTORS descriptors with the first of them. Never blocks
/// and never raises SIGPIPE. Returns the number of bytes sent, or -1 with errno.
static inline ssize_t thimble_send(
    int socket, const void *_Nonnull bytes, size_t count, const int *_Nullable descriptors,
    size_t descriptor_count) {
    struct iovec vector = {(void *) bytes, count};
    union thimble_control control;
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_iov = &vector;
    message.msg_iovlen = 1;
    if (descriptor_count > 0 && descriptor_count <= THIMBLE_MOST_DESCRIPTORS) {
        size_t length = descriptor_count * sizeof(int);
        memset(&control, 0, sizeof control);
        message.msg_control = control.room;
        message.msg_controllen = CMSG_SPACE(length);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(length);
        memcpy(CMSG_DATA(header), descriptors, length);
    }
    return sendmsg(socket, &message, THIMBLE_SEND_FLAGS);
}

/// Receives available bytes without descriptors. Returns the number of bytes, 0 at the end, or -1
/// with errno; EAGAIN means that no bytes are available yet.
static inline ssize_t thimble_receive_now(int socket, void *_Nonnull bytes, size_t count) {
    return recv(socket, bytes, count, MSG_DONTWAIT);
}

/// Waits for bytes and the descriptors sent with them. `descriptors` must hold
/// THIMBLE_MOST_DESCRIPTORS. Returns the number of bytes, 0 at the end, or -1 with errno; EMSGSIZE
/// if the system dropped descriptors, of which the others are then closed.
static inline ssize_t thimble_receive(
    int socket, void *_Nonnull bytes, size_t count, int *_Nonnull descriptors,
    size_t *_Nonnull descriptor_count) {
    struct iovec vector = {bytes, count};
    union thimble_control control;
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_iov = &vector;
    message.msg_iovlen = 1;
    message.msg_control = control.room;
    message.msg_controllen = sizeof control.room;
    *descriptor_count = 0;
    ssize_t received = recvmsg(socket, &message, THIMBLE_RECEIVE_FLAGS);
    if (received < 0) return received;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS
        && header->cmsg_len >= CMSG_LEN(sizeof(int))) {
        *descriptor_count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        memcpy(descriptors, CMSG_DATA(header), *descriptor_count * sizeof(int));
    }
    if (message.msg_flags & MSG_CTRUNC) {
        for (size_t index = 0; index < *descriptor_count; index += 1) close(descriptors[index]);
        *descriptor_count = 0;
        errno = EMSGSIZE;
        return -1;
    }
    return received;
}
