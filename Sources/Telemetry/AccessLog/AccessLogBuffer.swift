public import EventLoop
public import HTTPCore
import JSONText

/// The lines of one shard that have not been handed to the writer; used on that shard only.
///
/// Lines are handed over together: after 50 ms, or when they take 16 KiB.
public final class AccessLogBuffer {
    private static let largestBuffer = 16 << 10
    private static let longestWait = Duration.milliseconds(50)

    private let settings: AccessLogSettings
    private let writer: LineWriter
    private let clock: Clock
    private var line: AccessLine
    private var text = JSONWriter(capacity: largestBuffer + 4096)
    private var lines = 0
    /// The exchanges of level `info` since the last one that was logged.
    private var skipped = 0

    /// A buffer of lines for `writer`.
    public init(_ settings: AccessLogSettings, writer: LineWriter, clock: Clock) {
        (self.settings, self.writer, self.clock) = (settings, writer, clock)
        line = AccessLine(settings.format)
        // The first exchange is logged.
        skipped = settings.sampleEvery
    }

    /// Adds a line about `exchange`, if the settings ask for it.
    public func add(_ exchange: Exchange, isProbe: Bool, on shard: Shard) {
        guard accepts(exchange, isProbe: isProbe) else { return }
        if lines == 0 { shard.schedule(at: shard.now + Self.longestWait) { [weak self] in self?.handOver() } }
        line.write(exchange, at: clock.milliseconds(), to: &text)
        lines += 1
        if text.count >= Self.largestBuffer { handOver() }
    }

    /// Passes the lines to the writer.
    public func handOver() {
        guard lines > 0 else { return }
        writer.submit(text.takeBytes(), lines: lines)
        lines = 0
    }

    private func accepts(_ exchange: Exchange, isProbe: Bool) -> Bool {
        if isProbe, !settings.includesProbes { return false }
        let level = AccessLogSettings.Level(exchange)
        guard level >= settings.level else { return false }
        guard level == .info else { return true }
        skipped += 1
        guard skipped >= settings.sampleEvery else { return false }
        skipped = 0
        return true
    }
}
