// What Swift cannot reach on its own: Linux calls that glibc's module map leaves out, and 16-byte scans.
#ifndef WEIR_CSYSTEM_H
#define WEIR_CSYSTEM_H

#include <errno.h>
#include <malloc.h>
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

/// Lets the allocator keep up to `bytes` of freed memory at the end of each arena, and ask for `step` more at a time.
static inline void weir_keep_freed_memory(int bytes, int step) {
    mallopt(M_TRIM_THRESHOLD, bytes);
    mallopt(M_TOP_PAD, step);
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

// So that Swift sees no optional pointers below.
#pragma clang assume_nonnull begin

#if defined(__SSE2__)
typedef __m128i weir_block;
static inline weir_block weir_load(const uint8_t *p) { return _mm_loadu_si128((const __m128i *)p); }
static inline void weir_store(uint8_t *p, weir_block block) { _mm_storeu_si128((__m128i *)p, block); }
static inline weir_block weir_equal(weir_block block, uint8_t byte) {
    return _mm_cmpeq_epi8(block, _mm_set1_epi8((char)byte));
}
static inline weir_block weir_at_most(weir_block block, uint8_t byte) {
    return _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8((char)byte)), block);
}
static inline weir_block weir_or(weir_block a, weir_block b) { return _mm_or_si128(a, b); }
static inline weir_block weir_and(weir_block a, weir_block b) { return _mm_and_si128(a, b); }
/// Where not, in a block, `mask` has all bits set: 0 to 15, or 16 when it has them everywhere.
static inline int weir_run(weir_block mask) { return __builtin_ctz(~(unsigned)_mm_movemask_epi8(mask)); }
/// Where `mask` first has bits set: 0 to 15, or 16 when it has none.
static inline int weir_first(weir_block mask) { return __builtin_ctz((unsigned)_mm_movemask_epi8(mask) | 0x10000); }
/// A bit for each byte of a block that is no decimal digit, and one more behind them.
static inline unsigned weir_others_than_digits(weir_block block) {
    // Wrapping: '0' to '9' become the ten smallest numbers.
    weir_block digits = weir_at_most(_mm_sub_epi8(block, _mm_set1_epi8('0')), 9);
    return ~(unsigned)_mm_movemask_epi8(digits) & 0xffff | 0x10000;
}
/// Where a quote, a backslash, a control character or a byte beyond ASCII stands. Signed comparison: bytes of 0x80
/// and above are negative, so they count as below a space too.
static inline weir_block weir_special(weir_block block) {
    weir_block quoted = weir_or(weir_equal(block, '"'), weir_equal(block, '\\'));
    return weir_or(quoted, _mm_cmplt_epi8(block, _mm_set1_epi8(0x20)));
}
#define WEIR_BLOCKS 1
#elif defined(__ARM_NEON)
typedef uint8x16_t weir_block;
static inline weir_block weir_load(const uint8_t *p) { return vld1q_u8(p); }
static inline void weir_store(uint8_t *p, weir_block block) { vst1q_u8(p, block); }
static inline weir_block weir_equal(weir_block block, uint8_t byte) { return vceqq_u8(block, vdupq_n_u8(byte)); }
static inline weir_block weir_at_most(weir_block block, uint8_t byte) { return vcleq_u8(block, vdupq_n_u8(byte)); }
static inline weir_block weir_or(weir_block a, weir_block b) { return vorrq_u8(a, b); }
static inline weir_block weir_and(weir_block a, weir_block b) { return vandq_u8(a, b); }
static inline uint64_t weir_nibbles(weir_block mask) {
    return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(mask), 4)), 0);
}
static inline int weir_run(weir_block mask) {
    uint64_t nibbles = ~weir_nibbles(mask);
    return nibbles ? __builtin_ctzll(nibbles) >> 2 : 16;
}
static inline int weir_first(weir_block mask) {
    uint64_t nibbles = weir_nibbles(mask);
    return nibbles ? __builtin_ctzll(nibbles) >> 2 : 16;
}
static inline unsigned weir_others_than_digits(weir_block block) {
    static const uint8_t bits[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    weir_block others = vandq_u8(vmvnq_u8(weir_at_most(vsubq_u8(block, vdupq_n_u8('0')), 9)), vld1q_u8(bits));
    return (unsigned)vaddv_u8(vget_low_u8(others)) | (unsigned)vaddv_u8(vget_high_u8(others)) << 8 | 0x10000;
}
static inline weir_block weir_special(weir_block block) {
    weir_block quoted = weir_or(weir_equal(block, '"'), weir_equal(block, '\\'));
    return weir_or(quoted, vcltq_s8(vreinterpretq_s8_u8(block), vdupq_n_s8(0x20)));
}
#define WEIR_BLOCKS 1
#endif

/// Whether `a` and `b`, of which 32 bytes each can be read, have the first `length` bytes in common, or as many as were read.
static inline _Bool weir_equal_starts(const uint8_t *a, const uint8_t *b, long length) {
#if defined(__SSE2__)
    // Without a branch that depends on the length.
    unsigned equal = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(weir_load(a), weir_load(b)))
        | (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(weir_load(a + 16), weir_load(b + 16))) << 16;
    return __builtin_ctzll(~(uint64_t)equal) >= (length < 32 ? length : 32);
#else
    return memcmp(a, b, (size_t)(length < 32 ? length : 32)) == 0;
#endif
}

/// The first byte in [p, end) that a JSON string may not pass over unseen: a quote, a backslash, a control
/// character or a byte that is not ASCII. Returns `end` when there is none.
static inline const uint8_t *weir_scan_string(const uint8_t *p, const uint8_t *end) {
#if defined(__SSE2__)
    // Two blocks at once: most strings end there, and a branch less is guessed wrong.
    while (end - p >= 32) {
        unsigned low = (unsigned)_mm_movemask_epi8(weir_special(weir_load(p)));
        unsigned stops = low | (unsigned)_mm_movemask_epi8(weir_special(weir_load(p + 16))) << 16;
        if (stops) return p + __builtin_ctz(stops);
        p += 32;
    }
#endif
#if defined(WEIR_BLOCKS)
    while (end - p >= 16) {
        int stop = weir_first(weir_special(weir_load(p)));
        if (stop < 16) return p + stop;
        p += 16;
    }
#endif
    while (p < end && *p != '"' && *p != '\\' && *p >= 0x20 && *p < 0x80) p++;
    return p;
}

/// Like `weir_scan_string`, but bytes that are not ASCII pass: for text already known to be UTF-8.
static inline const uint8_t *weir_scan_escapes(const uint8_t *p, const uint8_t *end) {
#if defined(WEIR_BLOCKS)
    while (end - p >= 16) {
        weir_block block = weir_load(p);
        weir_block quoted = weir_or(weir_equal(block, '"'), weir_equal(block, '\\'));
        int stop = weir_first(weir_or(quoted, weir_at_most(block, 0x1f)));
        if (stop < 16) return p + stop;
        p += 16;
    }
#endif
    while (p < end && *p != '"' && *p != '\\' && *p >= 0x20) p++;
    return p;
}

/// Where the run of decimal digits at `p` ends.
static inline const uint8_t *weir_skip_digits(const uint8_t *p, const uint8_t *end) {
    while (p < end && (uint8_t)(*p - '0') < 10) p++;
    return p;
}

/// Where the plain decimal at `p`, digits or digits with a point between them, ends; `p` itself when it is not plain:
/// with a leading zero too many, without digits, with an exponent, too near to `end` or longer than a block.
/// `is_integer` says whether it has no point.
static inline const uint8_t *weir_scan_decimal(const uint8_t *p, const uint8_t *end, int *is_integer) {
#if defined(WEIR_BLOCKS)
    if (end - p < 17) return p;
    unsigned others = weir_others_than_digits(weir_load(p));
    unsigned whole = (unsigned)__builtin_ctz(others);
    if (whole == 0 || whole == 16 || (*p == '0' && whole > 1)) return p;
    const uint8_t *stop = p + whole;
    if (*stop == '.') {
        unsigned length = (unsigned)__builtin_ctz(others & (others - 1));
        if (length == whole + 1 || length == 16) return p;
        stop = p + length;
        *is_integer = 0;
    } else {
        *is_integer = 1;
    }
    return (*stop | 0x20) == 'e' ? p : stop;
#else
    return p;
#endif
}

/// Where the white space of JSON that begins at `p` ends.
static inline const uint8_t *weir_skip_space(const uint8_t *p, const uint8_t *end) {
    if (p < end && *p > 0x20) return p;
#if defined(WEIR_BLOCKS)
    while (end - p >= 16) {
        weir_block block = weir_load(p);
        weir_block inside = weir_or(weir_equal(block, ' '), weir_equal(block, '\n'));
        weir_block rare = weir_or(weir_equal(block, '\r'), weir_equal(block, '\t'));
        int run = weir_run(weir_or(inside, rare));
        p += run;
        if (run < 16) return p;
    }
#endif
    while (p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')) p++;
    return p;
}

/// Where the run of three-byte sequences of UTF-8 that begins at `p` ends, as far as it is easily seen: sequences
/// that start with E0 or ED are left to a closer look.
static inline const uint8_t *weir_skip_three_byte_sequences(const uint8_t *p, const uint8_t *end) {
#if defined(WEIR_BLOCKS)
    static const uint8_t bits[16] = {0xf0, 0xc0, 0xc0, 0xf0, 0xc0, 0xc0, 0xf0, 0xc0,
                                     0xc0, 0xf0, 0xc0, 0xc0, 0xf0, 0xc0, 0xc0, 0};
    static const uint8_t values[16] = {0xe0, 0x80, 0x80, 0xe0, 0x80, 0x80, 0xe0, 0x80,
                                       0x80, 0xe0, 0x80, 0x80, 0xe0, 0x80, 0x80, 1};
    const weir_block mask = weir_load(bits), expected = weir_load(values);
    while (end - p >= 16) {
        weir_block block = weir_load(p);
#if defined(__SSE2__)
        weir_block fits = _mm_cmpeq_epi8(weir_and(block, mask), expected);
        fits = _mm_andnot_si128(weir_or(weir_equal(block, 0xe0), weir_equal(block, 0xed)), fits);
#else
        weir_block fits = vceqq_u8(weir_and(block, mask), expected);
        fits = vbicq_u8(fits, weir_or(weir_equal(block, 0xe0), weir_equal(block, 0xed)));
#endif
        // A run of 0 to 15 bytes; whole sequences only.
        int run = weir_run(fits);
        if (run < 15) return p + (run * 11 >> 5) * 3;
        p += 15;
    }
#endif
    return p;
}

/// Copies `length` bytes, by whole blocks where up to 15 bytes more may be read before `end`; the room at `to` must
/// have 15 bytes to spare.
static inline void weir_copy(uint8_t *to, const uint8_t *from, size_t length, const uint8_t *end) {
#if defined(WEIR_BLOCKS)
    if (length <= 128 && (size_t)(end - from) >= length + 15) {
        size_t done = 0;
        do {
            weir_store(to + done, weir_load(from + done));
            done += 16;
        } while (done < length);
        return;
    }
#endif
    memcpy(to, from, length);
}

/// The two digits of each number below 100.
static const char weir_digit_pairs[201] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354"
    "5556575859606162636465666768697071727374757677787980818283848586878889909192939495969798" "99";

/// The four digits of a number below 10000 in the bytes of a word, the first one lowest.
static inline uint32_t weir_four_digits(uint32_t number) {
    uint16_t high, low;
    memcpy(&high, weir_digit_pairs + number / 100 * 2, 2);
    memcpy(&low, weir_digit_pairs + number % 100 * 2, 2);
    return high | (uint32_t)low << 16;
}

/// Writes `value` in decimal, two digits at a time, and returns how many; the room at `to` must be 20 bytes.
static inline size_t weir_write_decimal(uint8_t *to, uint64_t value) {
    static const uint64_t powers[20] = {0, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
        10000000000, 100000000000, 1000000000000, 10000000000000, 100000000000000, 1000000000000000,
        10000000000000000, 100000000000000000, 1000000000000000000, 10000000000000000000ULL};
    // 1233 / 4096 is the logarithm of 2, near enough for 64 bits.
    unsigned guess = (64 - (unsigned)__builtin_clzll(value | 1)) * 1233 >> 12;
    size_t length = guess + (guess > 19 || value >= powers[guess] || guess == 0);
    uint8_t *cursor = to + length;
    while (value >= 100) {
        cursor -= 2;
        memcpy(cursor, weir_digit_pairs + value % 100 * 2, 2);
        value /= 100;
    }
    if (value >= 10) memcpy(cursor - 2, weir_digit_pairs + value * 2, 2);
    else cursor[-1] = (uint8_t)('0' + value);
    return length;
}

/// Whether the eight characters of a word are digits.
static inline int weir_all_digits(uint64_t word) {
    const uint64_t ones = 0x0101010101010101u, digits = word - ones * '0';
    return (((digits + ones * 0x76) | digits) & (ones << 7)) == 0;
}

/// The number that eight digits spell, the first one in the lowest byte: pairs, fours, then all (Langdale and Lemire 2019).
static inline uint32_t weir_eight_digits(uint64_t word) {
    uint64_t digits = word - 0x3030303030303030u;
    digits = digits * 10 + (digits >> 8);
    return (uint32_t)(((digits & 0x000000ff000000ffu) * 0x000f424000000064u
        + (digits >> 16 & 0x000000ff000000ffu) * 0x0000271000000001u) >> 32);
}

/// The double nearest to the plain decimal of `length` bytes, at most 8 beside a minus, that begins at `p`; NaN when it
/// is none. The 8 bytes before its end must be readable.
///
/// Without branches that depend on the number: where its digits end is guessed wrong too often. Eight digits and a power
/// of ten are exact doubles, so that the one rounding of the division is the right one.
static inline double weir_read_short_decimal(const uint8_t *p, size_t length) {
    static const double powers[8] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
    const uint64_t ones = 0x0101010101010101u, highs = ones << 7, zeros = ones * '0';
    const int is_negative = *p == '-';
    const size_t count = length - (size_t)is_negative;
    if (count - 1 > 7 || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) return __builtin_nan("");
    uint64_t word;
    memcpy(&word, p + length - 8, 8);
    // The last character is the highest byte; zeros take the place of what stands before the first.
    const unsigned unused = 64 - 8 * (unsigned)count;
    const uint64_t before = ((uint64_t)1 << unused) - 1;
    word = (word & ~before) | (zeros & before);
    // The whole part moves to where the point was, if there was one.
    const uint64_t differences = word ^ (ones * '.');
    const uint64_t points = (differences - ones) & ~differences & highs;
    const uint64_t behind = points ? ~(points ^ (points - 1)) : ~(uint64_t)0;
    const unsigned places = points ? 7 - ((unsigned)__builtin_ctzll(points) >> 3) : 0;
    word = (word & behind) | (points ? ((word << 8) | '0') & ~behind : 0);
    if (!weir_all_digits(word)) return __builtin_nan("");
    const double value = (double)weir_eight_digits(word) / powers[places];
    return is_negative ? -value : value;
}

/// The integer of `length` digits, 9 to 15, that begins at `p`; NaN when it is none. The 16 bytes before its end must be
/// readable.
static inline double weir_read_long_integer(const uint8_t *p, size_t length) {
    if (length - 9 > 6 || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) return __builtin_nan("");
    uint64_t high, low;
    memcpy(&high, p + length - 16, 8);
    memcpy(&low, p + length - 8, 8);
    const uint64_t before = ((uint64_t)1 << (128 - 8 * (unsigned)length)) - 1;
    high = (high & ~before) | (0x3030303030303030u & before);
    if (!weir_all_digits(high) || !weir_all_digits(low)) return __builtin_nan("");
    return (double)((uint64_t)weir_eight_digits(high) * 100000000 + weir_eight_digits(low));
}

/// Writes `value` in its shortest form where that has at most four places, and returns how many bytes that are; 0 for
/// other numbers. The room at `to` must be 24 bytes.
///
/// A decimal of up to 15 digits that reads back as the value is the only shortest one.
static inline size_t weir_write_short_double(uint8_t *to, double value) {
    const double magnitude = __builtin_fabs(value);
    if (!(magnitude < 1e11)) return 0;
    const uint64_t digits = (uint64_t)(magnitude * 1e4 + 0.5);
    if ((double)digits / 1e4 != magnitude) return 0;
    *to = '-';
    const size_t sign = __builtin_signbit(value) ? 1 : 0;
    to += sign;
    const uint64_t whole = digits / 10000;
    size_t length;
    if (whole < 10000) {
        const uint32_t text = weir_four_digits((uint32_t)whole);
        const unsigned leading = (unsigned)__builtin_ctz((text ^ 0x30303030u) | 0x01000000u) & ~7u;
        const uint32_t shifted = text >> leading;
        memcpy(to, &shifted, 4);
        length = 4 - leading / 8;
    } else {
        length = weir_write_decimal(to, whole);
    }
    const uint32_t places = weir_four_digits((uint32_t)(digits % 10000));
    const uint32_t nonzero = places ^ 0x30303030u;
    to[length] = '.';
    memcpy(to + length + 1, &places, 4);
    // With the point, up to the last place that is not 0.
    return sign + length + (nonzero ? 5 - (unsigned)__builtin_clz(nonzero) / 8 : 0);
}

/// Whether some byte of a word is a quote, a backslash or a control character.
static inline int weir_word_escapes(uint64_t word) {
    const uint64_t ones = 0x0101010101010101u, highs = 0x8080808080808080u;
    uint64_t quote = word ^ (ones * '"'), backslash = word ^ (ones * '\\');
    // Only whether there is one is asked: a borrow into the byte above can tell of one too many only where there is one.
    return (((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) | ((word - ones * 0x20) & ~word)) & highs
        ? 1 : 0;
}

/// Copies text up to the first byte that JSON escapes, and returns how much that is.
static inline size_t weir_copy_plain(uint8_t *to, const uint8_t *from, size_t length) {
    size_t done = 0;
#if defined(WEIR_BLOCKS)
    while (length - done >= 16) {
        weir_block block = weir_load(from + done);
        weir_block controls = weir_at_most(block, 0x1f);
        int stop = weir_first(weir_or(controls, weir_or(weir_equal(block, '"'), weir_equal(block, '\\'))));
        weir_store(to + done, block);
        if (stop < 16) return done + (size_t)stop;
        done += 16;
    }
#endif
    while (length - done >= 8) {
        uint64_t word;
        memcpy(&word, from + done, 8);
        if (weir_word_escapes(word)) break;
        memcpy(to + done, &word, 8);
        done += 8;
    }
    while (done < length && from[done] != '"' && from[done] != '\\' && from[done] >= 0x20) {
        to[done] = from[done];
        done++;
    }
    return done;
}

#pragma clang assume_nonnull end

#endif
