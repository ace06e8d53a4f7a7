/// Finds what somebody meant who misspelled a name.
///
///     NearestName.find("tempreature", among: ["temperature", "time"])  // "temperature"
public enum NearestName {
    /// The known name nearest to `name`, case aside; nil when none is near enough to be meant.
    ///
    ///     NearestName.find("Retres", among: ["retries", "timeout"])  // "retries"
    ///     NearestName.find("colour", among: ["retries", "timeout"])  // nil
    public static func find(_ name: String, among known: [String]) -> String? {
        let name = letters(of: name)
        let reach = (name.count + 1) / 3
        // Names of very different lengths are not even looked at.
        let near = known.filter { abs(min($0.utf8.count, maximumLetters) - name.count) <= reach }
        if let best = ranked(name, near).first, best.distance <= reach { return best.name }
        // Somebody who begins a name, as `drain` does `drainDelay`, means it though many letters lack.
        let longer = known.filter { name.count > 2 && $0.lowercased().utf8.starts(with: name) }
        return longer.min { $0.utf8.count < $1.utf8.count }
    }

    /// The known name that takes the fewest changes to get to, however many; nil when there is none.
    ///
    ///     NearestName.closest(to: "colour", among: ["colors", "retries"])  // "colors"
    public static func closest(to name: String, among known: [String]) -> String? {
        ranked(letters(of: name), known).first?.name
    }

    private static let maximumLetters = 64

    private static func letters(of name: String) -> [UInt8] { Array(name.lowercased().utf8.prefix(maximumLetters)) }

    private static func ranked(_ name: [UInt8], _ known: [String]) -> [(name: String, distance: Int)] {
        let candidates = known.map { known in
            let letters = letters(of: known)
            // Of names that are as near as each other, one that goes on from what was written is the likelier.
            return (name: known, distance: distance(name, letters), rank: letters.starts(with: name) ? 0 : 1)
        }
        return candidates.sorted { ($0.distance, $0.rank) < ($1.distance, $1.rank) }.map { ($0.name, $0.distance) }
    }

    /// How many letters must be added, removed, replaced or swapped with their neighbour to make `a` of `b`
    /// (optimal string alignment).
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var rows = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
        for i in 0...a.count { rows[i][0] = i }
        for j in 0...b.count { rows[0][j] = j }
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        for i in 1...a.count {
            for j in 1...b.count {
                let replacing = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
                rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, replacing)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
                }
            }
        }
        return rows[a.count][b.count]
    }
}
