public import Settings
package import API
import Operations
import Records
import Contracts
import Proxy

/// The routes of a configuration.
struct ServiceRoutes {
    /// The routes of the API.
    let all: [Route]
    /// The pages for people.
    let pages: [Route]
    /// The OpenAPI document of the routes.
    let document: [UInt8]

    /// The description of all routes and of itself, made and compressed once.
    private static let openAPI = {
        var description = RouteDescription(
            "openapi", "/openapi.json", tag: "operations", "This document",
            answer: RouteDescription.Answer("application/json") { _ in ["type": "object"] })
        description.fields = [.entityTag]
        return description
    }()

    /// The routes with these upstreams, and those for operators; `dialects` are those of the upstreams of tweets.
    init(
        _ configuration: Configuration, forecasts: [ForecastUpstream], tweets: [TweetUpstream],
        dialects: [TweetDialect], mapped: [(route: MappedRoute, upstreams: [MappedUpstream])], cache: DocumentCache?,
        operations: OperationsRoutes, log: Log
    ) {
        func path<Source>(_ upstreams: [Source], of route: MappedRoute? = nil) -> Upstreams<Source> {
            let fetching = configuration.fetching
            let failover = Failover(
                deadline: route?.description.deadline ?? .milliseconds(fetching.deadlineMilliseconds),
                maximumQueue: (route?.maximumQueue ?? fetching.maximumQueueMilliseconds).map { .milliseconds($0) },
                log: log)
            return Upstreams(sources: upstreams, path: FetchPath(failover: failover, cache: cache))
        }
        pages = operations.pagesOnListen(configuration.server)
        var routes: [Route] = []
        if !configuration.weather.upstreams.isEmpty {
            let weather = path(forecasts)
            let parameters = WeatherParameters(
                units: configuration.weather.units, requires: configuration.weather.requires,
                showsUpstream: configuration.server.showsUpstream)
            let answersJSONP = configuration.weather.answersJSONP
            routes = [
                WeatherRoute(upstreams: weather, parameters: parameters).route,
                DarkSkyRoute(upstreams: weather, parameters: parameters, answersJSONP: answersJSONP).route,
            ]
        }
        if !dialects.isEmpty {
            routes += TweetRoutes(upstreams: path(tweets), dialects: dialects, configuration.server).all
        }
        routes += mapped.map { route, upstreams in
            route.route(upstreams, maximumBytes: configuration.fetching.maximumBodyBytes) {
                path($0, of: route)
            }
        }
        routes += operations.onListen(configuration.server)
        document = OpenAPI.document(
            (routes.map(\.description) + [Self.openAPI]).map { $0.limited(by: configuration.server.limits) },
            below: configuration.server.pathPrefix, version: weirVersion,
            unitSystems: UnitSystem.allCases.map(\.rawValue))
        let answer = FixedAnswer(
            document, [("Content-Type", "application/json"), (AnswerField.cacheControl.name, "no-cache")])
        all = routes + [Route(Self.openAPI) { answer.reply(to: $0.request) }]
    }
}

extension Configuration {
    /// The OpenAPI 3.1 document of the service with this configuration, if no upstream is left out for lack of a key.
    public var openAPIDocument: [UInt8] { routesWithoutUpstreams.document }

    /// The descriptions of the routes.
    package var routeDescriptions: [RouteDescription] { routesWithoutUpstreams.all.map(\.description) }

    /// The configured routes, whose faults the checks have noted.
    var mappedRoutes: [MappedRoute] {
        let deadline = Duration.milliseconds(fetching.deadlineMilliseconds)
        return routes.map {
            MappedRoute(
                $0, deadline: deadline, showsUpstream: server.showsUpstream, pathPrefix: server.pathPrefix)
        }
    }

    private var routesWithoutUpstreams: ServiceRoutes {
        let log = Log.standard
        let registry = UpstreamRegistry(maximumBodyBytes: 0, maximumCacheBytes: 0)
        let dialects = tweetUpstreams.compactMap { name in
            upstreams.first { $0.name == name }.flatMap { $0.knownDialect as? TweetDialect }
        }
        return ServiceRoutes(
            self, forecasts: [], tweets: [], dialects: dialects, mapped: mappedRoutes.map { ($0, []) }, cache: nil,
            operations: OperationsRoutes(
                FigureSources(registry: registry, interventions: Interventions(registry))), log: log)
    }
}

extension RouteDescription {
    /// The description of the route if clients have these limits.
    fileprivate func limited(by limits: [LimitConfiguration]) -> RouteDescription {
        var description = self
        if !isForOperators, limits.contains(where: { !$0.dryRun && $0.counts(template.text) }) {
            description.problems.append(.tooManyRequests)
        }
        return description
    }
}

/// The version of the program and of its OpenAPI document.
public let weirVersion = "1.0.0"
