import CCurl
import EventLoop

// Connections of HTTP/2, which several transfers can share, and which libcurl keeps when one of them ends early.
extension MultiHandle {
    /// After the time-out of a transfer over HTTP/2: ends the connections to its origin on which nothing has arrived since
    /// it began, or doubts them while others may still get their answers there.
    ///
    /// HTTP/1 connections end with their transfer.
    func retireSilent(after transfer: Active) {
        guard transfer.handle.isHTTP2 else { return }
        let origin = transfer.handle.origin
        let silent = sockets.values.filter { $0.origin == origin && $0.lastReadable <= transfer.start }
        guard !silent.isEmpty else { return }
        let isShared = active.contains {
            $0 !== transfer && $0.handle.isHTTP2 && $0.handle.origin == origin
        }
        if isShared {
            // All others get the time that this one had.
            let end = shard.now + (shard.now - transfer.start)
            for socket in silent where !socket.isInDoubt { doubt(socket, until: end) }
        } else {
            for socket in silent { end(socket) }
        }
    }

    /// Ends the connection of a transfer that was given up, unless others use it.
    ///
    /// libcurl resets a stream with the next request on its connection; until then the upstream would send the rest.
    func endAbandoned(_ transfer: Active) {
        let handle = transfer.handle
        guard !isStopped, let socket = openSocket(of: handle), handle.isHTTP2,
            !active.contains(where: { $0.handle.isHTTP2 && $0.handle.origin == handle.origin })
        else { return }
        end(socket)
    }

    /// Makes libcurl look at the connection of a transfer that broke off, for the others on it.
    ///
    /// After the end of TLS without that of TCP there is no further event, and they would wait until their deadlines. If the
    /// transfer broke off before libcurl named its socket, that is one of those to the same host.
    func noteBreak(of transfer: Active) {
        let handle = transfer.handle
        guard handle.isHTTP2 else { return }
        let suspected = openSocket(of: handle).map { [$0] } ?? sockets.values.filter { $0.origin == handle.origin }
        for socket in suspected where !broken.contains(socket.descriptor) { broken.append(socket.descriptor) }
        collectSoon()
    }

    /// Whether a connection to `origin` is in doubt, so that a new request needs another one.
    func isInDoubt(_ origin: Origin) -> Bool {
        guard !doubted.isEmpty else { return false }
        doubted.removeAll { !$0.isInDoubt || sockets[$0.descriptor] !== $0 }
        return doubted.contains { $0.origin == origin }
    }

    /// Whether the connections to `origin` from a local port, one unless they are to a Unix socket, are older than `seconds`,
    /// and there can be another one at once: a request that waited for it would fail, while this one serves.
    ///
    /// libcurl does not look at the age of a connection that is in use.
    func isTooOld(_ origin: Origin, from port: Int32, seconds: Int) -> Bool {
        let all = sockets.values.filter { $0.origin == origin }
        let sockets = all.filter { weir_local_port($0.descriptor) == port }
        guard !sockets.isEmpty, sockets.allSatisfy({ (shard.now - $0.start).components.seconds > seconds }) else {
            return false
        }
        guard maximumHostConnections > 0 else { return true }
        let coming = active.count { $0.handle.origin == origin && $0.needsNewConnection }
        return all.count { $0.isInUse } + coming < maximumHostConnections
    }

    private func doubt(_ socket: UpstreamSocket, until end: MonotonicTime) {
        socket.doubt(at: shard.now)
        doubted.append(socket)
        _ = shard.schedule(at: end) { [weak self, weak socket] in
            guard let self, let socket, socket.isInDoubt, sockets[socket.descriptor] === socket else { return }
            self.end(socket)
        }
    }

    private func end(_ socket: UpstreamSocket) {
        inspector.end(socket)
        // Other transfers on it find its end, and are repeated.
        drive(socket.descriptor, .readable)
    }
}
