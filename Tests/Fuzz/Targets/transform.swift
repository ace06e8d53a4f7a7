import JSONText

/// The output of the transform is JSON, and a second transform does not change it; edited documents have no key twice.
@_cdecl("LLVMFuzzerTestOneInput")
public func transform(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = input(start, count)
    for keys in JSONTransform.Keys.allCases {
        for nulls in JSONTransform.Nulls.allCases {
            var transform = JSONTransform(keys: keys, nulls: nulls, exempt: ["data", "items[].labels"])
            check(bytes, [], &transform)
            check(bytes, .all, &transform)
            for edit in edits(keys, nulls) { check(bytes, edit) }
        }
    }
    return 0
}

private func edits(_ keys: JSONTransform.Keys, _ nulls: JSONTransform.Nulls) -> [DocumentEdit] {
    let rename = [("**.a", "b"), ("*.a_b", "a"), ("[*].b", "\"a_b\"")]
    let keep = ["a", "b[*].a", "**.a.*", "[*].b"]
    return [
        DocumentEdit(keys: keys, exempt: ["a", "**.b"], remove: ["**.c", "a[*].b"], rename: rename, nulls: nulls) { _ in
        },
        DocumentEdit(keys: keys, keep: keep, rename: rename, nulls: nulls) { _ in },
    ]
}

private func check(_ bytes: [UInt8], _ edit: DocumentEdit) {
    var transform = edit.makeTransform()
    guard let once = reading(bytes, leniency: .all, { transform.bytes(of: $0) }) else { return }
    var same = JSONTransform(keys: .keep, nulls: .keep)
    let twice = reading(once) { same.bytes(of: $0) }
    invariant(twice == once, "\(shown(once)) is read as \(twice.map(shown) ?? "refused")")
    invariant(same.events.isEmpty, "a key is written twice in \(shown(once))")
}

private func check(_ bytes: [UInt8], _ leniency: JSONLeniency, _ transform: inout JSONTransform) {
    guard let once = reading(bytes, leniency: leniency, { transform.bytes(of: $0) }) else { return }
    invariant(String(validating: once, as: UTF8.self) != nil, "invalid UTF-8: \(once)")
    invariant(transform.events.count <= JSONTransform.maximumEvents, "more events than the limit")
    let twice = reading(once) { transform.bytes(of: $0) }
    invariant(twice == once, "\(shown(once)) is transformed again to \(twice.map(shown) ?? "refused")")
    invariant(transform.events.allSatisfy { $0.kind != .duplicate }, "a key is written twice in \(shown(once))")
}
