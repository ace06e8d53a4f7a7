import EventLoop
import Glibc
import HTTPClient
import HTTPCore
import Synchronization

/// A client, and the upstream on a Unix socket to which it connects; the caller's thread is the upstream.
final class FuzzedUpstream {
    private let client: Client
    private let shard: Shard
    private let policy: ConnectionPolicy
    private let listener: Int32
    private var connections: [Connection] = []
    /// Gets a byte when the client has a result.
    private let signal: (reader: Int32, writer: Int32)

    private struct Connection {
        let socket: Int32
        var input: [UInt8] = []
    }

    init() throws {
        let path = "/tmp/weir-fuzz-upstream-\(getpid()).sock"
        unlink(path)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        withUnixAddress(path) { bind(listener, $0, $1) }
        invariant(listen(listener, 64) == 0, "listen: \(errno)")
        var ends: [Int32] = [0, 0]
        invariant(pipe(&ends) == 0, "pipe: \(errno)")
        (self.listener, signal) = (listener, (ends[0], ends[1]))
        shard = try Shard(index: 0)
        client = Client(on: shard)
        policy = ConnectionPolicy(unixSocketPath: path)
        shard.start()
    }

    /// Fetches `path`, and answers each request for it with `bytes`, with a pause after `cut` of them.
    ///
    /// Other requests, which are none of this exchange, are a failure.
    func exchange(
        path: String, answering bytes: [UInt8], cut: Int, thenEnds: Bool
    ) -> Result<IncomingResponse, TransferError> {
        var request = OutgoingRequest(url: Secret("http://localhost" + path))
        request.policy = policy
        request.deadline = .seconds(5)
        let outcome = Outcome()
        let (client, writer) = (client, signal.writer)
        Task { [request] in
            do throws(TransferError) {
                outcome.set(.success(try await client.fetch(request)))
            } catch {
                outcome.set(.failure(error))
            }
            _ = write(writer, "x", 1)
        }
        while true {
            var entries = [listener, signal.reader] + connections.map(\.socket)
            let ready = Self.readable(&entries)
            for (index, isReady) in ready.enumerated().dropFirst(2).reversed() where isReady {
                serve(index - 2, path, bytes, cut, thenEnds)
            }
            if ready[0] { connections.append(Connection(socket: accept(listener, nil, nil))) }
            if ready[1] {
                var byte: UInt8 = 0
                _ = read(signal.reader, &byte, 1)
                return outcome.value
            }
        }
    }

    private static func readable(_ descriptors: inout [Int32]) -> [Bool] {
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // libFuzzer's timer interrupts calls.
        while poll(&entries, nfds_t(entries.count), -1) < 0, errno == EINTR {}
        return entries.map { $0.revents != 0 }
    }

    private func serve(_ index: Int, _ path: String, _ bytes: [UInt8], _ cut: Int, _ thenEnds: Bool) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(connections[index].socket, &buffer, buffer.count, 0)
        if count < 0, errno == EINTR { return }
        guard count > 0 else { return end(index) }
        connections[index].input += buffer[..<count]
        guard connections[index].input.suffix(4) == Array("\r\n\r\n".utf8) else { return }
        let request = String(decoding: connections[index].input, as: UTF8.self)
        invariant(request.hasPrefix("GET \(path) "), "\(request) instead of \(path)")
        connections[index].input = []
        send(bytes.prefix(cut), to: connections[index].socket)
        if cut > 0 { sched_yield() }
        send(bytes.dropFirst(cut), to: connections[index].socket)
        if thenEnds { end(index) }
    }

    private func end(_ index: Int) { close(connections.remove(at: index).socket) }

    /// Sends all of `bytes` unless the client closes the connection.
    private func send(_ bytes: ArraySlice<UInt8>, to socket: Int32) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

/// The result of a fetch, once there is one.
private final class Outcome: Sendable {
    private let result = Mutex<Result<IncomingResponse, TransferError>?>(nil)

    func set(_ value: Result<IncomingResponse, TransferError>) { result.withLock { $0 = value } }

    var value: Result<IncomingResponse, TransferError> { result.withLock { $0 ?? .failure(.cancelled) } }
}
