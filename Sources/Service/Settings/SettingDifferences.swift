package import Records

extension [FieldDescription] {
    /// Returns the paths of the settings in which two objects differ, and whether a process keeps its values of them.
    ///
    /// An element that only one of the objects has is one difference.
    package func differences(
        of new: JSONValue, from old: JSONValue, below path: String = ""
    ) -> [(setting: String, isFixed: Bool)] {
        flatMap { field in
            field.differences(of: new[field.name] ?? .null, from: old[field.name] ?? .null, path + field.name)
        }
    }
}

extension FieldDescription {
    fileprivate func differences(
        of new: JSONValue, from old: JSONValue, _ path: String
    ) -> [(setting: String, isFixed: Bool)] {
        if new == old { return [] }
        switch (new, old) {
        case (.array(let new), .array(let old)) where !members.isEmpty:
            return (0..<max(new.count, old.count)).flatMap { index in
                let place = "\(path)[\(index)]"
                guard index < min(new.count, old.count) else { return [(place, rules.isFixed)] }
                return members.differences(of: new[index], from: old[index], below: place + ".")
            }
        case (.object(let members), .object(let others)) where isMap:
            let keys = Set((members + others).map(\.key)).sorted()
            return keys.filter { new[$0] != old[$0] }.map { ("\(path).\($0)", rules.isFixed) }
        case (.object, .object) where !members.isEmpty && !rules.isFixed:
            return members.differences(of: new, from: old, below: path + ".")
        default: return [(path, rules.isFixed)]
        }
    }
}
