// Unsafe: takes the address of a local variable, without reading through it, to see how much of the stack is left, where
// the compiler's own function for it is not available.
#if os(Linux)
    import CSystem
#elseif canImport(Darwin)
    import Darwin
#endif

/// The nesting depth that a decoder or an encoder has reached, and the kind of value that is likely there.
///
/// A failed attempt to decode costs an error, and Foundation builds its path in time quadratic in the depth: 3 ms at level
/// 500. The guess avoids errors deep in documents that only nest.
package struct TreeLevel: Sendable {
    @TaskLocal package static var current = TreeLevel()

    /// The maximum nesting depth.
    package static let maximumDepth = 512
    /// The depth below which errors are cheap.
    private static let scalarDepth = 32

    private(set) var depth = 0
    private var isInObject = false
    private var isInObjectInObject = false
    /// Determined only at level 16, because it takes some microseconds.
    private var stack: StackBounds?

    /// Whether to try scalars before containers.
    package var expectsScalar: Bool { depth < Self.scalarDepth }

    /// Whether an object is more likely than an array: nested documents repeat themselves after one or two levels.
    package var expectsObject: Bool { !expectsScalar && isInObjectInObject }

    /// Returns the level of the elements or members of a container at this level.
    ///
    /// - Throws: `DecodingError` if that is too deep.
    package func inside(isObject: Bool, _ decoder: any Decoder) throws -> TreeLevel {
        guard let level = inside(isObject: isObject) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "The value is nested \(depth) levels deep, \(reason)."))
        }
        return level
    }

    /// Why there is no deeper level.
    package var reason: String { depth < Self.maximumDepth ? "for which the stack has no room" : "which is the most" }

    /// Returns the level of the elements or members of a container at this level; nil if that is too deep.
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

extension Encoder {
    /// Encodes the elements or members of a container one level deeper.
    package func descend(into value: some Any, _ encode: () throws -> Void) throws {
        let current = TreeLevel.current
        guard let level = current.inside(isObject: false) else {
            // The error names the type only, because the value is too deep to print.
            throw invalid(type(of: value), "nested \(current.depth) levels deep, \(current.reason)")
        }
        try TreeLevel.$current.withValue(level, operation: encode)
    }

    package func invalid(_ value: some Any, _ reason: String) -> EncodingError {
        .invalidValue(
            value, EncodingError.Context(codingPath: codingPath, debugDescription: "The value is \(reason)."))
    }
}

/// The bounds of the current thread's stack.
///
/// Dispatch's threads have 512 KB, and decoders other than this library's own take some kilobytes a level.
struct StackBounds: Sendable {
    /// The reserve for the deepest value, and for an error, whose path Foundation builds by recursion.
    private static let reserve: UInt = 128 << 10

    /// The stack's lowest address; 0 if it is unknown, which means no limit.
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

    /// Whether the stack has room for another level.
    var hasRoom: Bool { end == 0 || here > end &+ Self.reserve }

    /// An address in the part of the stack that is in use.
    private var here: UInt {
        #if os(Linux)
            return weir_stack_here()
        #else
            var local: UInt8 = 0
            return withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
        #endif
    }
}
