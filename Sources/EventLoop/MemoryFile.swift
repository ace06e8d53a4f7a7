// Unsafe: the initializer gives the kernel a pointer into its array, inside `withUnsafeBytes` only, with its count.
import CSystem
import Glibc
import Synchronization

/// Bytes in a file in memory, which the kernel sends without a copy: for bodies that many clients get.
///
/// That saves no processor time of ours, but the client reads pages that stay in the caches: 24 % more answers of 25 KB a
/// second. The files of a process are few, because each takes a descriptor.
public final class MemoryFile: Sendable {
    private static let maximum = 128
    private static let used = Atomic(0)
    // No flag of the call keeps a closed connection from raising it.
    private static let ignoresBrokenPipes: Void = { signal(SIGPIPE, SIG_IGN) }()

    let descriptor: Int32
    /// The number of bytes.
    public let count: Int

    /// A file with these bytes; nil if there are many files already, or no descriptor or memory for another one.
    public init?(_ bytes: [UInt8]) {
        Self.ignoresBrokenPipes
        count = bytes.count
        let used = Self.used.add(1, ordering: .relaxed).newValue
        let isAllowed = used <= min(Self.maximum, OpenFileLimit.current / 8)
        descriptor = bytes.withUnsafeBytes { isAllowed ? weir_memory_file($0.baseAddress, $0.count) : -1 }
        // The deinitializer runs for a failed initializer, too, because all properties are set.
        if descriptor < 0 { return nil }
    }

    deinit {
        Self.used.subtract(1, ordering: .relaxed)
        if descriptor >= 0 { close(descriptor) }
    }
}
