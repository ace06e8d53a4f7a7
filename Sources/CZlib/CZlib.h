// zlib's stream as one call: its initializer is a macro, and Swift is to hold no pointers into the stream.
#ifndef WEIR_CZLIB_H
#define WEIR_CZLIB_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

/// The most bytes that `length` bytes become in gzip.
static inline size_t weir_gzip_bound(size_t length) {
    // The head and the tail of gzip are 12 bytes longer than those of zlib.
    return compressBound(length) + 12;
}

/// Writes `input` in gzip (RFC 1952) to `output` and returns how many bytes that took; 0 where it did not fit.
static inline size_t weir_gzip(const uint8_t *input, size_t length, uint8_t *output, size_t capacity, int level) {
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (length > UINT32_MAX || capacity > UINT32_MAX) return 0;
    if (deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    stream.next_in = (Bytef *)input;
    stream.avail_in = (uInt)length;
    stream.next_out = output;
    stream.avail_out = (uInt)capacity;
    int code = deflate(&stream, Z_FINISH);
    size_t written = code == Z_STREAM_END ? stream.total_out : 0;
    deflateEnd(&stream);
    return written;
}

#endif
