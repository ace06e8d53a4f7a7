#if os(Linux)
    import CSystem
#elseif canImport(Darwin)
    import Darwin
#endif

/// How much of its stack a thread has left.
///
/// Dispatch's threads have 512 KB, and decoders other than this module's own take some kilobytes a level.
struct StackBounds: Sendable {
    /// What is left free for the deepest value itself, and for an error, whose path Foundation builds by recursion.
    private static let reserve: UInt = 128 << 10

    /// The stack's lowest address; 0 where the system does not tell, which bounds nothing.
    private let end: UInt = {
        #if os(Linux)
            return weir_stack_end()
        #elseif canImport(Darwin)
            let thread = pthread_self()
            return UInt(bitPattern: pthread_get_stackaddr_np(thread)) - UInt(pthread_get_stacksize_np(thread))
        #else
            return 0
        #endif
    }()

    /// Whether there is room for another level.
    var hasRoom: Bool {
        var here: UInt8 = 0
        return withUnsafeMutablePointer(to: &here) { end == 0 || UInt(bitPattern: $0) > end &+ Self.reserve }
    }
}
