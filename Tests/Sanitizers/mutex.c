// Shows ThreadSanitizer how the Mutex of Swift's library waits.
//
// The compiler puts the fast paths of Mutex into our code, where ThreadSanitizer sees their atomic instructions. A thread
// that must wait gets the lock inside of libswiftSynchronization (stdlib/public/Synchronization/Mutex/LinuxImpl.swift in
// swiftlang/swift), which is not instrumented: what the lock protects is then reported as a race. These functions are
// loaded before the library's and call them. Nothing is suppressed: only the order that the lock gives is added.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

// Weak, because programs without ThreadSanitizer that a test starts load this file too.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

SWIFT void lock(uint32_t thread, SELF self) __asm__(LOCK_SLOW);
SWIFT _Bool tryLock(SELF self) __asm__(TRY_LOCK_SLOW);
SWIFT void unlock(SELF self) __asm__(UNLOCK_SLOW);

SWIFT void lock(uint32_t thread, SELF self) {
    ((SWIFT void (*)(uint32_t, SELF))dlsym(RTLD_NEXT, LOCK_SLOW))(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT _Bool tryLock(SELF self) {
    _Bool isLocked = ((SWIFT _Bool (*)(SELF))dlsym(RTLD_NEXT, TRY_LOCK_SLOW))(self);
    if (isLocked && __tsan_acquire) __tsan_acquire(self);
    return isLocked;
}

SWIFT void unlock(SELF self) {
    if (__tsan_release) __tsan_release(self);
    ((SWIFT void (*)(SELF))dlsym(RTLD_NEXT, UNLOCK_SLOW))(self);
}
