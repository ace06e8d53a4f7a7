public import EventLoop
public import HTTPCore
import JSONText
package import Synchronization

/// The lines of one shard that have not been handed to the writer; used on that shard only.
///
/// Lines are handed over together: after 50 ms, or when they take 32 KiB, because each time wakes the writer. More would
/// not fit into the smallest limit of waiting bytes, 64 KiB.
public final class AccessLogBuffer {
    private static let largestBuffer = 32 << 10
    private static let longestWait = Duration.milliseconds(50)

    private let settings: AccessLogSettings
    private let writer: LineWriter
    private let clock: Clock
    private let state: AccessLogSwitch
    private var text: Text

    /// A buffer of lines for `writer`.
    public init(
        _ settings: AccessLogSettings, writer: LineWriter, _ state: AccessLogSwitch = AccessLogSwitch(isOn: true),
        clock: Clock
    ) {
        (self.settings, self.writer, self.state, self.clock) = (settings, writer, state, clock)
        text = Text(line: AccessLine(settings.format, settings.addresses))
    }

    /// Adds a line about an exchange with a route, unless the exchange is a probe.
    public func add(_ exchange: ExchangeRecord, _ route: RouteLabel?, on shard: Shard) {
        guard state.isOn.load(ordering: .relaxed), accepts(exchange, route) else { return }
        switch text.add(exchange, route, at: clock.milliseconds()) {
        case .first: shard.schedule(at: shard.now + Self.longestWait) { [weak self] in self?.handOver() }
        case .full: handOver()
        case .other: break
        }
    }

    /// Passes the lines to the writer.
    public func handOver() {
        guard text.lines > 0 else { return }
        let lines = text.lines
        writer.submit(text.take(), lines: lines)
    }

    private func accepts(_ exchange: ExchangeRecord, _ route: RouteLabel?) -> Bool {
        var isProbe = route?.isProbe ?? false
        // A refused probe is no routine.
        if case .refused = exchange.outcome { isProbe = false }
        return !isProbe
    }
}

extension AccessLogBuffer {
    /// The lines and their writer, in one value so that a line takes one check for overlapping accesses.
    private struct Text: ~Copyable {
        /// The place of a line.
        enum Place { case first, other, full }

        private var line: AccessLine
        private var writer = JSONWriter(capacity: largestBuffer + 4096)
        private(set) var lines = 0

        init(line: AccessLine) { self.line = line }

        /// Writes a line.
        mutating func add(_ exchange: ExchangeRecord, _ route: RouteLabel?, at milliseconds: Int) -> Place {
            line.write(exchange, route, at: milliseconds, to: &writer)
            lines += 1
            return writer.count >= largestBuffer ? .full : lines == 1 ? .first : .other
        }

        /// Returns the lines and starts anew.
        mutating func take() -> [UInt8] {
            lines = 0
            return writer.takeBytes()
        }
    }
}

/// Whether exchanges are logged: as configured, or as an operator says for a while.
public final class AccessLogSwitch: Sendable {
    package let isConfigured: Bool
    package let isOn: Atomic<Bool>

    /// The switch of a log that is on or off by configuration.
    public init(isOn: Bool) {
        isConfigured = isOn
        self.isOn = Atomic(isOn)
    }
}

/// The form of the access log.
public struct AccessLogSettings: Sendable {
    /// The form of a line.
    public enum Format: String, CaseIterable, Sendable {
        /// A JSON object with the names of OpenTelemetry.
        case json
        /// The common log format of NCSA's server.
        case common
        /// No access log.
        case none
    }

    /// The importance of an exchange.
    public enum Level: String, Sendable {
        /// A status below 400.
        case info
        /// A status from 400 to 499, or an exchange that was not completed.
        case warning
        /// A status of 500 or more.
        case error
    }

    /// How addresses of clients are shown.
    public enum Addresses: String, CaseIterable, Sendable {
        /// Whole.
        case full
        /// Their networks: 24 bits of IPv4, 48 of IPv6.
        case shortened
        /// Not at all.
        case none

        /// Returns what is shown of an address; nil for nothing.
        package func shown(_ address: ClientAddress?) -> ClientAddress? {
            switch self {
            case .full: address
            case .shortened: address?.site
            case .none: nil
            }
        }
    }

    /// The form of a line.
    public var format = Format.json
    /// How a line shows the client.
    public var addresses = Addresses.full

    /// The default settings.
    public init() {}
}

extension AccessLogSettings.Level {
    /// The importance of `exchange`.
    public init(_ exchange: ExchangeRecord) {
        switch (exchange.outcome, exchange.status?.code ?? 0) {
        case (_, 500...): self = .error
        case (.completed, ..<400): self = .info
        default: self = .warning
        }
    }
}
