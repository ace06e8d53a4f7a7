import EventLoop
import Glibc
import HTTPCore
import Synchronization

/// The numbers of open connections of a server, over all its shards, and their limits.
final class ConnectionLimits: Sendable {
    enum Admission {
        case admitted
        /// The connection is beyond the maximum. In a reserved slot, its first request is answered if the handler has reserved
        /// the answer, otherwise with a 503.
        case reserved
        /// The connection gets a 503 and is not counted.
        case refused(Refusal)
    }

    /// The maximum of connections, the reserved ones not included.
    let maximum: Int
    /// The reserved connections that each of the server's parts, a listener on a shard, may have open.
    let reservedPerPart: Int
    private let maximumPerClient: Int
    private let count = Atomic<Int>(0)
    private let clients = Mutex<[ClientAddress: Int]>([:])

    /// The limits of a server with `parts`, which needs `otherFiles` besides those that `options` name.
    /// - Throws: `SystemError` if the limit of open files leaves none for connections.
    init(_ options: ServerOptions, parts: Int, otherFiles: Int) throws {
        // In parts, so that a part needs no other one to make room in its share.
        reservedPerPart = options.reservedConnections == 0 ? 0 : max(1, options.reservedConnections / max(1, parts))
        let reserved = max(options.reservedConnections, reservedPerPart * parts)
        maximumPerClient = options.maximumConnectionsPerClient
        let files = OpenFileLimit.current - options.otherFiles - otherFiles - reserved
        guard files > 0 else {
            let limit = "at most \(OpenFileLimit.current) open files, \(1 - files) more are needed"
            throw SystemError("serve with \(limit)", code: EMFILE)
        }
        maximum = min(options.maximumConnections, files - min(options.upstreamFiles, files / 2))
    }

    /// Counts a connection of `client`, unless it is refused; nil for a connection of no single client.
    ///
    /// The caller removes the connection again if no reserved slot is free.
    func admit(_ client: ClientAddress?) -> Admission {
        let count = count.add(1, ordering: .relaxed).newValue
        if let client, !admitClient(client) {
            self.count.subtract(1, ordering: .relaxed)
            return .refused(.clientConnectionLimit)
        }
        return count > maximum ? .reserved : .admitted
    }

    /// Forgets a connection, and that it was counted as one of `client`.
    func remove(_ client: ClientAddress?) {
        count.subtract(1, ordering: .relaxed)
        guard maximumPerClient < .max, let client = client?.network else { return }
        clients.withLock { clients in
            let left = clients[client, default: 1] - 1
            clients[client] = left > 0 ? left : nil
        }
    }

    /// Counts a connection that is open already as one of `client`; returns false if that has too many.
    func admitClient(_ client: ClientAddress) -> Bool {
        guard maximumPerClient < .max, let client = client.network else { return true }
        return clients.withLock { clients in
            guard clients[client, default: 0] < maximumPerClient else { return false }
            clients[client, default: 0] += 1
            return true
        }
    }

    func detail(of refusal: Refusal) -> String {
        refusal == .clientConnectionLimit
            ? "More than \(maximumPerClient) connections of one client are open."
            : "More than \(maximum) connections are open."
    }
}

extension ClientAddress {
    /// The part of the address that one client can have to itself; nil of a Unix socket.
    fileprivate var network: ClientAddress? { self == .unix ? nil : host }
}
