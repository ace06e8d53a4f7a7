import JSONText
import LenientCoding

/// A sample's document, rewritten for each request: the place is the one asked for and the times are moved to now,
/// while everything else, its untidiness included, stays byte for byte as it was written.
struct SampleDocument: Sendable {
    private let bytes: [UInt8]
    private let clock: Int?
    private let steps: [String: Int]

    init(bytes: [UInt8], clock: Int?, steps: JSONValue?) {
        self.bytes = bytes
        self.clock = clock
        var seconds: [String: Int] = [:]
        if case .object(let members)? = steps {
            for member in members {
                if case .number(let text) = member.value { seconds[member.key] = Int(text) }
            }
        }
        self.steps = seconds
    }

    /// The document at `now`, in unix seconds, with the members of its root that are called like one of `values`
    /// replaced by its number.
    func rewritten(now: Int, values: [String: String]) throws -> [UInt8] {
        let age = clock.map { now - $0 } ?? 0
        var parser = JSONParser()
        return try parser.withDocument(bytes) { root in
            var writer = JSONWriter(capacity: bytes.count + 256)
            guard root.kind == .object else {
                write(root, shift: age, to: &writer)
                return writer.bytes
            }
            writer.write(byte: UInt8(ascii: "{"))
            for (index, member) in root.members.enumerated() {
                let key = member.key.string ?? ""
                write(key: member.key, isFirst: index == 0, to: &writer)
                if let value = values[key], member.value.isNumber {
                    writer.write(raw: Array(value.utf8))
                } else {
                    let step = max(1, steps[key] ?? 1)
                    write(member.value, shift: age / step * step, to: &writer)
                }
            }
            writer.write(byte: UInt8(ascii: "}"))
            return writer.bytes
        }
    }

    private func write(_ node: JSONNode, shift: Int, isTime: Bool = false, to writer: inout JSONWriter) {
        switch node.kind {
        case .object:
            writer.write(byte: UInt8(ascii: "{"))
            for (index, member) in node.members.enumerated() {
                write(key: member.key, isFirst: index == 0, to: &writer)
                write(member.value, shift: shift, isTime: Self.holdsTime(member.key), to: &writer)
            }
            writer.write(byte: UInt8(ascii: "}"))
        case .array:
            writer.write(byte: UInt8(ascii: "["))
            for (index, element) in node.elements.enumerated() {
                if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
                // Of a column of times, each is one; of an array of records, their members are.
                write(element, shift: shift, isTime: isTime, to: &writer)
            }
            writer.write(byte: UInt8(ascii: "]"))
        case .integer:
            // What is not positive is a sentinel.
            if isTime, let time = node.int64, time > 0 {
                writer.write(time + Int64(shift))
            } else {
                writer.write(raw: node.text)
            }
        case .string, .escapedString: writer.write(stringOf: node)
        default: writer.write(raw: node.text)
        }
    }

    private func write(key: JSONNode, isFirst: Bool, to writer: inout JSONWriter) {
        if !isFirst { writer.write(byte: UInt8(ascii: ",")) }
        writer.write(stringOf: key)
        writer.write(byte: UInt8(ascii: ":"))
    }

    /// Whether the members called `key` hold times: `time`, `expires`, `sunrise`, `sunset` and `…Time` do.
    private static func holdsTime(_ key: JSONNode) -> Bool {
        guard let name = key.string else { return false }
        return ["time", "expires", "sunrise", "sunset"].contains(name) || name.hasSuffix("Time")
    }
}
