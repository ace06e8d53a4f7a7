#include "CAllocations.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __GLIBC__

static bool counting;
static long allocations;

static inline void count(void) {
    if (__builtin_expect(counting, false)) __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
}

void weir_allocations_start(void) {
    __atomic_store_n(&allocations, 0, __ATOMIC_RELAXED);
    counting = true;
}

long weir_allocations_stop(void) {
    counting = false;
    return __atomic_load_n(&allocations, __ATOMIC_RELAXED);
}

// glibc lets a program replace its allocator. These functions count and call the original.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count();
    return __libc_calloc(number, size);
}

void *realloc(void *pointer, size_t size) {
    count();
    return __libc_realloc(pointer, size);
}

void *memalign(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **pointer, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    void *memory = memalign(alignment, size);
    if (memory == NULL) return ENOMEM;
    *pointer = memory;
    return 0;
}

#else

void weir_allocations_start(void) {}

long weir_allocations_stop(void) { return -1; }

#endif
