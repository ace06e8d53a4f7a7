import CivilDates
import Dispatch
import EventLoop
import HTTPCore
import JSONText
import Synchronization

/// Writes one JSON object a line to standard error: `{"time":…,"level":…,"message":…,…}`.
///
/// Lines are written by a queue of the log's own, so that a slow reader does not hold up requests. When it is too slow,
/// lines are dropped and counted.
public final class Log: Sendable {
    /// How much a line matters.
    public enum Level: String, Sendable {
        /// What an operator wants to have seen afterwards.
        case info
        /// What an operator should look into.
        case warning
        /// What ends the service or a part of it.
        case error
    }

    /// The log of the process.
    public static let standard = Log()

    private static let maximumWaiting = 10_000

    private let queue = DispatchQueue(label: "weir.log")
    private let waiting = Atomic<Int>(0)
    private let dropped = Atomic<Int>(0)

    init() {}

    /// Writes a line.
    ///
    /// Values are text or numbers, never a secret: that type has no text.
    public func write(_ level: Level, _ message: String, _ fields: KeyValuePairs<StaticString, String> = [:]) {
        guard waiting.add(1, ordering: .relaxed).newValue <= Self.maximumWaiting else {
            waiting.subtract(1, ordering: .relaxed)
            dropped.add(1, ordering: .relaxed)
            return
        }
        var lost = 0
        if dropped.load(ordering: .relaxed) > 0 { lost = dropped.exchange(0, ordering: .relaxed) }
        let line = Self.line(level, message, fields, lost: lost)
        queue.async { [self] in
            FileContents.writeStandardError(line)
            waiting.subtract(1, ordering: .relaxed)
        }
    }

    /// Waits until all lines so far are written.
    public func flush() { queue.sync {} }

    private static func line(
        _ level: Level, _ message: String, _ fields: KeyValuePairs<StaticString, String>, lost: Int
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.write(raw: "{\"time\":")
        writer.write(ISO8601Timestamp.format(millisecondsSinceEpoch: WallClock.milliseconds))
        writer.write(raw: ",\"level\":")
        writer.write(level.rawValue)
        writer.write(raw: ",\"message\":")
        writer.write(message)
        for (key, value) in fields {
            writer.write(raw: ",\"")
            writer.write(raw: key)
            writer.write(raw: "\":")
            writer.write(value)
        }
        if lost > 0 {
            writer.write(raw: ",\"droppedLines\":")
            writer.write(Int64(lost))
        }
        writer.write(raw: "}\n")
        return writer.bytes
    }
}
