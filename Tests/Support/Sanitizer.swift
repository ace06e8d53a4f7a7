import Glibc

/// The sanitizer that the tests and the programs they start were built with.
package enum Sanitizer {
    /// Whether there is one.
    ///
    /// AddressSanitizer and ThreadSanitizer keep freed memory and map terabytes of addresses: a test of resident memory or of
    /// the limit of addresses says nothing about Weir then.
    package static let isPresent = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
}
