// Brotli's encoder as one call, and its decoder as one call per step, so that Swift holds no pointers into buffers between the steps.
#ifndef WEIR_CBROTLI_H
#define WEIR_CBROTLI_H

#include <brotli/decode.h>
#include <brotli/encode.h>
#include <stddef.h>
#include <stdint.h>

/// A step of `weir_brotli_decode`: what it read and wrote, and whether the stream has ended or is malformed.
typedef struct {
    size_t consumed;
    size_t produced;
    int ended;
    int malformed;
} weir_brotli_step;

static inline BrotliDecoderState *weir_brotli_create(void) { return BrotliDecoderCreateInstance(NULL, NULL, NULL); }
static inline void weir_brotli_destroy(BrotliDecoderState *state) { BrotliDecoderDestroyInstance(state); }

/// Decodes from `input` to `output` until one of them is used up or the stream ends.
static inline weir_brotli_step weir_brotli_decode(BrotliDecoderState *state, const uint8_t *input, size_t length,
                                                  uint8_t *output, size_t capacity) {
    size_t left = length, space = capacity;
    BrotliDecoderResult result = BrotliDecoderDecompressStream(state, &left, &input, &space, &output, NULL);
    weir_brotli_step step = {length - left, capacity - space, result == BROTLI_DECODER_RESULT_SUCCESS,
                             result == BROTLI_DECODER_RESULT_ERROR};
    return step;
}

/// Writes `input` in brotli (RFC 7932) to `output` and returns how many bytes that took; 0 where it did not fit.
///
/// The window is as large as the input needs, and at most 1 MiB.
static inline size_t weir_brotli_compress(const uint8_t *input, size_t length, uint8_t *output, size_t capacity,
                                          int quality) {
    int window = BROTLI_MIN_WINDOW_BITS;
    while (window < 20 && ((size_t)1 << window) - 16 < length) window++;
    size_t written = capacity;
    if (!BrotliEncoderCompress(quality, window, BROTLI_MODE_TEXT, length, input, &written, output)) return 0;
    return written;
}

#endif
