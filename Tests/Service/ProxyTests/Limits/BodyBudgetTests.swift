import EventLoop
import Testing

@testable import Proxy

@Suite(.timeLimit(.minutes(10)))
struct BodyBudgetTests {
    private static let far = MonotonicTime.now + .seconds(3600)

    @Test func aReservationGrowsInStepsAndIsReleased() async throws {
        try await withShard { shard in
            let budget = BodyBudget(bytes: 1 << 20)
            var reservation: BodyReservation? = try await budget.reserve(
                1000, in: budget.share(), until: Self.far, on: shard)
            func expectGrowth(_ isPossible: Bool = true, to count: Int) throws {
                #expect(try #require(reservation).grow(to: count) == isPossible)
            }
            #expect(budget.reserved == 1000)
            try expectGrowth(to: 1000)
            try expectGrowth(to: 1001)
            #expect(budget.reserved == 64 << 10)
            try expectGrowth(to: 65_537)
            #expect(budget.reserved == 128 << 10)
            // What is left, if the next step is too large.
            try expectGrowth(to: 900_000)
            try expectGrowth(to: 1_000_000)
            #expect(reservation?.isRefused == false)
            try expectGrowth(false, to: 1_048_577)
            #expect(reservation?.isRefused == true)
            reservation = nil
            #expect(budget.reserved == 0)
        }
    }

    @Test func answersThatClientsDoNotTakeLeaveLessForBodies() async throws {
        try await withShard { shard in
            let budget = BodyBudget(bytes: 1000)
            budget.note(untaken: 2000)
            #expect(budget.reserveNow(10, in: budget.share()) == nil)
            async let body = budget.reserve(400, in: budget.share(), until: Self.far, on: shard)
            budget.note(untaken: -1500)
            _ = try await body
            budget.note(untaken: -500)
            #expect(budget.reserved == 400)
        }
    }

    @Test func anAbandonedReservationIsReleased() async throws {
        try await withShard { shard in
            let budget = BodyBudget(bytes: 1000)
            _ = try await budget.reserve(10, in: budget.share(), until: Self.far, on: shard)
            #expect(budget.reserved == 0)
        }
    }

    /// What the transfers of one upstream reserve before they have received anything.
    @Test func anUpstreamThatSendsNothingLeavesHalfOfTheBudget() async throws {
        try await withShard { shard in
            let budget = BodyBudget(bytes: 1000)
            let (silent, other) = (budget.share(), budget.share())
            var bodies: [BodyReservation] = []
            for _ in 1...5 {
                bodies.append(try await budget.reserve(100, in: silent, until: Self.far, on: shard))
            }
            await #expect(throws: Admission.Failure.tooLate) {
                try await budget.reserve(100, in: silent, until: .now + .milliseconds(20), on: shard)
            }
            bodies.append(try await budget.reserve(.max, in: other, until: Self.far, on: shard))
            #expect(budget.reserved == 1000)
            await #expect(throws: Admission.Failure.tooLate) {
                try await budget.reserve(1, in: budget.share(), until: .now + .milliseconds(20), on: shard)
            }
            bodies.removeAll()
            #expect(budget.reserved == 0)
            let figures = silent.figures
            #expect(figures == (0, 0))
        }
    }

    /// What bodies reserve that have begun to arrive.
    @Test func anUpstreamThatStopsToSendLeavesRoomForSmallAnswersOfOthers() async throws {
        try await withShard { shard in
            let budget = BodyBudget(bytes: 128 << 20)
            let (stalled, other) = (budget.share(), budget.share())
            var bodies: [BodyReservation] = []
            for number in 1...16 {
                let body = try await budget.reserve(64 << 10, in: stalled, until: Self.far, on: shard)
                #expect(body.grow(to: 8 << 20) == (number < 16))
                bodies.append(body)
            }
            while let body = budget.reserveNow(64 << 10, in: stalled) { bodies.append(body) }
            #expect(budget.reserved == 124 << 20)
            for _ in 1...64 { bodies.append(try #require(budget.reserveNow(64 << 10, in: other))) }
            bodies.removeAll()
            #expect(budget.reserved == 0)
            let alone = try await budget.reserve(64 << 10, in: stalled, until: Self.far, on: shard)
            #expect(alone.grow(to: 124 << 20))
        }
    }

    @Test func aTaskWaitsForMemoryUntilItsEnd() async throws {
        try await withShard { shard in
            let budget = BodyBudget(bytes: 1000)
            var body: BodyReservation? = try await budget.reserve(
                500, in: budget.share(), until: Self.far, on: shard)
            #expect(try #require(body).grow(to: 1000))
            #expect(budget.reserved == 1000)
            await #expect(throws: Admission.Failure.tooLate) {
                try await budget.reserve(1, in: budget.share(), until: .now + .milliseconds(20), on: shard)
            }
            let patient = Task { try await budget.reserve(500, in: budget.share(), until: Self.far, on: shard) }
            body = nil
            #expect(try await patient.value.grow(to: 500))
        }
    }
}
