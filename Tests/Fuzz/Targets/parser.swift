import JSONText

/// Every value of an accepted document can be asked for, and the document written from them is accepted and the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func parse(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = input(start, count)
    let strict = reading(bytes) { copied($0) }
    if let strict {
        invariant(String(validating: strict, as: UTF8.self) != nil, "invalid UTF-8: \(strict)")
        let again = reading(strict) { copied($0) }
        invariant(again == strict, "\(shown(strict)) becomes \(again.map(shown) ?? "refused")")
    }
    let lenient = reading(bytes, leniency: .all) { copied($0) }
    if strict != nil { invariant(lenient == strict, "leniency changes \(shown(bytes))") }
    if let lenient { invariant(reading(lenient) { copied($0) } != nil, "not strict: \(shown(lenient))") }
    var documents = 0
    var parser = JSONParser(options: JSONOptions(leniency: .all))
    try? parser.withDocuments(bytes) { _ in documents += 1 }
    if strict != nil { invariant(documents == 1, "\(documents) documents in \(shown(bytes))") }
    return 0
}

/// The document written from its values: strings decoded and written anew, numbers as their text.
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
    invariant(count == node.count, "\(node.count) elements announced, \(count) found")
    writer.write(raw: count == 0 ? "[]" : "]")
}

private func copyMembers(of node: JSONNode, to writer: inout JSONWriter) {
    var count = 0
    for (key, value) in node.members {
        writer.write(byte: UInt8(ascii: count == 0 ? "{" : ","))
        let name = key.string
        invariant(name != nil && key.equals(name ?? ""), "a key that is not itself")
        writer.write(name ?? "")
        writer.write(byte: UInt8(ascii: ":"))
        copy(value, to: &writer)
        count += 1
        // Looking up is linear: only the first few keys are looked up.
        if count <= 8 { invariant(node[name ?? ""] != nil, "a key that is not found") }
    }
    invariant(count == node.count, "\(node.count) members announced, \(count) found")
    writer.write(raw: count == 0 ? "{}" : "}")
}

private func copyNumber(_ node: JSONNode, to writer: inout JSONWriter) {
    // The text of a number ends in a digit; NaN and the infinities of lenient documents end in a letter.
    guard let last = node.text.last, last < UInt8(ascii: "A") else {
        let double = node.double
        invariant(double?.isFinite != true, "\(shown(Array(node.text))) is \(double ?? 0)")
        invariant(node.int64 == nil, "\(shown(Array(node.text))) is an integer")
        return writer.writeNull()
    }
    if let double = node.double {
        invariant(double.isFinite, "a number that is none: \(shown(Array(node.text)))")
        // What is written for a double must be read as that double.
        var text = JSONWriter()
        text.write(double)
        let again = reading(text.bytes) { $0.double }
        invariant(again == .some(.some(double)), "\(double) is written as \(shown(text.bytes))")
    }
    if let integer = node.int64, let double = node.double {
        invariant(Double(integer) == double, "\(shown(Array(node.text))) is \(integer) and \(double)")
    }
    writer.write(raw: node.text)
}
