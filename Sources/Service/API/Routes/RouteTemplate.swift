package import HTTPCore

/// The paths of a route: `/tweets/{id}`, of literal segments and of segments that are parameters.
package struct RouteTemplate: Sendable {
    package enum Segment: Hashable, Sendable {
        case literal([UInt8])
        case parameter(String)
    }

    package let text: String
    package let segments: [Segment]

    /// Reads a template, whose literal segments consist of characters that need no escape.
    package init(_ text: String) {
        self.text = text
        segments = text.utf8.dropFirst().split(separator: slash, omittingEmptySubsequences: false).map { segment in
            guard segment.first == UInt8(ascii: "{"), segment.last == UInt8(ascii: "}") else {
                return .literal(Array(segment))
            }
            return .parameter(String(decoding: segment.dropFirst().dropLast(), as: UTF8.self))
        }
    }

    /// The segments with nameless parameters: two templates of one shape match the same paths.
    package var shape: [Segment] { segments.map { if case .parameter = $0 { .parameter("") } else { $0 } } }

    /// The names of the parameters in order.
    package var parameters: [String] {
        segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }

    /// Returns the decoded values of the segments that are parameters, in a path that the template matches.
    package func values(in path: RoutePath) -> [String] {
        zip(segments, path.segments).compactMap { segment, value in
            if case .parameter = segment { value } else { nil }
        }
    }
}

/// Finds the number of the template that matches a path; a literal segment wins over a parameter.
///
/// A path is divided at its slashes as it was received, and then decoded: an escaped slash (`%2F`) belongs to its segment.
/// One slash at the end is ignored. Nothing is allocated, unless the path has escapes.
package struct RouteTree: Sendable {
    private struct Node: Sendable {
        var literals: [(bytes: [UInt8], node: Int)] = []
        var parameter: Int?
        /// The number of the template that ends here.
        var template: Int?
        /// The number for all paths below that match no template.
        var rest: Int?
    }

    private var nodes = [Node()]

    package init() {}

    /// Adds a template; one that differs in the names of parameters alone takes the place of the former one.
    ///
    /// With `ownsPrefix`, the number is also that of all other paths below the literal segments at the template's start.
    package mutating func insert(_ template: RouteTemplate, ownsPrefix: Bool = false, _ number: Int) {
        var node = 0
        for segment in template.segments {
            if ownsPrefix, case .parameter = segment, nodes[node].rest == nil { nodes[node].rest = number }
            node = child(of: node, segment)
        }
        nodes[node].template = number
    }

    private mutating func child(of node: Int, _ segment: RouteTemplate.Segment) -> Int {
        let next = nodes.count
        switch segment {
        case .literal(let bytes):
            if let known = nodes[node].literals.first(where: { $0.bytes == bytes }) { return known.node }
            nodes[node].literals.append((bytes, next))
        case .parameter:
            if let known = nodes[node].parameter { return known }
            nodes[node].parameter = next
        }
        nodes.append(Node())
        return next
    }

    /// Returns the number of the template that matches the path.
    package func find(_ path: RoutePath) -> Int? {
        let bytes = path.trimmed
        return find(bytes, bytes.startIndex, 0, endsWithSlash: path.bytes.last == slash)
    }

    private func find(_ bytes: ArraySlice<UInt8>, _ place: Int, _ node: Int, endsWithSlash: Bool) -> Int? {
        guard place < bytes.endIndex else {
            return nodes[node].template ?? (endsWithSlash ? nodes[node].rest : nil)
        }
        guard bytes[place] == slash else { return nil }
        var end = place + 1
        while end < bytes.endIndex, bytes[end] != slash { end += 1 }
        for index in nodes[node].literals.indices where isLiteral(bytes, place + 1..<end, node, index) {
            let next = nodes[node].literals[index].node
            if let found = find(bytes, end, next, endsWithSlash: endsWithSlash) { return found }
        }
        if let parameter = nodes[node].parameter, end > place + 1,
            let found = find(bytes, end, parameter, endsWithSlash: endsWithSlash)
        {
            return found
        }
        return nodes[node].rest
    }

    /// Whether the bytes of a segment are a literal of a node; without a copy of the node, which counts references.
    private func isLiteral(_ bytes: ArraySlice<UInt8>, _ segment: Range<Int>, _ node: Int, _ index: Int) -> Bool {
        guard nodes[node].literals[index].bytes.count == segment.count else { return false }
        var place = 0
        while place < segment.count {
            if nodes[node].literals[index].bytes[place] != bytes[segment.lowerBound + place] { return false }
            place += 1
        }
        return true
    }
}

/// The path of a request target, prepared for templates.
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

    /// The path without a slash at its end.
    fileprivate var trimmed: ArraySlice<UInt8> { bytes.count > 1 && bytes.last == slash ? bytes.dropLast() : bytes }

    /// The decoded segments, without an empty one at the end.
    package var segments: [String] {
        trimmed.dropFirst().split(separator: slash, omittingEmptySubsequences: false)
            // The request's parser has refused a path that does not decode.
            .map { PercentCoding.decode($0.span) ?? "" }
    }

    private static func normalized(_ raw: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.count)
        var rest = raw
        while let byte = rest.first {
            // An escaped character that needs no escape.
            let escaped = PercentCoding.escapedByte(in: rest.span, at: 0).flatMap {
                PercentCoding.AllowedCharacters.unreserved.contains($0) ? $0 : nil
            }
            bytes.append(escaped ?? byte)
            rest = rest.dropFirst(escaped == nil ? 1 : 3)
        }
        return bytes[...]
    }
}

/// The field `Link` (RFC 8288).
package enum WebLink {
    /// Returns the target of the link with `rel=next` in a field; its parts are read once, however many there are.
    package static func next(in field: String) -> String? {
        var rest = field.utf8[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")),
            let end = rest[start...].firstIndex(of: UInt8(ascii: ">"))
        {
            let target = rest[rest.index(after: start)..<end]
            var isQuoted = false
            let parameters = rest[rest.index(after: end)...].prefix { byte in
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                return isQuoted || byte != UInt8(ascii: ",")
            }
            rest = rest[parameters.endIndex...]
            if parameters.count >= "rel=next".utf8.count, isNext(parameters) { return String(target) }
        }
        return nil
    }

    /// Whether the first `rel` among the parameters of a link has `next`, and no `anchor` makes the link that of another page.
    private static func isNext(_ parameters: Substring.UTF8View) -> Bool {
        var relation: String?
        for parameter in parameters.split(separator: UInt8(ascii: ";")) {
            let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard parts.count == 2, parts[0].count <= 16 else { continue }
            switch Substring(parts[0]).lowercased().filter({ $0 != " " && $0 != "\t" }) {
            case "anchor": return false
            case "rel": relation = relation ?? Substring(parts[1]).lowercased()
            default: break
            }
        }
        return relation?.split { " \t\"".contains($0) }.contains("next") == true
    }

    /// Returns a link to the next page of a request, which has the parameter `name` with `value` in place of its own.
    package static func next(
        path: String, _ pairs: [(name: String, value: String)], _ name: String, _ value: String
    ) -> String {
        // Each byte of the path but an unreserved one is an escape.
        let path = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            PercentCoding.decode(Array(segment.utf8).span).map { PercentCoding.encode($0, allowing: .unreserved) } ?? ""
        }
        let query = (pairs.filter { $0.name != name } + [(name, value)]).map { pair in
            [pair.name, pair.value].map { PercentCoding.encode($0, allowing: .queryComponent) }.joined(separator: "=")
        }
        return "<\(path.joined(separator: "/"))?\(query.joined(separator: "&"))>; rel=\"next\""
    }
}

private let slash = UInt8(ascii: "/")
private let percent = UInt8(ascii: "%")
