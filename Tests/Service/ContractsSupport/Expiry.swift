package import API
package import JSONText
import Synchronization

/// Documents that are given up after some of them has been read.
package enum Expiry {
    private final class Checks: Sendable { let count = Atomic<Int>(0) }

    /// Returns what is wrong with normalizing a document whose time passes at one of several checks of the clock.
    ///
    /// A document is normalized completely or not at all.
    package static func faults(_ normalize: (JSONOptions) throws -> ShapedDocument) -> [String] {
        func attempt(until limit: Int) -> (checks: Int, result: Result<ShapedDocument, any Error>) {
            let checks = Checks()
            let options = JSONOptions(isExpired: { checks.count.add(1, ordering: .relaxed).newValue >= limit })
            let result = Result { try normalize(options) }
            return (checks.count.load(ordering: .relaxed), result)
        }
        let (all, complete) = attempt(until: .max)
        if all <= 10 { return ["the clock is checked \(all) times only"] }
        var faults: [String] = []
        for limit in Set([1, 2, 5, all / 3, all / 2, all - 2, all - 1, all]) {
            do {
                _ = try attempt(until: limit).result.get()
                faults.append("check \(limit) of \(all) does not end the reading")
            } catch {
                if (error as? JSONSyntaxError)?.reason != .expired { faults.append("\(limit) of \(all): \(error)") }
            }
        }
        if (try? attempt(until: .max).result.get().body) != (try? complete.get().body) {
            faults.append("another reading gives another document")
        }
        return faults
    }
}
