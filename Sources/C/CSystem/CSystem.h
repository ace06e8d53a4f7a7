// Linux calls that Swift cannot reach on its own: those that glibc's module map leaves out, or that take unions.
#ifndef WEIR_CSYSTEM_H
#define WEIR_CSYSTEM_H

#include <endian.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

// These need _GNU_SOURCE, which the importing module may not have set.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
extern int sched_getaffinity(int process, size_t size, void *mask);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
extern int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes);

/// The address of a connection's other end; of a Unix socket `family` only.
struct weir_peer {
    uint16_t family;
    uint16_t port;
    uint64_t high, low;
};

/// Accepts a connection, and fills in the address of its other end, in this machine's byte order.
static inline int weir_accept(int listener, struct weir_peer *peer) {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } name;
    socklen_t length = sizeof name;
    name.any.sa_family = AF_UNIX;
    int descriptor = accept4(listener, &name.any, &length, 04000 | 02000000);  // SOCK_NONBLOCK | SOCK_CLOEXEC
    if (descriptor < 0) return descriptor;
    peer->family = name.any.sa_family;
    if (peer->family == AF_INET) {
        peer->low = ntohl(name.v4.sin_addr.s_addr);
        peer->port = ntohs(name.v4.sin_port);
    } else if (peer->family == AF_INET6) {
        memcpy(&peer->high, &name.v6.sin6_addr, 8);
        memcpy(&peer->low, (const char *)&name.v6.sin6_addr + 8, 8);
        peer->high = be64toh(peer->high);
        peer->low = be64toh(peer->low);
        peer->port = ntohs(name.v6.sin6_port);
    }
    return descriptor;
}

/// How many processors this process may run on; 0 when the kernel does not say.
static inline int weir_affinity_count(void) {
    unsigned long mask[1024 / sizeof(unsigned long)];
    memset(mask, 0, sizeof mask);
    if (sched_getaffinity(0, sizeof mask, mask) != 0) return 0;
    int count = 0;
    for (size_t i = 0; i < sizeof mask / sizeof *mask; i++) count += __builtin_popcountl(mask[i]);
    return count;
}

/// Makes all threads share the first of glibc's arenas.
static inline void weir_use_one_arena(void) {
#if defined(__GLIBC__)
    mallopt(M_ARENA_MAX, 1);
#endif
}

/// Lets glibc's allocator keep up to `bytes` of freed memory at the end of each arena, ask for `step` more at a time, and map
/// blocks of `largest` bytes and more on their own.
static inline void weir_keep_freed_memory(int bytes, int step, int largest) {
#if defined(__GLIBC__)
    mallopt(M_TRIM_THRESHOLD, bytes);
    mallopt(M_TOP_PAD, step);
    mallopt(M_MMAP_THRESHOLD, largest);
#else
    (void)bytes, (void)step, (void)largest;
#endif
}

/// Gives the freed memory of all arenas back to the kernel.
static inline void weir_release_freed_memory(void) {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

/// The lowest address of the calling thread's stack; 0 when the system does not say.
static inline uintptr_t weir_stack_end(void) {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
    void *address = NULL;
    size_t size = 0;
    int failure = pthread_attr_getstack(&attributes, &address, &size);
    pthread_attr_destroy(&attributes);
    return failure != 0 ? 0 : (uintptr_t)address;
}

/// An address in the calling function's frame on that stack. AddressSanitizer may keep local variables elsewhere.
static inline __attribute__((always_inline)) uintptr_t weir_stack_here(void) {
    return (uintptr_t)__builtin_frame_address(0);
}

/// Sends two buffers as one, without raising SIGPIPE.
static inline ssize_t weir_send_both(int socket, const void *first, size_t first_size, const void *second,
                                     size_t second_size) {
    struct iovec parts[2] = {{(void *)first, first_size}, {(void *)second, second_size}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

static inline int weir_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t data) {
    struct epoll_event event;
    event.events = events;
    event.data.u64 = data;
    return epoll_ctl(epoll, operation, descriptor, &event);
}

static inline uint64_t weir_epoll_data(const struct epoll_event *event) { return event->data.u64; }

#endif
