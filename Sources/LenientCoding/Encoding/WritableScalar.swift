import JSONText

/// A type that is written as one scalar of JSON.
protocol WritableScalar: Encodable {
    /// Whether JSON has such a value.
    var isJSON: Bool { get }

    func write(to writer: inout JSONWriter, _ strategy: CompactEncoder.NonConformingFloatEncodingStrategy)
}

extension WritableScalar {
    var isJSON: Bool { true }
}

extension Bool: WritableScalar {
    func write(to writer: inout JSONWriter, _ strategy: CompactEncoder.NonConformingFloatEncodingStrategy) {
        writer.write(self)
    }
}

extension String: WritableScalar {
    func write(to writer: inout JSONWriter, _ strategy: CompactEncoder.NonConformingFloatEncodingStrategy) {
        writer.write(self)
    }
}

extension Double: WritableScalar {
    var isJSON: Bool { isFinite }

    func write(to writer: inout JSONWriter, _ strategy: CompactEncoder.NonConformingFloatEncodingStrategy) {
        if isFinite { writer.write(self) } else { strategy.write(self, to: &writer) }
    }
}

extension Float: WritableScalar {
    var isJSON: Bool { isFinite }

    func write(to writer: inout JSONWriter, _ strategy: CompactEncoder.NonConformingFloatEncodingStrategy) {
        guard isFinite else { return strategy.write(Double(self), to: &writer) }
        // The shortest text of the float: that of the double next to it would show digits the float does not have.
        let text = description
        writer.write(raw: Array(text.utf8.dropLast(text.hasSuffix(".0") ? 2 : 0)))
    }
}

extension CompactEncoder.NonConformingFloatEncodingStrategy {
    fileprivate func write(_ value: Double, to writer: inout JSONWriter) {
        switch self {
        case .convertToString(let positiveInfinity, let negativeInfinity, let nan):
            writer.write(value.isNaN ? nan : value > 0 ? positiveInfinity : negativeInfinity)
        case .throw, .null: writer.writeNull()
        }
    }
}

extension WritableScalar where Self: FixedWidthInteger {
    func write(to writer: inout JSONWriter, _ strategy: CompactEncoder.NonConformingFloatEncodingStrategy) {
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
