import JSONText
import LenientCoding

extension OpenMeteo {
    /// The units that a document names for the columns of its blocks.
    struct Units {
        /// By block, and in it by column, whatever the column is called.
        private var named: [Block: [Int: String]] = [:]
        /// The first known unit of each measure.
        private var elsewhere: [Measure: UnitRule] = [:]

        /// Takes the units of one block, an object of texts.
        mutating func take(_ node: JSONNode, of block: Block) {
            var units: [Int: String] = [:]
            for (key, value) in node.members where !value.isNull {
                guard let index = block.table.index(of: key) else { continue }
                // What is no text is no unit either, and told as such.
                let unit = value.string ?? "\(JSONValue(value))"
                let measure = block.table.columns[index].measure
                if unit.isEmpty { continue }
                units[index] = unit
                if elsewhere[measure] == nil { elsewhere[measure] = measure.rule(of: unit) }
            }
            named[block] = units
        }

        /// The rule for a column of a block; nil where its unit is not known.
        ///
        /// A request names one unit for all that it measures: where a block says nothing, another one may.
        func rule(ofColumn index: Int, in block: Block) -> UnitRule? {
            let measure = block.table.columns[index].measure
            if let unit = named[block]?[index] { return measure.rule(of: unit) }
            return elsewhere[measure] ?? measure.defaultRule
        }
    }

    /// A block of a document.
    enum Block: Hashable {
        case current, currentWeather, hourly, daily

        var table: ColumnTable { self == .daily ? days : moments }

        /// The members that are no columns.
        var ownMembers: Set<String> { self == .hourly || self == .daily ? ["time"] : ["time", "interval"] }
    }
}
