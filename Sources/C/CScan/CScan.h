// Scans of JSON text, 16 bytes at a time where the processor has vectors.
//
// This header includes nothing, so it compiles for every target without that target's headers. Clang lowers the vector
// type to SSE2 on x86-64 and to NEON on AArch64. Each scan has a second version in plain C, named `_plain`: it takes the
// last bytes, serves processors without vectors, and is what the tests compare the vectors with.
#ifndef WEIR_CSCAN_H
#define WEIR_CSCAN_H

// The types that Swift imports as UInt8, UInt32, UInt64 and Int on every 64-bit platform.
typedef unsigned char weir_byte;
typedef unsigned int weir_u32;
typedef unsigned long long weir_u64;
typedef __PTRDIFF_TYPE__ weir_length;

// Swift then sees no optional pointers below.
#pragma clang assume_nonnull begin

#if defined(__SSE2__) || (defined(__ARM_NEON) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#define WEIR_HAS_VECTORS 1

/// 16 bytes. A comparison gives a block with all bits of a byte set where it holds.
typedef weir_byte weir_block __attribute__((vector_size(16)));

static inline weir_block weir_load(const weir_byte *p) {
    weir_block block;
    __builtin_memcpy(&block, p, 16);
    return block;
}

static inline void weir_store(weir_byte *p, weir_block block) { __builtin_memcpy(p, &block, 16); }

#if defined(__SSE2__)
/// One bit for each byte of a comparison, the first byte lowest.
static inline weir_u64 weir_bits(weir_block comparison) {
    typedef char chars __attribute__((vector_size(16)));
    return (weir_u32)__builtin_ia32_pmovmskb128((chars)comparison);
}

/// The bit of the byte at `index`.
static inline weir_u64 weir_bit(weir_length index) { return (weir_u64)1 << index; }

/// Returns the index of the first byte whose bit is set: 0 to 15.
static inline int weir_index(weir_u64 bits) { return __builtin_ctz((weir_u32)bits); }

/// Returns the index of the first byte whose bit is set: 0 to 15, or 16 if there is none.
static inline int weir_first(weir_u64 bits) { return __builtin_ctz((weir_u32)bits | 0x10000); }
#else
/// One bit for each byte of a comparison, in steps of four bits, the first byte lowest: NEON narrows pairs of bytes to
/// half bytes (SHRN), and has no instruction that narrows them to bits.
static inline weir_u64 weir_bits(weir_block comparison) {
    typedef unsigned short halves __attribute__((vector_size(16)));
    typedef weir_byte bytes __attribute__((vector_size(8)));
    bytes narrow = __builtin_convertvector((halves)comparison >> 4, bytes);
    weir_u64 bits;
    __builtin_memcpy(&bits, &narrow, 8);
    return bits & 0x8888888888888888u;
}

static inline weir_u64 weir_bit(weir_length index) { return (weir_u64)8 << 4 * index; }

static inline int weir_index(weir_u64 bits) { return __builtin_ctzll(bits) >> 2; }

static inline int weir_first(weir_u64 bits) { return bits ? __builtin_ctzll(bits) >> 2 : 16; }
#endif

/// Returns whether `index`, which is below 16, is that of the first byte whose bit is set.
static inline _Bool weir_is_first(weir_u64 bits, weir_length index) {
    weir_u64 bit = weir_bit(index);
    return (bits & (2 * bit - 1)) == bit;
}
#endif

/// Returns whether `a` and `b` hold the same `length` bytes.
static inline _Bool weir_equal(const weir_byte *a, const weir_byte *b, weir_length length) {
    return __builtin_memcmp(a, b, (__SIZE_TYPE__)length) == 0;
}

static inline const weir_byte *weir_scan_string_plain(const weir_byte *p, const weir_byte *end) {
    while (p < end && *p != '"' && *p != '\\' && *p >= 0x20 && *p < 0x80) p++;
    return p;
}

/// Returns the first byte in [p, end) that is not plain ASCII text of a string: a quote, a backslash, a control
/// character or a byte above 0x7F. Returns `end` if there is none.
static inline const weir_byte *weir_scan_string(const weir_byte *p, const weir_byte *end) {
#if WEIR_HAS_VECTORS
    for (; end - p >= 16; p += 16) {
        typedef signed char chars __attribute__((vector_size(16)));
        weir_block block = weir_load(p);
        weir_u64 quotes = weir_bits((weir_block)(block == '"'));
        // As signed bytes, those above 0x7F are below a space too.
        weir_u64 others = weir_bits((weir_block)(block == '\\') | (weir_block)((chars)block < 0x20));
        // The place of a quote waits for one comparison only: parsing takes 7 % less time.
        if (__builtin_expect((others & (quotes - 1)) != 0, 0)) return p + weir_index(others);
        if (quotes) return p + weir_index(quotes);
    }
#endif
    return weir_scan_string_plain(p, end);
}

static inline _Bool weir_is_escaped(weir_byte byte) { return byte == '"' || byte == '\\' || byte < 0x20; }

static inline const weir_byte *weir_scan_escapes_plain(const weir_byte *p, const weir_byte *end) {
    while (p < end && !weir_is_escaped(*p)) p++;
    return p;
}

#if WEIR_HAS_VECTORS
static inline weir_u64 weir_escapes(weir_block block) {
    return weir_bits((weir_block)(block == '"') | (weir_block)(block == '\\') | (weir_block)(block < 0x20));
}
#endif

/// Returns the first quote, backslash or control character in [p, end), or `end` if there is none.
static inline const weir_byte *weir_scan_escapes(const weir_byte *p, const weir_byte *end) {
#if WEIR_HAS_VECTORS
    while (end - p >= 16) {
        int stop = weir_first(weir_escapes(weir_load(p)));
        if (stop < 16) return p + stop;
        p += 16;
    }
#endif
    return weir_scan_escapes_plain(p, end);
}

static inline weir_length weir_copy_unescaped_plain(weir_byte *to, const weir_byte *from, weir_length length) {
    weir_length done = 0;
    while (done < length && !weir_is_escaped(from[done])) {
        to[done] = from[done];
        done++;
    }
    return done;
}

/// Copies text up to the first byte that JSON escapes, and returns the number of bytes before it.
///
/// `to` must have room for `length` bytes.
static inline weir_length weir_copy_unescaped(weir_byte *to, const weir_byte *from, weir_length length) {
    weir_length done = 0;
#if WEIR_HAS_VECTORS
    while (length - done >= 16) {
        weir_block block = weir_load(from + done);
        weir_store(to + done, block);
        int stop = weir_first(weir_escapes(block));
        if (stop < 16) return done + stop;
        done += 16;
    }
    if (length - done >= 8) {
        // The zeros behind the eight bytes count as control characters, so `stop` is at most 8.
        weir_block block = {0};
        __builtin_memcpy(&block, from + done, 8);
        __builtin_memcpy(to + done, &block, 8);
        int stop = weir_first(weir_escapes(block));
        done += stop;
        if (stop < 8) return done;
    }
#endif
    return done + weir_copy_unescaped_plain(to + done, from + done, length - done);
}

static inline const weir_byte *weir_skip_space_plain(const weir_byte *p, const weir_byte *end) {
    while (p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')) p++;
    return p;
}

#if WEIR_HAS_VECTORS
static inline weir_block weir_spaces(weir_block block) {
    return (weir_block)(block == ' ') | (weir_block)(block == '\n') | (weir_block)(block == '\r')
        | (weir_block)(block == '\t');
}
#endif

/// Returns the first byte in [p, end) that is not white space of JSON, or `end` if there is none.
static inline const weir_byte *weir_skip_space(const weir_byte *p, const weir_byte *end) {
    if (p < end && *p > ' ') return p;
#if WEIR_HAS_VECTORS
    while (end - p >= 16) {
        int stop = weir_first(weir_bits(~weir_spaces(weir_load(p))));
        if (stop < 16) return p + stop;
        p += 16;
    }
#endif
    return weir_skip_space_plain(p, end);
}

/// Like `weir_skip_space`, for text in which a run of white space is often as long as the last one.
///
/// `run` is the length of the last run behind whole blocks. The processor predicts that the next one is as long and goes
/// on without waiting for its length: parsing takes 25 % less time for pretty-printed forecasts, and no more for compact
/// documents.
static inline const weir_byte *weir_skip_indent(const weir_byte *p, const weir_byte *end, weir_length *run) {
    if (p < end && *p > ' ') return p;
#if WEIR_HAS_VECTORS
    while (end - p >= 16) {
        weir_u64 others = weir_bits(~weir_spaces(weir_load(p)));
        if (weir_is_first(others, *run)) return p + *run;
        int stop = weir_first(others);
        if (stop < 16) {
            *run = stop;
            return p + stop;
        }
        p += 16;
    }
#else
    (void)run;
#endif
    return weir_skip_space_plain(p, end);
}

static inline const weir_byte *weir_skip_three_byte_sequences_plain(const weir_byte *p, const weir_byte *end) {
    while (end - p >= 3 && (*p & 0xf0) == 0xe0 && *p != 0xe0 && *p != 0xed && (p[1] & 0xc0) == 0x80
           && (p[2] & 0xc0) == 0x80)
        p += 3;
    return p;
}

/// Returns the end of the run of three-byte sequences of UTF-8 that begins at `p`. Sequences that begin with E0 or ED
/// end it: not every second byte is valid there (RFC 3629, section 4).
static inline const weir_byte *weir_skip_three_byte_sequences(const weir_byte *p, const weir_byte *end) {
#if WEIR_HAS_VECTORS
    const weir_block mask = {0xf0, 0xc0, 0xc0, 0xf0, 0xc0, 0xc0, 0xf0, 0xc0,
                             0xc0, 0xf0, 0xc0, 0xc0, 0xf0, 0xc0, 0xc0, 0};
    const weir_block expected = {0xe0, 0x80, 0x80, 0xe0, 0x80, 0x80, 0xe0, 0x80,
                                 0x80, 0xe0, 0x80, 0x80, 0xe0, 0x80, 0x80, 0};
    while (end - p >= 16) {
        weir_block block = weir_load(p);
        weir_block others = (weir_block)((block & mask) != expected) | (weir_block)(block == 0xe0)
            | (weir_block)(block == 0xed);
        int run = weir_first(weir_bits(others));
        // Whole sequences only: 11 / 32 is a third of 0 to 15.
        if (run < 15) return p + (run * 11 >> 5) * 3;
        p += 15;
    }
#endif
    return weir_skip_three_byte_sequences_plain(p, end);
}

/// The first and last 8 bytes of a key, or all of a shorter one: with the length they are all of a key of up to 16 bytes.
typedef struct {
    weir_u64 first, last;
} weir_key_ends;

static inline weir_key_ends weir_ends_of_key(const weir_byte *key, weir_length length) {
    weir_key_ends ends = {0, 0};
    if (length >= 8) {
        __builtin_memcpy(&ends.first, key, 8);
        __builtin_memcpy(&ends.last, key + length - 8, 8);
    } else if (length >= 4) {
        __builtin_memcpy(&ends.first, key, 4);
        __builtin_memcpy(&ends.last, key + length - 4, 4);
    } else if (length > 0) {
        ends.first = key[0];
        ends.last = (weir_u64)key[length / 2] << 8 | key[length - 1];
    }
    return ends;
}

/// Returns whether two keys of `length` bytes, more than 16, are equal if their ends are.
static inline _Bool weir_equal_keys(const weir_byte *a, const weir_byte *b, weir_length length) {
    if (length > 32) return weir_equal(a, b, length);
    return weir_equal(a + 8, b + 8, 8) && weir_equal(a + length - 16, b + length - 16, 8);
}

/// Copies `length` bytes to `to`, which must have room for 15 bytes more.
///
/// Copies whole blocks where up to 15 bytes more can be read before `end`.
static inline void weir_copy(weir_byte *to, const weir_byte *from, weir_length length, const weir_byte *end) {
#if WEIR_HAS_VECTORS
    if (length <= 128 && end - from >= length + 15) {
        weir_length done = 0;
        do {
            weir_store(to + done, weir_load(from + done));
            done += 16;
        } while (done < length);
        return;
    }
#else
    (void)end;
#endif
    __builtin_memcpy(to, from, (__SIZE_TYPE__)length);
}

/// Returns the end of the run of decimal digits at `p`.
static inline const weir_byte *weir_skip_digits(const weir_byte *p, const weir_byte *end) {
    while (p < end && (weir_byte)(*p - '0') < 10) p++;
    return p;
}

static inline const weir_byte *weir_scan_decimal_plain(const weir_byte *p, const weir_byte *end, _Bool *is_integer) {
    if (end - p < 17) return p;
    const weir_byte *const limit = p + 16;
    const weir_byte *stop = weir_skip_digits(p, limit);
    if (stop == p || stop == limit || (*p == '0' && stop - p > 1)) return p;
    *is_integer = *stop != '.';
    if (*stop == '.') {
        const weir_byte *const fraction = stop + 1;
        stop = weir_skip_digits(fraction, limit);
        if (stop == fraction || stop == limit || *stop == '.') return p;
    }
    return (*stop | 0x20) == 'e' ? p : stop;
}

/// Returns the end of the plain decimal at `p`: digits, or digits with a point between them, as JSON allows them.
///
/// Returns `p` for every other number, for one of 16 bytes or more, and less than 17 bytes before `end`; the caller then
/// looks closer. `is_integer` becomes whether there is no point.
static inline const weir_byte *weir_scan_decimal(const weir_byte *p, const weir_byte *end, _Bool *is_integer) {
#if WEIR_HAS_VECTORS
    if (end - p < 17) return p;
    weir_block block = weir_load(p);
    weir_u64 others = weir_bits((weir_block)((weir_block)(block - '0') > 9));
    weir_u64 points = weir_bits((weir_block)(block == '.'));
    weir_u64 stops = others & ~points;
    if (!stops || (weir_byte)(*p - '0') > 9 || (*p == '0' && !(others & weir_bit(1)))) return p;
    const weir_byte *const stop = p + weir_index(stops);
    // Of the points, only those before the first stop.
    points &= stops - 1;
    *is_integer = points == 0;
    if ((points & (points - 1)) || stop[-1] == '.') return p;
    // Without the hint, the compiler makes the result wait for this byte: parsing takes 10 % longer.
    if (__builtin_expect((*stop | 0x20) == 'e', 0)) return p;
    return stop;
#else
    return weir_scan_decimal_plain(p, end, is_integer);
#endif
}

/// The decimal digits of two numbers below 10^4, in the low and the high half of `fours`: the first digit of each number
/// in the lowest byte of its half.
///
/// Stays in registers: digits that are stored one by one and loaded together make the processor wait for the stores.
static inline weir_u64 weir_digits_of_fours(weir_u64 fours) {
    // Divides both fours by 100, then all four pairs by 10.
    const weir_u64 hundreds = (fours * 10486 >> 20) & 0x0000007f0000007fu;
    const weir_u64 pairs = hundreds | (fours - hundreds * 100) << 16;
    const weir_u64 tens = (pairs * 103 >> 10) & 0x000f000f000f000fu;
    return tens | (pairs - tens * 10) << 8;
}

/// The eight decimal digits of `value`, which is below 10^8, as numbers: the first one in the lowest byte.
static inline weir_u64 weir_digits(weir_u64 value) { return weir_digits_of_fours(value / 10000 | value % 10000 << 32); }

/// Writes `digits`, one in each byte and the first one in the lowest.
static inline void weir_write_digits(weir_byte *to, weir_u64 digits) {
    weir_u64 text = digits | 0x3030303030303030u;
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) text = __builtin_bswap64(text);
    __builtin_memcpy(to, &text, 8);
}

/// Writes `value`, which is below 10^8, in decimal and returns the number of digits. All 8 bytes may change.
static inline weir_length weir_write_few_digits(weir_byte *to, weir_u64 value) {
    const weir_u64 digits = weir_digits(value);
    // 0 has one digit, too.
    const int zeros = __builtin_ctzll(digits | (weir_u64)1 << 56) / 8;
    weir_write_digits(to, digits >> (8 * zeros));
    return 8 - zeros;
}

/// Writes `value` in decimal and returns the number of digits. `to` must have room for 20 bytes, of which all may change.
static inline weir_length weir_write_decimal(weir_byte *to, weir_u64 value) {
    const weir_u64 step = 100000000;
    if (value < step) return weir_write_few_digits(to, value);
    weir_length length = 0;
    if (value >= step * step) {
        length = weir_write_few_digits(to, value / (step * step));
        weir_write_digits(to + length, weir_digits(value / step % step));
        length += 8;
    } else {
        length = weir_write_few_digits(to, value / step);
    }
    weir_write_digits(to + length, weir_digits(value % step));
    return length + 8;
}

/// Writes `units` ten-thousandths, below 10^15, without zeros at the end of the fraction, and returns the number of bytes.
///
/// `to` must have room for 24 bytes. One computation gives all digits of a number below 10^4, as most measurements are:
/// decimals of up to two places take 14 % fewer instructions than with one for the whole part and one for the fraction.
static inline weir_length weir_write_ten_thousandths(weir_byte *to, weir_u64 units, _Bool is_negative) {
    const weir_u64 whole = units / 10000, fraction = units % 10000;
    weir_byte *cursor = to;
    if (is_negative) *cursor++ = '-';
    weir_u64 digits = weir_digits_of_fours((whole < 10000 ? whole : 0) | fraction << 32);
    if (whole < 10000) {
        // 0 has one digit, too.
        const int zeros = __builtin_ctzll(digits | (weir_u64)1 << 24) / 8;
        weir_write_digits(cursor, digits >> (8 * zeros));
        cursor += 4 - zeros;
    } else {
        cursor += weir_write_decimal(cursor, whole);
    }
    if (fraction == 0) return cursor - to;
    *cursor++ = '.';
    weir_write_digits(cursor, digits >> 32);
    // Up to the last digit that is not 0.
    return cursor + 4 - __builtin_clzll(digits) / 8 - to;
}

/// Writes `value` in its shortest form if that has at most four decimal places, or eight for a number of at least 0.0001,
/// and returns the number of bytes; 0 for other numbers. `to` must have room for 24 bytes.
///
/// A decimal of up to 15 digits that reads back as the value is the only shortest one. Measurements and coordinates are
/// such numbers: the standard library takes 2.3 times the instructions for the doubles of a forecast.
static inline weir_length weir_write_short_double(weir_byte *to, double value) {
    const double magnitude = __builtin_fabs(value);
    const _Bool is_negative = __builtin_signbit(value) != 0;
    if (!(magnitude < 1e11)) return 0;
    // Signed: the conversions of unsigned numbers take longer.
    long long units = (long long)(magnitude * 1e4 + 0.5);
    if ((double)units / 1e4 == magnitude) return weir_write_ten_thousandths(to, (weir_u64)units, is_negative);
    if (magnitude < 1e-4 || magnitude >= 1e7) return 0;
    units = (long long)(magnitude * 1e8 + 0.5);
    if ((double)units / 1e8 != magnitude) return 0;
    weir_byte *cursor = to;
    if (is_negative) *cursor++ = '-';
    cursor += weir_write_decimal(cursor, (weir_u64)units / 100000000);
    *cursor++ = '.';
    const weir_u64 digits = weir_digits((weir_u64)units % 100000000);
    weir_write_digits(cursor, digits);
    return cursor + 8 - __builtin_clzll(digits) / 8 - to;
}

/// Writes `value` rounded to `places` decimals, 0 to 4, half away from zero, in its shortest form; zero has no sign.
///
/// Returns the number of bytes; 0 for a number of 10^11 or more and for more places. `to` must have room for 24 bytes.
static inline weir_length weir_write_rounded(weir_byte *to, double value, weir_length places) {
    static const double scales[5] = {1e0, 1e1, 1e2, 1e3, 1e4};
    static const weir_u64 steps[5] = {10000, 1000, 100, 10, 1};
    const double magnitude = __builtin_fabs(value);
    if (!(magnitude < 1e11) || places < 0 || places > 4) return 0;
    const double scaled = magnitude * scales[places];
    // The difference is exact, the sum of a half would not be.
    long long units = (long long)scaled;
    units += scaled - (double)units >= 0.5;
    return weir_write_ten_thousandths(to, (weir_u64)units * steps[places], value < 0 && units > 0);
}

/// Returns whether the eight bytes of a word are decimal digits.
static inline _Bool weir_all_digits(weir_u64 word) {
    const weir_u64 ones = 0x0101010101010101u, digits = word - ones * '0';
    return (((digits + ones * 0x76) | digits) & (ones << 7)) == 0;
}

/// The number that eight digits spell, the first one in the lowest byte: pairs, fours, then all (Langdale and Lemire 2019).
static inline weir_u32 weir_eight_digits(weir_u64 word) {
    weir_u64 digits = word - 0x3030303030303030u;
    digits = digits * 10 + (digits >> 8);
    return (weir_u32)(((digits & 0x000000ff000000ffu) * 0x000f424000000064u
        + (digits >> 16 & 0x000000ff000000ffu) * 0x0000271000000001u) >> 32);
}

/// Returns the double nearest to the plain decimal of `length` bytes at `p`: up to 8 bytes beside a minus, or 9 to 15
/// digits. Returns NaN for other spellings. The 16 bytes before its end must be readable.
///
/// Takes no branch that depends on the digits: in mixed numbers, the end of a loop over them is mispredicted, and
/// reading takes 15 to 27 % longer. At most 15 digits and the powers of ten are exact doubles, so the one rounding of
/// the division gives the nearest double.
static inline double weir_read_short_decimal(const weir_byte *p, weir_length length) {
    static const double powers[8] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
    const weir_u64 ones = 0x0101010101010101u, highs = ones << 7, zeros = ones * '0';
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || length > 15) return __builtin_nan("");
    const _Bool is_negative = *p == '-';
    const weir_length count = length - is_negative;
    weir_u64 high, low;
    __builtin_memcpy(&low, p + length - 8, 8);
    if (count > 8) {
        if (is_negative) return __builtin_nan("");
        __builtin_memcpy(&high, p + length - 16, 8);
        // Zeros take the place of the bytes before the first digit, here and below.
        const weir_u64 before = ((weir_u64)1 << (128 - 8 * count)) - 1;
        high = (high & ~before) | (zeros & before);
        if (!weir_all_digits(high) || !weir_all_digits(low)) return __builtin_nan("");
        return (double)((weir_u64)weir_eight_digits(high) * 100000000 + weir_eight_digits(low));
    }
    if (count < 1) return __builtin_nan("");
    // The last character is the highest byte.
    const weir_u64 before = ((weir_u64)1 << (64 - 8 * count)) - 1;
    low = (low & ~before) | (zeros & before);
    // The whole part moves up by one byte, to where the point is.
    const weir_u64 differences = low ^ (ones * '.');
    const weir_u64 points = (differences - ones) & ~differences & highs;
    const weir_u64 behind = points ? ~(points ^ (points - 1)) : ~(weir_u64)0;
    const int places = points ? 7 - (__builtin_ctzll(points) >> 3) : 0;
    low = (low & behind) | (points ? ((low << 8) | '0') & ~behind : 0);
    if (!weir_all_digits(low)) return __builtin_nan("");
    const double value = (double)weir_eight_digits(low) / powers[places];
    return is_negative ? -value : value;
}

/// Returns whether a pair of bytes or an escape is at `p`.
static inline _Bool weir_is_pair(
    const weir_byte *p, const weir_byte *end, const weir_byte *pairs, weir_length count, _Bool has_punctuation
) {
    if (*p == '%' || *p == '&') return 1;
    if (end - p < 2) return 0;
    if (*p == '\\') {
        // The characters of the text are ASCII.
        if (p[1] == 'u' && end - p >= 6 && p[2] == '0' && p[3] == '0') return 1;
        if (has_punctuation && (p[1] == '/' || p[1] == '"' || p[1] == '\\')) return 1;
    }
    for (const weir_byte *pair = pairs; pair < pairs + 32 * count; pair += 32) {
        if (*p == pair[0] && p[1] == pair[16]) return 1;
    }
    return 0;
}

static inline const weir_byte *weir_scan_pairs_plain(
    const weir_byte *p, const weir_byte *end, const weir_byte *pairs, weir_length count, _Bool has_punctuation
) {
    while (p < end && !weir_is_pair(p, end, pairs, count, has_punctuation)) p++;
    return p;
}

/// Returns the first place in [p, end) with one of `count` pairs of bytes, or with a percent sign, an ampersand or an
/// escape of JSON that can encode an ASCII character. Returns `end` if there is none.
///
/// A pair takes 32 bytes: each of its bytes 16 times. `has_punctuation` tells whether a slash, a quote or a backslash
/// behind a backslash is such an escape.
static inline const weir_byte *weir_scan_pairs(
    const weir_byte *p, const weir_byte *end, const weir_byte *pairs, weir_length count, _Bool has_punctuation
) {
#if WEIR_HAS_VECTORS
    while (end - p >= 17) {
        weir_block first = weir_load(p), second = weir_load(p + 1);
        weir_block found = (weir_block)(first == '%') | (weir_block)(first == '&') | (weir_block)(first == '\\');
        for (const weir_byte *pair = pairs; pair < pairs + 32 * count; pair += 32) {
            found |= (weir_block)(first == weir_load(pair)) & (weir_block)(second == weir_load(pair + 16));
        }
        for (weir_u64 bits = weir_bits(found); bits; bits &= bits - 1) {
            const weir_byte *place = p + weir_first(bits);
            if (weir_is_pair(place, end, pairs, count, has_punctuation)) return place;
        }
        p += 16;
    }
#endif
    return weir_scan_pairs_plain(p, end, pairs, count, has_punctuation);
}

/// Returns a checksum of `count` bytes, the same on every little-endian machine; it protects against accidents only.
///
/// Four sums of eight bytes at a time, because a multiplication waits for the one before: ten times as fast as CRC-32.
static inline weir_u64 weir_checksum(const weir_byte *p, weir_length count) {
    const weir_u64 factor = 0x9E3779B97F4A7C15;
    weir_u64 sums[4] = {(weir_u64)count, 1, 2, 3}, word;
    for (; count >= 32; count -= 32, p += 32) {
        for (int lane = 0; lane < 4; lane++) {
            __builtin_memcpy(&word, p + 8 * lane, 8);
            sums[lane] = (sums[lane] ^ word) * factor;
            sums[lane] ^= sums[lane] >> 29;
        }
    }
    for (; count > 0; count--, p++) sums[0] = (sums[0] ^ *p) * factor;
    for (int lane = 1; lane < 4; lane++) sums[0] = (sums[0] ^ sums[lane] ^ (sums[0] >> 32)) * factor;
    return sums[0] ^ (sums[0] >> 32);
}

#pragma clang assume_nonnull end

#endif
