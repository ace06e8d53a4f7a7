import LenientCoding

/// What an upstream documents of its objects, and the contract's leniency for each value in the plainest way.
///
/// What is not documented is a stranger. What comes out of `clean` has what can be used and nothing else: texts, numbers,
/// flags, ids as strings, dates as they are written.
struct ReferenceTable {
    private struct Kind {
        var names: Set<Substring> = []
        /// What stands under a name, of those that are read.
        var types: [Substring: Substring] = [:]
        var required: Set<Substring> = []
    }

    /// What becomes of a value: nothing, for a reason, where it cannot be used.
    enum Outcome {
        case value(JSONValue)
        case refused(String)

        var value: JSONValue? { if case .value(let value) = self { value } else { nil } }
    }

    private var kinds: [Substring: Kind] = [:]
    private let isUsable: @Sendable (Substring, JSONValue) -> Bool

    /// A paragraph for each kind of object: its name and a colon, then its members, with `>` before the type of those that
    /// are read; `[]` behind it is a list without what is none, `()` a pair, `!` what must be there, `inner` a tweet within
    /// another one.
    ///
    /// `isUsable` says of an object of some kind whether it has what it needs.
    init(_ table: String, isUsable: @escaping @Sendable (Substring, JSONValue) -> Bool = { _, _ in true }) {
        self.isUsable = isUsable
        var kind = Substring()
        for word in table.split(whereSeparator: \.isWhitespace) {
            if word.last == ":" {
                kind = word.dropLast()
                continue
            }
            let halves = word.split(separator: ">")
            kinds[kind, default: Kind()].names.insert(halves[0])
            guard halves.count == 2 else { continue }
            if halves[1].last == "!" { kinds[kind]?.required.insert(halves[0]) }
            kinds[kind]?.types[halves[0]] = halves[1].prefix { $0 != "!" }
        }
    }

    /// What becomes of a value of some type; what had to be repaired is counted where something does.
    func clean(_ value: JSONValue, as type: Substring, _ repairs: inout Repairs) -> Outcome {
        var inner: Repairs = [:]
        let outcome =
            if type.hasSuffix("[]") {
                list(value, of: type.dropLast(2), &inner)
            } else if type.hasSuffix("()") {
                pair(value, of: type.dropLast(2), &inner)
            } else if type == "quote" {
                quote(value, &inner)
            } else if let kind = kinds[type == "inner" ? "tweet" : type] {
                object(value, kind, named: type, &inner)
            } else {
                ReferenceScalar.clean(value, as: type, &inner)
            }
        if case .value = outcome { repairs.merge(inner, uniquingKeysWith: +) }
        return outcome
    }

    private func object(_ value: JSONValue, _ kind: Kind, named name: Substring, _ repairs: inout Repairs) -> Outcome {
        guard let members = value.members else { return .refused("mistyped") }
        var kept: [JSONValue.Member] = []
        for member in members {
            let key = member.key[...]
            if !kind.names.contains(key) {
                repairs["unexpectedKey \(Self.lastName(of: member.key))", default: 0] += 1
            }
            guard let type = kind.types[key], !member.value.isNull else { continue }
            switch clean(member.value, as: type, &repairs) {
            case .value(let value): kept.append(.init(member.key, value))
            case .refused where kind.required.contains(key): return .refused("invalid")
            case .refused(let reason):
                repairs[(reason == "sentinel" ? "defaulted " : "dropped ") + reason, default: 0] += 1
            }
        }
        let object = JSONValue.object(kept)
        let isWhole = kind.required.allSatisfy { object[String($0)] != nil } && isUsable(name, object)
        return isWhole ? .value(object) : .refused("invalid")
    }

    private func list(_ value: JSONValue, of type: Substring, _ repairs: inout Repairs) -> Outcome {
        guard let elements = value.elements else { return .refused("mistyped") }
        let kept = elements.compactMap { element -> JSONValue? in
            switch clean(element, as: type, &repairs) {
            case .value(let value): return value
            case .refused(let reason):
                repairs["dropped \(reason)", default: 0] += 1
                return nil
            }
        }
        return .value(.array(kept))
    }

    /// Both have to be usable; what follows them is dropped.
    private func pair(_ value: JSONValue, of type: Substring, _ repairs: inout Repairs) -> Outcome {
        guard let elements = value.elements else { return .refused("mistyped") }
        let kept = elements.prefix(2).compactMap { clean($0, as: type, &repairs).value }
        if kept.count < min(2, elements.count) { return .refused("invalid") }
        if elements.count > 2 { repairs["dropped tooMany", default: 0] += elements.count - 2 }
        return .value(.array(kept))
    }

    /// A quote is a status as it is, or an envelope with one or with its id.
    private func quote(_ value: JSONValue, _ repairs: inout Repairs) -> Outcome {
        if value["content"] != nil { return clean(value, as: "status", &repairs) }
        let envelope = clean(value, as: "envelope", &repairs)
        guard let envelope = envelope.value else { return envelope }
        return envelope.members?.isEmpty == true ? .refused("refused") : .value(envelope)
    }

    /// The last name of a path, by which strangers are told apart.
    static func lastName(of path: String) -> Substring { path.split(separator: ".").last ?? "" }
}
