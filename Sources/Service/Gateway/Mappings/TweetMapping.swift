import API
import Contracts
import JMESPath
import JSONText
import Mapping
import Records
import Settings

/// A mapping of an API of posts, compiled: a dialect, and the plans of its requests.
struct TweetMapping: CompiledMapping {
    private typealias Kind = MappedTweets.Kind

    /// The settings of the kinds of requests.
    private static let kinds:
        [(kind: Kind, setting: any KeyPath<MappingConfiguration, MappedRequestConfiguration?> & Sendable)] = [
            (.status, \.status), (.timeline, \.timeline), (.search, \.search),
        ]

    let text: String
    let headers: [String: String]
    private let plans: [Kind: MappingPlan]
    /// The dialects, which read documents of a kind if no query tells the kind.
    private let dialects: [Kind: TweetDialect]

    var dialect: any Dialect { tweets }

    /// The dialect of all kinds of requests.
    let tweets: TweetDialect

    /// Compiles a mapping called `name`; nil with a fault.
    init?(_ name: String, _ settings: MappingConfiguration, _ note: SettingNotes<MappingConfiguration>) {
        let ofForecasts: [(PartialKeyPath<MappingConfiguration>, isSet: Bool)] = [
            (\.forecast, settings.forecast != nil), (\.past, settings.past != nil), (\.covers, settings.covers != nil),
            (\.coordinateDigits, settings.coordinateDigits != nil),
        ]
        for (setting, isSet) in ofForecasts where isSet { note(setting, "must be left out: the contract is tweets") }
        var rules = MappedTweetRules()
        rules.indices = settings.indices.flatMap(TextUnit.init) ?? .codePoints
        if let ids = settings.ids {
            do {
                let pattern = try Pattern(ids)
                rules.idPattern = ids
                rules.matchesID = { text in
                    var work = Pattern.Work(steps: 20_000)
                    return pattern.matches(text, &work)
                }
            } catch {
                note(\.ids, "must be a regular expression: \(error)")
            }
        }
        let shapes = settings.status?.answer.map { [Kind.status.rawValue: $0] } ?? [:]
        var plans: [Kind: MappingPlan] = [:], isWhole = true
        for (kind, setting) in Self.kinds {
            guard let request = settings[keyPath: setting] else { continue }
            if kind == .status, request.next != nil { note(\.status?.next, "must be left out: one post has no pages") }
            plans[kind] = MappingPlan(
                request, names: kind.names, shapes: shapes, error: settings.error,
                schema: { MappedTweets.schema(of: kind, in: &$0) }, note[setting])
            isWhole = isWhole && plans[kind] != nil
        }
        if plans.isEmpty, isWhole { note(\.status, "is missing: a mapping has status, timeline or search") }
        guard isWhole, let first = Self.kinds.map(\.kind).first(where: { plans[$0] != nil }) else { return nil }
        self.plans = plans
        (text, headers) = (String(decoding: settings.json?.text ?? [], as: UTF8.self), settings.headers ?? [:])
        let names = Set(plans.values.flatMap(\.queryNames))
        func made(_ usual: Kind) -> TweetDialect {
            TweetDialect(
                mapped: name, keyLocation: settings.key?.location ?? .none,
                needsKey: settings.key.map { $0.optional != true } ?? false, kinds: Set(plans.keys), rules: rules,
                parameterNames: names, upstreamError: { [plans] in plans[usual]?.errorMessage($0) }
            ) { [plans, rules] root, query in
                let kind = query.map(Kind.init) ?? usual
                guard let plan = plans[kind] else {
                    throw RecordReader().failure(expected: "a request of a kind that there is")
                }
                var answer: TweetAnswer?
                let (cursor, losses) = plan.cursor(root, of: query)
                var drift = try plan.read(
                    root, MappedForm(parameters: query.map(MappedTweets.values) ?? [:]),
                    named: { MappedTweets.place(of: $0, in: kind) }
                ) {
                    try MappedTweets.read($0, as: kind, answering: query, cursor: cursor, rules, into: &answer)
                }
                guard let answer else { throw RecordReader().failure(expected: "posts") }
                drift.merge(losses)
                return (answer, drift)
            }
        }
        dialects = Dictionary(uniqueKeysWithValues: plans.keys.map { ($0, made($0)) })
        tweets = made(first)
    }

    /// Returns the plan for a query.
    func plan(for query: TweetQuery) -> MappingPlan? { plans[MappedTweets.Kind(query)] }

    /// Returns the plan and the dialect for documents of a kind.
    func plan(for kind: MappedTweets.Kind) -> (MappingPlan, TweetDialect)? {
        plans[kind].flatMap { plan in dialects[kind].map { (plan, $0) } }
    }
}

extension MappingPlan {
    /// Returns the value for the next page; one that is neither a text nor a number is dropped, which is reported.
    fileprivate func cursor(_ root: JSONNode, of query: TweetQuery?) -> (String?, DriftReport) {
        guard let next else { return (nil, DriftReport()) }
        var context = JMESContext(root: .node(root), maximumSteps: 1_000_000) { root.isExpired }
        do throws(JMESFailure) {
            let value = try next.value(of: .node(root), in: &context)
            if let text = value.string ?? value.numberText {
                // The page that was asked for is the last one.
                if text.isEmpty || text == query?.tweetID { return (nil, DriftReport()) }
                if MappedTweetRules.isPrintable(text) { return (text, DriftReport()) }
            }
            if value.isNull || value.bool == false { return (nil, DriftReport()) }
        } catch {
            if error.isAbsence { return (nil, DriftReport()) }
        }
        return (nil, DriftReport(.dropped, .mistyped, ofDocument: 1))
    }
}
