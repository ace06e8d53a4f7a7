import Dispatch
import Glibc
import Synchronization

/// What went wrong on a test's own side of a connection.
struct UpstreamError: Error, CustomStringConvertible {
    let description: String
    init(_ action: String) { description = "\(action): \(String(cString: strerror(errno)))" }
}

/// A server that a test scripts: a closure talks on each connection, on a thread of its own.
final class Upstream: Sendable {
    /// One connection to it.
    final class Line: Sendable {
        fileprivate let descriptor: Int32
        /// The connection's number, from 1.
        let number: Int

        fileprivate init(_ descriptor: Int32, number: Int) {
            self.descriptor = descriptor
            self.number = number
        }

        deinit { close(descriptor) }

        /// The head of the next request; nil when the client has closed or broken off.
        func request() -> String? {
            var head: [UInt8] = []
            var byte: UInt8 = 0
            while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
                guard recv(descriptor, &byte, 1, 0) == 1 else { return nil }
                head.append(byte)
            }
            return String(decoding: head, as: UTF8.self)
        }

        func write(_ text: String) { write(Array(text.utf8)) }

        func write(_ bytes: [UInt8]) {
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                // A client that has gone is what some tests want.
                guard count > 0 else { return }
                sent += count
            }
        }

        /// Writes a whole answer; `headers` are lines with their CRLF.
        func answer(status: Int = 200, _ headers: String = "", body: [UInt8] = []) {
            write(Array("HTTP/1.1 \(status) X\r\nContent-Length: \(body.count)\r\n\(headers)\r\n".utf8) + body)
        }

        func answer(status: Int = 200, _ headers: String = "", text: String) {
            answer(status: status, headers, body: Array(text.utf8))
        }

        /// Waits until the client closes.
        func waitForEnd() { while request() != nil {} }
    }

    /// Where it is, without a path.
    let url: String
    private let listener: Int32
    private let opened = Atomic<Int>(0)
    /// Those that are open; what is in here has not been closed, so its number is nobody else's.
    private let lines = Mutex<[Int: Line]>([:])

    /// How many connections there have been.
    var connections: Int { opened.load(ordering: .sequentiallyConsistent) }

    /// Starts it on a free port, or at a path.
    convenience init(path: String? = nil, _ talk: @escaping @Sendable (Line) -> Void) throws {
        try self.init(listeningAt: path, backlog: 1024)
        DispatchQueue(label: "upstream").async { [self] in accept(talk) }
    }

    /// One that accepts nobody: what connects to it waits.
    static func full() throws -> (Upstream, fillers: [Int32]) {
        let upstream = try Upstream(listeningAt: nil, backlog: 0)
        let fillers = (0..<4).map { _ in
            let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            upstream.withName { _ = connect(filler, $0, $1) }
            return filler
        }
        return (upstream, fillers)
    }

    private init(listeningAt path: String?, backlog: Int32) throws {
        let family = path == nil ? AF_INET : AF_UNIX
        let listener = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.listener = listener
        if let path {
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
            let code = withUnsafePointer(to: &name) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            guard code == 0, listen(listener, backlog) == 0 else { throw UpstreamError("listen at \(path)") }
            url = "http://localhost"
            return
        }
        guard listen(listener, backlog) == 0 else { throw UpstreamError("listen") }
        // A socket that listens without having been bound has been given a free port of every address.
        var name = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
        }
        url = "http://127.0.0.1:\(UInt16(bigEndian: name.sin_port))"
    }

    deinit { close(listener) }

    /// Accepts no more and breaks every connection off.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        lines.withLock { lines in
            for line in lines.values { shutdown(line.descriptor, Int32(SHUT_RDWR)) }
        }
    }

    private func withName(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Void) {
        var name = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(listener, $0, &size)
                body($0, size)
            }
        }
    }

    private func accept(_ talk: @escaping @Sendable (Line) -> Void) {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else { return }
            let number = opened.add(1, ordering: .sequentiallyConsistent).newValue
            let line = Line(descriptor, number: number)
            lines.withLock { $0[number] = line }
            DispatchQueue(label: "line \(number)").async { [self] in
                talk(line)
                _ = lines.withLock { $0.removeValue(forKey: number) }
            }
        }
    }
}
