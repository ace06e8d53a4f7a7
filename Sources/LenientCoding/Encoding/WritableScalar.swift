import JSONText

/// A type that is written as one scalar of JSON.
protocol WritableScalar: Encodable {
    /// Whether JSON has such a value.
    var isJSON: Bool { get }

    /// Where JSON has no such value: 1 or -1 for an infinity, 0 for what is no number.
    var sign: Int { get }

    func writeScalar(to writer: inout JSONWriter)
}

extension WritableScalar {
    var isJSON: Bool { true }
    var sign: Int { 0 }
}

extension WritableScalar where Self: FloatingPoint {
    var isJSON: Bool { isFinite }
    var sign: Int { isNaN ? 0 : self < 0 ? -1 : 1 }
}

extension Bool: WritableScalar {
    func writeScalar(to writer: inout JSONWriter) {
        writer.write(self)
    }
}

extension String: WritableScalar {
    func writeScalar(to writer: inout JSONWriter) {
        writer.write(self)
    }
}

extension Double: WritableScalar {
    func writeScalar(to writer: inout JSONWriter) { writer.write(self) }
}

extension Float: WritableScalar {
    func writeScalar(to writer: inout JSONWriter) {
        // The shortest text of the float: that of the double next to it would show digits the float does not have.
        let text = description
        writer.write(raw: Array(text.utf8.dropLast(text.hasSuffix(".0") ? 2 : 0)))
    }
}

extension CompactEncoder.NonConformingFloatEncodingStrategy {
    /// Writes what stands for an infinity of this sign, or for NaN if it is 0.
    func write(_ sign: Int, to writer: inout JSONWriter) {
        switch self {
        case .convertToString(let positiveInfinity, let negativeInfinity, let nan):
            writer.write(sign == 0 ? nan : sign > 0 ? positiveInfinity : negativeInfinity)
        case .throw, .null: writer.writeNull()
        }
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

extension Int: WritableScalar {}
extension Int8: WritableScalar {}
extension Int16: WritableScalar {}
extension Int32: WritableScalar {}
extension Int64: WritableScalar {}
extension Int128: WritableScalar {}
extension UInt: WritableScalar {}
extension UInt8: WritableScalar {}
extension UInt16: WritableScalar {}
extension UInt32: WritableScalar {}
extension UInt64: WritableScalar {}
extension UInt128: WritableScalar {}
