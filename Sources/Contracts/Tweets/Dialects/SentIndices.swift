import JSONText
import LenientCoding

/// Where an upstream says that an entity stands: two integers, which need not be a part of any text.
struct SentIndices: FieldValue, Hashable {
    var start: Int, end: Int

    static var expectation: String { CodePointRange.expectation }

    /// The part of a text that they are, if they are one.
    var range: CodePointRange? { start >= 0 && end >= start ? CodePointRange(start, end) : nil }

    init(_ start: Int, _ end: Int) {
        self.start = start
        self.end = end
    }

    /// Two indices of which one may not have been sent; nil where none was.
    init?(_ start: Int?, _ end: Int?) {
        if start == nil, end == nil { return nil }
        self.init(start ?? -1, end ?? -1)
    }

    static func schema(in components: inout SchemaComponents) -> JSONValue {
        CodePointRange.schema(in: &components)
    }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> SentIndices? {
        guard node.kind == .array else { return reader.fail(.mistyped) }
        var elements = node.elements.makeIterator()
        let start = elements.next().flatMap { Int.read($0, rules, &reader) }
        let end = elements.next().flatMap { Int.read($0, rules, &reader) }
        // What is no pair of integers cuts out nothing, like a pair that is wrong.
        guard node.count == 2, let start, let end else { return SentIndices(-1, -1) }
        return SentIndices(start, end)
    }

    func write(to writer: inout JSONWriter, style: WritingStyle) { [start, end].write(to: &writer, style: style) }
}
