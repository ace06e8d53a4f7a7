/// The search behind `NearestName` of Records.
package enum NameSearch {
    /// Returns the known name nearest to `name`, ignoring case; nil if none is near.
    package static func find(_ name: String, among known: [String]) -> String? {
        let name = letters(of: name)
        let reach = (name.count + 1) / 3
        // The difference in length is a lower bound of the distance.
        let near = known.filter { abs(min($0.utf8.count, maximumLetters) - name.count) <= reach }
        if let best = ranked(name, near).first, best.distance <= reach { return best.name }
        // A prefix, such as `drain` for `drainDelay`, is near although many letters are missing.
        let longer = known.filter { name.count > 2 && $0.lowercased().utf8.starts(with: name) }
        return longer.min { $0.utf8.count < $1.utf8.count }
    }

    /// Returns the known name with the smallest distance, however large; nil if there are no known names.
    package static func closest(to name: String, among known: [String]) -> String? {
        ranked(letters(of: name), known).first?.name
    }

    private static let maximumLetters = 64

    private static func letters(of name: String) -> [UInt8] {
        // Cut first: to change the case of a long text of combining marks takes milliseconds.
        Array(
            String(decoding: name.utf8.prefix(maximumLetters), as: UTF8.self).lowercased().utf8.prefix(maximumLetters))
    }

    private static func ranked(_ name: [UInt8], _ known: [String]) -> [(name: String, distance: Int)] {
        let candidates = known.map { known in
            let letters = letters(of: known)
            // Among equal distances, a name that continues what was written is more likely.
            return (name: known, distance: distance(name, letters), rank: letters.starts(with: name) ? 0 : 1)
        }
        return candidates.sorted { ($0.distance, $0.rank) < ($1.distance, $1.rank) }.map { ($0.name, $0.distance) }
    }

    /// Returns the optimal string alignment distance: the number of insertions, deletions, replacements and swaps of
    /// neighbours that turn `a` into `b`.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        let width = b.count + 1
        // One array, row after row: an array for each row took several times as long.
        var cells = [Int](repeating: 0, count: (a.count + 1) * width)
        for j in 0...b.count { cells[j] = j }
        for i in 1...a.count {
            let row = i * width
            cells[row] = i
            for j in 1...b.count {
                let above = row - width + j
                var cell = min(cells[above], cells[row + j - 1]) + 1
                cell = min(cell, cells[above - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    cell = min(cell, cells[above - width - 2] + 1)
                }
                cells[row + j] = cell
            }
        }
        return cells[a.count * width + b.count]
    }
}
