// Unsafe: `poll`, `recv` and `socketpair` get pointers to locals of this file, valid for the duration of each call. `dup2`
// replaces a descriptor that libcurl owns by a valid socket, which reads as ended: libcurl never sees a closed number.
import CCurl
import EventLoop
import Glibc
import HTTPCore

/// A socket of libcurl, watched by the shard: for libcurl during a transfer, and for surplus bytes between transfers.
final class UpstreamSocket: ReadinessHandler {
    let descriptor: Int32
    /// The upstream of the connection while it is unused and can be reused.
    private(set) var idleOrigin: Origin?
    /// The port that it is bound to, once it has been asked for.
    private(set) var localPort: Int32?
    /// The upstream of the connection.
    var origin: Origin?
    /// The handle of the transfer for which libcurl has named the socket last; nil while the connection is unused.
    var user: ObjectIdentifier?
    /// When the client got to know it.
    let start: MonotonicTime
    /// When something has last arrived.
    private(set) var lastReadable: MonotonicTime
    /// When doubts about the connection began.
    private var doubtedSince: MonotonicTime?
    /// The uses of the connection, if it speaks HTTP/1.
    @exclusivity(unchecked) var uses = ConnectionUses()
    /// Whether the connection is closed because of its `uses`, after an answer.
    var isLeaving = false
    private weak var multi: MultiHandle?
    private let shard: Shard
    private var watch: Shard.Watch?
    private var interest: Readiness = []

    init(_ descriptor: Int32, _ multi: MultiHandle, on shard: Shard) {
        self.descriptor = descriptor
        self.multi = multi
        self.shard = shard
        (start, lastReadable) = (shard.now, shard.now)
    }

    /// Watches the socket for a transfer; without a watch the transfer ends at its deadline.
    func use(for interest: Readiness) {
        idleOrigin = nil
        watch(for: interest)
    }

    /// Watches the socket, whose connection to `origin` is unused, for bytes that nobody asked for and for its end.
    func idle(origin: Origin) {
        idleOrigin = origin
        watch(for: .readable)
    }

    /// Whether it is watched for a transfer.
    var isInUse: Bool { watch != nil && idleOrigin == nil }

    /// Doubts at `now` that the other end is there, until something arrives.
    func doubt(at now: MonotonicTime) { doubtedSince = now }

    /// Whether nothing has arrived since doubts about the connection began.
    var isInDoubt: Bool {
        guard let doubtedSince else { return false }
        return lastReadable <= doubtedSince
    }

    /// Ends the watch, as must be done before the descriptor is closed.
    func unwatch() {
        if let watch { shard.remove(watch) }
        (watch, idleOrigin) = (nil, nil)
    }

    /// Returns the port that the socket is bound to; 0 if it has none.
    func findLocalPort() -> Int32 {
        let port = weir_local_port(descriptor)
        localPort = port
        return port
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
        if !readiness.isDisjoint(with: [.readable, .hungUp]) { lastReadable = shard.now }
        if idleOrigin != nil {
            multi?.retire(self)
        } else {
            multi?.drive(descriptor, readiness)
        }
    }
}

/// An upstream as far as connections are concerned: a scheme, host and port, or a Unix socket.
struct Origin: Hashable {
    let isTLS: Bool
    /// The layers of TLS between the socket and HTTP: one more if the proxy speaks TLS.
    let tlsLayers: Int
    private let address: String

    /// The origin to which `request` goes.
    init(_ request: OutgoingRequest) {
        let policy = request.policy
        self = request.url.withExposedText {
            Origin(url: $0, unixSocketPath: policy.unixSocketPath, proxy: policy.proxy)
        }
    }

    /// The origin of `url`, without user name, password and path.
    init(url: String, unixSocketPath: String?, proxy: String? = nil) {
        let bytes = url.utf8.span
        isTLS = bytes.count > 5 && bytes[4] | 0x20 == UInt8(ascii: "s")
        tlsLayers = (isTLS ? 1 : 0) + (proxy?.lowercased().hasPrefix("https:") == true ? 1 : 0)
        if let unixSocketPath {
            address = unixSocketPath
            return
        }
        var index = 0
        while index < bytes.count, bytes[index] != UInt8(ascii: ":") { index += 1 }
        repeat { index += 1 } while index < bytes.count && bytes[index] == UInt8(ascii: "/")
        var host: [UInt8] = []
        scan: while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): break scan
            case UInt8(ascii: "@"): host.removeAll()
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): host.append(bytes[index] | 0x20)
            default: host.append(bytes[index])
            }
            index += 1
        }
        address = Self.withNumber(String(decoding: host, as: UTF8.self), isTLS ? 443 : 80)
    }

    /// Returns a host with the number of its port, however that is written: libcurl uses one connection for all of them.
    private static func withNumber(_ host: String, _ standard: Int) -> String {
        guard let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") else { return "\(host):\(standard)" }
        let port = host[host.index(after: colon)...]
        return "\(host[..<colon]):\(port.isEmpty ? standard : Int(port) ?? 0)"
    }
}

/// Looks at unused connections, and ends them so that libcurl does not use them again.
///
/// libcurl's own look takes a connection with unread bytes for a good one; it has no call to end a connection.
final class ConnectionInspector {
    /// What has arrived on an unused connection.
    enum Finding {
        case nothing
        /// The end of the connection, an error, or bytes that TLS or an impatient server sends.
        case ended
        /// Bytes of an answer that nobody asked for.
        case surplus
    }

    /// A socket that reads as ended for ever, and takes what libcurl writes to it; nil without descriptors.
    private let ended: (socket: Int32, peer: Int32)?

    init() {
        var pair: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, type, 0, &pair) == 0 else {
            ended = nil
            return
        }
        shutdown(pair[1], Int32(SHUT_WR))
        ended = (pair[0], pair[1])
    }

    deinit {
        guard let ended else { return }
        Glibc.close(ended.socket)
        Glibc.close(ended.peer)
    }

    /// Returns those of `sockets` that are readable.
    func readable(_ sockets: [UpstreamSocket]) -> [UpstreamSocket] {
        guard !sockets.isEmpty else { return [] }
        var entries = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        guard poll(&entries, nfds_t(entries.count), 0) > 0 else { return [] }
        return zip(sockets, entries).filter { $0.1.revents != 0 }.map(\.0)
    }

    /// Looks at the first bytes that wait at `socket`, below this number of layers of TLS, and leaves them there.
    func look(at socket: UpstreamSocket, tlsLayers: Int) -> Finding {
        let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
        var first: UInt8 = 0
        let count = recv(socket.descriptor, &first, 1, flags)
        guard count > 0 else { return count < 0 && errno == EAGAIN ? .nothing : .ended }
        var bytes = [UInt8](repeating: 0, count: 256)
        bytes.removeLast(bytes.count - max(0, recv(socket.descriptor, &bytes, bytes.count, flags)))
        if tlsLayers > 0 { return Self.hasAnswer(bytes, tlsLayers) ? .surplus : .ended }
        // A server that has waited too long for a request may say so before it closes (RFC 9110 §15.5.9).
        let isTimeout = bytes.starts(with: "HTTP/1.".utf8) && bytes.dropFirst(8).starts(with: " 408".utf8)
        return isTimeout ? .ended : .surplus
    }

    /// Whether one of these records of TLS is long enough for an answer.
    ///
    /// In TLS 1.3 all encrypted records have the type of data (RFC 8446 §5.2): also alerts, such as the one that ends the
    /// connection, and updates of keys. Without padding (§5.4), they are shorter than the shortest head.
    private static func hasAnswer(_ records: [UInt8], _ tlsLayers: Int) -> Bool {
        let shortestHead = "HTTP/1.1 204 \r\n\r\n".utf8.count
        // A record of TLS 1.3 adds a type and a tag of 16 bytes, and in another layer its own head of 5. An alert of TLS 1.2
        // in another of TLS 1.2 has one byte less.
        let shortest = shortestHead + 17 * tlsLayers + 5 * (tlsLayers - 1)
        var start = 0
        while start + 5 <= records.count {
            let length = Int(records[start + 3]) << 8 | Int(records[start + 4])
            if records[start] == 23, length >= shortest { return true }
            start += 5 + length
        }
        return false
    }

    /// Closes a descriptor for libcurl; returns 0 if that succeeds.
    static func close(_ descriptor: Int32) -> Int32 { Glibc.close(descriptor) }

    /// Closes the connection of `socket`; libcurl finds its descriptor ended when it looks at it the next time.
    func end(_ socket: UpstreamSocket) {
        socket.unwatch()
        if let ended {
            // What libcurl has written to earlier ones: 278 alerts of TLS fill the buffer, and it would wait to write more.
            var written = [UInt8](repeating: 0, count: 4096)
            while recv(ended.peer, &written, written.count, Int32(MSG_DONTWAIT)) > 0 {}
            dup2(ended.socket, socket.descriptor)
            _ = fcntl(socket.descriptor, F_SETFD, FD_CLOEXEC)
        } else {
            // Unread bytes of a TCP connection are lost as well after this, or else libcurl fails to read them as TLS.
            shutdown(socket.descriptor, Int32(SHUT_RDWR))
        }
    }
}
