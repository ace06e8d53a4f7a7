/// A comparison in which the contestants take turns, so that disturbances of the machine affect all of them.
struct Contest {
    let contestants: [Contestant]

    /// The processor time of each contestant per round, in nanoseconds.
    private static let turn = 8e6
    private static let fewestRounds = 9

    /// Runs rounds for about `seconds` of processor time.
    func run(seconds: Double) throws -> Results {
        let batches = try contestants.map { try $0.batch(for: Self.turn) }
        var times = [[Double]](repeating: [], count: contestants.count)
        var left = seconds * 1e9
        while left > 0 || times.contains(where: { $0.count < Self.fewestRounds }) {
            for (index, contestant) in contestants.enumerated() {
                let time = Double(try contestant.run(batches[index]))
                times[index].append(time / Double(batches[index]))
                left -= time
            }
        }
        return Results(times: Dictionary(uniqueKeysWithValues: zip(contestants.map(\.name), times)))
    }

    /// The results of a contest.
    struct Results {
        /// The nanoseconds of each contestant per piece of work, round by round.
        let times: [String: [Double]]

        /// Returns the time of `slower` divided by the time of `faster`, as the median over the rounds.
        ///
        /// Returns nil if one of them did not run.
        func ratio(of slower: String, to faster: String) -> Double? {
            guard let numerators = times[slower], let denominators = times[faster] else { return nil }
            return zip(numerators, denominators).map { $0 / $1 }.median
        }

        /// The median of every contestant in microseconds, as a line of text.
        var summary: String {
            let medians = times.mapValues(\.median).sorted { $0.value < $1.value }
            let rounds = times.values.first?.count ?? 0
            return medians.map { "\($0.key) \(Figure.text($0.value / 1000)) us" }.joined(separator: ", ")
                + " (\(rounds) rounds)"
        }
    }
}

extension Array<Double> {
    /// The median; NaN for an empty array.
    var median: Double {
        let sorted = sorted()
        guard let last = sorted.last else { return .nan }
        let middle = sorted.count / 2
        if sorted.count == 1 { return last }
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
