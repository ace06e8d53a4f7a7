import EventLoop
package import HTTPCore
import JSONText

/// The last exchanges of one event loop, for operators; used on that event loop only.
public struct RecentExchanges {
    /// The exchanges that an event loop remembers.
    public static let most = 1000

    private var exchanges: [(record: ExchangeRecord, route: RouteLabel?)] = []
    private var next = 0

    /// Remembers an exchange in place of the oldest one.
    mutating func add(_ exchange: ExchangeRecord, _ route: RouteLabel?) {
        var exchange = exchange
        // The path is a part of the whole head.
        exchange.note.path = []
        if exchanges.count < Self.most {
            if exchanges.isEmpty { exchanges.reserveCapacity(Self.most) }
            exchanges.append((exchange, route))
        } else {
            exchanges[next] = (exchange, route)
            next = (next + 1) % Self.most
        }
    }

    /// Returns the lines of the access log, as JSON, about requests with an id or in a trace, the oldest first.
    package func lines(_ id: String, _ addresses: AccessLogSettings.Addresses, _ clock: Clock) -> [[UInt8]] {
        var line = AccessLine(.json, addresses)
        return (exchanges[next...] + exchanges[..<next]).compactMap { exchange, route in
            let note = exchange.note
            guard note.requestID == id || note.trace?.traceIDText == id else { return nil }
            let age = Int((clock.now().nanoseconds - min(exchange.end, clock.now().nanoseconds)) / 1_000_000)
            return JSONWriter.bytes(expecting: 1024) {
                line.write(exchange, route, at: clock.milliseconds() - age, to: &$0)
            }
        }
    }

    /// The requests of each client.
    package var clients: [ClientAddress: Int] {
        Dictionary(exchanges.compactMap { $0.record.client.map { ($0.host, 1) } }, uniquingKeysWith: +)
    }
}
