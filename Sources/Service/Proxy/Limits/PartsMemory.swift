package import API
package import EventLoop
import HTTPClient
import Synchronization

/// The memory of the parts of one answer, from the first part until nothing refers to the object.
///
/// An answer waits for as much as the latest one took, and holds nothing while its parts wait for more: answers cannot wait
/// for each other.
package final class PartsMemory: Sendable {
    /// The memory that the parts of a route's latest answer took.
    package final class Expectation: Sendable {
        fileprivate let bytes = Atomic(BodyBudget.step)

        package init() {}
    }

    private let reservation: BodyReservation
    private let expectation: Expectation
    private let taken = Mutex(0)

    fileprivate init(_ reservation: BodyReservation, _ expectation: Expectation) {
        (self.reservation, self.expectation) = (reservation, expectation)
    }

    deinit {
        let taken = taken.withLock(\.self)
        if taken > 0 { expectation.bytes.store(taken, ordering: .relaxed) }
    }

    /// Takes memory for one more part, the document of `upstream`.
    /// - Throws: A problem if there is none, or if the parts have more than `maximum` bytes together.
    package func take(_ bytes: Int, of maximum: Int, for upstream: String) throws(Problem) {
        let (count, isTaken) = taken.withLock { taken in
            let count = taken + bytes
            let isTaken = count <= maximum && reservation.grow(to: count)
            if isTaken { taken = count }
            return (count, isTaken)
        }
        if isTaken { return }
        if count <= maximum { throw UpstreamProblem.problem(of: .tooManyBodies, from: upstream) }
        throw Problem(.upstreamFailed, "The parts of the answer have more than \(maximum) bytes together.")
    }
}

extension Upstream {
    /// Waits for the memory of the parts of an answer.
    package nonisolated(nonsending) func memory(
        ofParts expectation: PartsMemory.Expectation, until end: MonotonicTime, on shard: Shard
    ) async throws(Problem) -> PartsMemory {
        let expected = expectation.bytes.load(ordering: .relaxed)
        do throws(Admission.Failure) {
            return PartsMemory(try await bodies.reserveParts(expected, until: end, on: shard), expectation)
        } catch {
            throw UpstreamProblem.problem(of: error == .cancelled ? .transfer(.cancelled) : .tooManyBodies, from: name)
        }
    }
}
