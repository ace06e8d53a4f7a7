import Records

/// A key that was a setting in the last release, and is a constant now: a file that has the key is read with a warning.
struct RetiredSetting: Sendable {
    /// The path, with `[]` behind the name of a list.
    let path: String
    /// The constant, in words.
    let value: String
    /// What to do instead, as a sentence.
    let advice: String

    private init(_ path: String, _ value: String, _ advice: String = "Remove it.") {
        (self.path, self.value, self.advice) = (path, value, advice)
    }

    /// The keys of the last release; a release removes those of the release before.
    static let all: [RetiredSetting] =
        ofServer + ofFetching + ofUpstreams
        + ["cache.weather", "cache.tweets", "routes[].cache"].flatMap { cache in
            [
                RetiredSetting("\(cache).floorSeconds", "0", "Set obeysUpstream to false and defaultSeconds instead."),
                RetiredSetting(
                    "\(cache).ceilingSeconds",
                    ["cache.weather": "3600", "cache.tweets": "600"][cache, default: "86400"]
                        + ", or defaultSeconds if that is more",
                    "Set obeysUpstream to false and defaultSeconds instead."),
                RetiredSetting("\(cache).guessesLifetime", "false", "Set defaultSeconds instead."),
                RetiredSetting("\(cache).negativeSeconds", "60"),
            ]
        }

    private static let ofServer = [
        RetiredSetting("server.reservedConnections", "32"),
        RetiredSetting("server.maximumRequestsPerConnection", "100000"),
        RetiredSetting("server.maximumTargetBytes", "8192"),
        RetiredSetting("server.maximumHeadBytes", "32768"),
        RetiredSetting("server.requestTimeoutMilliseconds", "10000"),
        RetiredSetting("server.writeTimeoutMilliseconds", "30000"),
        RetiredSetting("server.answerTimeoutMilliseconds", "60000"),
        RetiredSetting("server.allowsHalfClose", "false"),
        RetiredSetting(
            "server.drainGraceMilliseconds", "a 30th of server.drainTimeoutMilliseconds",
            "Set that one instead."),
        RetiredSetting("server.accessLog.level", "info", "Choose lines where the log is read."),
        RetiredSetting("server.accessLog.sampleEvery", "1", "Choose lines where the log is read."),
        RetiredSetting("server.accessLog.probes", "false"),
        RetiredSetting("server.accessLog.maximumWaitingBytes", "1048576"),
        RetiredSetting("server.cors.maximumAgeSeconds", "600"),
    ]

    private static let ofFetching = [
        RetiredSetting("fetching.maximumConnections", "the sum of upstreams[].maximumConcurrent"),
        RetiredSetting(
            "fetching.maximumConnectionsPerUpstream", "no limit", "Set upstreams[].maximumConcurrent instead."),
        RetiredSetting("fetching.logsEveryRequest", "false", "The access log has the tries of every request."),
        RetiredSetting("cache.history", "a day fresh, a week at most, and a week more if the upstream fails"),
        RetiredSetting("shared.maximumDocumentBytes", "1048576"),
    ]

    private static let ofUpstreams = [
        ("units", "si", "Clients get the units that they ask for."),
        ("historyDeadlineMilliseconds", "30000", "Remove it."),
        ("maximumWaiting", "1024", "Set maximumWaitMilliseconds instead."),
        ("firstByteTimeoutMilliseconds", "no limit", "Set deadlineMilliseconds instead."),
        ("minimumBytesPerSecond", "0", "Set deadlineMilliseconds instead."),
        ("maximumHeadBytes", "65536", "Remove it."), ("maximumHeadFields", "200", "Remove it."),
        ("maximumDepth", "64", "Remove it."),
        ("connections", "60 s unused, no limit of age, addresses for 60 s", "Remove it."),
        ("breaker.failurePercent", "50", "Set breaker.minimumRequests instead."),
        ("breaker.windowMilliseconds", "10000", "Remove it."),
        ("breaker.maximumOpenMilliseconds", "60000, or openMilliseconds if that is more", "Remove it."),
        ("quota.refreshPercent", "0", "Remove it."),
        ("jwt.id", "the issuer and the subject, with a point between them", "Remove it."),
        ("jwt.lifetimeSeconds", "3600", "Remove it."),
    ].map { RetiredSetting("upstreams[].\($0)", $1, $2) }

    /// The warning about the key at `path`.
    func warning(at path: String) -> String { "\(path) is no longer a setting: the value is \(value). \(advice)" }
}

extension JSONValue {
    /// Removes the retired settings from a document, and returns the warnings about them.
    mutating func removeRetiredSettings() -> [String] {
        var warnings: [String] = []
        for setting in RetiredSetting.all {
            self = removing(setting.path.split(separator: ".")[...], "") { warnings.append(setting.warning(at: $0)) }
        }
        return warnings
    }

    private func removing(_ steps: ArraySlice<Substring>, _ path: String, _ note: (String) -> Void) -> JSONValue {
        guard let step = steps.first, case .object(let members) = self else { return self }
        let name = step.hasSuffix("[]") ? step.dropLast(2) : step, rest = steps.dropFirst()
        return .object(
            members.compactMap { member in
                guard member.key == name else { return member }
                var member = member
                let place = path + name
                if rest.isEmpty {
                    note(place)
                    return nil
                }
                if case .array(let elements) = member.value, name != step {
                    member.value = .array(
                        elements.enumerated().map { $1.removing(rest, "\(place)[\($0)].", note) })
                } else if name == step {
                    member.value = member.value.removing(rest, place + ".", note)
                }
                return member
            })
    }
}
