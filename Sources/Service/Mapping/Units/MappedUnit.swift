import Records

/// A unit that answers may be converted from and to.
package struct MappedUnit: Sendable {
    /// The quantity that a unit measures: only units of one quantity convert into each other.
    package enum Quantity: String, Sendable, CaseIterable {
        /// The quantities, in the order of `weir units`.
        case temperature, speed, length, pressure, angle, mass, ratio, time
    }

    /// The name in configurations and schemas: `degC`.
    package let name: String
    /// The quantity that the unit measures.
    package let quantity: Quantity
    /// Other spellings, which are read as they are written.
    package let symbols: [String]
    /// Other spellings, which are read in any case, and with `_` in place of spaces.
    package let words: [String]
    /// The relation to the first unit of the quantity: `(value + shift / 100) · numerator / denominator` is the same there.
    let numerator: UInt128
    let denominator: UInt128
    let shift: Int128

    init(
        _ name: String, _ quantity: Quantity, _ numerator: UInt128 = 1, per denominator: UInt128 = 1,
        shift: Int128 = 0, symbols: [String] = [], words: [String]
    ) {
        (self.name, self.quantity, self.symbols, self.words) = (name, quantity, symbols, words)
        (self.numerator, self.denominator, self.shift) = (numerator, denominator, shift)
    }

    /// Returns the unit of a spelling, also behind a prefix such as `wmoUnit:`; nil if there is none.
    package static func named(_ text: String) -> MappedUnit? {
        index(of: text).map { all[$0] }
    }

    /// Returns the place of the unit of a spelling in `all`.
    static func index(of text: String) -> Int? {
        // Cut first: to hash a long text of combining marks takes milliseconds.
        guard text.utf8.count <= 64 else { return nil }
        let start = text.utf8.lastIndex(of: UInt8(ascii: ":")).map { text.utf8.index(after: $0) }
        let symbol = start.map { String(text[$0...]) } ?? text
        return spellings[symbol] ?? spellingsInAnyCase[symbol.lowercased().replacing("_", with: " ")]
    }

    /// Returns the fault of a text that names no unit.
    static func fault(_ text: String) -> String {
        let known = all.flatMap { [$0.name] + $0.symbols + $0.words }
        let nearest = NearestName.find(text, among: known).map { "; did you mean \"\($0)\"?" }
        return "must be a unit that weir units lists" + (nearest ?? "")
    }

    private static let spellings = indices { [$0.name] + $0.symbols + $0.words }
    /// Names of one or two letters, such as `M`, may mean other units.
    private static let spellingsInAnyCase = indices { $0.words + ($0.name.count > 2 ? [$0.name.lowercased()] : []) }

    private static func indices(_ spellings: (MappedUnit) -> [String]) -> [String: Int] {
        let pairs = all.enumerated().flatMap { index, unit in spellings(unit).map { ($0, index) } }
        return Dictionary(pairs) { first, _ in first }
    }
}
