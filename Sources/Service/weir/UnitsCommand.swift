import Mapping

/// The command `weir units`.
enum UnitsCommand {
    /// `weir units`: the units that the answers of configured routes may name.
    static let command = Command(
        name: "units", summary: "List units and their spellings; a prefix such as wmoUnit: is ignored."
    ) { _ in
        let lines = MappedUnit.all.map { unit in
            let columns = [unit.quantity.rawValue.padded(to: 13), unit.name.padded(to: 6)]
            return columns.joined() + (unit.symbols + unit.words).joined(separator: ", ")
        }
        try Terminal.say(lines.joined(separator: "\n"))
        return .ok
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
