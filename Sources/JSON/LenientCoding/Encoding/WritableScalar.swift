import JSONText

/// A type that is encoded as one JSON scalar.
protocol WritableScalar: Encodable {
    /// The value if it is NaN or infinite, which JSON cannot represent; nil otherwise.
    var nonFinite: Double? { get }

    func writeScalar(to writer: inout JSONWriter)
}

extension WritableScalar {
    var nonFinite: Double? { nil }
}

/// `null`.
struct Null: WritableScalar {
    func writeScalar(to writer: inout JSONWriter) { writer.writeNull() }
}

extension Bool: WritableScalar {
    func writeScalar(to writer: inout JSONWriter) { writer.write(self) }
}

extension String: WritableScalar {
    func writeScalar(to writer: inout JSONWriter) { writer.write(self) }
}

extension Double: WritableScalar {
    var nonFinite: Double? { isFinite ? nil : self }

    func writeScalar(to writer: inout JSONWriter) { writer.write(self) }
}

extension Float: WritableScalar {
    var nonFinite: Double? { isFinite ? nil : Double(self) }

    func writeScalar(to writer: inout JSONWriter) {
        // The text of the nearest double would have digits that the float does not have.
        let text = description
        writer.write(raw: Array(text.utf8.dropLast(text.hasSuffix(".0") ? 2 : 0)))
    }
}

extension WritableScalar where Self: FixedWidthInteger {
    func writeScalar(to writer: inout JSONWriter) {
        if let value = Int64(exactly: self) {
            writer.write(value)
        } else if let value = UInt64(exactly: self) {
            writer.write(value)
        } else {
            writer.write(raw: Array(description.utf8))
        }
    }
}
