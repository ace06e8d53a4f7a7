import JSONText
import Records

// A comparison of the answers of entries of `fetch`: a client should not see which entry answered.
extension FetchList {
    /// The most names that a warning has.
    private static let maximumNames = 5

    /// Warnings about entries whose answers have other names or types than those of the first entry.
    ///
    /// An edit passes on whatever the document has, and is not compared.
    var warnings: [String] {
        let answers = fetches.map { $0.rules.answer.schema(isWhole: false).leaves() }
        guard let first = answers.first, !first.isEmpty else { return [] }
        return zip(fetches, answers).dropFirst().flatMap { fetch, answer -> [String] in
            if answer.isEmpty { return [] }
            let name = "the entry \(fetch.entry) of fetch, \(fetch.upstream),"
            func warning(_ text: String, _ names: some Collection<String>) -> [String] {
                let sorted = names.sorted(), rest = sorted.count - Self.maximumNames
                let list = sorted.prefix(Self.maximumNames).joined(separator: ", ")
                return sorted.isEmpty ? [] : ["\(name) \(text): \(list)" + (rest > 0 ? " and \(rest) more" : "")]
            }
            let types = first.keys.filter { path in
                answer[path].map { $0 != first[path] && !$0.isEmpty && first[path] != "" } ?? false
            }
            return warning("answers without names of the first entry", Set(first.keys).subtracting(answer.keys))
                + warning("answers with names that the first entry lacks", Set(answer.keys).subtracting(first.keys))
                + warning("answers with other types than the first entry", types)
        }
    }
}

extension JSONValue {
    /// The paths of the values that a schema describes, with their types in words; no text for any type.
    fileprivate func leaves(_ path: String = "") -> [String: String] {
        var found: [String: String] = [:]
        if let properties = self["properties"]?.members {
            for property in properties {
                found.merge(property.value.leaves(path.isEmpty ? property.key : "\(path).\(property.key)")) { $1 }
            }
            return found
        }
        if let items = self["items"] { return items.leaves(path + "[]") }
        if path.isEmpty { return [:] }
        let types = self["type"]?.elements ?? self["type"].map { [$0] } ?? []
        return [path: types.compactMap(\.stringValue).filter { $0 != "null" }.sorted().joined(separator: " or ")]
    }
}
