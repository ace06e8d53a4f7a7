/// What RFC 9112 makes of the bytes of a connection on which one request was sent; nil if they are no complete response.
struct ExpectedResponse {
    private(set) var status = 0
    private(set) var body: [UInt8] = []
    /// Whether it has a content coding.
    private(set) var isEncoded = false
    /// Whether it ends before its connection does.
    private(set) var isDelimited = true
    private var length: Int?
    private var isChunked = false

    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        repeat {
            self = Self()
            guard readHead(&rest) else { return nil }
        } while status / 100 == 1 && status != 101
        if status == 204 || status == 304 { return }
        if isChunked {
            guard readChunks(&rest) else { return nil }
        } else if let length {
            guard rest.count >= length else { return nil }
            body = Array(rest.prefix(length))
        } else {
            (body, isDelimited) = (Array(rest), false)
        }
    }

    private init() {}

    private static func line(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard let end = rest.firstIndex(of: 10), end > rest.startIndex, rest[end - 1] == 13 else { return nil }
        defer { rest = rest[(end + 1)...] }
        // Latin-1, so that every byte is a character.
        return String(String.UnicodeScalarView(rest[..<(end - 1)].map { Unicode.Scalar($0) }))
    }

    /// Matches a whole line, of which U+0085 is a character like others.
    private static func match<Output>(_ line: String, _ pattern: Regex<Output>) -> Regex<Output>.Match? {
        line.wholeMatch(of: pattern.dotMatchesNewlines().matchingSemantics(.unicodeScalar))
    }

    private mutating func readHead(_ rest: inout ArraySlice<UInt8>) -> Bool {
        guard let first = Self.line(&rest), let match = Self.match(first, /HTTP\/1\.[01] ([0-9]{3})( .*)?/),
            let status = Int(match.1)
        else { return false }
        self.status = status
        while let line = Self.line(&rest) {
            if line.isEmpty { return true }
            guard let (name, value) = Self.field(line), takeField(name, value) else { return false }
        }
        return false
    }

    private static func field(_ line: String) -> (name: String, value: String)? {
        guard let match = match(line, /([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*(.*?)[ \t]*/) else { return nil }
        return (match.1.lowercased(), String(match.2))
    }

    private mutating func takeField(_ name: String, _ value: String) -> Bool {
        switch name {
        case "content-length":
            guard length == nil, !isChunked, let number = Int(value), value.wholeMatch(of: /[0-9]+/) != nil else {
                return false
            }
            length = number
        case "transfer-encoding":
            guard !isChunked, length == nil, value.lowercased() == "chunked" else { return false }
            isChunked = true
        case "content-encoding": isEncoded = true
        default: break
        }
        return true
    }

    private mutating func readChunks(_ rest: inout ArraySlice<UInt8>) -> Bool {
        while let line = Self.line(&rest) {
            guard let match = Self.match(line, /([0-9A-Fa-f]+)[ \t]*(;.*)?/), let size = Int(match.1, radix: 16)
            else {
                return false
            }
            if size == 0 { break }
            guard rest.count >= size + 2 else { return false }
            body += rest.prefix(size)
            rest = rest.dropFirst(size)
            guard Self.line(&rest)?.isEmpty == true else { return false }
        }
        while let line = Self.line(&rest) {
            if line.isEmpty { return true }
            if Self.field(line) == nil { return false }
        }
        return false
    }
}
