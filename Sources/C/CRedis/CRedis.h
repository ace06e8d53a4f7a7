// hiredis's reader and formatter of Redis's protocol, without its sockets. hiredis 0.14 does not limit arrays.
#ifndef WEIR_CREDIS_H
#define WEIR_CREDIS_H

#include <hiredis/hiredis.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/// The most elements of an array; the answers to Weir's commands have ten at most.
#define WEIR_REDIS_ELEMENTS 64

/// A reader with functions of its own, which outlive it.
typedef struct {
    redisReader *reader;
    redisReplyObjectFunctions functions;
    /// hiredis's own function, which allocates as many elements as the server announces.
    void *(*array)(const redisReadTask *, int);
} weir_redis_reader;

static inline void *weir_redis_array(const redisReadTask *task, int elements) {
    weir_redis_reader *reader = (weir_redis_reader *)task->privdata;
    return elements > WEIR_REDIS_ELEMENTS ? NULL : reader->array(task, elements);
}

/// Makes a reader, which `weir_redis_free` frees; NULL without memory.
static inline weir_redis_reader *weir_redis_make(void) {
    weir_redis_reader *result = (weir_redis_reader *)calloc(1, sizeof *result);
    redisReader *reader = result == NULL ? NULL : redisReaderCreate();
    if (reader == NULL) {
        free(result);
        return NULL;
    }
    result->reader = reader;
    result->functions = *reader->fn;
    result->array = reader->fn->createArray;
    result->functions.createArray = weir_redis_array;
    reader->fn = &result->functions;
    reader->privdata = result;
    return result;
}

static inline void weir_redis_free(weir_redis_reader *reader) {
    redisReaderFree(reader->reader);
    free(reader);
}

/// Adds what has arrived; returns 0 if the stream is broken or memory is missing.
static inline int weir_redis_feed(weir_redis_reader *reader, const void *bytes, size_t size) {
    return redisReaderFeed(reader->reader, (const char *)bytes, size) == REDIS_OK;
}

/// Takes the next complete reply, which `freeReplyObject` frees, or NULL; returns 0 if the stream is broken.
static inline int weir_redis_next(weir_redis_reader *reader, redisReply **reply) {
    void *object = NULL;
    int is_sound = redisReaderGetReply(reader->reader, &object) == REDIS_OK;
    *reply = (redisReply *)object;
    return is_sound;
}

/// The bytes that wait for the rest of their reply.
static inline size_t weir_redis_waiting(const weir_redis_reader *reader) {
    return reader->reader->len - reader->reader->pos;
}

#endif
