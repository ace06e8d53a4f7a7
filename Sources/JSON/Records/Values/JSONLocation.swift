public import JSONText

/// A line and a column in a JSON document, for error messages.
///
///     if let location = JSONLocation(of: "upstreams[0].units", in: bytes) {
///         print("\(location): unknown units")  // line 4, column 9: unknown units
///     }
public struct JSONLocation: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The line, counted from 1.
    public let line: Int
    /// The column in Unicode code points, counted from 1.
    public let column: Int

    /// Finds the value at `path`, which is written as in `DriftReport` and `ContractError`.
    ///
    /// The location of a member is that of its key; if the key occurs more than once, the last one counts. If no value
    /// has this path, the location is that of its innermost ancestor that exists. Returns nil if the document is not
    /// JSON.
    public init?(of path: String, in bytes: [UInt8], options: JSONOptions = JSONOptions()) {
        var parser = JSONParser(options: options)
        guard let offset = try? parser.withDocument(bytes, { Self.offset(of: path[...], in: $0) }) else { return nil }
        let before = bytes.prefix(offset)
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        line = before.count { $0 == UInt8(ascii: "\n") } + 1
        // A continuation byte of UTF-8 is 10xxxxxx; all other bytes begin a code point.
        column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
    }

    /// The location as text: `line 4, column 9`.
    public var description: String { "line \(line), column \(column)" }

    /// Returns whether `left` comes before `right` in the document.
    public static func < (left: JSONLocation, right: JSONLocation) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }

    private static func offset(of path: Substring, in root: JSONNode) -> Int {
        var (node, offset, path) = (root, start(of: root), path)
        while let step = node.kind == .array ? element(path, of: node) : member(path, of: node) {
            (node, offset, path) = step
        }
        return offset
    }

    /// Returns the element that `path` begins with, such as `[3].name`, its offset and the rest of the path.
    private static func element(_ path: Substring, of array: JSONNode) -> (JSONNode, Int, Substring)? {
        guard path.first == "[", let end = path.firstIndex(of: "]"), let index = Int(path[..<end].dropFirst()),
            0..<array.count ~= index, let element = array.elements.dropFirst(index).first(where: { _ in true })
        else { return nil }
        return (element, start(of: element), path[end...].dropFirst())
    }

    /// Returns the member that `path` begins with, such as `name[3]`, its offset and the rest of the path.
    private static func member(_ path: Substring, of object: JSONNode) -> (JSONNode, Int, Substring)? {
        let path = path.first == "." ? path.dropFirst() : path
        var found: (value: JSONNode, offset: Int, rest: Substring)?
        for (key, value) in object.members {
            guard let name = key.string, path.hasPrefix(name) else { continue }
            let rest = path.dropFirst(name.count)
            guard rest.isEmpty || rest.first == "." || rest.first == "[" else { continue }
            // A key may contain dots: the longest key that matches wins.
            if let found, found.rest.count < rest.count { continue }
            found = (value, start(of: key), rest)
        }
        return found
    }

    /// The offset of a value or key, including its opening quote.
    private static func start(of node: JSONNode) -> Int { node.isString ? node.offset - 1 : node.offset }
}
