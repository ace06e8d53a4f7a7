package import Records
package import Operations

/// The log of the service.
package struct LogConfiguration: Record {
    package var level = Log.Level.info.rawValue

    package init() {}

    package static let schema = Schema<LogConfiguration>(.exact, .defaulted) {
        Field(
            \.level, .oneOf(Log.Level.allCases.map(\.rawValue)), .example(#""warning""#),
            .note("The least important lines of the [log](operating.md#log) on standard error."))
    }

    /// The level as the log knows it.
    package var leastLevel: Log.Level { Log.Level(rawValue: level) ?? .info }
}
