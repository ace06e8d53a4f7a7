import CivilDates
import Dispatch
import EventLoop
import JSONText
import LenientCoding
import Synchronization

/// Writes one JSON object per line to standard error: `{"time":…,"level":…,"message":…,…}`.
///
/// A queue of its own writes the lines, so that a slow reader does not block requests. If too many lines wait, further
/// ones are dropped and counted in `droppedLines` of the next line.
public final class Log: Sendable {
    /// The severity of a line.
    public enum Level: String, Sendable {
        /// A normal event.
        case info
        /// An event that an operator should investigate.
        case warning
    }

    /// The log of the process.
    public static let standard = Log()

    private static let maximumWaiting = 10_000

    private let queue = DispatchQueue(label: "weir.log")
    private let waiting = Atomic<Int>(0)
    private let dropped = Atomic<Int>(0)

    init() {}

    /// Writes a line with `fields` after the message.
    public func write(_ level: Level, _ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        write(level, message, fields, [])
    }

    /// Writes a line with `fields` and then `members`, which need not be strings, after the message.
    func write(
        _ level: Level, _ message: String, _ fields: KeyValuePairs<String, String>, _ members: [JSONValue.Member]
    ) {
        guard waiting.add(1, ordering: .relaxed).newValue <= Self.maximumWaiting else {
            waiting.subtract(1, ordering: .relaxed)
            dropped.add(1, ordering: .relaxed)
            return
        }
        var line: [JSONValue.Member] = [
            .init("time", .string(ISO8601Timestamp.format(millisecondsSinceEpoch: WallClock.milliseconds))),
            .init("level", .string(level.rawValue)), .init("message", .string(message)),
        ]
        line += fields.map { .init($0.key, .string($0.value)) } + members
        let lost = dropped.exchange(0, ordering: .relaxed)
        if lost > 0 { line.append(.init("droppedLines", .number("\(lost)"))) }
        let bytes = JSONWriter.bytes(expecting: 256) { writer in
            JSONValue.object(line).write(to: &writer)
            writer.write(byte: UInt8(ascii: "\n"))
        }
        queue.async { [self] in
            FileContents.writeStandardError(bytes)
            waiting.subtract(1, ordering: .relaxed)
        }
    }

    /// Waits until all lines so far are written.
    public func flush() { queue.sync {} }
}
