package import HTTPCore

/// The paths of a route: literal segments, and one segment or several behind them.
///
/// A path is divided at its slashes as it was received, and then decoded: an escaped slash (`%2F`) belongs to its segment.
/// One slash at the end is ignored. Nothing is allocated, unless the path has escapes.
package struct RoutePattern: Sendable {
    /// What follows the literal segments.
    package enum Tail: Sendable {
        case nothing
        /// One segment that is not empty.
        case value
        /// A slash and any number of segments.
        case rest
    }

    private let literal: [UInt8]
    private let tail: Tail

    /// A pattern whose literal segments, such as `/tweets`, consist of characters that need no escape.
    package init(_ literal: String, _ tail: Tail) {
        self.literal = Array(literal.utf8)
        self.tail = tail
    }

    /// Whether the pattern matches a path as `RoutePath` prepares it.
    package func matches(_ path: RoutePath) -> Bool {
        let bytes = path.bytes
        guard bytes.count >= literal.count else { return false }
        var index = bytes.startIndex
        for byte in literal {
            guard bytes[index] == byte else { return false }
            index += 1
        }
        let rest = bytes[index...]
        switch tail {
        case .nothing: return rest.isEmpty || rest.count == 1 && rest.first == slash
        case .rest: return rest.first == slash
        case .value:
            guard rest.first == slash, rest.count > 1 else { return false }
            let value = rest.last == slash ? rest.dropFirst().dropLast() : rest.dropFirst()
            return !value.isEmpty && !value.contains(slash)
        }
    }

    /// Returns the decoded segments behind the literal ones, without an empty one at the end.
    package func segments(of path: RoutePath) -> [String] {
        var rest = path.bytes.dropFirst(literal.count + 1)
        if rest.last == slash { rest = rest.dropLast() }
        return rest.split(separator: slash, omittingEmptySubsequences: false)
            // The request's parser has refused a path that does not decode.
            .map { segment in PercentCoding.decode(segment.span) ?? "" }
    }
}

/// The path of a request target, prepared for patterns.
package struct RoutePath: Sendable {
    /// The path as received, with the escapes of letters, digits, `-`, `.`, `_` and `~` decoded (RFC 3986 §6.2.2.2).
    package let bytes: ArraySlice<UInt8>
    /// Whether a decoded segment is `.` or `..`; a backslash and an escaped slash count as slashes.
    package let hasDotSegments: Bool

    package init(_ target: RequestTarget) {
        let raw = target.rawPathBytes
        var (hasEscapes, hasDots) = (false, false)
        for byte in raw {
            if byte == percent { hasEscapes = true }
            if byte == UInt8(ascii: ".") { hasDots = true }
        }
        bytes = hasEscapes ? Self.normalized(raw) : raw
        hasDotSegments = (hasEscapes || hasDots) && DotSegments.arePresent(in: target.path)
    }

    private static func normalized(_ raw: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.count)
        var index = raw.startIndex
        while index < raw.endIndex {
            if raw[index] == percent, index + 2 < raw.endIndex, let value = escaped(raw[index + 1], raw[index + 2]) {
                bytes.append(value)
                index += 3
            } else {
                bytes.append(raw[index])
                index += 1
            }
        }
        return bytes[...]
    }

    /// Returns the character that an escape stands for, if it needs none.
    private static func escaped(_ high: UInt8, _ low: UInt8) -> UInt8? {
        guard let high = Character(Unicode.Scalar(high)).hexDigitValue,
            let low = Character(Unicode.Scalar(low)).hexDigitValue
        else { return nil }
        let byte = UInt8(high << 4 | low)
        switch Unicode.Scalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": return byte
        default: return nil
        }
    }
}

private let slash = UInt8(ascii: "/")
private let percent = UInt8(ascii: "%")
