import JSONText

/// Every value of an accepted document can be read, and the document written from these values is accepted and equal.
@_cdecl("LLVMFuzzerTestOneInput")
public func parse(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = input(start, count)
    let strict = reading(bytes) { copied($0) }
    if let strict {
        invariant(String(validating: strict, as: UTF8.self) != nil, "invalid UTF-8: \(strict)")
        let again = reading(strict) { copied($0) }
        invariant(again == strict, "\(shown(strict)) is copied as \(again.map(shown) ?? "refused")")
    }
    let lenient = reading(bytes, leniency: .all) { copied($0) }
    if strict != nil { invariant(lenient == strict, "lenient options change the strict document \(shown(bytes))") }
    if let lenient {
        invariant(reading(lenient) { copied($0) } != nil, "the output is not strict JSON: \(shown(lenient))")
    }
    var documents = 0
    var parser = JSONParser(options: JSONOptions(leniency: .all))
    try? parser.withDocuments(bytes) { _ in documents += 1 }
    if strict != nil { invariant(documents == 1, "\(documents) documents in \(shown(bytes))") }
    return 0
}

/// Writes the document from its values: strings are decoded and encoded again, numbers keep their text.
private func copied(_ root: JSONNode) -> [UInt8] {
    var writer = JSONWriter()
    copy(root, to: &writer)
    return writer.bytes
}

private func copy(_ node: JSONNode, to writer: inout JSONWriter) {
    switch node.kind {
    case .null: writer.writeNull()
    case .true, .false: writer.write(node.bool == true)
    case .integer, .number: copyNumber(node, to: &writer)
    case .string, .escapedString: writer.write(node.string ?? "")
    case .array: copyElements(of: node, to: &writer)
    case .object: copyMembers(of: node, to: &writer)
    }
}

private func copyElements(of node: JSONNode, to writer: inout JSONWriter) {
    var count = 0
    for element in node.elements {
        writer.write(byte: UInt8(ascii: count == 0 ? "[" : ","))
        copy(element, to: &writer)
        count += 1
    }
    invariant(count == node.count, "\(node.count) elements in `count`, \(count) read")
    writer.write(raw: count == 0 ? "[]" : "]")
}

private func copyMembers(of node: JSONNode, to writer: inout JSONWriter) {
    var count = 0
    for (key, value) in node.members {
        writer.write(byte: UInt8(ascii: count == 0 ? "{" : ","))
        let name = key.string
        invariant(name != nil && key.equals(name ?? ""), "a key does not equal its own text")
        writer.write(name ?? "")
        writer.write(byte: UInt8(ascii: ":"))
        copy(value, to: &writer)
        count += 1
        // A lookup is linear, so only the first keys are looked up.
        if count <= 8 {
            invariant(node[name ?? ""] != nil, "a lookup does not find an existing key")
        }
    }
    invariant(count == node.count, "\(node.count) members in `count`, \(count) read")
    writer.write(raw: count == 0 ? "{}" : "}")
}

private func copyNumber(_ node: JSONNode, to writer: inout JSONWriter) {
    // A number ends with a digit; NaN and Infinity, which lenient options accept, end with a letter.
    guard let last = node.text.last, last < UInt8(ascii: "A") else {
        let double = node.double
        invariant(double?.isFinite != true, "the literal \(shown(Array(node.text))) is read as \(double ?? 0)")
        invariant(node.int64 == nil, "the literal \(shown(Array(node.text))) is read as an integer")
        return writer.writeNull()
    }
    if let double = node.double {
        invariant(double.isFinite, "a non-finite number: \(shown(Array(node.text)))")
        // Writing a double and reading it again must give the same double.
        var text = JSONWriter()
        text.write(double)
        let again = reading(text.bytes) { $0.double }
        invariant(again == .some(.some(double)), "\(double) is written as \(shown(text.bytes))")
    }
    if let integer = node.int64, let double = node.double {
        invariant(Double(integer) == double, "\(shown(Array(node.text))) is read as \(integer) and as \(double)")
    }
    writer.write(raw: node.text)
}
