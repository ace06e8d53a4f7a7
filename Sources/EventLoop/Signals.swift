@preconcurrency import Dispatch
import Glibc

/// The signals that ask a service to stop: SIGTERM, and SIGINT from a terminal.
public final class Signals: Sendable {
    private let sources: [any DispatchSourceSignal]

    /// Calls `stop` on a queue of its own for every such signal, until this object goes.
    ///
    /// To be made at start: it sets up Dispatch's descriptors, which kills the process once none are left. Writing to a
    /// closed pipe is an error from here on, not a signal.
    public init(_ stop: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "weir.signals")
        signal(SIGPIPE, SIG_IGN)
        sources = [SIGTERM, SIGINT].map { number in
            // The default action must be off before the source listens, or a signal in between ends the process.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler(handler: stop)
            source.resume()
            return source
        }
    }
}

/// The process's allowance of open files.
public enum OpenFileLimit {
    /// Raises it as far as the system lets it.
    public static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 1_048_576)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
