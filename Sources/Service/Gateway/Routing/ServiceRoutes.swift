public import Settings
package import API
import Operations
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

    /// The routes with these upstreams, and those for operators; `dialects` are those of the upstreams of tweets.
    init(
        _ configuration: Configuration, forecasts: [ForecastUpstream], tweets: [TweetUpstream],
        dialects: [TweetDialect], mapped: [(route: MappedRoute, upstreams: [MappedUpstream])], cache: DocumentCache?,
        operations: OperationsRoutes, log: Log
    ) {
        func path<Source>(_ upstreams: [Source], _ deadline: Duration? = nil) -> Upstreams<Source> {
            let failover = Failover(
                deadline: deadline ?? .milliseconds(configuration.fetching.deadlineMilliseconds),
                logsEveryRequest: configuration.fetching.logsEveryRequest, log: log)
            return Upstreams(sources: upstreams, path: FetchPath(failover: failover, cache: cache))
        }
        let pages = configuration.server.pages
        self.pages = operations.pagesOnListen(configuration.server)
        var routes: [Route] = []
        if !configuration.weather.upstreams.isEmpty {
            let weather = path(forecasts)
            let parameters = WeatherParameters(
                units: configuration.weather.units, requires: configuration.weather.requires,
                showsUpstream: pages.showsUpstream)
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
                path($0, route.description.deadline)
            }
        }
        routes += operations.onListen(configuration.server)
        let openAPI = OpenAPIRoute(routes, below: configuration.server.pathPrefix)
        (all, document) = (routes + [openAPI.route], openAPI.document)
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
                $0, deadline: deadline, showsUpstream: server.pages.showsUpstream, pathPrefix: server.pathPrefix)
        }
    }

    private var routesWithoutUpstreams: ServiceRoutes {
        let log = Log.standard
        let registry = UpstreamRegistry(maximumBodyBytes: 0, maximumCacheBytes: 0)
        let dialects = tweets.upstreams.compactMap { name in
            upstreams.first { $0.name == name }.flatMap { $0.knownDialect as? TweetDialect }
        }
        let reloads = Reloads()
        let metrics = MetricsRoute(
            contexts: [], registry: registry, memoryLimit: nil, log: log, accessLog: nil, reloads: reloads)
        return ServiceRoutes(
            self, forecasts: [], tweets: [], dialects: dialects, mapped: mappedRoutes.map { ($0, []) }, cache: nil,
            operations: OperationsRoutes(
                Lifecycle(), HealthReport(lifecycle: Lifecycle(), metrics: metrics), reloads), log: log)
    }
}

/// The version of the program and of its OpenAPI document.
public let weirVersion = "1.0.0"
