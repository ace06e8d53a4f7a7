package import EventLoop

/// Documents, leases and counts of quotas that replicas share.
///
/// Every call ends within the configured time. A fault says that the store did not answer, which is no miss.
package protocol SharedStore: Sendable {
    /// Whether the store has answered lately; while it has not, every call fails at once.
    func isReachable(on shard: Shard) -> Bool
    /// Returns the value of a key; nil if there is none.
    nonisolated(nonsending) func value(_ key: String, on shard: Shard) async throws(SharedFault) -> [UInt8]?
    /// Keeps a value for a time, and ends the lease; refused if a lease with a later fence has written the key.
    nonisolated(nonsending) func keep(
        _ value: [UInt8], _ key: String, milliseconds: Int, fence: UInt64, on shard: Shard) async throws(SharedFault)
    /// Takes the lease of a key, or says how long another replica may keep it; with `fence`, lengthens the lease.
    nonisolated(nonsending) func lease(
        _ key: String, milliseconds: Int, fence: UInt64?, on shard: Shard
    ) async throws(SharedFault) -> SharedLease
    /// Gives a lease back, with nothing written.
    nonisolated(nonsending) func release(_ key: String, fence: UInt64, on shard: Shard) async throws(SharedFault)
    /// Waits until the lease of the key is given back, at most until `end` or until the lease expires; returns false if only
    /// the time is over.
    nonisolated(nonsending) func change(
        of key: String, until end: MonotonicTime, on shard: Shard
    ) async throws(SharedFault) -> Bool
    /// Counts the requests of a quota's windows that were made without asking, and takes `count` more of each, or none if a
    /// window has fewer left; also returns the store's time.
    ///
    /// A store whose epoch is not `epoch` has lost counts: no window has fewer requests then than the replica knows.
    nonisolated(nonsending) func allot(
        _ count: Int, of quota: String, windows: [SharedWindow], epoch: Int, on shard: Shard
    ) async throws(SharedFault) -> SharedAllotment
    /// Counts what clients under limits have used; returns how long each has used up in microseconds.
    nonisolated(nonsending) func spend(
        _ spendings: [SharedSpending], on shard: Shard
    ) async throws(SharedFault) -> [Int]
}

/// The answer to a replica that wants to fetch a document for all.
package enum SharedLease: Equatable, Sendable {
    /// The replica has the lease; later leases have greater numbers.
    case granted(fence: UInt64)
    /// Another replica has the lease for at most this time.
    case held(milliseconds: Int)
}

/// A period of a quota, as the store counts it: on its own clock, in UTC.
package struct SharedWindow: Hashable, Sendable {
    /// The length of a window.
    package enum Period: String, CaseIterable, Sendable {
        case second, minute, hour, day, month
    }

    package let period: Period
    /// The requests in one window.
    package let limit: Int
    /// When the window begins that the numbers below are of, in unix seconds; in other windows they do not count.
    package var start = 0
    /// The requests of all replicas that the store has told of.
    package var known = 0
    /// The requests that the replica has made without asking, and how many of them the store is known to have counted.
    ///
    /// A call that ends without an answer may have been counted, so the store notes what it has heard from each replica.
    package var unasked = 0, counted = 0

    package init(_ period: Period, limit: Int) { (self.period, self.limit) = (period, limit) }
}

/// Requests that a replica may make.
package struct SharedAllotment: Equatable, Sendable {
    /// The number that was asked for, or 0.
    package let granted: Int
    /// The requests that all replicas have taken of each window, with this allotment.
    package let used: [Int]
    /// The store's time in milliseconds since 1970.
    package let milliseconds: Int
    /// A number that is another one after the store has lost its counts.
    package let epoch: Int

    package init(granted: Int, used: [Int], milliseconds: Int, epoch: Int) {
        (self.granted, self.used, self.milliseconds, self.epoch) = (granted, used, milliseconds, epoch)
    }
}

/// What a client under a limit has used at one replica.
package struct SharedSpending: Sendable {
    /// The name of the client under the limit.
    package let name: String
    /// The time that the requests take up at the client's rate, and the longest time that a client can have used up.
    package let microseconds: Int, most: Int

    package init(name: String, microseconds: Int, most: Int) {
        (self.name, self.microseconds, self.most) = (name, microseconds, most)
    }
}

/// Why a store has not done what was asked.
public enum SharedFault: Error, Hashable, Sendable {
    /// There is no connection, or the connection broke off.
    case unreachable
    /// The store did not answer in time.
    case timeout
    /// The store refused the command with this word, such as `OOM`, or sent something else than an answer.
    case refused(String)
    /// The store has failed several times in a row, and has not been asked.
    case breakerOpen
    /// Too many commands wait for an answer.
    case queueFull
    /// A lease with a later fence has written the key.
    case superseded
    /// The task of the caller was cancelled.
    case cancelled
}
