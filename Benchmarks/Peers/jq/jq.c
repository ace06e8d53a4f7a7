// jq's library, from bytes to bytes. The argument is the filter. Reads a length, the document, then numbers of
// repetitions; answers each with nanoseconds of processor time, and 0 with the answer.
#include <jq.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static jv answer(jq_state *filter, const char *document, int length) {
    jq_start(filter, jv_parse_sized(document, length), 0);
    jv result = jq_next(filter);
    if (!jv_is_valid(result)) exit(1);
    return jv_dump_string(result, 0);
}

static long long processor_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int count, char **arguments) {
    jq_state *filter = jq_init();
    if (count < 2 || !filter || !jq_compile(filter, arguments[1])) return 1;
    int length;
    if (scanf("%d", &length) != 1 || length <= 0 || getchar() != '\n') return 1;
    char *document = malloc(length);
    if (!document || fread(document, 1, length, stdin) != (size_t)length) return 1;
    long long turns;
    while (scanf("%lld", &turns) == 1) {
        if (turns == 0) {
            jv text = answer(filter, document, length);
            puts(jv_string_value(text));
            jv_free(text);
        } else {
            long long start = processor_time();
            for (long long turn = 0; turn < turns; turn += 1) jv_free(answer(filter, document, length));
            printf("%lld\n", processor_time() - start);
        }
        fflush(stdout);
    }
    return 0;
}
