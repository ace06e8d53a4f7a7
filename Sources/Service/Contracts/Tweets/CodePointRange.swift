public import JSONText
public import LenientCoding

/// A part of a text in Unicode code points, the end exclusive; `[start,end]` in JSON.
public struct CodePointRange: FieldValue, Hashable {
    /// The index of the first code point, and the index after the last one.
    public var start: Int, end: Int

    /// The part from `start` up to, but not including, `end`.
    public init(_ start: Int, _ end: Int) {
        self.start = start
        self.end = end
    }

    /// `two indices`, for error messages.
    public static var expectation: String { "two indices" }

    /// The JSON Schema of an array of integers.
    public static func schema(in components: inout SchemaComponents) -> JSONValue {
        [Int].schema(in: &components)
    }

    /// Reads an array of two integers of which neither is negative and the second is not below the first.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> CodePointRange? {
        guard node.kind == .array, node.count == 2 else { return reader.fail(.mistyped) }
        var elements = node.elements.makeIterator()
        guard let first = elements.next(), let start = Int.read(first, rules, &reader),
            let last = elements.next(), let end = Int.read(last, rules, &reader)
        else { return nil }
        guard start >= 0, end >= start else { return reader.fail(.implausible) }
        return CodePointRange(start, end)
    }

    /// Writes `[start,end]`.
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        [start, end].write(to: &writer, style: style)
    }
}
