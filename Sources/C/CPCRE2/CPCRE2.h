// PCRE2 for UTF-8, as one call each for compiling and matching: the limits belong to contexts that Swift is not to hold.
#ifndef WEIR_CPCRE2_H
#define WEIR_CPCRE2_H

#define PCRE2_CODE_UNIT_WIDTH 8

#include <pcre2.h>
#include <stddef.h>
#include <stdint.h>

/// Compiles a pattern that is valid UTF-8; NULL, with PCRE2's number and the offset in bytes, if it is malformed.
///
/// `$` matches at the very end alone, and `\u` and `\x` have the meaning of ECMAScript, as in JSON Schema. The matches of a
/// counted pattern call a function before each item.
static inline pcre2_code *weir_pattern_compile(const uint8_t *pattern, size_t length, int is_counted, int *error,
                                               size_t *offset) {
    return pcre2_compile(pattern, length,
                         PCRE2_UTF | PCRE2_NO_UTF_CHECK | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY
                             | PCRE2_ALT_BSUX | PCRE2_MATCH_UNSET_BACKREF | (is_counted ? PCRE2_AUTO_CALLOUT : 0),
                         error, offset, NULL);
}

/// Returns 1 if a match can start at the beginning of a text alone.
static inline int weir_pattern_is_anchored(const pcre2_code *code) {
    uint32_t options = 0;
    return pcre2_pattern_info(code, PCRE2_INFO_ALLOPTIONS, &options) == 0 && (options & PCRE2_ANCHORED) != 0;
}

/// Returns the number of groups in a pattern.
static inline uint32_t weir_pattern_groups(const pcre2_code *code) {
    uint32_t count = 0;
    return pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &count) == 0 ? count : 0;
}

/// The work that a match may still do, and whether it must stop for another reason.
struct weir_pattern_work {
    int64_t steps;
    int64_t next_check;
    size_t position;
    int (*is_expired)(void *);
    void *owner;
};

/// Counts an item of a pattern as a step, and each 16 bytes that the item before passed as another.
static inline int weir_pattern_count(pcre2_callout_block *block, void *data) {
    struct weir_pattern_work *work = data;
    size_t position = block->current_position;
    size_t passed = position > work->position ? position - work->position : work->position - position;
    work->position = position;
    work->steps -= 1 + (int64_t)(passed / 16);
    if (work->steps < 0) return PCRE2_ERROR_MATCHLIMIT;
    if (work->steps > work->next_check) return 0;
    work->next_check = work->steps - 1024;
    return work->is_expired(work->owner) ? PCRE2_ERROR_CALLOUT : 0;
}

/// Returns 1 if the pattern matches in `text`, which is valid UTF-8, at `start` or behind; 0 if not, and -1 past a limit.
///
/// `places` gets the start and the end of the match and of its groups, `pairs` of them; -1 for a group that takes no part.
///
/// `limit` limits the work for each place where a match may start, and `kilobytes` the memory. Of a counted pattern, `work`
/// limits all work, and gets what is left.
static inline int weir_pattern_matches(const pcre2_code *code, const uint8_t *text, size_t length, size_t start,
                                       uint32_t limit, uint32_t kilobytes, struct weir_pattern_work *work,
                                       size_t *places, uint32_t pairs) {
    pcre2_match_data *data = pcre2_match_data_create(pairs, NULL);
    pcre2_match_context *context = pcre2_match_context_create(NULL);
    int result = PCRE2_ERROR_NOMEMORY;
    if (data != NULL && context != NULL) {
        pcre2_set_match_limit(context, limit);
        pcre2_set_depth_limit(context, limit);
        pcre2_set_heap_limit(context, kilobytes);
        if (work != NULL) pcre2_set_callout(context, weir_pattern_count, work);
        result = pcre2_match(code, text, length, start, PCRE2_NO_UTF_CHECK, data, context);
        for (uint32_t index = 0; result >= 0 && places != NULL && index < 2 * pairs; index++)
            places[index] = pcre2_get_ovector_pointer(data)[index];
    }
    pcre2_match_context_free(context);
    pcre2_match_data_free(data);
    // 0 is a match, with more groups than `data` has room for.
    return result >= 0 ? 1 : result == PCRE2_ERROR_NOMATCH ? 0 : -1;
}

#endif
