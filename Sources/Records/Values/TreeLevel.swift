#if os(Linux)
    import CSystem
#elseif canImport(Darwin)
    import Darwin
#endif

/// How deep inside of a value of any kind a decoder or encoder stands, and what is likely to stand there.
///
/// A decoder says what a value is not by an error, and Foundation's builds the path of each in time that grows with the
/// square of its depth: 3 ms at level 500. Deep down, documents that do nothing but nest are read without any error.
package struct TreeLevel: Sendable {
    @TaskLocal package static var current = TreeLevel()

    /// How deep values may be nested.
    package static let maximumDepth = 512
    /// Above this level errors are cheap.
    private static let scalarDepth = 32

    private(set) var depth = 0
    private var isInObject = false
    private var isInObjectInObject = false
    /// Looked up where it begins to matter: it takes some microseconds.
    private var stack: StackBounds?

    /// Whether scalars are to be asked for before containers.
    package var expectsScalar: Bool { depth < Self.scalarDepth }

    /// Whether an object is more likely than an array: what nests repeats itself after one or two levels.
    package var expectsObject: Bool { !expectsScalar && isInObjectInObject }

    /// The level of the elements or members of a container at this level.
    ///
    /// - Throws: `DecodingError` when that is too deep.
    package func inside(isObject: Bool, _ decoder: any Decoder) throws -> TreeLevel {
        guard let level = inside(isObject: isObject) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "The value is nested \(depth) levels deep, \(reason)."))
        }
        return level
    }

    /// Why there is no further level.
    package var reason: String { depth < Self.maximumDepth ? "for which the stack has no room" : "which is the most" }

    /// The level of the elements or members of a container at this level; nil when that is too deep.
    package func inside(isObject: Bool) -> TreeLevel? {
        guard depth < Self.maximumDepth, stack?.hasRoom != false else { return nil }
        var level = self
        level.depth += 1
        if level.depth == 16 { level.stack = StackBounds() }
        level.isInObjectInObject = isInObject
        level.isInObject = isObject
        return level
    }
}

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
