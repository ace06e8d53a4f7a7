import CivilDates
import Glibc
package import HTTPCore
public import JSONText

/// Writes exchanges as lines of an access log.
///
/// The text of a second is kept, so that a line needs no allocation.
struct AccessLine {
    /// More bytes of a path are cut off.
    private static let longestPath = 2048
    private static let json: FixedDateFormat = "yyyy-MM-dd'T'HH:mm:ss"
    private static let common: FixedDateFormat = "dd/MMM/yyyy:HH:mm:ss Z"

    private let format: AccessLogSettings.Format
    private let addresses: AccessLogSettings.Addresses
    private var second = Int.min
    private var secondText: [UInt8] = []
    /// The same for the time at which a document was fetched.
    private var fetched: UInt32 = 0
    private var fetchedText: [UInt8] = []

    init(_ format: AccessLogSettings.Format, _ addresses: AccessLogSettings.Addresses = .full) {
        (self.format, self.addresses) = (format, addresses)
    }

    /// Writes a line about `exchange`, which ended at `milliseconds` since 1970, with its line feed.
    mutating func write(
        _ exchange: ExchangeRecord, _ route: RouteLabel?, at milliseconds: Int, to writer: inout JSONWriter
    ) {
        if milliseconds / 1000 != second {
            second = milliseconds / 1000
            let pattern = format == .common ? Self.common : Self.json
            secondText = Array((pattern.format(secondsSinceEpoch: Double(second)) ?? "").utf8)
        }
        if format == .common {
            writeCommon(exchange, route, to: &writer)
        } else {
            writeJSON(exchange, route, at: milliseconds, to: &writer)
        }
        writer.write(byte: UInt8(ascii: "\n"))
    }
}

// The JSON form.
extension AccessLine {
    private mutating func writeJSON(
        _ exchange: ExchangeRecord, _ route: RouteLabel?, at milliseconds: Int, to writer: inout JSONWriter
    ) {
        writer.write(raw: #"{"time":""#)
        writer.write(raw: secondText.span)
        writer.write(fraction: UInt64(milliseconds % 1000), of: 1000)
        switch AccessLogSettings.Level(exchange) {
        case .info: writer.write(raw: #"Z","level":"info""#)
        case .warning: writer.write(raw: #"Z","level":"warning""#)
        case .error: writer.write(raw: #"Z","level":"error""#)
        }
        if let client = addresses.shown(exchange.client) {
            writer.write(raw: #","client.address":""#)
            writer.write(address: client)
            writer.write(raw: #"""#)
        }
        writer.write(#","http.request.method":"#, exchange.method.map { KnownMethod($0).name })
        writer.write(#","http.route":"#, route?.template)
        if !exchange.note.path.isEmpty {
            writer.write(raw: #","url.path":"#)
            let path = exchange.note.path.prefix(Self.longestPath)
            writer.write(string: path.span)
        }
        writer.write(#","http.response.status_code":"#, exchange.status?.code)
        writer.write(raw: #","http.server.request.duration":"#)
        let microseconds = exchange.duration / 1000
        writer.write(microseconds / 1_000_000)
        writer.write(fraction: microseconds % 1_000_000, of: 1_000_000)
        writer.write(#","http.request.size":"#, exchange.bytesReceived)
        writer.write(#","http.response.size":"#, exchange.bytesSent)
        if let version = exchange.version {
            let isOld = version == .http10
            writer.write(
                raw: isOld ? #","network.protocol.version":"1.0""# : #","network.protocol.version":"1.1""#)
        }
        writer.write(#","error.type":"#, exchange.errorType)
        writeNote(exchange.note, to: &writer)
        writer.write(raw: "}")
    }

    private mutating func writeNote(_ note: ExchangeNote, to writer: inout JSONWriter) {
        writer.write(#","weir.upstream":"#, note.upstream)
        if note.digest != 0 {
            if note.fetched != fetched {
                fetched = note.fetched
                fetchedText = Array((Self.json.format(secondsSinceEpoch: Double(fetched)) ?? "").utf8)
            }
            writer.write(raw: #","weir.fetched":""#)
            writer.write(raw: fetchedText.span)
            writer.write(raw: #"Z","weir.document":""#)
            writer.write(hexadecimal: note.digest)
            writer.write(raw: #"""#)
        }
        writer.write(#","weir.cache":"#, note.cache?.rawValue)
        writer.write(#","weir.repaired":"#, note.repaired > 0 ? Int(note.repaired) : nil)
        writer.write(#","weir.dropped":"#, note.dropped > 0 ? Int(note.dropped) : nil)
        if let tries = note.tries?.all, !tries.isEmpty {
            writer.write(raw: #","weir.tries":"#)
            writer.write(tries)
        }
        writer.write(#","weir.request_id":"#, note.requestID)
        if let trace = note.trace {
            writer.write(raw: #","trace_id":""#)
            writer.write(hexadecimal: UInt64(truncatingIfNeeded: trace.traceID >> 64))
            writer.write(hexadecimal: UInt64(truncatingIfNeeded: trace.traceID))
            writer.write(raw: #"","span_id":""#)
            writer.write(hexadecimal: trace.spanID)
            writer.write(raw: #"""#)
        }
    }
}

// The common log format: `client - - [time] "request line" status bytes`.
extension AccessLine {
    private func writeCommon(_ exchange: ExchangeRecord, _ route: RouteLabel?, to writer: inout JSONWriter) {
        if let client = addresses.shown(exchange.client) {
            writer.write(address: client)
        } else {
            writer.write(raw: "-")
        }
        writer.write(raw: " - - [")
        writer.write(raw: secondText.span)
        writer.write(raw: "] \"")
        if let method = exchange.method {
            for byte in KnownMethod(method).name.utf8 { writer.write(byte: byte) }
            writer.write(raw: " ")
            writePath(of: exchange.note, route, to: &writer)
            writer.write(raw: exchange.version == .http10 ? " HTTP/1.0" : " HTTP/1.1")
        } else {
            writer.write(raw: "-")
        }
        writer.write(raw: "\" ")
        if let status = exchange.status { writer.write(UInt64(status.code)) } else { writer.write(raw: "-") }
        writer.write(raw: " ")
        writer.write(Int64(exchange.bytesSent))
    }

    /// Writes the path, or the route's template if the path can hold a secret.
    private func writePath(of note: ExchangeNote, _ route: RouteLabel?, to writer: inout JSONWriter) {
        let path = note.path.isEmpty ? Array((route?.template ?? "-").utf8)[...] : note.path
        for byte in path.prefix(Self.longestPath) {
            switch byte {
            case UInt8(ascii: "\""): writer.write(raw: "\\x22")
            case UInt8(ascii: "\\"): writer.write(raw: "\\x5C")
            case 0x21...0x7E: writer.write(byte: byte)
            default: writer.write(raw: "?")
            }
        }
    }
}

extension ExchangeRecord {
    /// The status from 500 on, why the exchange was not completed, or why it was refused; nil for other exchanges.
    var errorType: String? {
        switch outcome {
        case .completed: status.flatMap { $0.code >= 500 ? "\($0.code)" : nil }
        case .clientLeft: "client_left"
        case .timedOut: "timeout"
        case .stopped: "shutdown"
        case .refused(let reason): reason.rawValue
        }
    }
}

extension JSONWriter {
    /// Writes a key with its comma and its colon, and the value; nothing without a value.
    @inline(__always)
    mutating func write(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        write(raw: key)
        write(value)
    }

    @inline(__always)
    fileprivate mutating func write(_ key: StaticString, _ value: Int?) {
        guard let value else { return }
        write(raw: key)
        write(Int64(value))
    }

    /// Writes a point and `number`, which is below `scale`, a power of ten, with as many digits as `scale` has zeros.
    mutating func write(fraction number: UInt64, of scale: UInt64) {
        let start = count
        write(scale + number)
        overwrite(at: start, with: UInt8(ascii: "."))
    }

    /// Writes 16 hexadecimal digits in lower case.
    mutating func write(hexadecimal number: UInt64) {
        write(atMost: 16) { room in
            room.write(bytes: Hexadecimal.digits(UInt32(truncatingIfNeeded: number >> 32)))
            room.write(bytes: Hexadecimal.digits(UInt32(truncatingIfNeeded: number)))
        }
    }

    /// Writes an address without its port: `192.0.2.1`, `2001:db8::1` (RFC 5952) or `unix`.
    mutating func write(address: ClientAddress) {
        switch address {
        case .v4(let number, _):
            for shift in stride(from: 24, through: 0, by: -8) {
                write(UInt64(number >> UInt32(shift) & 0xFF))
                if shift > 0 { write(raw: ".") }
            }
        case .v6(let number, _):
            var (bytes, text) = (number.bigEndian, [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN)))
            inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count))
            for character in text.prefix(while: { $0 != 0 }) { write(byte: UInt8(bitPattern: character)) }
        case .unix: write(raw: "unix")
        }
    }
}

extension ClientAddress {
    /// The network of the address, for logs that need not tell clients apart: `192.0.2.0/24`, `2001:db8:1::/48` or `unix`.
    package var siteText: String {
        let text = JSONWriter.text { $0.write(address: site) }
        return switch self {
        case .v4: text + "/24"
        case .v6: text + "/48"
        case .unix: text
        }
    }

    /// The address without its port, as logs have it.
    package var text: String { JSONWriter.text { $0.write(address: self) } }
}

extension JSONWriter {
    /// Writes tries as an array of objects, the same in the access log and in the lines `fetched` and `refresh failed`.
    public mutating func write(_ tries: [UpstreamTry]) {
        write(byte: UInt8(ascii: "["))
        for (index, entry) in tries.enumerated() {
            if index > 0 { write(byte: UInt8(ascii: ",")) }
            write(entry)
        }
        write(byte: UInt8(ascii: "]"))
    }

    private mutating func write(_ entry: UpstreamTry) {
        write(#"{"upstream":"#, entry.upstream)
        write(#","requests":"#, entry.requests)
        write(#","result":"#, entry.result)
        write(#","milliseconds":"#, entry.milliseconds)
        write(#","bytes":"#, entry.bytes)
        write(#","connection":"#, entry.isReused.map { $0 ? "reused" : "new" })
        write(#","sent":"#, entry.sent > 1 ? entry.sent : nil)
        write(#","url":"#, entry.url)
        write(raw: entry.isOfOtherRequest ? #","shared":true}"# : "}")
    }
}
