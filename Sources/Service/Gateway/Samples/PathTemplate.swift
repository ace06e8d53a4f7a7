/// A path with parameters: `/forecast/{key}/{latitude},{longitude}`.
///
/// A value is not empty and contains no `/`.
struct PathTemplate: Sendable, CustomStringConvertible {
    private enum Part {
        case literal([UInt8])
        case value(String)
    }

    let description: String
    /// Whether the template has no parameters.
    let isLiteral: Bool
    private let parts: [Part]

    /// The template that `text` describes; a `{` without a `}` is literal.
    init(_ text: String) {
        description = text
        var parts: [Part] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            if open > rest.startIndex { parts.append(.literal(Array(rest[..<open].utf8))) }
            parts.append(.value(String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.literal(Array(rest.utf8))) }
        self.parts = parts
        isLiteral = parts.allSatisfy { part in if case .literal = part { true } else { false } }
    }

    /// Returns the values of the parameters in `path`, or nil if the path does not match.
    ///
    /// A value ends where the literal after it begins.
    func match(_ path: String) -> [String: String]? {
        if isLiteral { return path == description ? [:] : nil }
        var rest = Array(path.utf8)[...]
        var values: [String: String] = [:]
        for (index, part) in parts.enumerated() {
            switch part {
            case .literal(let literal):
                guard rest.starts(with: literal) else { return nil }
                rest = rest.dropFirst(literal.count)
            case .value(let name):
                var stop: UInt8?
                if index + 1 < parts.count, case .literal(let literal) = parts[index + 1] { stop = literal.first }
                let value = rest.prefix { $0 != stop && $0 != UInt8(ascii: "/") }
                guard !value.isEmpty else { return nil }
                values[name] = String(decoding: value, as: UTF8.self)
                rest = rest.dropFirst(value.count)
            }
        }
        return rest.isEmpty ? values : nil
    }
}
