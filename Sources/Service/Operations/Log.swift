import CivilDates
public import JSONText
import Synchronization

/// A value of a field of a log line: a text, or a number, which is written as a JSON number.
public protocol LogValue: Sendable {
    /// Whether the line has no such field.
    var isAbsent: Bool { get }
    /// Writes the value as JSON.
    func write(to line: inout JSONWriter)
}

extension LogValue {
    /// False: only an optional can be absent.
    public var isAbsent: Bool { false }
}

extension String: LogValue {
    /// Writes the text in quotes.
    public func write(to line: inout JSONWriter) { line.write(self) }
}

extension Int: LogValue {
    /// Writes the digits.
    public func write(to line: inout JSONWriter) { line.write(Int64(self)) }
}

extension Optional: LogValue where Wrapped: LogValue {
    /// Whether there is no value.
    public var isAbsent: Bool { self == nil }

    /// Writes the value, or `null`.
    public func write(to line: inout JSONWriter) {
        if let self { self.write(to: &line) } else { line.writeNull() }
    }
}

/// Writes one JSON object per line to standard error: `{"time":…,"level":…,"message":…,…}`.
///
/// A thread of its own writes the lines, so that a slow reader blocks neither requests nor the exit. If too many lines
/// wait, further ones are dropped and counted in `droppedLines` of the next line.
public final class Log: Sendable {
    /// The severity of a line.
    public enum Level: String, CaseIterable, Sendable {
        /// A normal event.
        case info
        /// An event that an operator should investigate.
        case warning
        /// The end of a process that cannot serve.
        case error

        fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// The log of the process.
    public static let standard = Log()

    /// The bytes that may wait: about 10,000 lines.
    private static let maximumWaiting = 2 << 20
    /// The lines that the status page shows, and the bytes of each: a text of an upstream can be long.
    package static let maximumLatest = 50, maximumLatestBytes = 2048
    /// The time at the end in which a reader must take the last lines.
    private static let flushTime = Duration.seconds(1)

    package let writer: LineWriter
    private let clock: Clock
    private let leastRank = Atomic(0)
    private let latest = Mutex<[(level: Level, bytes: [UInt8])]>([])

    /// A log that writes to standard error, unless there is another writer.
    package init(clock: Clock = .system, writer: LineWriter? = nil) {
        self.clock = clock
        self.writer = writer ?? .standardError(maximumBytes: Self.maximumWaiting)
    }

    /// The last lines without their line ends, the latest one first; long ones end in `…`.
    package var latestLines: [String] {
        latest.withLock { $0 }.reversed().map { _, line in
            let text = String(decoding: line, as: UTF8.self)
            return line.last == UInt8(ascii: "\n") ? String(text.dropLast()) : text + "…"
        }
    }

    /// The level below which no lines are written.
    package var leastLevel: Level { Level.allCases[leastRank.load(ordering: .relaxed)] }

    /// Writes no lines below this level from now on.
    public func setLeastLevel(_ level: Level) { leastRank.store(level.rank, ordering: .relaxed) }

    /// Writes a line with `fields` after the message.
    public func write(_ level: Level, _ message: String, _ fields: KeyValuePairs<String, any LogValue> = [:]) {
        write(level, message, fields) { _ in }
    }

    /// Writes a line with `fields` after the message, and then with the members that `more` writes, each after a comma;
    /// `always`, whatever the least level is.
    package func write(
        _ level: Level, _ message: String, _ fields: KeyValuePairs<String, any LogValue>, always: Bool = false,
        _ more: (inout JSONWriter) -> Void
    ) {
        guard always || level.rank >= leastRank.load(ordering: .relaxed) else { return }
        let lost = writer.takeUnreported()
        let bytes = JSONWriter.bytes(expecting: 256) { line in
            line.write(raw: #"{"time":"#)
            line.write(ISO8601Timestamp.format(millisecondsSinceEpoch: clock.milliseconds()))
            line.write(raw: #","level":"#)
            line.write(level.rawValue)
            line.write(raw: #","message":"#)
            line.write(message)
            for (name, value) in fields where !value.isAbsent {
                line.write(byte: UInt8(ascii: ","))
                line.write(name)
                line.write(byte: UInt8(ascii: ":"))
                value.write(to: &line)
            }
            more(&line)
            if lost > 0 {
                line.write(raw: #","droppedLines":"#)
                line.write(Int64(lost))
            }
            line.write(raw: "}\n")
        }
        latest.withLock { latest in
            if latest.count == Self.maximumLatest {
                // Half of the lines are for warnings: a line of each failed request must not push them out.
                let hasManyOthers = latest.count { $0.level == .info } >= Self.maximumLatest / 2
                latest.remove(at: latest.firstIndex { ($0.level == .info) == hasManyOthers } ?? 0)
            }
            latest.append(
                (level, bytes.count > Self.maximumLatestBytes ? Array(bytes[..<Self.maximumLatestBytes]) : bytes))
        }
        writer.submit(bytes, lines: 1, reporting: lost)
    }

    /// Waits until all lines so far are written, for at most a second.
    public func flush() { writer.flush(within: Self.flushTime) }
}
