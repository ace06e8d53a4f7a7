import Foundation

/// The places that clients ask for, one after the other, from a fixed seed.
struct AccessTrace {
    let name: String
    /// The requests; a place is a number below `places`.
    let requests: [UInt32]
    let places: Int

    static let ranks = 1_000_000

    /// Requests whose popularity follows Zipf's law with `exponent`.
    static func zipf(_ exponent: Double, count: Int) -> AccessTrace {
        var sampler = ZipfSampler(ranks: ranks, exponent: exponent, seed: 16)
        return AccessTrace(
            name: "zipf\(exponent)", requests: (0..<count).map { _ in sampler.next() }, places: ranks)
    }

    /// Zipf's law, into which a crawler mixes runs of 10,000 places that nobody else asks for: a fifth of the requests.
    static func scans(count: Int) -> AccessTrace {
        var sampler = ZipfSampler(ranks: ranks, exponent: 0.9, seed: 17)
        var unique = UInt32(ranks)
        let requests = (0..<count).map { index -> UInt32 in
            guard index % 50_000 < 10_000 else { return sampler.next() }
            defer { unique += 1 }
            return unique
        }
        return AccessTrace(name: "scans", requests: requests, places: Int(unique))
    }

    /// Zipf's law, whose 20,000 most popular places give way to others twenty times.
    static func shifting(count: Int) -> AccessTrace {
        var sampler = ZipfSampler(ranks: ranks, exponent: 0.9, seed: 18)
        let requests = (0..<count).map { index in
            let shift = UInt32(index / max(1, count / 20)) * 20_000
            return (sampler.next() + shift) % UInt32(ranks)
        }
        return AccessTrace(name: "shifting", requests: requests, places: ranks)
    }
}

/// Numbers below a limit whose probabilities follow Zipf's law: the alias method (Walker, 1977).
private struct ZipfSampler {
    private var generator: SplitMix64
    private var thresholds: [Double]
    private var aliases: [UInt32]

    init(ranks: Int, exponent: Double, seed: UInt64) {
        generator = SplitMix64(seed: seed)
        var weights = (0..<ranks).map { pow(Double($0 + 1), -exponent) }
        let scale = Double(ranks) / weights.reduce(0, +)
        for rank in weights.indices { weights[rank] *= scale }
        (thresholds, aliases) = ([Double](repeating: 1, count: ranks), [UInt32](0..<UInt32(ranks)))
        var (light, heavy) = (weights.indices.filter { weights[$0] < 1 }, weights.indices.filter { weights[$0] >= 1 })
        while let low = light.popLast(), let high = heavy.last {
            (thresholds[low], aliases[low]) = (weights[low], UInt32(high))
            weights[high] -= 1 - weights[low]
            if weights[high] < 1 {
                heavy.removeLast()
                light.append(high)
            }
        }
    }

    mutating func next() -> UInt32 {
        let bits = generator.next()
        let rank = Int(((bits >> 32) * UInt64(thresholds.count)) >> 32)
        return Double(UInt32(truncatingIfNeeded: bits)) < thresholds[rank] * 4_294_967_296
            ? UInt32(rank) : aliases[rank]
    }
}
