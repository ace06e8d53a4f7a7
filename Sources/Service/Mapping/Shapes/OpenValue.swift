import JMESPath
import JSONText
import Records

extension JMESValue {
    /// Returns the value without the members that are not selected, also in the elements of an array.
    func selected(by part: FieldPart) -> JMESValue {
        switch kind {
        case .object:
            .object(
                members.compactMap { member in
                    switch part.extent(of: member.key) {
                    case .none: nil
                    case .whole: member
                    case .part(let inner): Member(member.key, member.value.selected(by: inner))
                    }
                })
        case .array:
            // Arrays in arrays stay whole, which bounds the recursion.
            .array((elements.map(Array.init) ?? []).map { $0.kind == .object ? $0.selected(by: part) : $0 })
        default: self
        }
    }
}

extension FieldExtent {
    /// Whether nothing is selected.
    var isNone: Bool { if case .none = self { true } else { false } }

    /// The extent of a property of an object, by its index.
    func ofProperty(_ index: Int) -> FieldExtent {
        guard case .part(let part) = self else { return self }
        return index < part.fields.count ? part.fields[index] : .none
    }

    /// The extent of a member whose key is data.
    func ofKey(_ key: String) -> FieldExtent {
        guard case .part(let part) = self else { return self }
        return part.extent(of: key)
    }
}
