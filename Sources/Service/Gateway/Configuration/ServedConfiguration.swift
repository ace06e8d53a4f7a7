import Settings
import API
import EventLoop
import HTTPCore
import JSONText
import Records
import Proxy

/// The listeners, upstreams and routes of a service with a configuration, in lines for people, with warnings.
public struct ServedConfiguration: Sendable {
    /// The addresses, upstreams, routes and limits, in lines.
    public private(set) var lines: [String] = []
    /// The upstreams that are left out, and why.
    public private(set) var omissions: [String] = []
    /// The settings that work but are probably not meant, and certificates that end soon.
    public private(set) var warnings: [String] = []

    private let configuration: Configuration
    /// The names of the upstreams that are left out.
    private var missing: Set<String> = []

    /// The time before the end of a certificate in which there is a warning.
    private static let certificateSeconds = 14 * 86_400

    init(
        _ configuration: Configuration, _ keys: [KeyReading], certificateEnd: Int64?, certificateFlaw: String?,
        now: Int
    ) {
        self.configuration = configuration
        warnings = configuration.retired + configuration.routeWarnings
        let routes = configuration.routeDescriptions.map { ($0, configuration.upstreams(of: $0)) }
        let used = Set(routes.flatMap(\.1).flatMap(\.upstreams))
        for (upstream, reading) in zip(configuration.upstreams, keys) {
            if case .missing(let reason) = reading {
                omissions.append("the upstream \(upstream.name) is left out: \(reason)")
                missing.insert(upstream.name)
            } else if !used.contains(upstream.name) {
                warnings.append("no route uses the upstream \(upstream.name)")
            }
            if case .credentials(let credentials) = reading, credentials.secrets.contains(where: KeyScrubber.isShort) {
                warnings.append(
                    "the key of the upstream \(upstream.name) has fewer than \(KeyScrubber.shortestKey) characters, so "
                        + "it is not removed from documents that repeat it")
            }
        }
        if let certificateFlaw {
            warnings.append(certificateFlaw)
        } else if let certificateEnd, case let left = Int(certificateEnd) - now, left < Self.certificateSeconds {
            let setting = Configuration.schema.path(of: \.server.tls?.certificateFile)
            let file = configuration.server.tls?.certificateFile ?? ""
            warnings.append("\(setting) names \(file), which expires in \(left / 3600) hours")
        }
        addAddresses()
        addUpstreams(keys)
        for (route, upstreams) in routes { add(route, upstreams) }
        addLimits()
        lines = lines.map(\.withoutControls)
        omissions = omissions.map(\.withoutControls)
        warnings = warnings.map(\.withoutControls)
    }

    private mutating func addAddresses() {
        let server = configuration.server
        for text in configuration.listen.texts {
            lines.append("listens at \(text)\(server.tls == nil ? "" : ", with TLS")")
        }
        if let operations = server.operationsListen { lines.append("listens at \(operations), for operators") }
        if let shared = configuration.shared {
            lines.append(
                "shares \(shared.redis) with other replicas: replicas \(shared.replicas), onLoss \(shared.onLoss), "
                    + "timeoutMilliseconds \(shared.timeoutMilliseconds)")
        }
        if let traces = configuration.traces {
            lines.append("sends traces to \(BaseURL.shown(traces.endpoint)), ratio \(traces.ratio)")
        }
    }

    private mutating func addUpstreams(_ keys: [KeyReading]) {
        for (upstream, reading) in zip(configuration.upstreams, keys) where !missing.contains(upstream.name) {
            let place = upstream.sample.map { "sample \($0)" } ?? BaseURL.shown(upstream.baseURL ?? "")
            var hasKey = false
            if case .credentials(let credentials) = reading { hasKey = credentials != .none }
            lines.append(
                "asks \(upstream.name) (\(upstream.dialect ?? "JSON")) at \(place), with \(hasKey ? "a" : "no") key, "
                    + "\(upstream.maximumConcurrent) requests at a time, \(upstream.deadlineMilliseconds) ms each")
        }
    }

    private mutating func add(_ route: RouteDescription, _ lists: [(part: String?, upstreams: [String])]) {
        lines.append("serves \(route.method) \(route.template.text)")
        if !route.parameters.isEmpty {
            let parameters = route.parameters.map { $0.isRequired ? $0.name : "[\($0.name)]" }
            lines.append("    parameters: \(parameters.joined(separator: ", "))")
        }
        guard route.source == .documents else { return }
        for (part, upstreams) in lists {
            let names = upstreams.map { missing.contains($0) ? "\($0) (left out)" : $0 }
            lines.append("    upstreams\(part.map { " of \($0)" } ?? ""): \(names.joined(separator: ", then "))")
        }
        let cache = configuration.cache
        guard cache.maximumBytes > 0 else { return lines.append("    cache: none") }
        let policy = route.cachePolicy ?? (route.tag == Self.tweets ? cache.tweets : cache.weather).policy
        lines.append("    cache: \(policy.summary)")
    }

    private mutating func addLimits() {
        let (server, fetching) = (configuration.server, configuration.fetching)
        lines.append(
            "limits: \(server.maximumConnections) connections, \(fetching.deadlineMilliseconds) ms for a request, "
                + "\(configuration.cache.maximumBytes) bytes of documents, \(fetching.maximumBodyBytes) bytes of answers "
                + "that arrive")
    }

    fileprivate static let tweets = "tweets"
}

extension Configuration {
    /// The names of the upstreams of a route, or of its parts, in the order of failover.
    fileprivate func upstreams(of route: RouteDescription) -> [(part: String?, upstreams: [String])] {
        if let mapped = mappedRoutes.first(where: { $0.description.name == route.name }) { return mapped.upstreams }
        guard route.source == .documents else { return [] }
        return [(nil, route.tag == ServedConfiguration.tweets ? tweetUpstreams : weather.upstreams)]
    }
}

extension CachePolicy {
    /// The times in seconds, in words.
    fileprivate var summary: String {
        let stated = obeysUpstream ? "as the upstream says, or else " : ""
        return "fresh \(stated)for \(defaultLifetime) s, within \(floor) and \(ceiling) s; stale for "
            + "\(staleWhileRevalidate) s during a refresh, for \(staleIfError) s after a failure; 404 for "
            + "\(negativeLifetime) s"
    }
}

extension BaseURL {
    /// An address without the segments of its path that may be keys.
    static func shown(_ url: String) -> String { (try? BaseURL(url))?.withoutSecrets ?? "***" }
}
