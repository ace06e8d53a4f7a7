import Dispatch
package import EventLoop
import Glibc
import Synchronization

/// Writes lines to a stream on a thread of its own, so that a slow reader delays nobody.
///
/// The bytes that wait are bounded. Lines beyond that are dropped and counted.
public final class LineWriter: Sendable {
    private struct State {
        var waiting: [Chunk] = []
        /// The bytes that wait, and those that are being written.
        var bytes = 0
        var isWriting = false
        var dropped = 0
        /// When the last line was dropped.
        var latestDrop: MonotonicTime?
        /// The dropped lines that have not been reported.
        var unreported = 0

        mutating func drop(_ lines: Int) {
            dropped += lines
            unreported += lines
            latestDrop = .now
        }
    }

    private struct Chunk {
        let bytes: [UInt8]
        let lines: Int
    }

    private let state = Mutex(State())
    private let queue: DispatchQueue
    private let maximumBytes: Int
    private let write: @Sendable ([UInt8]) -> Bool
    private let whenDropped: (@Sendable (Int) -> Void)?

    /// A writer that keeps at most `maximumBytes` that are not written.
    ///
    /// `write` may block, and returns false if the stream takes nothing any more. `whenDropped` gets the number of
    /// lines that were dropped since its last call, when the stream takes lines again; without it, `takeUnreported` does.
    public init(
        _ name: String, maximumBytes: Int, write: @escaping @Sendable ([UInt8]) -> Bool,
        whenDropped: (@Sendable (Int) -> Void)? = nil
    ) {
        queue = DispatchQueue(label: "weir.\(name)")
        self.maximumBytes = maximumBytes
        self.write = write
        self.whenDropped = whenDropped
    }

    /// The number of lines that were dropped.
    public var droppedLines: Int { state.withLock { $0.dropped } }

    /// When the last line was dropped; nil if none was.
    package var latestDrop: MonotonicTime? { state.withLock { $0.latestDrop } }

    /// Returns the number of lines that were dropped since the last report of it, and counts them as reported.
    public func takeUnreported() -> Int {
        state.withLock { state in
            defer { state.unreported = 0 }
            return state.unreported
        }
    }

    /// Hands over `lines` complete lines without blocking, and returns whether they were not dropped.
    ///
    /// `reporting` is the number of lost lines that they report; it is counted as unreported again if they are dropped.
    @discardableResult
    public func submit(_ bytes: [UInt8], lines: Int, reporting: Int = 0) -> Bool {
        let (isTaken, starts) = state.withLock { state -> (Bool, Bool) in
            guard state.bytes + bytes.count <= maximumBytes else {
                state.drop(lines)
                state.unreported += reporting
                return (false, false)
            }
            state.bytes += bytes.count
            state.waiting.append(Chunk(bytes: bytes, lines: lines))
            defer { state.isWriting = true }
            return (true, !state.isWriting)
        }
        if starts { queue.async { [self] in writeWaiting() } }
        return isTaken
    }

    /// Waits until all lines so far are written, for at most `limit`; returns false if the stream did not take them.
    @discardableResult
    public func flush(within limit: Duration) -> Bool {
        let isDone = DispatchSemaphore(value: 0)
        queue.async { isDone.signal() }
        return isDone.wait(timeout: .now() + limit / .seconds(1)) == .success
    }

    private func writeWaiting() {
        while true {
            let chunks = state.withLock { state in
                defer { state.waiting = [] }
                if state.waiting.isEmpty { state.isWriting = false }
                return state.waiting
            }
            if chunks.isEmpty { return }
            for chunk in chunks { write(chunk) }
        }
    }

    private func write(_ chunk: Chunk) {
        let isWritten = write(chunk.bytes)
        let lost = state.withLock { state -> Int in
            state.bytes -= chunk.bytes.count
            if !isWritten { state.drop(chunk.lines) }
            guard isWritten, whenDropped != nil else { return 0 }
            defer { state.unreported = 0 }
            return state.unreported
        }
        if lost > 0 { whenDropped?(lost) }
    }
}

extension LineWriter {
    /// A writer to standard output.
    public static func standardOutput(
        maximumBytes: Int, whenDropped: @escaping @Sendable (Int) -> Void
    ) -> LineWriter {
        LineWriter(
            "output", maximumBytes: maximumBytes, write: FileContents.lineOutput(to: STDOUT_FILENO),
            whenDropped: whenDropped)
    }

    /// A writer to standard error.
    public static func standardError(maximumBytes: Int) -> LineWriter {
        LineWriter("error", maximumBytes: maximumBytes, write: FileContents.lineOutput(to: STDERR_FILENO))
    }
}
