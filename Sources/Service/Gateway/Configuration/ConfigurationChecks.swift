public import Settings
import API
public import EventLoop
import Contracts
import HTTPCore
import HTTPServer
import JSONText
import Records
import Operations
import Proxy

extension ConfigurationFile {
    /// Returns the configuration of the service in this file, for a container with this memory.
    public func configuration(memory: MemoryLimit? = MemoryLimit()) throws(ConfigurationError) -> Configuration {
        try checkedConfiguration(memory: memory).settings
    }

    /// Returns the configuration of the service in this file, and where its settings come from.
    func checkedConfiguration(
        memory: MemoryLimit? = MemoryLimit()
    ) throws(ConfigurationError) -> (settings: Configuration, sources: SettingSources) {
        var (settings, sources) = try readConfiguration(memoryLimit: memory?.bytes)
        let checks = SettingNotes<Configuration>()
        try settings.compileMappings(in: self, checks)
        let faults = ConfigurationChecks(settings, checks).faults()
        if !faults.list.isEmpty { throw error(faults) }
        return (settings, sources)
    }
}

/// The checks of settings that are well-formed individually: against each other, and against what the dialects take.
struct ConfigurationChecks {
    let configuration: Configuration
    private let note: SettingNotes<Configuration>

    init(_ configuration: Configuration, _ note: SettingNotes<Configuration> = SettingNotes()) {
        (self.configuration, self.note) = (configuration, note)
    }

    func faults() -> ConfigurationFaults {
        check(words: Configuration.schema.descriptions, of: configuration.json ?? .null, "")
        configuration.listen.check(note)
        configuration.server.check(note[\.server])
        checkLimits()
        configuration.cache.check(note[\.cache])
        configuration.cache.check([(\.credentialKey, configuration.cache.credentialKey)], note[\.cache])
        configuration.shared?.check(note[\.shared])
        configuration.traces?.check(note[\.traces])
        var names: Set<String> = []
        for (index, upstream) in configuration.upstreams.enumerated() {
            let note = note[\.upstreams, index]
            upstream.check(note)
            check(kinds: upstream.quota.weights ?? [:], note)
            if !names.insert(upstream.name).inserted {
                note(\.name, "must be unique, but \(Quotation.quote(upstream.name)) names another upstream too")
            }
        }
        for (setting, file) in configuration.values(of: [\.fetching.quotaFile, \.cache.snapshotFile]) {
            if let fault = pathFault(file) { note(setting, fault) }
        }
        checkRoutes()
        if configuration.weather.upstreams.isEmpty, configuration.tweetUpstreams.isEmpty, configuration.routes.isEmpty {
            note(\.weather.upstreams, "must name an upstream, unless there are tweets.upstreams or routes")
        }
        check(\.weather.upstreams, ForecastDialect.self)
        checkRequiredBlocks()
        check(\.tweetUpstreams, TweetDialect.self)
        return note.faults
    }

    private func checkLimits() {
        if configuration.server.limits.isEmpty { return }
        let templates = configuration.routeDescriptions.filter { !$0.isForOperators }.map(\.template.text)
        for (index, limit) in configuration.server.limits.enumerated() {
            let note = note[\.server][\.limits, index]
            if limit.missCost >= limit.room {
                note(\.missCost, "must be less than burst, or no upstream could be asked")
            }
            if case .header(let field) = limit.by {
                if !MappedRequest.isFieldName(field, isCredential: true) {
                    note(\.by, "must name a header field without framing and conditions")
                } else if configuration.server.trustedProxies.isEmpty {
                    let proxies = Configuration.schema.path(of: \.server.trustedProxies)
                    note(\.by, "needs \(proxies): clients could write the field themselves")
                }
            }
            if limit.routes?.isEmpty == true { note(\.routes, "must name a route, or be left out for all routes") }
            for (place, route) in (limit.routes ?? []).enumerated() where !templates.contains(route) {
                let hint = Quotation.hint(route, among: templates)
                note(\.routes, at: "[\(place)]", "must be the path of a route, not \(Quotation.quote(route))\(hint)")
            }
        }
    }

    private func checkRequiredBlocks() {
        let blocks = configuration.weather.requires
        for (index, block) in blocks.enumerated() {
            let fault =
                blocks[..<index].contains(block)
                ? "is listed twice" : choiceFault(block, among: WeatherConfiguration.requirableBlocks)
            if let fault { note(\.weather.requires, at: "[\(index)]", fault) }
        }
    }

    /// Notes the settings below `path` that are none of the words that they take.
    private func check(words fields: [FieldDescription], of object: JSONValue, _ path: String) {
        for field in fields {
            guard let value = object[field.name] else { continue }
            let path = path + field.name
            if case .string(let text) = value, field.rules.takesOnlyWords,
                let detail = choiceFault(text, among: field.rules.words)
            {
                note.faults.note(path, detail)
            } else if case .array(let elements) = value, !field.members.isEmpty {
                for (index, element) in elements.enumerated() {
                    check(words: field.members, of: element, "\(path)[\(index)].")
                }
            } else if field.isMap, case .object(let values) = value {
                for member in values {
                    let path = "\(path).\(member.key)"
                    for (index, element) in (member.value.elements ?? []).enumerated() {
                        check(words: field.members, of: element, "\(path)[\(index)].")
                    }
                    check(words: field.members, of: member.value, "\(path).")
                }
            } else {
                check(words: field.members, of: value, path + ".")
            }
        }
    }

    /// Notes the faults of configured routes: of each one, and of names and paths that two routes have.
    private func checkRoutes() {
        var builtIn = configuration
        builtIn.routes = []
        let known = builtIn.routeDescriptions
        var names = Dictionary(known.map { ($0.name, $0.template.text) }) { first, _ in first }
        for kind in RequestKind.builtIn.map(\.name) + ["token"] { names[kind] = names[kind] ?? "a kind of requests" }
        var paths = Dictionary(known.map { ($0.template.shape, $0.template.text) }) { first, _ in first }
        for (index, settings) in configuration.routes.enumerated() {
            let note = note[\.routes, index]
            let route = MappedRoute(settings, deadline: .zero, note)
            let (name, template) = (route.description.name, route.description.template)
            if let other = names.updateValue(template.text, forKey: name) {
                note(
                    settings.name == nil ? \.path : \.name,
                    "has the name \(Quotation.quote(name)), which \(other) has too; set another name")
            }
            if let other = paths.updateValue(template.text, forKey: template.shape) {
                note(\.path, "is the path of another route, \(other)")
            }
            for ((_, note), fetch) in zip(settings.entriesWithUpstreams(note), route.fetches) {
                let upstream = fetch.upstream
                guard let found = configuration.upstreams.first(where: { $0.name == upstream }) else {
                    let hint = Quotation.hint(upstream, among: configuration.upstreams.map(\.name).sorted())
                    note(\.upstream, "names \(Quotation.quote(upstream)), but there is no such upstream\(hint)")
                    continue
                }
                fetch.request.checkKey(found.keyLocation, note)
                if let dialect = found.dialect {
                    note(\.upstream, "names \(Quotation.quote(upstream)), whose dialect \(dialect) serves other routes")
                }
            }
        }
    }

    /// Notes the keys of an upstream's map that name no kind of requests.
    private func check(kinds map: [String: Int], _ note: SettingNotes<UpstreamConfiguration>) {
        let kinds = configuration.weightedKinds + configuration.routes.map(\.knownName)
        for name in map.keys.sorted() where !kinds.contains(name) {
            // Cuts a long name.
            var member = DocumentPath()
            member.append(member: name)
            let hint =
                NearestName.find(name, among: kinds).map { "did you mean \(Quotation.quote($0))?" }
                ?? "the kinds are \(kinds.joined(separator: ", "))"
            note(\.quota.weights, at: ".\(member.text)", "is no kind of requests; \(hint)")
        }
    }

    /// Notes the names of unknown upstreams, and of upstreams with dialects of another type.
    private func check<Served: Dialect>(_ route: KeyPath<Configuration, [String]>, _: Served.Type) {
        let names = configuration[keyPath: route]
        for (index, name) in names.enumerated() {
            let detail: String
            if let first = names[..<index].firstIndex(of: name) {
                detail = ", which \(note.path(of: route))[\(first)] names too"
            } else if let upstream = configuration.upstreams.first(where: { $0.name == name }) {
                guard upstream.dialect != nil else {
                    detail = ", which has no dialect and serves routes alone"
                    note(route, at: "[\(index)]", "names \(Quotation.quote(name))\(detail)")
                    continue
                }
                guard let dialect = upstream.knownDialect, !(dialect is Served) else { continue }
                detail = ", whose dialect \(dialect.name) does not serve this route"
            } else {
                let hint = Quotation.hint(name, among: configuration.upstreams.map(\.name).sorted())
                detail = ", but there is no such upstream\(hint)"
            }
            note(route, at: "[\(index)]", "names \(Quotation.quote(name))\(detail)")
        }
    }
}

extension ServerConfiguration {
    fileprivate func check(_ note: SettingNotes<Self>) {
        if let operationsListen, SocketAddress(operationsListen) == nil {
            note(\.operationsListen, ListenAddresses.fault(operationsListen))
        }
        for (index, network) in trustedProxies.enumerated() where ClientNetwork(network) == nil {
            note(
                \.trustedProxies, at: "[\(index)]",
                "must be an address, a network such as 10.0.0.0/8 without bits behind its prefix, or unix")
        }
        for (setting, file) in values(of: [\.tls?.certificateFile, \.tls?.keyFile]) {
            if let fault = pathFault(file) { note(setting, fault) }
        }
        if !pathPrefix.isEmpty, !Self.isPath(pathPrefix) {
            note(\.pathPrefix, "must be a path such as /api, without / at its end, of letters, digits, -, . and _")
        }
        if socketMode != nil, mode == nil { note(\.socketMode, "must be octal digits such as 0660") }
        for index in originFaults {
            note(
                \.origins, at: "[\(index)]", "must be an origin such as https://app.example, or *, in lower case")
        }
    }

    /// Whether a text is a path of up to 200 bytes, of segments that need no escape.
    private static func isPath(_ text: String) -> Bool {
        let segments = text.split(separator: "/", omittingEmptySubsequences: false)
        return text.utf8.count <= 200 && segments.count > 1 && segments[0].isEmpty
            && segments.dropFirst().allSatisfy { segment in
                !segment.isEmpty && segment != "." && segment != ".."
                    && segment.utf8.allSatisfy { byte in
                        switch Unicode.Scalar(byte) {
                        case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_": true
                        default: false
                        }
                    }
            }
    }
}

extension CacheConfiguration {
    fileprivate func check(_ note: SettingNotes<Self>) {
        if 1..<Self.leastBytes ~= maximumBytes {
            note(\.maximumBytes, "must be 0, or an integer from \(Self.leastBytes) to \(Self.mostBytes)")
        }
    }
}

/// Returns a fault if `value` is not one of `choices`; without `quotes`, the fault does not quote the value.
func choiceFault(_ value: String, among choices: [String], quotes: Bool = true) -> String? {
    if choices.contains(value) { return nil }
    // Words such as 1.2 look like numbers, but are text.
    if choices.allSatisfy({ Double($0) != nil }) {
        return "must be one of \(choices.joined(separator: ", ")), in quotes"
    }
    let quotation = quotes ? ", not \(Quotation.quote(value))" : ""
    return "must be one of \(choices.joined(separator: ", "))\(quotation)\(Quotation.hint(value, among: choices))"
}
