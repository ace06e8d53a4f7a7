/// Finds what somebody meant who misspelled a name.
public enum NearestName {
    /// The known name nearest to `name`, case aside; nil when none is near enough to be meant.
    public static func find(_ name: String, among known: [String]) -> String? {
        let name = Array(name.lowercased().utf8.prefix(64))
        let ranked = known.map { (name: $0, distance: distance(name, Array($0.lowercased().utf8.prefix(64)))) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, max(name.count, best.name.utf8.count) / 2) ? best.name : nil
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
