@preconcurrency import Dispatch
import Glibc

/// The signals that stop a service, SIGTERM and SIGINT, and the one that makes it read its configuration again, SIGHUP.
public final class Signals: Sendable {
    /// The pipe into which the handler of signals writes their numbers; they wait there until an object reads them.
    ///
    /// Signals cannot be blocked instead: Dispatch lets the main thread, which has nothing else to do, take all of them.
    private static let pipe: (reader: Int32, writer: Int32) = {
        var ends: [Int32] = [-1, -1]
        _ = Glibc.pipe(&ends)
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        return (ends[0], ends[1])
    }()

    private let source: any DispatchSourceRead

    /// Keeps the signals that arrive until there is an object that handles them; before, each would end the process.
    public static func hold() {
        // The handler must not be the first to use the pipe.
        guard pipe.writer >= 0 else { return }
        // Tools that rotate logs, and managers of other servers, send these: SIGUSR1 and SIGUSR2 would end the process.
        for number in [SIGUSR1, SIGUSR2, SIGWINCH] { signal(number, SIG_IGN) }
        for number in [SIGTERM, SIGINT, SIGHUP] {
            signal(number) { number in
                let code = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(Signals.pipe.writer, &byte, 1)
                errno = code
            }
        }
    }

    /// Calls `stop` or `reload` on a queue of its own for every signal since `hold`, while this object exists.
    ///
    /// Create it at start-up: Dispatch opens descriptors for it, and ends the process if none is free. It also ignores
    /// SIGPIPE, so that a write to a closed pipe fails with an error.
    public init(stop: @escaping @Sendable () -> Void, reload: @escaping @Sendable () -> Void) {
        Self.hold()
        signal(SIGPIPE, SIG_IGN)
        source = DispatchSource.makeReadSource(
            fileDescriptor: Self.pipe.reader, queue: DispatchQueue(label: "weir.signals"))
        source.setEventHandler {
            var byte: UInt8 = 0
            while read(Self.pipe.reader, &byte, 1) == 1 { Int32(byte) == SIGHUP ? reload() : stop() }
        }
        source.resume()
    }
}
