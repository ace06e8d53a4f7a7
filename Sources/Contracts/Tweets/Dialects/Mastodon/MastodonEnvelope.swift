import JSONText
import LenientCoding

extension Mastodon {
    /// What lies around a status: for each kind a member that no other one has.
    enum Envelope {
        case conversation, quote, event

        /// The kind of an object; nil for a status, which has its text at the top, and for everything else.
        init?(_ node: JSONNode) {
            if node["content"] != nil { return nil }
            if node["ancestors"] != nil || node["descendants"] != nil {
                self = .conversation
            } else if node["quoted_status"] != nil || node["quoted_status_id"] != nil {
                self = .quote
            } else if node["event"] != nil {
                self = .event
            } else {
                return nil
            }
        }

        /// What clients get of it; nil, and a failure, where there is no status in it.
        func read(_ node: JSONNode, _ reader: inout RecordReader) -> TweetAnswer? {
            switch self {
            case .conversation: Conversation.read(node, .none, &reader)?.answer(&reader)
            case .quote: QuotedAlone.read(node, .none, &reader)?.status.map { .tweet($0.tweet) }
            case .event: Event.read(node, .none, &reader)?.status.map { .tweet($0.status.tweet) }
            }
        }
    }

    /// What a status answers and what answers it, in the order in which they are read; the status itself is not sent.
    private struct Conversation: Record {
        var ancestors: [SentTweet]?, descendants: [SentTweet]?

        static let schema = Schema<Conversation> {
            Field("ancestors", \.ancestors, .dropInvalid)
            Field("descendants", \.descendants, .dropInvalid)
        }

        func answer(_ reader: inout RecordReader) -> TweetAnswer? {
            if ancestors == nil, descendants == nil { return reader.demand(nil, "ancestors") }
            let tweets = ((ancestors ?? []) + (descendants ?? [])).map(\.tweet)
            return .timeline(tweets, nextMaxId: nil)
        }
    }

    /// A quote without the status that quotes.
    private struct QuotedAlone: Record {
        var status: SentTweet?

        static let schema = Schema<QuotedAlone> {
            Field("quoted_status", \.status, .required)
            Ignored("quoted_status_id", "state")
        }
    }

    /// What a stream tells: of a status that is new or edited, the whole status.
    private struct Event: Record {
        var status: Payload?

        static let schema = Schema<Event> {
            Field("payload", \.status, .required)
            Ignored("event", "stream")
        }
    }

    /// A status as JSON in a string or, from other servers, as it is.
    private struct Payload: FieldValue {
        let status: SentTweet

        static var expectation: String { SentTweet.expectation }

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Payload? {
            guard let text = node.string else { return SentTweet.read(node, rules, &reader).map(Payload.init) }
            var parser = JSONParser()
            do {
                return try parser.withDocument(Array(text.utf8)) { SentTweet.read($0, rules, &reader) }
                    .map(Payload.init)
            } catch {
                return reader.fail(.mistyped)
            }
        }

        func write(to writer: inout JSONWriter, style: WritingStyle) { status.write(to: &writer, style: style) }
    }
}
