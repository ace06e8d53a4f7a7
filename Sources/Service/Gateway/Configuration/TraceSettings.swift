import API
import EventLoop
import HTTPClient
import HTTPCore
import Operations
import Records
import Settings

extension Configuration {
    /// The largest answer of a collector of traces, in bytes.
    private static let maximumCollectorBytes = 64 << 10

    /// Returns a request to the collector of traces with the secrets of its header fields; nil without traces.
    /// - Throws: `ConfigurationError` naming each header field whose value cannot be read.
    func readTraces(in file: ConfigurationFile) throws(ConfigurationError) -> OutgoingRequest? {
        guard let traces else { return nil }
        let note = SettingNotes<Self>()
        var request = OutgoingRequest(url: Secret(traces.endpoint))
        request.headers = [("Content-Type", Secret("application/json"))]
        request.maximumBodyBytes = Self.maximumCollectorBytes
        for (name, source) in (traces.headers ?? [:]).sorted(by: { $0.key < $1.key }) {
            do throws(KeyFault) {
                guard case .key(let value) = try source.readWord(in: file, takesSpaces: true) else { continue }
                request.headers.append((name, value))
            } catch {
                note[\.traces][\.headers, name](\.self, error.description)
            }
        }
        if !note.faults.list.isEmpty { throw file.error(note.faults) }
        return request
    }

    /// Returns the exporter of spans, with a client of its own on `shard`; nil without traces.
    func tracer(in file: ConfigurationFile, on shard: Shard, _ log: Log) throws(ConfigurationError) -> Tracer? {
        guard let traces, let request = try readTraces(in: file) else { return nil }
        let client = Client(on: shard, maximumConnections: 1)
        return Tracer(
            ratio: traces.ratio, scheme: server.tls == nil ? "http" : "https", version: weirVersion,
            addresses: addresses, on: shard, log: log
        ) { body, time in
            var request = request
            (request.content, request.deadline) = (Secret(String(decoding: body, as: UTF8.self)), time)
            do throws(TransferError) {
                let status = try await client.fetch(request).status
                return 200..<300 ~= status ? nil : "The collector answered with status \(status)."
            } catch {
                return "There was no answer of the collector: \(error)."
            }
        }
    }
}

extension TracesConfiguration {
    /// Notes the settings that are malformed.
    func check(_ note: SettingNotes<Self>) {
        do throws(BaseURL.Fault) { _ = try BaseURL(endpoint) } catch { note(\.endpoint, error.detail) }
        for (name, source) in (headers ?? [:]).sorted(by: { $0.key < $1.key }) {
            source.check(note[\.headers, name])
            if !MappedRequest.isFieldName(name, isCredential: true) {
                note(\.headers, at: ".\(name)", "is no header field that a request to a collector can have")
            }
        }
    }
}
