// Unsafe: `recv` gets a pointer to a temporary of this file and its length, for the duration of the call. The descriptors
// are libcurl's: each is open from the first time that libcurl names it until `close`, which libcurl calls once.
// `multi` is used while the shard watches the socket; MultiHandle ends all watches before it goes.
import CCurl
import EventLoop
import Glibc
import HTTPCore

/// A socket of libcurl, watched by the shard: for libcurl during a transfer, and for surplus bytes between transfers.
final class UpstreamSocket: ReadinessHandler {
    let descriptor: Int32
    /// The upstream of the connection while it is unused and can be reused.
    private(set) var idleOrigin: Origin?
    /// The port that the socket is bound to, 0 if there is none; nil before the socket has been idle.
    private(set) var localPort: Int32?
    private unowned(unsafe) let multi: MultiHandle
    private let shard: Shard
    private var watch: Shard.Watch?
    private var interest: Readiness = []

    init(_ descriptor: Int32, _ multi: MultiHandle, on shard: Shard) {
        (self.descriptor, self.multi, self.shard) = (descriptor, multi, shard)
    }

    var isInUse: Bool { watch != nil && idleOrigin == nil }

    /// Watches the socket for a transfer; without a watch the transfer ends at its deadline.
    func use(for interest: Readiness) {
        idleOrigin = nil
        watch(for: interest)
    }

    /// Watches the socket of an unused connection to `origin` for surplus bytes and for its end.
    func idle(origin: Origin) {
        idleOrigin = origin
        watch(for: .readable)
        localPort = localPort ?? weir_local_port(descriptor)
    }

    /// Ends the watch, as must be done before the descriptor is closed.
    func unwatch() {
        if let watch { shard.remove(watch) }
        (watch, idleOrigin) = (nil, nil)
    }

    private func watch(for interest: Readiness) {
        if let watch {
            if interest != self.interest { shard.change(watch, to: interest) }
        } else {
            watch = try? shard.watch(descriptor: descriptor, for: interest, self)
        }
        self.interest = interest
    }

    func descriptorIsReady(_ readiness: Readiness) {
        if idleOrigin != nil {
            multi.retire(self)
        } else {
            multi.drive(descriptor, readiness)
        }
    }

    /// The event that an unused connection has had.
    enum Arrival {
        case nothing
        /// The end of the connection, an error, or bytes that TLS or an impatient server sends.
        case end
        /// Bytes of an answer that nobody asked for.
        case surplus
    }

    /// Looks at the first bytes that wait at the socket, and leaves them there.
    func peek(hasTLS: Bool) -> Arrival {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            guard count > 0 else { return count < 0 && errno == EAGAIN ? .nothing : .end }
            let bytes = buffer[..<count]
            if hasTLS { return Self.hasAnswer(bytes) ? .surplus : .end }
            // A server that has waited too long for a request may say so before it closes (RFC 9110 §15.5.9).
            let isTimeout = bytes.starts(with: "HTTP/1.".utf8) && bytes.dropFirst(8).starts(with: " 408".utf8)
            return isTimeout ? .end : .surplus
        }
    }

    /// Returns whether one of these TLS records is long enough for an answer.
    ///
    /// In TLS 1.3 all encrypted records have the type of data (RFC 8446 §5.2): also alerts, such as the alert that ends
    /// the connection, and updates of keys. Alerts and updates have 22 bytes at most, and 55 within another layer of TLS.
    private static func hasAnswer(_ records: Slice<UnsafeMutableBufferPointer<UInt8>>) -> Bool {
        var start = 0
        while start + 5 <= records.count {
            let length = Int(records[start + 3]) << 8 | Int(records[start + 4])
            if records[start] == 23, length > 55 { return true }
            start += 5 + length
        }
        return false
    }

    /// Ends the connection, which is unused: libcurl has no call for that, and finds it ended when it looks or sends.
    func end() {
        unwatch()
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}

// Connections between transfers: bytes that arrive on them belong to no request.
extension MultiHandle {
    /// Ends the unused connection to `origin` from a local port if something has arrived on it, before libcurl uses it.
    ///
    /// Several connections can have the port, as all to a Unix socket have 0; then the connection counts as open.
    /// - Returns: Whether the connection is open.
    func checkConnection(to origin: Origin, from port: Int32) -> Bool {
        var (isBound, count, hasRetired) = (false, 0, false)
        // No arrays: each request on a used connection passes here.
        for socket in sockets.values where socket.localPort == port {
            isBound = true
            guard socket.idleOrigin == origin else { continue }
            count += 1
            hasRetired = retire(socket) || hasRetired
        }
        if !isBound {
            for socket in sockets.values where socket.idleOrigin == origin {
                count += 1
                hasRetired = retire(socket) || hasRetired
            }
        }
        return count != 1 || !hasRetired
    }

    /// Ends an unused connection on which something has arrived, and returns whether something has.
    @discardableResult
    func retire(_ socket: UpstreamSocket) -> Bool {
        guard let origin = socket.idleOrigin else { return false }
        switch socket.peek(hasTLS: origin.isTLS || origin.hasTLSProxy) {
        case .nothing: return false
        case .end: break
        case .surplus: suspect(origin)
        }
        socket.end()
        return true
    }

    /// libcurl does not use a socket any more for a transfer.
    func release(_ descriptor: curl_socket_t, by handle: EasyHandle) {
        guard let socket = sockets[descriptor] else { return }
        if handle.origin.isTLS, !handle.hasBegun { handle.noteTLSError(on: descriptor) }
        if handle.idleSocket == descriptor {
            idle(socket, after: handle)
        } else {
            forget(descriptor)
        }
    }

    /// Watches the connection of a transfer that has ended, though libcurl has not said so of the socket.
    ///
    /// libcurl does not name the socket of a transfer that is answered at once.
    func noteUnseenEnd(of handle: EasyHandle) {
        guard let descriptor = handle.idleSocket else { return }
        let socket = sockets[descriptor] ?? addSocket(descriptor)
        // libcurl may have begun the next transfer on the connection in the meantime.
        if !socket.isInUse { idle(socket, after: handle) }
    }

    private func idle(_ socket: UpstreamSocket, after handle: EasyHandle) {
        socket.idle(origin: handle.origin)
        handle.transfer.isSocketUnused = true
    }

    func addSocket(_ descriptor: curl_socket_t) -> UpstreamSocket {
        let socket = UpstreamSocket(descriptor, self, on: shard)
        sockets[descriptor] = socket
        return socket
    }

    /// Closes a socket for libcurl; returns 0 if that succeeds.
    func close(_ descriptor: curl_socket_t) -> Int32 {
        forget(descriptor)
        return Glibc.close(descriptor)
    }

    func forget(_ descriptor: curl_socket_t) {
        sockets.removeValue(forKey: descriptor)?.unwatch()
    }
}
