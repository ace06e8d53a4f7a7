import LenientCoding

extension JSONValue {
    /// The value as answers hold what passes through: numbers as records write them, and no member that is null.
    var cleaned: JSONValue {
        if isClean { return self }
        switch self {
        case .array(let elements): return .array(elements.map(\.cleaned))
        case .object(let members):
            return .object(members.filter { $0.value != .null }.map { Member($0.key, $0.value.cleaned) })
        default: return withPlainNumbers
        }
    }

    private var isClean: Bool {
        switch self {
        case .array(let elements): elements.allSatisfy(\.isClean)
        case .object(let members): members.allSatisfy { $0.value != .null && $0.value.isClean }
        default: !isFractional
        }
    }
}
