import Dispatch
import EventLoop
import LenientCoding
import Synchronization
import Operations

/// The file that keeps the quotas of the upstreams over restarts.
///
/// A change is written at once, or a second after the last write, on a queue of its own. The file is replaced as a
/// whole: it is readable whenever the process ends.
final class QuotaFile: Sendable {
    typealias Content = [String: UpstreamLimits.Saved]

    private struct State {
        var isScheduled = false
        var lastWrite: MonotonicTime?
        var hasFailed = false
    }

    private static let maximumBytes = 1 << 20
    private static let interval = Duration.seconds(1)
    /// What is added to the name of a file with another content, which may be somebody's.
    private static let unread = ".unread"

    /// What the file had when it was opened.
    let content: Content
    private let path: String
    /// Nil if another process uses the file, too, or if it cannot be locked.
    private let lock: FileLock?
    private let log: Log
    private let clock: Clock
    private let queue = DispatchQueue(label: "weir.quotas")
    private let state = Mutex(State())

    /// Reads the file at `path`, if there is one; one with another content is logged, and has another name afterwards.
    init(path: String, log: Log, clock: Clock) {
        (self.path, self.log, self.clock) = (path, log, clock)
        var content: Content = [:]
        do {
            content = try Self.decode(FileContents.read(path: path, limit: Self.maximumBytes))
        } catch let error as SystemError where error.isNotFound {
            // The first start.
        } catch {
            var detail = "\(error)"
            if (try? FileContents.move(path: path, to: path + Self.unread)) != nil {
                detail += "; its name is now \(path)\(Self.unread)"
            }
            log.write(.warning, "quota file not read", ["file": path, "detail": detail])
        }
        self.content = content
        lock = WriterLock.lock(
            beside: path, "quota file",
            ifShared: "Another process writes its own counts there. Give each process a file.", log)
    }

    private static func decode(_ bytes: [UInt8]) throws -> Content {
        do { return try LenientDecoder().decode(Content.self, from: bytes) } catch { throw NoQuotas() }
    }

    /// Writes what `snapshot` returns, soon; nothing if it returns nil, as after the end of what it describes.
    func noteChange(_ snapshot: @escaping @Sendable () -> Content?) {
        let delay = state.withLock { state -> Duration? in
            guard !state.isScheduled else { return nil }
            state.isScheduled = true
            return state.lastWrite.map { max(.zero, $0 + Self.interval - clock.now()) } ?? .zero
        }
        guard let delay else { return }
        queue.asyncAfter(deadline: .now() + delay / .seconds(1)) { [self] in write(snapshot) }
    }

    /// Writes what `snapshot` returns, before it returns.
    func flush(_ snapshot: @escaping @Sendable () -> Content?) { queue.sync { write(snapshot) } }

    private func write(_ snapshot: () -> Content?) {
        // Before the snapshot: what changes during the write is in the next one.
        state.withLock { ($0.isScheduled, $0.lastWrite) = (false, clock.now()) }
        guard let content = snapshot() else { return }
        var failure: (any Error)?
        do {
            try FileContents.replace(path: path, with: CompactEncoder().encode(content) + [UInt8(ascii: "\n")])
        } catch {
            failure = error
        }
        let isNew = state.withLock { state in
            defer { state.hasFailed = failure != nil }
            return failure != nil && !state.hasFailed
        }
        if isNew, let failure {
            log.write(.warning, "quota file not written", ["file": path, "detail": "\(failure)"])
        }
    }
}

/// The error for a file whose content is something else.
private struct NoQuotas: Error, CustomStringConvertible {
    let description = "it is damaged, or no file of quotas"
}
