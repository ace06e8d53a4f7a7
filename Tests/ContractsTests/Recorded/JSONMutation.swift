import LenientCoding
import TestSupport

/// Damage to a document that leaves it JSON: members that are gone or new, and values that have become other ones.
struct JSONMutation {
    var random: SplitMix64
    /// What a value may become.
    let values: [JSONValue]

    init(seed: UInt64, values: [JSONValue]) {
        random = SplitMix64(seed: seed)
        self.values = values
    }

    /// Damages one to three values.
    mutating func damage(_ document: inout JSONValue) {
        for _ in 0..<Int.random(in: 1...3, using: &random) { damageOne(&document) }
    }

    /// Damages the value, or one somewhere in it.
    private mutating func damageOne(_ value: inout JSONValue) {
        let goesDeeper = Int.random(in: 0..<8, using: &random) > 0
        switch value {
        case .object(var members) where goesDeeper && !members.isEmpty:
            let index = Int.random(in: members.indices, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0: members.remove(at: index)
            case 1: members[index].key = "surprise"
            case 2: members.append(.init("extra", values[Int.random(in: values.indices, using: &random)]))
            default: damageOne(&members[index].value)
            }
            // Of what stands twice the last counts; that has its own cases.
            value = .object(members.filter { member in members.count { $0.key == member.key } == 1 })
        case .array(var elements) where goesDeeper && !elements.isEmpty:
            let index = Int.random(in: elements.indices, using: &random)
            damageOne(&elements[index])
            value = .array(elements)
        default: value = values[Int.random(in: values.indices, using: &random)]
        }
    }
}
