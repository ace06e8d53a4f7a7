// zlib's stream as one call: its initializer is a macro, and Swift is to hold no pointers into the stream.
#ifndef WEIR_CZLIB_H
#define WEIR_CZLIB_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
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

/// A step of `weir_inflate`: what it read and wrote, and whether the stream has ended or is malformed.
typedef struct {
    size_t consumed;
    size_t produced;
    int ended;
    int malformed;
} weir_inflate_step;

/// Creates a decoder of gzip, or else of zlib's format (RFC 1950); NULL without memory.
static inline z_stream *weir_inflate_create(int gzip) {
    z_stream *stream = (z_stream *)calloc(1, sizeof *stream);
    if (stream != NULL && inflateInit2(stream, gzip ? 15 + 16 : 15) != Z_OK) {
        free(stream);
        return NULL;
    }
    return stream;
}

/// Lets a decoder that has read nothing expect a stream without the head and the tail of zlib's format (RFC 1951).
static inline void weir_inflate_expect_raw(z_stream *stream) { inflateReset2(stream, -15); }

static inline void weir_inflate_destroy(z_stream *stream) {
    inflateEnd(stream);
    free(stream);
}

/// Decodes from `input` to `output` until one of them is used up or the stream ends.
static inline weir_inflate_step weir_inflate(z_stream *stream, const uint8_t *input, size_t length, uint8_t *output,
                                             size_t capacity) {
    stream->next_in = (Bytef *)input;
    stream->avail_in = (uInt)(length < UINT32_MAX ? length : UINT32_MAX);
    stream->next_out = output;
    stream->avail_out = (uInt)(capacity < UINT32_MAX ? capacity : UINT32_MAX);
    const Bytef *start = stream->next_in;
    int code = inflate(stream, Z_NO_FLUSH);
    weir_inflate_step step = {(size_t)(stream->next_in - start), (size_t)(stream->next_out - output),
                              code == Z_STREAM_END, code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR};
    stream->next_in = NULL;
    stream->next_out = NULL;
    return step;
}

#endif
