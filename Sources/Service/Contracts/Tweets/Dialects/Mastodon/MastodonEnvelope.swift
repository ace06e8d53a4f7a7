import JSONText
import LenientCoding

extension Mastodon {
    /// The statuses before and after a status, in reading order; the status itself is not among them.
    struct Conversation: Record {
        var ancestors: ConvertedList<WireStatus>?, descendants: ConvertedList<WireStatus>?

        static let schema = Schema<Conversation> {
            Field("ancestors", \.ancestors, .dropInvalid)
            Field("descendants", \.descendants, .dropInvalid)
        }

        /// Returns the statuses of a conversation; nil, with the failures recorded, if it has some and none is usable.
        static func answer(of node: JSONNode, _ reader: inout RecordReader) -> TweetAnswer? {
            guard let conversation = Conversation.read(node, .none, &reader) else { return nil }
            let lists = [conversation.ancestors, conversation.descendants].compactMap(\.self)
            if lists.isEmpty { return reader.demand(nil, "ancestors") }
            let statuses = lists.flatMap(\.models)
            if statuses.isEmpty {
                let sent: [(StaticString, JSONNode?)] = [
                    ("ancestors", node["ancestors"]), ("descendants", node["descendants"]),
                ]
                // Read once more, a list fails with the reasons for which its elements were dropped.
                for (key, list) in sent {
                    guard let list, list.kind == .array, list.count > 0 else { continue }
                    let isUsable = reader.at(key) { ConvertedList<WireStatus>.read(list, .none, &$0) } != nil
                    if !isUsable { return nil }
                }
            }
            return .timeline(statuses, nextMaxId: nil)
        }
    }

    /// A quote without the status that quotes.
    struct LoneQuote: Record {
        var status: Tweet?

        static let schema = Schema<LoneQuote> {
            Field("quoted_status", \.status, from: WireStatus.self, .required)
            Ignored("quoted_status_id", "state")
        }
    }

    /// An event of a stream: a new or edited status is its payload.
    struct Event: Record {
        var payload: Payload?

        static let schema = Schema<Event> {
            Field("payload", \.payload, .required)
            Ignored("event", "stream")
        }
    }

    /// A status as JSON in a string or, from some servers, as an object.
    struct Payload: WireValue {
        let tweet: Tweet

        static var expectation: String { WireStatus.expectation }

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Payload? {
            guard let text = node.string else { return WireStatus.model(of: node, &reader).map(Payload.init) }
            var parser = JSONParser()
            do {
                let tweet = try parser.withDocument(Array(text.utf8)) { WireStatus.model(of: $0, &reader) }
                return tweet.map(Payload.init)
            } catch {
                return reader.fail(.mistyped)
            }
        }
    }
}
