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

    /// The extent of a part of the value, which `part` finds if not everything or nothing is selected.
    func inner(_ part: (FieldPart) -> FieldExtent) -> FieldExtent {
        if case .part(let selected) = self { part(selected) } else { self }
    }
}
