import CivilDates
import JSONText
import LenientCoding
import Telemetry

/// Writes one JSON object per line to standard error: `{"time":…,"level":…,"message":…,…}`.
///
/// A thread of its own writes the lines, so that a slow reader blocks neither requests nor the exit. If too many lines
/// wait, further ones are dropped and counted in `droppedLines` of the next line.
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

    /// The bytes that may wait: about 10,000 lines.
    private static let maximumWaiting = 2 << 20
    /// The time at the end in which a reader must take the last lines.
    private static let flushTime = Duration.seconds(1)

    private let writer = LineWriter.standardError(maximumBytes: maximumWaiting)

    private let clock: Clock

    init(clock: Clock = .system) { self.clock = clock }

    /// The number of lines that were dropped.
    var droppedLines: Int { writer.droppedLines }

    /// Writes a line with `fields` after the message.
    public func write(_ level: Level, _ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        write(level, message, fields, [])
    }

    /// Writes a line with `fields` and then `members`, which need not be strings, after the message.
    func write(
        _ level: Level, _ message: String, _ fields: KeyValuePairs<String, String>, _ members: [JSONValue.Member]
    ) {
        var line: [JSONValue.Member] = [
            .init("time", .string(ISO8601Timestamp.format(millisecondsSinceEpoch: clock.milliseconds()))),
            .init("level", .string(level.rawValue)), .init("message", .string(message)),
        ]
        line += fields.map { .init($0.key, .string($0.value)) } + members
        let lost = writer.takeUnreported()
        if lost > 0 { line.append(.init("droppedLines", .number("\(lost)"))) }
        let bytes = JSONWriter.bytes(expecting: 256) { writer in
            JSONValue.object(line).write(to: &writer)
            writer.write(byte: UInt8(ascii: "\n"))
        }
        writer.submit(bytes, lines: 1, reporting: lost)
    }

    /// Waits until all lines so far are written, for at most a second.
    public func flush() { writer.flush(within: Self.flushTime) }
}
