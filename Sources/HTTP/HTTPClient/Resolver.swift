// Unsafe: `getaddrinfo` gets pointers to locals, and its list is read and freed in one function. `getnameinfo` gets an
// entry of that list, and a buffer of this file with its length.
import CCurl
import Dispatch
package import EventLoop
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
    }

    /// The process's resolver.
    public static let shared = Resolver { name throws(Failure) in try systemAddresses(of: name) }

    private typealias Outcome = Result<HostAddresses, TransferError>

    /// A request that waits for a look-up.
    private final class Waiter: Sendable {
        private let state = Mutex<(continuation: CheckedContinuation<Outcome, Never>?, outcome: Outcome?)>((nil, nil))

        func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
            let early = state.withLock { state in
                state.continuation = continuation
                return state.outcome
            }
            if let early { continuation.resume(returning: early) }
        }

        /// Ends the wait with the first outcome.
        func finish(_ outcome: Outcome) {
            let waiting = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
                guard state.outcome == nil else { return nil }
                state.outcome = outcome
                return state.continuation
            }
            waiting?.resume(returning: outcome)
        }
    }

    private struct Entry {
        /// The addresses of the last look-up that found some.
        var addresses: HostAddresses?
        var since = MonotonicTime.now
        /// Whether somebody has waited too long for the look-up that has begun.
        var isLate = false
        /// Who waits for the look-up that has begun; nil if none has.
        var waiters: [Waiter]?
    }

    private struct State {
        var names: [String: Entry] = [:]
        var idleThreads: [DispatchQueue]
        /// The names that wait for a thread.
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
    /// If they are older than `lifetime`, a look-up begins, for which nobody waits: connections that exist, and the old
    /// addresses, are better than the wait while DNS is slow.
    func known(_ name: String, notOlderThan lifetime: Duration) -> HostAddresses? {
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
    /// - Throws: `unknownHost` without addresses, `tooSlow` at `end`, `cancelled` if the task is cancelled.
    package func addresses(
        of name: String, notOlderThan lifetime: Duration, until end: MonotonicTime, on shard: Shard
    ) async throws(TransferError) -> HostAddresses {
        let waiter = Waiter()
        let (found, end) = state.withLock { state -> (HostAddresses?, MonotonicTime) in
            if let found = known(name, notOlderThan: lifetime, &state) { return (found, end) }
            begin(name, &state)
            state.names[name]?.waiters?.append(waiter)
            // Time must be left for a connection to one of the old addresses.
            return (nil, state.names[name]?.addresses == nil ? end : .now + (end - .now) / 4)
        }
        if let found { return found }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiter.wait(continuation)
                shard.post { _ = shard.schedule(at: end) { waiter.finish(.failure(.tooSlow)) } }
            }
        } onCancel: {
            waiter.finish(.failure(.cancelled))
        }
        if case .failure(.tooSlow) = outcome, let old = oldAddresses(of: name) { return old }
        return try outcome.get()
    }

    /// Returns the addresses that were found before the look-up that takes too long.
    private func oldAddresses(of name: String) -> HostAddresses? {
        state.withLock { state in
            state.names[name]?.isLate = true
            return state.names[name]?.addresses
        }
    }

    /// Begins a look-up of `name`, unless one has begun.
    private func begin(_ name: String, _ state: inout State) {
        guard state.names[name]?.waiters == nil else { return }
        state.names[name, default: Entry()].waiters = []
        state.queue.append(name)
        startQueued(&state)
    }

    private func startQueued(_ state: inout State) {
        while !state.queue.isEmpty, let thread = state.idleThreads.popLast() {
            let name = state.queue.removeFirst()
            thread.async { [self] in run(name, thread) }
        }
    }

    private func run(_ name: String, _ thread: DispatchQueue) {
        let result = Result { () throws(Failure) in try lookUp(name) }
        let (waiters, outcome) = state.withLock { state -> ([Waiter], Outcome) in
            state.idleThreads.append(thread)
            startQueued(&state)
            var entry = state.names[name] ?? Entry()
            let waiters = entry.waiters ?? []
            entry.waiters = nil
            switch result {
            case .success(let list) where !list.isEmpty:
                // The same addresses stay the same object, so that they are not given to libcurl again.
                if entry.addresses?.list != list { entry.addresses = HostAddresses(list) }
            case .success, .failure(.unknown): entry.addresses = nil
            // The old addresses are better than none while DNS does not work.
            case .failure(.temporary): break
            }
            (entry.since, entry.isLate) = (.now, false)
            state.names[name] = entry.addresses == nil ? nil : entry
            let isTemporary = if case .failure(.temporary) = result { true } else { false }
            let failure = isTemporary ? TransferError.noNameServer : .unknownHost
            return (waiters, entry.addresses.map { .success($0) } ?? .failure(failure))
        }
        for waiter in waiters { waiter.finish(outcome) }
    }
}

extension Resolver {
    /// Asks the system, with its hosts file and DNS.
    private static func systemAddresses(of name: String) throws(Failure) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(name, nil, &hints, &first)
        guard code == 0 else { throw code == EAI_AGAIN || code == EAI_SYSTEM ? .temporary : .unknown }
        defer { freeaddrinfo(first) }
        return sequence(first: first, next: { $0?.pointee.ai_next }).compactMap { $0 }.compactMap { entry in
            guard let address = entry.pointee.ai_addr else { return nil }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let size = socklen_t(text.count)
            guard getnameinfo(address, entry.pointee.ai_addrlen, &text, size, nil, 0, NI_NUMERICHOST) == 0 else {
                return nil
            }
            // A zone, as of a link-local address, is not part of what libcurl takes.
            let bytes = text.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: "%")) }
            return String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
