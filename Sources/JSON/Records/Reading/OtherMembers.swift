import JSONText

extension JSONValue {
    /// The value with its fractions in the form in which records write them: `10` for `10.0`.
    ///
    /// Integers keep every digit.
    package var withPlainNumbers: JSONValue { isFractional ? plainNumbers : self }

    private var plainNumbers: JSONValue {
        switch self {
        case .number(let text) where isFractional:
            guard let value = Double(text), value.isFinite else { return self }
            return .number(JSONWriter.text { $0.write(value) })
        case .array(let elements): return .array(elements.map(\.plainNumbers))
        default: return self
        }
    }

    /// Whether the value is a number with a fraction or an exponent, or contains one.
    package var isFractional: Bool {
        switch self {
        case .number(let text): text.utf8.contains { !(0x2D...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        case .array(let elements): elements.contains { $0.isFractional }
        default: false
        }
    }

    /// Returns the value without the members that are not selected, also in the elements of an array.
    func selected(by part: FieldPart) -> JSONValue {
        switch self {
        case .array(let elements):
            // Arrays in arrays stay whole, which bounds the recursion.
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

/// The members of one object that its table does not list, under their output keys.
struct OtherMembers {
    /// Whether keys are data and keep their spelling, instead of becoming camelCase.
    private let keepsKeys: Bool

    /// The result of taking a member.
    enum Outcome {
        case added
        /// The member replaced an earlier one of the same key.
        case replaced
        /// The member was added. Two members have the same camelCase key, so one of them keeps its own.
        case collided
    }

    private struct Member {
        let key: String
        var name: String
        var value: JSONValue
    }

    private var members: [Member] = []
    private var ordinalsByKey: [Name: Int] = [:]
    private var ordinalsByName: [Name: Int] = [:]

    /// Few members are searched one by one: hashing the keys of Dark Sky's flags took 1.5 % of a miss.
    private static let few = 16
    private var isIndexed: Bool { members.count > Self.few }

    private func ordinal(of name: String, in index: [Name: Int], _ text: (Member) -> String) -> Int? {
        isIndexed ? index[Name(text: name)] : members.lastIndex { Name.areEqual(text($0), name) }
    }

    init(keepsKeys: Bool = false) { self.keepsKeys = keepsKeys }

    /// Whether the limit of one record is reached.
    var isFull: Bool { members.count >= 1000 }

    /// The members without nulls, in the order in which their keys first appeared.
    var list: [JSONValue.Member] {
        members.compactMap { $0.value.isNull ? nil : JSONValue.Member($0.name, $0.value) }
    }

    /// Takes a member under its camelCase key.
    ///
    /// The last value of a duplicate key counts. If two keys have the same camelCase form, the key that is camelCase
    /// already gets it, or else the first one; the other key keeps its spelling.
    mutating func take(_ key: String, _ value: JSONValue, isReserved: (String) -> Bool) -> Outcome {
        if let ordinal = ordinal(of: key, in: ordinalsByKey, \.key) {
            members[ordinal].value = value
            return .replaced
        }
        if value.isNull { return .added }
        var name = keepsKeys ? key : CamelCase.convert(key)
        let earlier = ordinal(of: name, in: ordinalsByName, \.name)
        let isFree = earlier == nil && !isReserved(name)
        if !isFree, !Name.areEqual(name, key) {
            name = key
        } else if let earlier {
            members[earlier].name = members[earlier].key
            if isIndexed { ordinalsByName[Name(text: members[earlier].key)] = earlier }
        }
        members.append(Member(key: key, name: name, value: value))
        if isIndexed {
            // The members before this one come into the index with the first one beyond `few`.
            for ordinal in ordinalsByKey.count..<members.count {
                ordinalsByKey[Name(text: members[ordinal].key)] = ordinal
                ordinalsByName[Name(text: members[ordinal].name)] = ordinal
            }
        }
        return isFree ? .added : .collided
    }
}

// Members that no field of the table reads.
extension RecordReader {
    /// Keeps an unknown member if the table has a field for such members; otherwise counts it.
    @inline(never)
    mutating func takeUnknown(
        _ key: JSONNode, _ value: JSONNode, into others: inout OtherMembers?, by table: RecordTable
    ) {
        if account.mustStop(at: key) { return }
        at(key) { $0.takeUnknown(value, from: key, into: &others, by: table) }
    }

    private mutating func takeUnknown(
        _ value: JSONNode, from key: JSONNode, into others: inout OtherMembers?, by table: RecordTable
    ) {
        guard table.takesOthers, value.kind != .object, others?.isFull != true else {
            return noteUnexpected(key, table)
        }
        if table.othersMeanAbsent(value) { return account.noteRepair(.defaulted, .sentinel) }
        guard let member = text(of: key, value) else { return account.noteRepair(.dropped, reason) }
        var members = others.take() ?? OtherMembers()
        let outcome = members.take(member.key, member.value) { table.writes($0) }
        others = consume members
        switch outcome {
        case .added: break
        case .replaced: account.noteDuplicate()
        case .collided: account.note(.collision, .collision, expected: "another key")
        }
    }

    /// Keeps a member of an object whose keys are data.
    mutating func takeOpen(
        _ value: JSONNode, from key: JSONNode, into members: inout OtherMembers, _ rules: FieldRules
    ) {
        if value.kind == .object || members.isFull {
            return account.note(.dropped, members.isFull ? .tooMany : .mistyped, expected: "a scalar or a list")
        }
        if rules.meanAbsent(value) { return account.note(.defaulted, .sentinel, expected: "a value") }
        guard let member = text(of: key, value) else {
            return account.note(.dropped, reason, expected: "whole characters")
        }
        if members.take(member.key, member.value, isReserved: { _ in false }) == .replaced { account.noteDuplicate() }
    }

    /// Returns the text of a key and its value; nil if they have a lone surrogate and must not.
    private mutating func text(of key: JSONNode, _ value: JSONNode) -> JSONValue.Member? {
        var isLossy = false
        let name = key.string(&isLossy) ?? ""
        let value = JSONValue(value, &isLossy).withPlainNumbers
        return !isLossy || account.takesLoneSurrogate() ? JSONValue.Member(name, value) : nil
    }

    private mutating func noteUnexpected(_ key: JSONNode, _ table: RecordTable) {
        guard account.isStrict else { return account.noteRepair(.unexpectedKey, .unknownKey) }
        let names = table.fields.map(\.name)
        let nearest = NearestName.find(key.string ?? "", among: names)
        account.reason = .unknownKey
        account.recordFailure(expected: nearest.map { "\"\($0)\"" } ?? "one of " + names.joined(separator: ", "))
    }
}
