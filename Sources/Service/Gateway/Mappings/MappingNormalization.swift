public import API
import Contracts
public import JSONText
import Records
public import Settings

/// A mapping that is applied to a document of a file, as the service applies the mapping to an upstream's document.
public struct MappingNormalization: Sendable {
    /// The kinds of requests that a mapping can have.
    public enum Kind: String, Sendable, CaseIterable {
        case forecast, past, status, timeline, search
    }

    /// Why there is no such mapping.
    public struct Fault: Error, CustomStringConvertible {
        /// The reason, in one line.
        public let description: String
    }

    /// The dialect of the documents.
    public let dialect: any Dialect
    private let plan: MappingPlan

    /// The names of the mappings that come with Weir.
    public static var embeddedNames: [String] { EmbeddedMapping.all.map(\.name) }

    /// The mapping called `name`, of the configuration in `file` or of those that come with Weir, for a kind of requests.
    ///
    /// - Throws: `ConfigurationError` with the faults of the mapping, `Fault` if there is no such mapping, or if the mapping has
    ///   no such request.
    public init(_ name: String, kind: Kind?, in file: ConfigurationFile?) throws {
        let note = SettingNotes<Configuration>()
        let file = file ?? ConfigurationFile(path: "", bytes: Array(#"{"upstreams":[]}"#.utf8))
        let configuration = try file.readConfiguration(memoryLimit: nil).settings
        let mapping = try MappingCatalog(configuration, in: file, note).mapping(name)
        if !note.faults.list.isEmpty { throw file.error(note.faults) }
        guard let mapping else { throw Fault(description: "there is no mapping \(Quotation.quote(name))") }
        guard let (plan, dialect) = mapping.plan(for: kind) else {
            let kind = kind?.rawValue ?? "forecast or status"
            throw Fault(description: "the mapping \(Quotation.quote(name)) has no request \(kind)")
        }
        (self.plan, self.dialect) = (plan, dialect)
    }

    /// Returns the text that the dialect reads: the document, or of several parts the object of all of them by name.
    /// - Throws: `JSONSyntaxError` if `bytes` are not JSON; the error of the upstream, if a part is one.
    public func text(_ bytes: [UInt8], options: JSONOptions) throws -> [UInt8] {
        try plan.text(ofParts: bytes, options)
    }
}

extension CompiledMapping {
    /// Returns the plan and the dialect for a kind of requests, or for the usual one; nil if the mapping has none.
    fileprivate func plan(for kind: MappingNormalization.Kind?) -> (MappingPlan, any Dialect)? {
        if let mapping = self as? TweetMapping {
            let kinds =
                kind.map { [MappedTweets.Kind(rawValue: $0.rawValue)].compactMap(\.self) } ?? MappedTweets.Kind.allCases
            return kinds.lazy.compactMap { mapping.plan(for: $0) }.first.map { ($0, $1) }
        }
        guard let mapping = self as? ForecastMapping else { return nil }
        switch kind {
        case .forecast, nil: return (mapping.plan, mapping.forecast)
        case .past: return mapping.planOfPast.flatMap { plan in mapping.past.map { (plan, $0) } }
        case .status, .timeline, .search: return nil
        }
    }
}

extension MappingPlan {
    /// Returns the text that the shape reads, of a document or of an object with the documents of all parts by name.
    fileprivate func text(ofParts bytes: [UInt8], _ options: JSONOptions) throws -> [UInt8] {
        if parts.count == 1 { return bytes }
        var parser = JSONParser(options: options.forUpstream)
        return try parser.withDocument(bytes) { root in
            // The document of one part alone, which some shapes read, too.
            if !parts.contains(where: { root[$0.name] != nil }) { return bytes }
            return Prepared.joined(
                try parts.map { part in
                    guard let node = root[part.name], !node.isNull else { return (part.name, Array("null".utf8)) }
                    if let refusal = part.rules.refusal(node) { throw refusal }
                    return (part.name, try part.rules.answer.answer(node, MappedForm()).body)
                })
        }
    }
}
