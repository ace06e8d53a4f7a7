import LenientCoding

// What clients of every contract may ask of the answer's form.
extension Parameters {
    /// The fields of a record in the list called `name`; nil for all.
    mutating func fields<Root: Record>(_ name: String, of root: Root.Type, example: String) -> FieldSelection? {
        var selection: FieldSelection?
        _ = list(name, "a list of fields, with commas and no spaces, such as \(example)") { paths in
            do throws(FieldSelection.UnknownFields) {
                selection = try FieldSelection(of: root, paths: paths)
                return []
            } catch {
                // None is named where there are more than are looked at.
                if error.fields.isEmpty { return ["there are too many, or they are too long"] }
                return error.fields.map { path, nearest in
                    let hint = nearest.map { "; did you mean \"\($0)\"?" } ?? ""
                    return "there is no field \(Self.quote(path))\(hint)"
                }
            }
        }
        return selection
    }

    /// Whether the parameter called `name` says yes.
    mutating func flag(_ name: String) -> Bool {
        let value = choice(name, among: ["1", "0", "true", "false"])
        return value == "1" || value == "true"
    }
}
