import Glibc

/// A client on a Unix socket.
struct Client {
    private let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)

    init(to path: String) { withUnixAddress(path) { connect(socket, $0, $1) } }

    /// Sends all of `bytes` unless the server closes the connection.
    func send(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

    /// Reads to the end of the connection, closes it, and returns the status of each answer.
    func statuses() -> [Int] {
        defer { close(socket) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            // libFuzzer's timer interrupts calls.
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        var (result, rest) = ([Int](), bytes[...])
        while !rest.isEmpty {
            guard let head = rest.firstRange(of: Array("\r\n\r\n".utf8)) else { break }
            let lines = String(decoding: rest[..<head.lowerBound], as: UTF8.self).split(separator: "\r\n")
            let status = lines.first.flatMap { Int($0.dropFirst(9).prefix(3)) }
            invariant(lines.first?.hasPrefix("HTTP/1.1 ") == true && status != nil, "\(lines)")
            rest = rest[head.upperBound...]
            if status == 100 { continue }
            result.append(status ?? 0)
            let length = lines.first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) } ?? 0
            // HEAD is answered without its body, the others are full of x.
            if rest.first == UInt8(ascii: "x") { rest = rest.dropFirst(length) }
        }
        return result
    }
}
