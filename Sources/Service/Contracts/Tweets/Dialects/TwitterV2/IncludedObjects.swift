import JSONText
import LenientCoding

extension TwitterV2 {
    /// Objects of one kind to which tweets refer by their ids; of several with one id, the first one counts.
    struct IncludedObjects<Value: Record> {
        private let values: [Value]
        /// The indices of `values` by id: nearly all ids are numbers, which are hashed faster than texts.
        private var numbers: [UInt64: Int] = [:], texts: [String: Int] = [:]
        private var isInserted: [Bool]
        /// The lengths of values in the answer, of those that are inserted again.
        private var lengths: [Int: Int] = [:]

        init(_ values: [Value] = [], id: (Value) -> String = { _ in "" }) { self.init(values, ids: values.map(id)) }

        init(_ values: [Value], ids: [String]) {
            self.values = values
            isInserted = [Bool](repeating: false, count: values.count)
            numbers.reserveCapacity(values.count)
            for (index, id) in ids.enumerated() {
                if let number = Self.number(id) {
                    if numbers[number] == nil { numbers[number] = index }
                } else if texts[id] == nil {
                    texts[id] = index
                }
            }
        }

        subscript(index: Int) -> Value { _read { yield values[index] } }

        /// Returns the index of the object with this id, or nil.
        func index(of id: String) -> Int? { Self.number(id).map { numbers[$0] } ?? texts[id] }

        /// Returns the index of the object with this id, for inserting it; nil if there is none or, reported, if the budget
        /// of bytes to repeat is spent.
        mutating func take(_ id: String?, _ budget: inout Int, _ reader: inout RecordReader) -> Int? {
            guard let id, let index = index(of: id) else { return nil }
            // Inserted once, an object takes no more room than in the document.
            if isInserted[index] {
                let length = lengths[index] ?? length(at: index)
                lengths[index] = length
                guard length <= budget else {
                    reader.note(.dropped, .tooMany)
                    return nil
                }
                budget -= length
            }
            isInserted[index] = true
            return index
        }

        private func length(at index: Int) -> Int {
            var writer = JSONWriter()
            values[index].write(to: &writer, style: WritingStyle())
            return writer.count
        }

        /// Returns the number that an id is; nil unless it has one spelling only, such as no other zeros.
        private static func number(_ id: String) -> UInt64? {
            let digits = id.utf8.span
            // 19 digits cannot overflow.
            guard 1...19 ~= digits.count, digits[0] != UInt8(ascii: "0") else { return nil }
            var number: UInt64 = 0
            for index in digits.indices {
                let digit = digits[index] &- UInt8(ascii: "0")
                guard digit < 10 else { return nil }
                number = number &* 10 &+ UInt64(digit)
            }
            return number
        }
    }
}
