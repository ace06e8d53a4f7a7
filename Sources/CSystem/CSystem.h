// What Swift cannot reach on its own: Linux calls that glibc's module map leaves out, and 16-byte scans.
#ifndef WEIR_CSYSTEM_H
#define WEIR_CSYSTEM_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

// These need _GNU_SOURCE, which the importing module may not have set.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
extern int sched_getaffinity(int process, size_t size, void *mask);
extern int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes);

static inline int weir_accept(int listener) {
    return accept4(listener, NULL, NULL, 04000 | 02000000);  // SOCK_NONBLOCK | SOCK_CLOEXEC
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

static inline int weir_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t data) {
    struct epoll_event event;
    event.events = events;
    event.data.u64 = data;
    return epoll_ctl(epoll, operation, descriptor, &event);
}

static inline uint64_t weir_epoll_data(const struct epoll_event *event) { return event->data.u64; }
static inline uint32_t weir_epoll_events(const struct epoll_event *event) { return event->events; }

/// The first byte in [p, end) that a JSON string may not pass over unseen: a quote, a backslash, a control
/// character or a byte that is not ASCII. Returns `end` when there is none.
static inline const uint8_t *weir_scan_string(const uint8_t *p, const uint8_t *end) {
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), space = _mm_set1_epi8(0x20);
    while (end - p >= 16) {
        __m128i block = _mm_loadu_si128((const __m128i *)p);
        // Signed comparison: bytes of 0x80 and above are negative, so they count as below a space too.
        __m128i stop = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(block, quote), _mm_cmpeq_epi8(block, backslash)),
                                    _mm_cmplt_epi8(block, space));
        int mask = _mm_movemask_epi8(stop);
        if (mask) return p + __builtin_ctz((unsigned)mask);
        p += 16;
    }
#elif defined(__ARM_NEON)
    const uint8x16_t quote = vdupq_n_u8('"'), backslash = vdupq_n_u8('\\');
    const int8x16_t space = vdupq_n_s8(0x20);
    while (end - p >= 16) {
        uint8x16_t block = vld1q_u8(p);
        uint8x16_t stop = vorrq_u8(vorrq_u8(vceqq_u8(block, quote), vceqq_u8(block, backslash)),
                                   vcltq_s8(vreinterpretq_s8_u8(block), space));
        uint64_t nibbles = vget_lane_u64(
            vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(stop), 4)), 0);
        if (nibbles) return p + (__builtin_ctzll(nibbles) >> 2);
        p += 16;
    }
#endif
    while (p < end && *p != '"' && *p != '\\' && *p >= 0x20 && *p < 0x80) p++;
    return p;
}

/// Like `weir_scan_string`, but bytes that are not ASCII pass: for text already known to be UTF-8.
static inline const uint8_t *weir_scan_escapes(const uint8_t *p, const uint8_t *end) {
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), control = _mm_set1_epi8(0x1f);
    while (end - p >= 16) {
        __m128i block = _mm_loadu_si128((const __m128i *)p);
        __m128i stop = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(block, quote), _mm_cmpeq_epi8(block, backslash)),
                                    _mm_cmpeq_epi8(_mm_min_epu8(block, control), block));
        int mask = _mm_movemask_epi8(stop);
        if (mask) return p + __builtin_ctz((unsigned)mask);
        p += 16;
    }
#endif
    while (p < end && *p != '"' && *p != '\\' && *p >= 0x20) p++;
    return p;
}

#endif
