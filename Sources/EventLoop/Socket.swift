import CSystem
import Glibc

/// A non-blocking stream socket, closed when the last reference to it goes.
///
/// Its calls are the only ones of the server that hand memory to the kernel.
public final class Socket: Sendable {
    /// What a transfer came to.
    public enum Outcome: Equatable, Sendable {
        /// So many bytes went through.
        case bytes(Int)
        /// The peer has sent all it will send.
        case end
        /// Nothing goes through at the moment.
        case wouldBlock
        /// The connection is broken.
        case failed(Int32)
    }

    let descriptor: Int32

    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Reads what is there into `buffer`, from its start.
    public func receive(into buffer: inout [UInt8]) -> Outcome {
        let count = buffer.withUnsafeMutableBytes { bytes in
            Self.restarting { recv(descriptor, bytes.baseAddress, bytes.count, 0) }
        }
        return count == 0 ? .end : Self.outcome(count)
    }

    /// Writes as much as goes through of `buffer` from `start` on.
    ///
    /// Never raises SIGPIPE.
    public func send(_ buffer: [UInt8], from start: Int) -> Outcome {
        let count = buffer.withUnsafeBytes { bytes in
            let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
            return Self.restarting { Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL)) }
        }
        return Self.outcome(count)
    }

    /// Tells the peer that nothing more will be sent.
    public func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    private static func restarting(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    private static func outcome(_ count: Int) -> Outcome {
        if count >= 0 { return .bytes(count) }
        return errno == EAGAIN || errno == EWOULDBLOCK ? .wouldBlock : .failed(errno)
    }
}
