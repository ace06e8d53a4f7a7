import Foundation

/// A connection to a server on loopback that blocks, for single requests; closed with this object.
final class BenchConnection {
    private let descriptor: Int32

    /// Connects; nil if nothing listens at the port, or this process may open no more files.
    init?(port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        let isConnected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        var timeout = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Requests a target, `/` by default, with an additional field line, and returns the head of the response once all of it has arrived.
    ///
    /// Returns nil if the response is incomplete after ten seconds.
    func get(_ field: String? = nil, target: String = "/") -> String? {
        let request = "GET \(target) HTTP/1.1\r\nHost: bench\r\n" + (field.map { $0 + "\r\n" } ?? "") + "\r\n"
        guard send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL)) == request.utf8.count else {
            return nil
        }
        var received = Data()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            received.append(contentsOf: buffer[..<count])
            guard let end = received.range(of: Data("\r\n\r\n".utf8)) else { continue }
            let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
            let length = Self.value(of: "Content-Length", in: head).flatMap { Int($0) } ?? 0
            if received.count >= end.upperBound + length { return head }
        }
    }

    /// The value of a field in the head of a response.
    static func value(of name: String, in head: String) -> String? {
        head.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
            .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }
}
