import JSONText
import LenientCoding

/// A date as Twitter writes it, as a record's field.
struct TweetDate: FieldValue {
    /// Seconds since 1970.
    var seconds = 0.0

    static var expectation: String { "a date" }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> TweetDate? {
        guard node.kind == .string, let seconds = TweetTime.seconds(node.text) else { return reader.fail(.mistyped) }
        return TweetDate(seconds: seconds)
    }

    func write(to writer: inout JSONWriter, style: WritingStyle) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: TweetTime.writtenLength) { text in
            TweetTime.write(seconds, to: text)
            writer.write(string: UnsafeBufferPointer(text))
        }
    }
}
