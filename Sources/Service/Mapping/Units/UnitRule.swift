import Contracts
import JMESPath
import JSONText
import Records

/// The key `unit`: from which unit a number is converted to which.
struct UnitRule: Sendable {
    private static let keys = ["from", "to", "decimals"]

    private let source: RuleChoice<UnitConversion>
    private let target: MappedUnit
    /// The conversions to the target by the place of the unit in the table; nil for units of another quantity.
    private let conversions: [UnitConversion?]
    private let decimals: Int?

    /// The expressions that the rule uses.
    var expressions: [JMESPath] { source.expressions }

    /// Reads the key; nil if it is absent or wrong.
    init?(_ shape: KeyReader) {
        guard let keys = shape.object("unit") else { return nil }
        for name in keys.members.map(\.key) where !Self.keys.contains(name) {
            keys.note(name, "is none of from, to, decimals\(Quotation.hint(name, among: Self.keys))")
        }
        decimals = Self.decimals(keys)
        guard let target = Self.unit("to", keys) else {
            // Names both faults at once.
            if let text = keys["from"]?.stringValue, !text.hasPrefix("(") { _ = Self.unit("from", keys) }
            return nil
        }
        self.target = target
        conversions = MappedUnit.all.map { UnitConversion(from: $0, to: target) }
        if let text = keys["from"]?.stringValue, text.hasPrefix("(") {
            guard let choice = RuleChoice<UnitConversion>(text, "from", keys) else { return nil }
            source = choice
        } else {
            guard let unit = Self.unit("from", keys) else { return nil }
            guard let conversion = UnitConversion(from: unit, to: target) else {
                let (from, to) = (unit.quantity.rawValue, target.quantity.rawValue)
                keys.note("from", "\(unit.name) is a unit of \(from), and \(target.name) one of \(to)")
                return nil
            }
            source = .fixed(conversion)
        }
    }

    private static func unit(_ key: String, _ keys: KeyReader) -> MappedUnit? {
        guard keys[key] != nil else {
            keys.note(key, "is required: a unit that weir units lists")
            return nil
        }
        guard let text = keys.text(key) else { return nil }
        let unit = MappedUnit.named(text)
        if unit == nil { keys.note(key, MappedUnit.fault(text)) }
        return unit
    }

    private static func decimals(_ keys: KeyReader) -> Int? {
        guard let value = keys["decimals"] else { return nil }
        guard let decimals = value.intValue, 0...15 ~= decimals else {
            keys.note("decimals", "must be an integer from 0 to 15")
            return nil
        }
        return decimals
    }

    /// Whether results have no decimals.
    var isWhole: Bool { decimals == 0 }

    /// The target unit, for the schema.
    var schema: [JSONValue.Member] { [.init("x-unit", .string(target.name))] }

    /// Returns a number in the target unit; the number itself if the units measure alike.
    func convert(_ value: JMESValue, _ evaluate: ScalarRules.Evaluation) throws(Loss) -> JMESValue {
        guard value.kind == .number else { throw Loss(.mistyped) }
        let conversion = source.value(evaluate) { MappedUnit.index(of: $0).flatMap { conversions[$0] } }
        guard let conversion else { throw Loss(.unknownUnit) }
        if conversion.isIdentity, decimals == nil { return value }
        guard let text = value.withDigits({ conversion($0, decimals: decimals).text(places: 21) }) else {
            throw Loss(.mistyped)
        }
        return .number(text)
    }
}
