@preconcurrency import Dispatch
import Glibc

/// The signals that stop a service, SIGTERM and SIGINT, and the one that makes it read its configuration again, SIGHUP.
public final class Signals: Sendable {
    private let sources: [any DispatchSourceSignal]

    /// Ignores SIGHUP until there are signals: it must not end a process that is about to begin.
    public static func ignoreReload() { signal(SIGHUP, SIG_IGN) }

    /// Calls `stop` or `reload` on a queue of its own for every such signal while this object exists.
    ///
    /// Create it at start-up: Dispatch opens descriptors for it, and ends the process if none is free. It also ignores
    /// SIGPIPE, so that a write to a closed pipe fails with an error.
    public init(stop: @escaping @Sendable () -> Void, reload: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "weir.signals")
        let registered = DispatchGroup()
        signal(SIGPIPE, SIG_IGN)
        sources = [(SIGTERM, stop), (SIGINT, stop), (SIGHUP, reload)].map { number, action in
            // Ignored before the source resumes: otherwise a signal in between ends the process.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler(handler: action)
            registered.enter()
            source.setRegistrationHandler { registered.leave() }
            source.resume()
            return source
        }
        // Another thread registers the sources; a signal before that is lost.
        registered.wait()
    }
}
