public import JSONText
public import LenientCoding

/// A part of a text: indices of Unicode code points, the end exclusive, written `[start,end]`.
public struct CodePointRange: FieldValue, Hashable {
    /// The first code point, and the one after the last.
    public var start: Int, end: Int

    /// The part from `start` to before `end`.
    public init(_ start: Int, _ end: Int) {
        self.start = start
        self.end = end
    }

    /// Two indices.
    public static var expectation: String { "two indices" }

    /// Two integers in an array.
    public static func schema(in components: inout SchemaComponents) -> JSONValue {
        [Int].schema(in: &components)
    }

    /// Reads two integers, neither negative, the second not below the first.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> CodePointRange? {
        guard node.kind == .array, node.count == 2 else { return reader.fail(.mistyped) }
        var elements = node.elements.makeIterator()
        guard let first = elements.next(), let start = Int.read(first, rules, &reader),
            let last = elements.next(), let end = Int.read(last, rules, &reader)
        else { return nil }
        guard start >= 0, end >= start else { return reader.fail(.implausible) }
        return CodePointRange(start, end)
    }

    /// Writes both indices.
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        writer.write(byte: UInt8(ascii: "["))
        writer.write(Int64(start))
        writer.write(byte: UInt8(ascii: ","))
        writer.write(Int64(end))
        writer.write(byte: UInt8(ascii: "]"))
    }
}
