public import Configuration
import Contracts
import EventLoop
import Forecast
import HTTPCore
import HTTPServer
import JSONText
import Records
import Telemetry
import Tweets

extension ConfigurationFile {
    /// Returns the configuration of the service in this file.
    public func configuration() throws(ConfigurationError) -> Configuration {
        let configuration = try read(Configuration.self) { $0.settle(given: $1) }
        let faults = ConfigurationChecks(configuration).faults
        if !faults.list.isEmpty { throw error(faults) }
        return configuration
    }
}

/// The checks of settings that are well-formed individually: against each other, and against what the dialects take.
struct ConfigurationChecks {
    private let configuration: Configuration
    private(set) var faults = ConfigurationFaults()

    init(_ configuration: Configuration) {
        self.configuration = configuration
        check()
    }

    private mutating func check() {
        check(words: Configuration.schema.descriptions, of: configuration.json ?? .null, "")
        configuration.listen.check(&faults)
        configuration.server.check(&faults)
        configuration.cache.check(&faults)
        var names: Set<String> = []
        for (index, upstream) in configuration.upstreams.enumerated() {
            upstream.check { faults.note("upstreams[\(index)]\($0)", $1) }
            check(kinds: upstream.quota.weights ?? [:], "upstreams[\(index)].quota.weights")
            if !names.insert(upstream.name).inserted {
                faults.note(
                    "upstreams[\(index)].name",
                    "must be unique, but \(Quotation.quote(upstream.name)) names another upstream too")
            }
        }
        let files = [
            ("fetching.quotaFile", configuration.fetching.quotaFile),
            ("cache.snapshotFile", configuration.cache.snapshotFile),
        ]
        for (path, file) in files {
            if let fault = pathFault(file) { faults.note(path, fault) }
        }
        let (weather, tweets) = (configuration.weather, configuration.tweets)
        if weather.upstreams.isEmpty { faults.note("weather.upstreams", "must name an upstream") }
        check(weather.upstreams, of: "weather", ForecastDialect.self)
        check(tweets.upstreams, of: "tweets", TweetDialect.self)
    }

    /// Notes the settings below `path` that are none of the words that they take.
    private mutating func check(words fields: [FieldDescription], of object: JSONValue, _ path: String) {
        for field in fields {
            guard let value = object[field.name] else { continue }
            let path = path + field.name
            if case .string(let text) = value, field.rules.takesOnlyWords,
                let detail = choiceFault(text, among: field.rules.words)
            {
                faults.note(path, detail)
            } else if case .array(let elements) = value, !field.members.isEmpty {
                for (index, element) in elements.enumerated() {
                    check(words: field.members, of: element, "\(path)[\(index)].")
                }
            } else if field.isMap, case .object(let values) = value {
                for member in values { check(words: field.members, of: member.value, "\(path).\(member.key).") }
            } else {
                check(words: field.members, of: value, path + ".")
            }
        }
    }

    /// Notes the keys of the map at `path` that name no kind of requests.
    private mutating func check(kinds map: [String: Int], _ path: String) {
        let kinds = configuration.weightedKinds
        for name in map.keys.sorted() where !kinds.contains(name) {
            // Cuts a long name.
            var member = DocumentPath()
            member.append(member: name)
            let hint =
                NearestName.find(name, among: kinds).map { "did you mean \(Quotation.quote($0))?" }
                ?? "the kinds are \(kinds.joined(separator: ", "))"
            faults.note("\(path).\(member.text)", "is no kind of requests; \(hint)")
        }
    }

    /// Notes the names of unknown upstreams, and of upstreams with dialects of another type.
    private mutating func check<Served: Dialect>(_ names: [String], of route: String, _: Served.Type) {
        for (index, name) in names.enumerated() {
            let path = "\(route).upstreams[\(index)]"
            if let first = names[..<index].firstIndex(of: name) {
                faults.note(path, "names \(Quotation.quote(name)), which \(route).upstreams[\(first)] names too")
            } else if let upstream = configuration.upstreams.first(where: { $0.name == name }) {
                guard let dialect = upstream.knownDialect, !(dialect is Served) else { continue }
                faults.note(
                    path, "names \(Quotation.quote(name)), whose dialect \(dialect.name) does not serve this route")
            } else {
                let hint = Quotation.hint(name, among: configuration.upstreams.map(\.name).sorted())
                faults.note(path, "names \(Quotation.quote(name)), but there is no such upstream\(hint)")
            }
        }
    }
}

extension ServerConfiguration {
    fileprivate func check(_ faults: inout ConfigurationFaults) {
        if let operationsListen, SocketAddress(operationsListen) == nil {
            faults.note(
                "server.operationsListen",
                "must be HOST:PORT, unix:PATH or fd:NUMBER, not \(Quotation.quote(operationsListen))")
        }
        for (index, network) in trustedProxies.enumerated() where ClientNetwork(network) == nil {
            faults.note(
                "server.trustedProxies[\(index)]",
                "must be an address, a network such as 10.0.0.0/8 without bits behind its prefix, or unix")
        }
        for (setting, file) in [("certificateFile", tls?.certificateFile), ("keyFile", tls?.keyFile)] {
            if let fault = pathFault(file) { faults.note("server.tls.\(setting)", fault) }
        }
        if maximumTargetBytes > maximumHeadBytes {
            faults.note(
                "server.maximumTargetBytes",
                "must be at most server.maximumHeadBytes, which is \(maximumHeadBytes)")
        }
        if socketMode != nil, mode == nil { faults.note("server.socketMode", "must be octal digits such as 0660") }
        for index in cors.faults {
            faults.note(
                "server.cors.origins[\(index)]", "must be an origin such as https://app.example, or *, in lower case")
        }
    }
}

extension UpstreamConfiguration {
    /// Calls `note` with the path below the upstream and the detail of each fault.
    fileprivate func check(_ note: (_ path: String, _ detail: String) -> Void) {
        if name.isEmpty { note(".name", "must not be empty") }
        if knownDialect != nil { checkAuthorization(note) }
        checkConnection(note)
        if breaker.openMilliseconds > breaker.maximumOpenMilliseconds {
            note(
                ".breaker.openMilliseconds",
                "must be at most breaker.maximumOpenMilliseconds, which is \(breaker.maximumOpenMilliseconds)")
        }
        checkDialectSettings(note)
        for case (let path, let url?) in [(".historyURL", historyURL), (".archiveURL", archiveURL)] {
            do throws(BaseURL.Fault) { _ = try BaseURL(url) } catch { note(path, error.detail) }
        }
        switch (baseURL, sample) {
        case (nil, nil): note("", "must have a baseURL, or a sample to be served instead")
        case (_?, _?): note("", "must have a baseURL or a sample, not both")
        case (let url?, nil):
            do throws(BaseURL.Fault) { _ = try BaseURL(url) } catch { note(".baseURL", error.detail) }
        case (nil, let folder?):
            if folder.isEmpty {
                note(".sample", "must not be empty")
            } else if let fault = pathFault(folder) {
                note(".sample", fault)
            }
        }
        for (setting, key) in keySources {
            if (key.environment == nil) == (key.file == nil) {
                note(".\(setting)", "must have either environment or file")
            }
            if let fault = pathFault(key.file) { note(".\(setting).file", fault) }
            // It is not quoted, because it could be the key itself.
            if let name = key.environment, name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) == nil {
                note(".\(setting).environment", "must be the name of a variable: letters, digits and _, no digit first")
            }
        }
    }

    private func checkAuthorization(_ note: (_ path: String, _ detail: String) -> Void) {
        let schemes = AuthorizationScheme.allCases.filter { $0.isAvailable(to: knownDialect) }.map(\.rawValue)
        // It is not quoted, because it could be the key itself.
        if let authorization, let detail = choiceFault(authorization, among: schemes, quotes: false) {
            return note(".authorization", detail)
        }
        checkKeyName(note)
        if key != nil, keyLocation == .none {
            note(".key", "must be left out, unless authorization is set: requests of \(dialect) carry no key")
        }
        checkKeyHosts(note)
        if let scheme, [.oauth1, .oauth2, .jwt].contains(scheme), key != nil {
            note(".key", "must be left out: the keys of \(scheme) are in \(scheme)")
        }
        let others: [(AuthorizationScheme, isSet: Bool)] = [
            (.oauth1, oauth1 != nil), (.oauth2, oauth2 != nil), (.jwt, jwt != nil),
        ]
        for (other, isSet) in others where isSet && scheme != other {
            note(".\(other)", "must be left out, unless authorization is \(other)")
        }
        for (setting, detail) in oauth2?.faults ?? [] { note(".oauth2.\(setting)", detail) }
        for (setting, detail) in jwt?.faults ?? [] { note(".jwt.\(setting)", detail) }
    }
}

extension UpstreamConfiguration {
    private func checkKeyName(_ note: (_ path: String, _ detail: String) -> Void) {
        guard let scheme, scheme.takesName else {
            if keyName != nil { note(".keyName", "must be left out, unless authorization is header or query") }
            return
        }
        guard let keyName else {
            return note(".keyName", "is missing: it takes the name of the header field or of the parameter")
        }
        if !scheme.accepts(name: keyName, beside: knownDialect?.parameterNames ?? []) {
            note(".keyName", "must be a name of letters, digits, - and _ that has no other use in requests")
        }
    }

    /// Notes the addresses that take no key, if there is one.
    private func checkKeyHosts(_ note: (_ path: String, _ detail: String) -> Void) {
        guard !keySources.isEmpty, let dialect = knownDialect else { return }
        for (setting, url) in [("baseURL", baseURL), ("historyURL", historyURL), ("archiveURL", archiveURL)] {
            guard let host = url.flatMap({ try? BaseURL($0) })?.host, let other = dialect.hostForKey(insteadOf: host)
            else { continue }
            note(".\(setting)", "must name \(other), because there is a key, which \(host) does not take")
        }
    }
}

extension CacheConfiguration {
    fileprivate func check(_ faults: inout ConfigurationFaults) {
        if 1..<Self.leastBytes ~= maximumBytes {
            faults.note(
                "cache.maximumBytes", "must be 0, or an integer from \(Self.leastBytes) to \(Self.mostBytes)")
        }
        for (name, route) in [("weather", weather), ("history", history), ("tweets", tweets)] {
            guard let floor = route.floorSeconds, let ceiling = route.ceilingSeconds, floor > ceiling else { continue }
            faults.note(
                "cache.\(name).floorSeconds",
                "must be at most cache.\(name).ceilingSeconds, which is \(ceiling)")
        }
    }
}

/// Returns a fault if `value` is not one of `choices`; without `quotes`, the fault does not quote the value.
private func choiceFault(_ value: String, among choices: [String], quotes: Bool = true) -> String? {
    if choices.contains(value) { return nil }
    // Words such as 1.2 look like numbers, but are text.
    if choices.allSatisfy({ Double($0) != nil }) {
        return "must be one of \(choices.joined(separator: ", ")), in quotes"
    }
    let quotation = quotes ? ", not \(Quotation.quote(value))" : ""
    return "must be one of \(choices.joined(separator: ", "))\(quotation)\(Quotation.hint(value, among: choices))"
}
