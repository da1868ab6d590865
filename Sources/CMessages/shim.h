// Messages with a descriptor over a Unix socket (unix(7), cmsg(3)), whose macros Swift does not
// import.
#pragma once

#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

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

/// Room for one descriptor, aligned as its header must be (cmsg(3)).
union thimble_control {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
};

/// Sends bytes, and a descriptor with the first of them when it is not negative. Never waits and
/// never raises SIGPIPE. Returns how many bytes went, or -1 with errno.
static inline ssize_t thimble_send(
    int socket, const void *_Nonnull bytes, size_t count, int descriptor) {
    struct iovec vector = {(void *) bytes, count};
    union thimble_control control;
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_iov = &vector;
    message.msg_iovlen = 1;
    if (descriptor >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.room;
        message.msg_controllen = sizeof control.room;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    return sendmsg(socket, &message, THIMBLE_SEND_FLAGS);
}

/// Receives bytes, waiting for the first, and sets the descriptor that came with them, or -1. What
/// comes beyond one descriptor is dropped by the system. Returns how many bytes came, 0 at the end,
/// or -1 with errno.
static inline ssize_t thimble_receive(
    int socket, void *_Nonnull bytes, size_t count, int *_Nonnull descriptor) {
    struct iovec vector = {bytes, count};
    union thimble_control control;
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_iov = &vector;
    message.msg_iovlen = 1;
    message.msg_control = control.room;
    message.msg_controllen = sizeof control.room;
    *descriptor = -1;
    ssize_t received = recvmsg(socket, &message, THIMBLE_RECEIVE_FLAGS);
    if (received < 0) return received;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS
        && header->cmsg_len >= CMSG_LEN(sizeof(int)))
        memcpy(descriptor, CMSG_DATA(header), sizeof *descriptor);
    return received;
}
