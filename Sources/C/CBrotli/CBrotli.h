// Brotli's encoder as one call, and its decoder as one call per step, so that Swift holds no pointers into buffers between the steps.
#ifndef WEIR_CBROTLI_H
#define WEIR_CBROTLI_H

#include <brotli/decode.h>
#include <brotli/encode.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/// A step of `weir_brotli_decode`: what it read and wrote, and whether the stream has ended or is malformed.
typedef struct {
    size_t consumed;
    size_t produced;
    int ended;
    int malformed;
} weir_brotli_step;

/// A decoder that counts its memory, which is nearly all for the window: 16 MiB, if 44 bytes say so.
typedef struct {
    BrotliDecoderState *state;
    /// The bytes that it has, and the largest number that it may get at once.
    size_t held, largest;
    /// Asked before the decoder gets a large block: whether it may have this many bytes in total; NULL for always.
    int (*admits)(void *context, size_t held);
    void *context;
    /// Whether it wanted more than it may have.
    int refused;
} weir_brotli_decoder;

/// The size of a block stands before it, in as many bytes as keep its alignment.
#define WEIR_BROTLI_PREFIX 16
/// The size from which on a block is large.
#define WEIR_BROTLI_LARGE (64 << 10)

static inline void *weir_brotli_allocate(void *opaque, size_t size) {
    weir_brotli_decoder *decoder = (weir_brotli_decoder *)opaque;
    int asks = decoder->admits && size >= WEIR_BROTLI_LARGE;
    if (size > decoder->largest || (asks && !decoder->admits(decoder->context, decoder->held + size))) {
        decoder->refused = 1;
        return NULL;
    }
    char *block = (char *)malloc(WEIR_BROTLI_PREFIX + size);
    if (!block) return NULL;
    *(size_t *)block = size;
    decoder->held += size;
    return block + WEIR_BROTLI_PREFIX;
}

static inline void weir_brotli_free(void *opaque, void *address) {
    if (!address) return;
    char *block = (char *)address - WEIR_BROTLI_PREFIX;
    ((weir_brotli_decoder *)opaque)->held -= *(size_t *)block;
    free(block);
}

/// Makes a decoder that may get at most `largest` bytes at once; NULL without memory.
static inline weir_brotli_decoder *weir_brotli_create(size_t largest) {
    weir_brotli_decoder *decoder = (weir_brotli_decoder *)calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->largest = largest;
    decoder->state = BrotliDecoderCreateInstance(weir_brotli_allocate, weir_brotli_free, decoder);
    if (decoder->state) return decoder;
    free(decoder);
    return NULL;
}

static inline void weir_brotli_destroy(weir_brotli_decoder *decoder) {
    BrotliDecoderDestroyInstance(decoder->state);
    free(decoder);
}

/// Decodes from `input` to `output` until one of them is used up or the stream ends.
static inline weir_brotli_step weir_brotli_decode(weir_brotli_decoder *decoder, const uint8_t *input, size_t length,
                                                  uint8_t *output, size_t capacity) {
    size_t left = length, space = capacity;
    BrotliDecoderResult result = BrotliDecoderDecompressStream(decoder->state, &left, &input, &space, &output, NULL);
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
