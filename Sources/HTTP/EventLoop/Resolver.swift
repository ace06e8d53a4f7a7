// Unsafe: the list that `AddressList` passes is read within the call.
import Dispatch
import Glibc
import Synchronization

/// The addresses of a host name, in the order in which to try them; a new look-up gives a new object.
package final class HostAddresses: Sendable {
    package let list: [String]

    init(_ list: [String]) { self.list = list }
}

/// Looks up host names: one look-up per name at a time, on a bounded number of threads for the whole process.
///
/// libcurl starts a thread for each look-up and leaves it behind at a time-out: without a DNS server that answers, a
/// thread per request for tens of seconds.
public final class Resolver: Sendable {
    /// Why a name has no addresses.
    public enum Failure: Error, Sendable {
        /// There is no such host.
        case unknown
        /// There is no answer now, for example because no DNS server answers.
        case temporary
        /// The look-up takes longer than the caller can wait.
        case tooSlow
        /// The caller's task was cancelled.
        case cancelled
    }

    /// The process's resolver.
    public static let shared = Resolver { name throws(Failure) in try systemAddresses(of: name) }

    private typealias Outcome = Result<HostAddresses, Failure>

    private struct Entry {
        /// The addresses of the last look-up that found some.
        var addresses: HostAddresses?
        var since = MonotonicTime.now
        /// Whether somebody has waited too long for the look-up that has begun.
        var isLate = false
        /// The look-up that has begun; nil if none has.
        var request: Promise<Outcome>?
    }

    private struct State {
        var names: [String: Entry] = [:]
        var idleThreads: [DispatchQueue]
        var queue: [String] = []
    }

    /// The number of lifetimes for which addresses are used while nothing newer is known.
    private static let maximumLifetimes = 10

    private let lookUp: @Sendable (String) throws(Failure) -> [String]
    private let state: Mutex<State>

    /// A resolver that calls `lookUp`, which may block, on up to `maximumThreads` threads.
    public init(
        maximumThreads: Int = 8, _ lookUp: @escaping @Sendable (String) throws(Failure) -> [String]
    ) {
        self.lookUp = lookUp
        state = Mutex(State(idleThreads: (0..<maximumThreads).map { DispatchQueue(label: "weir.resolver.\($0)") }))
    }

    /// Returns the addresses of `name` if there are some to use now.
    ///
    /// If they are older than `lifetime`, a look-up begins in the background: open connections and old addresses are better
    /// than a wait while DNS is slow.
    package func known(_ name: String, notOlderThan lifetime: Duration) -> HostAddresses? {
        state.withLock { known(name, notOlderThan: lifetime, &$0) }
    }

    private func known(_ name: String, notOlderThan lifetime: Duration, _ state: inout State) -> HostAddresses? {
        guard let entry = state.names[name], let addresses = entry.addresses else { return nil }
        let age = MonotonicTime.now - entry.since
        if age < lifetime { return addresses }
        guard age < lifetime * Self.maximumLifetimes || entry.isLate else { return nil }
        begin(name, &state)
        return addresses
    }

    /// Returns the addresses of `name` after a look-up, unless one has ended since `known` was called.
    /// - Throws: `tooSlow` at `end`, `cancelled` if the task is cancelled, and else the failure of the look-up.
    package func addresses(
        of name: String, notOlderThan lifetime: Duration, until end: MonotonicTime, on shard: Shard
    ) async throws(Failure) -> HostAddresses {
        let (found, request, end) = state.withLock { state -> (HostAddresses?, Promise<Outcome>?, MonotonicTime) in
            if let found = known(name, notOlderThan: lifetime, &state) { return (found, nil, end) }
            let request = begin(name, &state)
            // Time must be left for a connection to one of the old addresses.
            return (nil, request, state.names[name]?.addresses == nil ? end : .now + (end - .now) / 4)
        }
        if let found { return found }
        if let outcome = await request?.wait(until: end, on: shard) { return try outcome.get() }
        if Task.isCancelled { throw .cancelled }
        guard let old = oldAddresses(of: name) else { throw .tooSlow }
        return old
    }

    /// Returns the addresses that were found before the look-up that takes too long.
    private func oldAddresses(of name: String) -> HostAddresses? {
        state.withLock { state in
            state.names[name]?.isLate = true
            return state.names[name]?.addresses
        }
    }

    @discardableResult
    private func begin(_ name: String, _ state: inout State) -> Promise<Outcome> {
        if let request = state.names[name]?.request { return request }
        let request = Promise<Outcome>()
        state.names[name, default: Entry()].request = request
        state.queue.append(name)
        startQueued(&state)
        return request
    }

    private func startQueued(_ state: inout State) {
        while !state.queue.isEmpty, let thread = state.idleThreads.popLast() {
            let name = state.queue.removeFirst()
            thread.async { [self] in run(name, thread) }
        }
    }

    private func run(_ name: String, _ thread: DispatchQueue) {
        let result = Result { () throws(Failure) in try lookUp(name) }
        let (request, outcome) = state.withLock { state -> (Promise<Outcome>?, Outcome) in
            state.idleThreads.append(thread)
            startQueued(&state)
            var entry = state.names[name] ?? Entry()
            let request = entry.request.take()
            switch result {
            case .success(let list) where !list.isEmpty:
                // The same addresses stay the same object, so that they are not given to libcurl again.
                if entry.addresses?.list != list { entry.addresses = HostAddresses(list) }
            case .success, .failure(.unknown): entry.addresses = nil
            // The old addresses are better than none while DNS does not work.
            case .failure: break
            }
            (entry.since, entry.isLate) = (.now, false)
            state.names[name] = entry.addresses == nil ? nil : entry
            let failure = if case .failure(let failure) = result { failure } else { Failure.unknown }
            return (request, entry.addresses.map { .success($0) } ?? .failure(failure))
        }
        request?.finish(outcome)
    }
}

extension Resolver {
    /// Asks the system, with its hosts file and DNS.
    private static func systemAddresses(of name: String) throws(Failure) -> [String] {
        try AddressList.with(name) { first, code throws(Failure) in
            guard code == 0 else { throw code == EAI_AGAIN || code == EAI_SYSTEM ? .temporary : .unknown }
            return sequence(first: first, next: { $0?.pointee.ai_next }).compactMap { $0 }.compactMap { entry in
                // libcurl takes no zone, as a link-local address has.
                AddressList.text(entry.pointee).map { String($0.prefix { $0 != "%" }) }
            }
        }
    }
}
