import HTTPClient
import HTTPCore
import Store
import Synchronization

/// A document of a snapshot.
package struct KeptDocument: Sendable {
    /// The most bytes of a snapshot.
    private static let maximumBytes = 1 << 30
    /// The last second with four digits of the year: a file can have any number.
    private static let lastSecond = 253_402_300_799

    let record: DocumentRecord
    /// When it was received, in unix seconds.
    package let time: Int
    package var upstream: String { record.upstream }
    package var body: [UInt8] { record.body }
    /// The template of the route and the target of the request for which it was fetched; nil if the record has none.
    package var request: (route: String, target: String)? { record.origin.map { ($0.route, $0.target) } }

    /// Reads the documents of the snapshot at `path`, which can be a copy.
    /// - Throws: `SnapshotFault`.
    package static func all(ofSnapshotAt path: String) throws -> [KeptDocument] {
        let versions = DocumentSnapshot.versions
        let file = SnapshotFile(
            path: path, version: versions.upperBound, oldest: versions.lowerBound, maximumBytes: maximumBytes)
        var documents: [KeptDocument] = []
        try file.read(isOwn: false) { bytes in
            var input = bytes[...]
            // The status and the time of the request precede that of the response.
            guard let record = DocumentRecord(&input), input.takeNumber(UInt32.self) != nil,
                input.takeNumber(UInt64.self) != nil, let time = input.takeNumber(UInt64.self)
            else { throw SnapshotFault.damaged("a record is malformed") }
            documents.append(KeptDocument(record: record, time: min(Int(clamping: time), lastSecond)))
        }
        return documents
    }
}

/// The documents of snapshots, by the requests to upstreams that they answer.
package final class ReplayedDocuments: Sendable {
    /// The addresses of an upstream for which keys are made: the upstream's own, and those for other times.
    private static let mostAddresses = 32

    private let all: [KeptDocument]
    private let ofKeys: [String: Int]
    private let addresses: [String: Set<UInt64>]

    package init(_ documents: [KeptDocument]) {
        all = documents
        ofKeys = Dictionary(documents.enumerated().map { ($1.record.target, $0) }) { $1 }
        addresses = documents.reduce(into: [:]) { addresses, document in
            if addresses[document.upstream, default: []].count < Self.mostAddresses {
                addresses[document.upstream, default: []].insert(document.record.address)
            }
        }
    }

    /// Returns the number of the document that answers a request to an upstream of this name, whatever the upstream's address and
    /// account.
    fileprivate func number(for request: DocumentRequest) -> Int? {
        let name = request.upstream.name
        let text = Upstream.keyText(of: request.target, request.content, request.errors)
        for address in addresses[name] ?? [] {
            if let number = ofKeys[DocumentKey(upstream: name, address: address, target: text).digest] { return number }
        }
        return nil
    }

    fileprivate func record(_ number: Int) -> DocumentRecord { all[number].record }
}

/// A client's request that documents of snapshots answer, in place of the upstreams.
package final class ReplayedRequest: Sendable {
    private struct State {
        var used: [Int] = []
        /// The upstreams whose documents are missing.
        var lacking: Set<String> = []
    }

    private let documents: ReplayedDocuments
    private let former: ReplayedRequest?
    private let state = Mutex(State())

    /// A request with the documents of `former`, the same request under another configuration.
    ///
    /// If this configuration asks an upstream something else, the only document of the upstream that `former` had serves.
    package init(_ documents: ReplayedDocuments, after former: ReplayedRequest? = nil) {
        (self.documents, self.former) = (documents, former)
    }

    /// Whether a document that a route has asked for is missing.
    package var lacksDocuments: Bool { state.withLock { !$0.lacking.isEmpty } }

    /// Reads the document of a fetch as if the upstream had just sent it.
    nonisolated(nonsending) func answer(_ fetch: Fetch) async throws(FetchFailure) -> Answer {
        let request = fetch.request
        guard let number = documents.number(for: request) ?? former?.onlyNumber(for: request) else {
            state.withLock { _ = $0.lacking.insert(request.upstream.name) }
            throw .notInCache
        }
        state.withLock { $0.used.append(number) }
        let record = documents.record(number)
        let content = try await fetch.content(
            of: IncomingResponse(headers: HeaderFields(lines: record.fields), body: record.body))
        return Answer(
            CachedDocument(request.key, content, nil, nil), of: request.upstream, nil,
            fetch.form.flatMap { content.variant($0.key) })
    }

    private func onlyNumber(for request: DocumentRequest) -> Int? {
        let (name, isLookUp) = (request.upstream.name, request.policy == .lookups(beside: request.policy))
        return state.withLock { state in
            let numbers = Set(state.used).filter { number in
                let record = documents.record(number)
                return record.upstream == name && record.isLookUp == isLookUp
            }
            return numbers.count == 1 && !state.lacking.contains(name) ? numbers.first : nil
        }
    }
}
