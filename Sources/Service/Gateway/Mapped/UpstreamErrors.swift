import API
import HTTPClient
import JMESPath
import JSONText
import Proxy
import Records
import Settings

/// The statuses of an upstream that clients get as they are.
struct PassedStatuses: Sendable {
    /// The statuses about the request of a client, which also pass without a setting.
    static let standard = PassedStatuses(values: [400, 404, 409, 410, 422, 429])
    /// The statuses that pass in a route whose clients have credentials.
    static let ofClients = PassedStatuses(values: standard.values.union(ofClientsAlone))
    /// The statuses about a credential: the upstream's own is no matter of clients.
    private static let ofCredentials: Set = [401, 402, 403]

    /// The statuses that always pass in a route whose clients have credentials.
    private static let ofClientsAlone: Set = [401, 403, 429]

    let values: Set<Int>

    private init(values: Set<Int>) { self.values = values }

    /// Reads the setting of a route, whose clients have credentials if it is `ofClients`.
    init(_ setting: [Int], ofClients: Bool, _ note: SettingNotes<DocumentRules>) {
        for (index, status) in setting.enumerated() {
            if !(400..<500 ~= status) { note(\.statuses, at: "[\(index)]", "must be a status from 400 to 499") }
            if Self.ofCredentials.contains(status), !(ofClients && Self.ofClientsAlone.contains(status)) {
                note(\.statuses, at: "[\(index)]", "must not be \(status), which is about the key of the upstream")
            }
        }
        values = Set(setting).union(ofClients ? Self.ofClientsAlone : [])
    }

    /// Returns the status that clients get for a response with `status` whose error names another one, or none; nil for the
    /// usual problem.
    func meaning(of status: Int, named: Int?) -> Int? {
        if Self.ofCredentials.contains(status), !values.contains(status) { return nil }
        let meaning = named ?? status
        if values.contains(meaning) { return meaning }
        return [404, 429].contains(status) ? 502 : nil
    }

    /// The text in the identity of a reader of errors, because the cache keeps what was read.
    var text: String { values == Self.standard.values ? "" : "\n\(values.sorted())" }
}

/// An error in an upstream's document.
struct MappedRefusal: UpstreamRefusal, CustomStringConvertible {
    let message: String
    let status: Int?

    var description: String { "the upstream answers with an error: \(message)" }
}

extension FetchRules {
    /// The usual members with the reason of an error.
    private static let usualReasons = [
        "message", "error.message", "error", "detail", "title", "reason", "errors[0].message",
    ].compactMap { try? JMESPath($0) }

    /// The identity of the reader of errors.
    var errorText: String { (error?.text ?? "") + statuses.text }

    /// Returns the reason in an error, and the status that clients get; nil for the usual one.
    func explain(_ response: IncomingResponse) -> (message: String?, status: Int?) {
        var parser = JSONParser(options: JSONOptions(maximumBytes: 64 << 10, maximumDepth: 16, leniency: .upstream))
        let found = try? parser.withDocument(response.body) { foundReason(in: $0) }
        let reason = found ?? nil
        return (reason?.message, statuses.meaning(of: response.status, named: reason?.status))
    }

    /// Returns the message of an error.
    func message(in root: JSONNode) -> String? { foundReason(in: root)?.message }

    /// On the event loop.
    private func foundReason(in root: JSONNode) -> (message: String, status: Int?)? {
        (error.map { [$0] } ?? Self.usualReasons).lazy
            .compactMap { Self.reason($0, root, maximumSteps: 20_000) }.first
    }

    /// Returns the error in a document, if the rules look for one.
    func refusal(_ root: JSONNode) -> MappedRefusal? {
        guard let reason = error.flatMap({ Self.reason($0, root) }) else { return nil }
        return MappedRefusal(message: reason.message, status: statuses.meaning(of: 200, named: reason.status))
    }

    /// Returns a reason; nil for none: null, false or an empty text.
    ///
    /// An object with `detail` or `status` is one if the detail has a value, or, without that member, if the status has. An expression that fails is a reason, too: the document of an upstream must not end the search for errors.
    private static func reason(
        _ expression: JMESPath, _ root: JSONNode, maximumSteps: Int = 1_000_000
    ) -> (message: String, status: Int?)? {
        var context = JMESContext(root: .node(root), maximumSteps: maximumSteps) { root.isExpired }
        let value: JMESValue
        do throws(JMESFailure) { value = try expression.value(of: .node(root), in: &context) } catch {
            return error.isAbsence ? nil : ("the expression of `error` fails: \(error)", nil)
        }
        let (detail, status) = (value.member("detail"), value.member("status"))
        guard detail != nil || status != nil else { return text(value).map { ($0, nil) } }
        return text(detail ?? status ?? .null).map { ($0, (status?.urlText).flatMap { Int($0) }) }
    }

    private static func text(_ value: JMESValue) -> String? {
        switch value.kind {
        case .null: return nil
        case .boolean: return value.bool == true ? "true" : nil
        case .string: return value.string.flatMap { $0.isEmpty ? nil : $0 }
        case .number, .array, .object:
            return String(decoding: JSONWriter.bytes(expecting: 256) { value.write(to: &$0) }, as: UTF8.self)
        }
    }
}

extension JMESValue {
    /// Returns the member of an object; nil for none.
    fileprivate func member(_ name: String) -> JMESValue? {
        switch self {
        case .object(let members): members.last { $0.key == name }?.value
        case .node(let node) where node.kind == .object: node[name].map { .node($0) }
        default: nil
        }
    }
}
