import EventLoop
import HTTPCore
import Operations
import TestSupport

/// The routes of the exchanges, by their numbers.
let routesOfExchanges = {
    let labels = RouteLabels()
    for (name, template) in [
        ("weather", "/weather"), ("forecast", "/forecast/{anything}/{latitude},{longitude}"), ("readyz", "/readyz"),
    ] {
        _ = labels.label(name, template, isProbe: name == "readyz")
    }
    return labels.all
}()

extension ExchangeRecord {
    /// A request that was answered with 200 within `milliseconds`.
    static func answered(
        _ method: Method = .get, _ route: UInt16? = 0, status: Int = 200,
        milliseconds: UInt64 = 3, _ change: (inout ExchangeRecord) -> Void = { _ in }
    ) -> ExchangeRecord {
        var exchange = ExchangeRecord(start: 5_000_000, method: method, version: .http11)
        exchange.status = Status(status)
        exchange.note.route = route
        exchange.bytesReceived = 100
        exchange.bytesSent = 2000
        exchange.end = 5_000_000 + milliseconds * 1_000_000
        change(&exchange)
        return exchange
    }
}

/// Collects what a writer writes.
final class Output: Sendable {
    let text = Watched("")

    var lines: [String] { text.current.split(separator: "\n").map(String.init) }

    func writer(maximumBytes: Int = 1 << 20, whenDropped: @escaping @Sendable (Int) -> Void = { _ in }) -> LineWriter {
        LineWriter(
            "test", maximumBytes: maximumBytes,
            write: { [text] bytes in
                text.update { $0 += String(decoding: bytes, as: UTF8.self) }
                return true
            }, whenDropped: whenDropped)
    }
}

extension Clock {
    /// A clock that stands at 2026-11-22T08:15:30.123Z.
    static let standing = Clock(now: { .now }, milliseconds: { 1_795_335_330_123 })
}
