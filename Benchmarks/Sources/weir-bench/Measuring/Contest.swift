/// Contestants that take turns, so that whatever disturbs the machine disturbs them alike.
struct Contest {
    let contestants: [Contestant]

    /// The time that each of them gets in a round, in nanoseconds.
    private static let turn = 8e6
    private static let fewestRounds = 9

    /// Runs rounds for about so many seconds of processor time.
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

    /// The nanoseconds that each contestant took, round by round.
    struct Results {
        let times: [String: [Double]]

        /// How many times as long `slower` takes as `faster`: the median over the rounds.
        ///
        /// Nil when one of them did not run.
        func ratio(of slower: String, to faster: String) -> Double? {
            guard let numerators = times[slower], let denominators = times[faster] else { return nil }
            return zip(numerators, denominators).map { $0 / $1 }.median
        }

        /// Every contestant's median in microseconds, for people.
        var summary: String {
            let medians = times.mapValues(\.median).sorted { $0.value < $1.value }
            let rounds = times.values.first?.count ?? 0
            return medians.map { "\($0.key) \(Figure.text($0.value / 1000)) us" }.joined(separator: ", ")
                + " (\(rounds) rounds)"
        }
    }
}

extension Array<Double> {
    var median: Double {
        let sorted = sorted()
        guard let last = sorted.last else { return .nan }
        let middle = sorted.count / 2
        if sorted.count == 1 { return last }
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
