// swift-tools-version: 6.3
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A folder of Sources, with a README.md that says what lives there and what its targets may import.
struct Room {
    let name: String

    func target(_ name: String, _ dependencies: [Target.Dependency] = [], embedding files: [String] = []) -> Target {
        .target(
            name: name, dependencies: dependencies, path: "Sources/\(self.name)/\(name)",
            resources: files.map { .embedInCode($0) }, swiftSettings: strict)
    }

    func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
        .executableTarget(
            name: name, dependencies: dependencies, path: "Sources/\(self.name)/\(name)", swiftSettings: strict)
    }

    func headers(_ name: String) -> Target { .systemLibrary(name: name, path: "Sources/\(self.name)/\(name)") }

    func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
        .testTarget(
            name: "\(name)Tests", dependencies: [.byName(name: name), "TestSupport"] + dependencies,
            path: "Tests/\(self.name)/\(name)Tests", swiftSettings: strict)
    }
}

let c = Room(name: "C")
let json = Room(name: "JSON")
let http = Room(name: "HTTP")
let service = Room(name: "Service")

// Arrows point down only: a target may import what it names here and nothing else.
let package = Package(
    name: "weir",
    // UTF8Span, String.utf8.span, InlineArray and integers as generic arguments are in the standard library of these systems.
    platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
    products: [
        .executable(name: "weir", targets: ["weir"]),
        .library(name: "LenientCoding", targets: ["LenientCoding"]),
        .library(name: "Records", targets: ["Records"]),
        .library(name: "JSONText", targets: ["JSONText"]),
        .library(name: "JMESPath", targets: ["JMESPath"]),
        .library(name: "Contracts", targets: ["Contracts", "API"]),
        .library(
            name: "Gateway",
            targets: [
                "Gateway", "Proxy", "Store", "Settings", "Mapping", "Operations", "API", "HTTPServer", "HTTPClient",
                "HTTPCore", "EventLoop",
            ]),
    ],
    targets: [
        c.headers("CScan"),
        c.headers("CSystem"),
        c.headers("CCurl"),
        c.headers("CZlib"),
        c.headers("CBrotli"),
        c.headers("CCrypto"),
        c.headers("CTLS"),
        c.headers("CPCRE2"),
        c.headers("CRedis"),

        json.target("CivilDates"),
        json.target("JSONText", ["CScan"]),
        json.target(
            "Records", ["JSONText", "CivilDates", .target(name: "CSystem", condition: .when(platforms: [.linux]))]),
        json.target("JMESPath", ["JSONText"]),
        json.target("LenientCoding", ["Records", "JSONText", "CivilDates"]),

        http.target("HTTPCore", ["CivilDates", "CScan", "CCrypto"]),
        http.target("EventLoop", ["HTTPCore", "CSystem", "CTLS"]),
        http.target("HTTPServer", ["EventLoop", "HTTPCore", "CivilDates"]),
        http.target("HTTPClient", ["EventLoop", "HTTPCore", "CCurl", "CZlib", "CBrotli"]),

        service.target(
            "API", ["HTTPCore", "EventLoop", "Records", "JSONText", "CivilDates", "CZlib", "CBrotli"]),
        service.target(
            "Contracts", ["API", "HTTPCore", "Records", "JSONText", "CivilDates"],
            embedding: [
                "bluesky", "brightSky", "metNorway", "misskey", "nws", "openWeatherMap", "smhi", "tomorrowIO",
                "visualCrossing", "weatherbit",
            ].map { "Upstreams/\($0).json" }),
        service.target("Mapping", ["API", "JMESPath", "Records", "JSONText", "CivilDates", "CPCRE2"]),
        service.target(
            "Operations", ["API", "HTTPCore", "EventLoop", "JSONText", "CivilDates", "CScan"],
            embedding: [
                "explorer.html", "reference.html", "style.css", "icon.svg", "page.js", "json.js", "tree.js", "views.js",
                "explorer.js", "reference.js", "status.html", "status.js",
            ].map { "Pages/" + $0 }),
        service.target("Store", ["Operations", "HTTPCore", "EventLoop", "CRedis", "CZlib"]),
        service.target(
            "Settings", ["Contracts", "Operations", "API", "HTTPCore", "Records", "JSONText"]),
        service.target(
            "Proxy",
            [
                "Settings", "Store", "Operations", "API", "HTTPClient", "HTTPServer", "HTTPCore", "EventLoop",
                "Records", "JSONText", "CivilDates", "CScan", "CZlib",
            ]),
        service.target(
            "Gateway",
            [
                "Proxy", "Store", "Settings", "Mapping", "Contracts", "Operations", "API", "HTTPServer", "HTTPClient",
                "HTTPCore", "EventLoop", "JMESPath", "Records", "JSONText", "CivilDates",
            ]),
        service.program(
            "weir",
            [
                "Gateway", "Proxy", "Store", "Settings", "Mapping", "Contracts", "Operations", "API", "HTTPCore",
                "EventLoop", "JMESPath", "Records", "JSONText", "CivilDates",
            ]),

        .target(name: "TestSupport", dependencies: ["CSystem", "CTLS"], path: "Tests/Support", swiftSettings: strict),
        json.tests("CivilDates", []),
        json.tests("JSONText", ["CScan"]),
        json.tests("Records", ["JSONText"]),
        json.tests("JMESPath", ["JSONText"]),
        json.tests("LenientCoding", ["Records", "JSONText"]),
        http.tests("EventLoop", ["HTTPCore"]),
        http.tests("HTTPCore", ["CivilDates"]),
        http.tests("HTTPServer", ["EventLoop", "HTTPCore"]),
        http.tests("HTTPClient", ["EventLoop", "HTTPCore", "CBrotli", "CZlib"]),
        .target(
            name: "ContractsSupport", dependencies: ["API", "Records", "JSONText", "TestSupport"],
            path: "Tests/Service/ContractsSupport", swiftSettings: strict),
        .executableTarget(
            name: "cache-worker", dependencies: ["Store"], path: "Tests/Service/CacheWorker", swiftSettings: strict),
        service.tests("API", ["HTTPClient", "HTTPCore", "Records"]),
        service.tests(
            "Contracts", ["API", "ContractsSupport", "LenientCoding", "Records", "JSONText", "CivilDates"]),
        service.tests("Mapping", ["API", "ContractsSupport", "JMESPath", "Records", "JSONText", "CivilDates"]),
        service.tests("Operations", ["EventLoop", "HTTPCore", "JSONText"]),
        service.tests("Store", ["cache-worker", "Operations", "HTTPCore", "EventLoop", "CZlib"]),
        service.tests("Settings", ["HTTPCore"]),
        service.tests(
            "Proxy",
            [
                "Settings", "Store", "Operations", "API", "HTTPClient", "HTTPServer", "HTTPCore", "EventLoop",
                "Records",
                "JSONText", "CivilDates",
            ]),
        service.tests(
            "Gateway",
            [
                "ContractsSupport", "Proxy", "Store", "Settings", "Contracts", "Operations", "API", "HTTPClient",
                "HTTPServer", "HTTPCore",
                "EventLoop", "Records", "JSONText", "CivilDates",
            ]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["weir", "Gateway", "Operations", "HTTPCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "DocumentTests",
            dependencies: ["weir", "Contracts", "LenientCoding", "Records", "JSONText", "TestSupport"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
