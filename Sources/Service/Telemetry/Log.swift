import CivilDates
package import JSONText

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

    private let writer: LineWriter
    private let clock: Clock

    /// A log that writes to standard error, unless there is another writer.
    package init(clock: Clock = .system, writer: LineWriter? = nil) {
        self.clock = clock
        self.writer = writer ?? .standardError(maximumBytes: Self.maximumWaiting)
    }

    /// The number of lines that were dropped.
    package var droppedLines: Int { writer.droppedLines }

    /// Writes a line with `fields` after the message.
    public func write(_ level: Level, _ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        write(level, message, fields) { _ in }
    }

    /// Writes a line with `fields` after the message, and then with the members that `more` writes, each after a comma.
    package func write(
        _ level: Level, _ message: String, _ fields: KeyValuePairs<String, String>,
        _ more: (inout JSONWriter) -> Void
    ) {
        let lost = writer.takeUnreported()
        let bytes = JSONWriter.bytes(expecting: 256) { line in
            line.write(raw: #"{"time":"#)
            line.write(ISO8601Timestamp.format(millisecondsSinceEpoch: clock.milliseconds()))
            let texts = [("level", level.rawValue), ("message", message)] + fields.map { ($0.key, $0.value) }
            for (name, value) in texts {
                line.write(byte: UInt8(ascii: ","))
                line.write(name)
                line.write(byte: UInt8(ascii: ":"))
                line.write(value)
            }
            more(&line)
            if lost > 0 {
                line.write(raw: #","droppedLines":"#)
                line.write(Int64(lost))
            }
            line.write(raw: "}\n")
        }
        writer.submit(bytes, lines: 1, reporting: lost)
    }

    /// Waits until all lines so far are written, for at most a second.
    public func flush() { writer.flush(within: Self.flushTime) }
}
