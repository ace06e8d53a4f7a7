import Records

/// The documented objects of an upstream, with a plain implementation of the contract's leniency for each value.
///
/// Undocumented members are unknown. The result of `clean` has only usable values: texts, numbers, flags, identifiers
/// as strings, and dates in their original form.
struct ReferenceTable {
    private struct Kind {
        var names: Set<Substring> = []
        /// The types of the members that are read.
        var types: [Substring: Substring] = [:]
        var required: Set<Substring> = []
    }

    /// The result of reading a value: a usable value, or the reason for refusing it.
    enum Outcome {
        case value(JSONValue)
        case refused(String)

        var value: JSONValue? { if case .value(let value) = self { value } else { nil } }
    }

    private var kinds: [Substring: Kind] = [:]
    private let isUsable: @Sendable (Substring, JSONValue) -> Bool

    /// Parses a table with a paragraph for each kind of object: its name with a colon, then its members.
    ///
    /// `>` precedes the type of a member that is read. `[]` marks a list without its invalid elements, `()` a pair, `!`
    /// a required member, `html` a text whose null is kept, and `inner` a nested tweet. `isUsable` checks an object of a kind for its required values.
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

    /// Reads a value of a type; repairs inside it are counted only if it is usable.
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
            guard let type = kind.types[key] else { continue }
            if member.value.isNull {
                if type == "html" { kept.append(member) }
                continue
            }
            switch clean(member.value, as: type, &repairs) {
            case .value(let value): kept.append(.init(member.key, value))
            case .refused where kind.required.contains(key): return .refused("invalid")
            case .refused(let reason):
                repairs[(reason == "sentinel" ? "defaulted " : "dropped ") + reason, default: 0] += 1
            }
        }
        let object = JSONValue.object(kept)
        let isComplete = kind.required.allSatisfy { object[String($0)] != nil } && isUsable(name, object)
        return isComplete ? .value(object) : .refused("invalid")
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

    /// Reads a pair: both values must be usable, and further elements are dropped.
    private func pair(_ value: JSONValue, of type: Substring, _ repairs: inout Repairs) -> Outcome {
        guard let elements = value.elements else { return .refused("mistyped") }
        let kept = elements.prefix(2).compactMap { clean($0, as: type, &repairs).value }
        if kept.count < min(2, elements.count) { return .refused("invalid") }
        if elements.count > 2 { repairs["dropped tooMany", default: 0] += elements.count - 2 }
        return .value(.array(kept))
    }

    /// Reads a quote: a status, or an envelope with a status or its identifier.
    private func quote(_ value: JSONValue, _ repairs: inout Repairs) -> Outcome {
        if value["content"] != nil { return clean(value, as: "status", &repairs) }
        let outcome = clean(value, as: "envelope", &repairs)
        guard var envelope = outcome.value else { return outcome }
        if let hidden = envelope["quoted_status"], let state = value["state"]?.stringValue, state != "accepted" {
            repairs["dropped refused", default: 0] += 1
            envelope = .of(["quoted_status_id": hidden["id"] ?? envelope["quoted_status_id"]])
        }
        return envelope.members?.isEmpty == true ? .refused("refused") : .value(envelope)
    }

    /// Returns the last name of a path, which identifies an unknown member.
    static func lastName(of path: String) -> Substring { path.split(separator: ".").last ?? "" }
}
