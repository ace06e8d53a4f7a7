import LenientCoding

extension JSONValue {
    /// The value as answers hold what passes through: numbers as records write them, and no member that is null.
    var cleaned: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.cleaned))
        case .object(let members):
            .object(members.filter { $0.value != .null }.map { Member($0.key, $0.value.cleaned) })
        default: withPlainNumbers
        }
    }
}
