// Unsafe: `receive` and `send` give the kernel pointers into the caller's array, inside `withUnsafe…` only, with the
// count of the same buffer.
import CSystem
import Glibc

/// A non-blocking stream socket, closed when its last reference is released.
public final class Socket: Sendable {
    /// The result of a transfer.
    public enum Outcome: Equatable, Sendable {
        /// This many bytes were transferred.
        case bytes(Int)
        /// The peer has closed its sending side.
        case end
        /// The kernel's buffer is empty (`receive`) or full (`send`).
        case wouldBlock
        /// The connection is broken, with this error number of the system.
        case failed(Int32)
    }

    /// The number of the descriptor, for libraries that read and send themselves; they must hold the socket.
    package let descriptor: Int32

    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Reads the available bytes into `buffer`, from its start and up to its count.
    public func receive(into buffer: inout [UInt8]) -> Outcome { receive(into: &buffer, flags: 0) }

    /// Reads the available bytes into `buffer` as `receive` does, and leaves them where they are.
    public func peek(into buffer: inout [UInt8]) -> Outcome { receive(into: &buffer, flags: Int32(MSG_PEEK)) }

    private func receive(into buffer: inout [UInt8], flags: Int32) -> Outcome {
        let outcome = buffer.withUnsafeMutableBytes { bytes in
            Self.transfer { recv(descriptor, bytes.baseAddress, bytes.count, flags) }
        }
        return outcome == .bytes(0) ? .end : outcome
    }

    /// Writes as many bytes of `buffer` from `start` on as the kernel takes, without raising SIGPIPE.
    public func send(_ buffer: [UInt8], from start: Int) -> Outcome {
        buffer[start...].withUnsafeBytes { bytes in
            Self.transfer { Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) }
        }
    }

    /// Writes as many bytes of `first` and then of `second`, from `start` on, as the kernel takes, as `send` does.
    public func send(_ first: [UInt8], then second: [UInt8], from start: Int = 0) -> Outcome {
        first.withUnsafeBytes { first in
            second[start...].withUnsafeBytes { second in
                Self.transfer {
                    weir_send_both(descriptor, first.baseAddress, first.count, second.baseAddress, second.count)
                }
            }
        }
    }

    /// Closes the sending side, so that the peer reads the end of the stream.
    public func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    private static func transfer(_ call: () -> Int) -> Outcome {
        while true {
            let count = call()
            if count >= 0 { return .bytes(count) }
            if errno != EINTR { return errno == EAGAIN || errno == EWOULDBLOCK ? .wouldBlock : .failed(errno) }
        }
    }
}

/// A system call that failed.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The action that failed, such as `listen on 127.0.0.1:8080`.
    public let action: String
    /// The system's error number.
    public let code: Int32

    init(_ action: String, code: Int32 = errno) {
        self.action = action
        self.code = code
    }

    /// The error for a limit of open files, `limit`, that is too low by `missing`.
    public static func tooFewFiles(_ limit: Int, missing: Int) -> SystemError {
        SystemError("serve with at most \(limit) open files, \(missing) more are needed", code: EMFILE)
    }

    /// The error for a limit of address space, `limit` bytes, that is too low by `missing`.
    static func tooLittleAddressSpace(_ limit: Int, missing: Int) -> SystemError {
        let (limit, missing) = (limit >> 20, (missing - 1) >> 20 + 1)
        return SystemError("serve in \(limit) MiB of address space, \(missing) more are needed", code: ENOMEM)
    }

    /// The error for a limit of stacks, `limit` bytes, that is too low by `missing` for documents of `depth` levels.
    static func tooLittleStack(_ limit: Int, depth: Int, missing: Int) -> SystemError {
        let (limit, missing) = (limit >> 10, (missing - 1) >> 10 + 1)
        return SystemError(
            "read documents of \(depth) levels with stacks of \(limit) KiB, \(missing) more are needed", code: ENOMEM)
    }

    /// The error for a descriptor to listen on that the process should inherit after its start.
    public static func inheritedLater(_ address: SocketAddress) -> SystemError {
        SystemError("listen on \(address), which must be there at the start", code: ENOTSUP)
    }

    /// Whether there is no such file.
    public var isNotFound: Bool { code == ENOENT }

    /// A text such as `cannot listen on 127.0.0.1:8080: Address already in use`.
    public var description: String { "cannot \(action): \(String(cString: strerror(code)))" }
}
