import FoundationEssentials
import JSONText

extension EncodingText {
    /// Writes the value at `depth`.
    @inline(__always)
    func write<Value: Encodable>(_ value: Value, at depth: Int) throws {
        if try writeWellKnown(value, at: depth) { return }
        try value.encode(to: ValueEncoder(branch, depth: depth))
    }

    /// Writes a value of one of the types that are not left to their own `encode(to:)`; false if it is of no such type.
    private func writeWellKnown<Value: Encodable>(_ value: Value, at depth: Int) throws -> Bool {
        switch WellKnownType(Value.self) {
        case .string: try writeScalar(relabeled(value) as String, at: depth)
        case .int: try writeScalar(relabeled(value) as Int, at: depth)
        case .double: try writeScalar(relabeled(value) as Double, at: depth)
        case .date: try writeDate(relabeled(value), at: depth)
        case .url: try writeScalar((relabeled(value) as URL).absoluteString, at: depth)
        case .decimal: try writeDecimal(relabeled(value), at: depth)
        case .data: try writeData(relabeled(value), at: depth)
        case .integers: try writeScalars(relabeled(value) as [Int], at: depth)
        case .doubles: try writeScalars(relabeled(value) as [Double], at: depth)
        case .strings: try writeScalars(relabeled(value) as [String], at: depth)
        case nil: return false
        }
        return true
    }

    /// `value` as what it is known to be: a cast would look that up at run time.
    @inline(__always)
    private func relabeled<Value, Known>(_ value: Value) -> Known { unsafeBitCast(value, to: Known.self) }

    /// Writes a scalar as the value at `depth`.
    @inline(__always)
    func writeScalar<Value: WritableScalar>(_ value: Value, at depth: Int) throws {
        try check(value) { codingPath(depth) }
        try beginScalar(at: depth)
        write(value)
    }

    /// Writes a scalar as a member of the object at `depth`.
    @inline(__always)
    func writeMember<Value: WritableScalar>(
        _ value: Value, _ key: some CodingKey, isDictionary: Bool, at depth: Int
    ) throws {
        try check(value) { codingPath(depth) + [key] }
        try beginMember(key, isDictionary: isDictionary, at: depth)
        write(value)
    }

    /// Writes a scalar as an element of the array at `depth`.
    @inline(__always)
    func writeElement<Value: WritableScalar>(_ value: Value, at depth: Int) throws {
        try check(value) { codingPath(depth) + [PathKey(element: count(at: depth))] }
        try beginElement(at: depth)
        write(value)
    }

    @inline(__always)
    private func write<Value: WritableScalar>(_ value: Value) {
        if value.isJSON {
            value.writeScalar(to: &state.pointee.writer)
        } else {
            let strategy = branch.session.configuration.nonConformingFloatEncodingStrategy
            strategy.write(value.sign, to: &state.pointee.writer)
        }
    }

    @inline(__always)
    private func check<Value: WritableScalar>(_ value: Value, path: () -> [any CodingKey]) throws {
        if value.isJSON { return }
        if case .throw = branch.session.configuration.nonConformingFloatEncodingStrategy {
            throw EncodingError.invalidValue(
                value, EncodingError.Context(codingPath: path(), debugDescription: "JSON has no number for \(value)."))
        }
    }

    private func writeScalars<Value: WritableScalar>(_ values: [Value], at depth: Int) throws {
        guard begin(.array, at: depth) else { throw misuse(at: depth) }
        for value in values { try writeElement(value, at: depth) }
    }

    private func writeDate(_ date: Date, at depth: Int) throws {
        if state.pointee.writesSeconds { return try writeScalar(date.timeIntervalSince1970, at: depth) }
        switch branch.session.configuration.dateEncodingStrategy {
        case .deferredToDate: try writeScalar(date.timeIntervalSinceReferenceDate, at: depth)
        case .secondsSince1970: try writeScalar(date.timeIntervalSince1970, at: depth)
        case .millisecondsSince1970: try writeScalar(date.timeIntervalSince1970 * 1000, at: depth)
        case .iso8601: try writeText(ISO8601.string(from: date), of: date, at: depth)
        case .format(let format): try writeText(format.string(from: date), of: date, at: depth)
        case .custom(let write): try write(date, ValueEncoder(branch, depth: depth))
        }
    }

    private func writeText(_ text: String?, of date: Date, at depth: Int) throws {
        guard let text else {
            throw EncodingError.invalidValue(
                date,
                EncodingError.Context(codingPath: codingPath(depth), debugDescription: "The format has no such date."))
        }
        try writeScalar(text, at: depth)
    }

    private func writeDecimal(_ decimal: Decimal, at depth: Int) throws {
        guard decimal.isFinite else { return try writeScalar(Double.nan, at: depth) }
        try beginScalar(at: depth)
        state.pointee.writer.write(raw: Array(decimal.description.utf8))
    }

    private func writeData(_ data: Data, at depth: Int) throws {
        switch branch.session.configuration.dataEncodingStrategy {
        case .deferredToData: try data.encode(to: ValueEncoder(branch, depth: depth))
        case .base64: try writeScalar(data.base64EncodedString(), at: depth)
        case .custom(let write): try write(data, ValueEncoder(branch, depth: depth))
        }
    }
}
