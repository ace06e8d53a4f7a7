import JSONText

extension JSONValue {
    /// The value with its fractions as records write them: `10` for `10.0`.
    ///
    /// Integers keep every digit.
    package var withPlainNumbers: JSONValue {
        switch self {
        case .number(let text) where text.utf8.contains { !(0x2D...0x39).contains($0) || $0 == UInt8(ascii: ".") }:
            guard let value = Double(text), value.isFinite else { return self }
            var writer = JSONWriter(capacity: 64)
            writer.write(value)
            return .number(String(decoding: writer.bytes, as: UTF8.self))
        case .array(let elements): return .array(elements.map(\.withPlainNumbers))
        default: return self
        }
    }

    /// The value without the members that are not selected, also in the elements of an array.
    func selected(by part: FieldPart) -> JSONValue {
        switch self {
        case .array(let elements):
            // Arrays in arrays stay whole, so that no document decides how deep this goes.
            .array(
                elements.map { element in
                    if case .object = element { element.selected(by: part) } else { element }
                })
        case .object(let members):
            .object(
                members.compactMap { member in
                    switch part.extent(of: member.key) {
                    case .none: nil
                    case .whole: member
                    case .part(let inner): Member(member.key, member.value.selected(by: inner))
                    }
                })
        default: self
        }
    }
}

/// The members of one object that no table lists, under the keys with which they leave.
struct OtherMembers {
    /// Whether keys are data and stay as they are, instead of becoming camelCase.
    private let keepsKeys: Bool

    /// What became of a member.
    enum Taking {
        /// It stands in the output.
        case alone
        /// It took the place of an earlier one with its key.
        case again
        /// It stands there, and it or an earlier one keeps its own key, for there is but one camelCase key for both.
        case collided
    }

    private struct Member {
        let key: [UInt8]
        var name: String
        var value: JSONValue
    }

    private var members: [Member] = []
    // By bytes: for the standard library's `==` the composed and the decomposed é are one key.
    private var indicesByKey: [[UInt8]: Int] = [:]
    private var indicesByName: [[UInt8]: Int] = [:]

    init(keepsKeys: Bool = false) { self.keepsKeys = keepsKeys }

    /// Whether there are as many as one record takes.
    var isFull: Bool { members.count >= 1000 }

    /// The members in the order in which they were first met; null is left out.
    var list: [JSONValue.Member] {
        members.filter { $0.value != .null }.map { JSONValue.Member($0.name, $0.value) }
    }

    /// Takes a member under its camelCase key.
    ///
    /// Of a key that comes twice the last value counts; of two keys that would become one, the one that is camelCase
    /// already keeps it, or else the first, and the other one stays as it is.
    mutating func take(_ name: String, _ value: JSONValue, isReserved: (String) -> Bool) -> Taking {
        let key = Array(name.utf8)
        if let index = indicesByKey[key] {
            members[index].value = value
            return .again
        }
        if value == .null { return .alone }
        var output = keepsKeys ? name : CamelCase.convert(name)
        let earlier = indicesByName[Array(output.utf8)]
        let isFree = earlier == nil && !isReserved(output)
        if !isFree, output != name {
            output = name
        } else if let earlier {
            members[earlier].name = String(decoding: members[earlier].key, as: UTF8.self)
            indicesByName[members[earlier].key] = earlier
        }
        indicesByKey[key] = members.count
        indicesByName[Array(output.utf8)] = members.count
        members.append(Member(key: key, name: output, value: value))
        return isFree ? .alone : .collided
    }
}
