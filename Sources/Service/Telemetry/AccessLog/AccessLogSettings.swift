public import HTTPCore

/// Which exchanges the access log has, and in which form.
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
    public enum Level: String, CaseIterable, Comparable, Sendable {
        /// It was answered with a status below 400.
        case info
        /// It was answered with a status from 400 to 499, or not completed.
        case warning
        /// It was answered with a status of 500 or more.
        case error

        /// Whether `left` is less important.
        public static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

        private var rank: Int { self == .info ? 0 : self == .warning ? 1 : 2 }
    }

    /// The form of a line.
    public var format = Format.json
    /// The least important exchanges that are logged.
    public var level = Level.info
    /// Of the exchanges of level `info`, one in so many is logged; others always are.
    public var sampleEvery = 1
    /// Whether requests of routes for monitoring are logged.
    public var includesProbes = false

    /// The default settings.
    public init() {}
}

extension AccessLogSettings.Level {
    /// The importance of `exchange`.
    public init(_ exchange: Exchange) {
        switch (exchange.outcome, exchange.status?.code ?? 0) {
        case (_, 500...): self = .error
        case (.completed, ..<400): self = .info
        default: self = .warning
        }
    }
}
