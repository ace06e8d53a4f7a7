package import Records
package import TestSupport

/// A random change to a document that leaves it valid JSON: members are removed or added, values are replaced.
package struct JSONMutation {
    package var random: SplitMix64
    /// The replacements for a value.
    package let values: [JSONValue]

    package init(seed: UInt64, values: [JSONValue]) {
        random = SplitMix64(seed: seed)
        self.values = values
    }

    /// Changes one to three values.
    package mutating func damage(_ document: inout JSONValue) {
        for _ in 0..<Int.random(in: 1...3, using: &random) { damageOne(&document) }
    }

    /// Changes the value or one inside it.
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
            // Duplicate keys have their own cases.
            value = .object(members.filter { member in members.count { $0.key == member.key } == 1 })
        case .array(var elements) where goesDeeper && !elements.isEmpty:
            let index = Int.random(in: elements.indices, using: &random)
            damageOne(&elements[index])
            value = .array(elements)
        default: value = values[Int.random(in: values.indices, using: &random)]
        }
    }
}
