/// The form of a stored response in a snapshot, which states the version of the form.
///
/// All numbers are little-endian: the status and the numbers of fields in 4 bytes, times in 8. A text is its length in 4
/// bytes and its bytes; the length of a field that a request did not have is the greatest number.
extension CachedResponse {
    /// Appends the response to `output`.
    public func encode(into output: inout [UInt8]) {
        output.append(UInt32(status.code))
        output.append(UInt64(requestTime))
        output.append(UInt64(responseTime))
        output.append(UInt32(fields.count))
        for field in fields.fields {
            output.append(text: fields.bytes[field.name])
            output.append(text: fields.bytes[field.value])
        }
        output.append(UInt32(selection.count))
        for field in selection {
            output.append(text: Array(field.name.utf8)[...])
            if let value = field.value { output.append(text: value[...]) } else { output.append(UInt32.max) }
        }
    }

    /// Reads a response from the start of `input` and removes its bytes; nil if they are damaged.
    ///
    /// The policy of now decides about its freshness. Nil, too, if it must not be stored under this policy.
    public convenience init?(decoding input: inout ArraySlice<UInt8>, policy: CachePolicy) {
        guard let code = input.number(UInt32.self), 200...599 ~= code, let requestTime = input.number(UInt64.self),
            let responseTime = input.number(UInt64.self), let count = input.number(UInt32.self)
        else { return nil }
        var pairs: [(name: String, value: String)] = []
        for _ in 0..<count {
            guard let name = input.text(), let value = input.text() else { return nil }
            pairs.append((String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
        }
        var selection: [SelectingField] = []
        guard let selecting = input.number(UInt32.self) else { return nil }
        for _ in 0..<selecting {
            guard let name = input.text(), let value = input.optionalText() else { return nil }
            selection.append(SelectingField(name: String(decoding: name, as: UTF8.self), value: value))
        }
        self.init(
            Status(Int(code)), HeaderFields(pairs).including(policy.fieldNames),
            policy.obeysUpstream ? selection : [], requestTime: Int(clamping: requestTime),
            responseTime: Int(clamping: responseTime), policy)
    }
}

extension Array<UInt8> {
    fileprivate mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    fileprivate mutating func append(text: ArraySlice<UInt8>) {
        append(UInt32(text.count))
        self += text
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func number<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        let size = Number.bitWidth / 8
        guard count >= size else { return nil }
        defer { removeFirst(size) }
        return prefix(size).reversed().reduce(0) { $0 << 8 | Number($1) }
    }

    fileprivate mutating func text() -> [UInt8]? { optionalText() ?? nil }

    /// Reads a text; its value is nil if there was none, and the result is nil if the bytes are damaged.
    fileprivate mutating func optionalText() -> [UInt8]?? {
        guard let length = number(UInt32.self) else { return nil }
        if length == .max { return .some(nil) }
        guard count >= Int(length) else { return nil }
        defer { removeFirst(Int(length)) }
        return .some(Array(prefix(Int(length))))
    }
}
