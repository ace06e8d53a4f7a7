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

        func answer(_ reader: inout RecordReader) -> TweetAnswer? {
            if ancestors == nil, descendants == nil { return reader.demand(nil, "ancestors") }
            return .timeline((ancestors?.models ?? []) + (descendants?.models ?? []), nextMaxId: nil)
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
