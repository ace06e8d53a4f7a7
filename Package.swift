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
        .library(name: "Contracts", targets: ["Contracts", "Forecast", "Tweets"]),
        .library(
            name: "Gateway",
            targets: [
                "Gateway", "Cache", "Redis", "Telemetry", "HTTPServer", "HTTPClient", "HTTPCore", "EventLoop",
                "Configuration",
                "Upstreams", "Routing", "Samples", "Mapping",
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

        http.target("EventLoop", ["CSystem"]),
        http.target("HTTPCore", ["CivilDates", "CScan"]),
        http.target("HTTPServer", ["EventLoop", "HTTPCore", "CivilDates", "CTLS"]),
        http.target("HTTPClient", ["EventLoop", "HTTPCore", "CCurl", "CZlib", "CBrotli"]),
        http.target("Signatures", ["HTTPCore", "CCrypto"]),

        service.target("Contracts", ["Records", "JSONText", "CivilDates"]),
        service.target("Forecast", ["Contracts", "Records", "JSONText", "CivilDates", "HTTPCore"]),
        service.target("Tweets", ["Contracts", "Records", "JSONText", "CivilDates", "HTTPCore"]),
        service.target("Patterns", ["CPCRE2"]),
        service.target("Mapping", ["Contracts", "Patterns", "JMESPath", "Records", "JSONText", "CivilDates"]),
        service.target("Inference", ["Mapping", "Contracts", "Records", "JSONText", "CivilDates"]),
        service.target("Cache", ["EventLoop", "CZlib"]),
        service.target("Telemetry", ["EventLoop", "HTTPCore", "JSONText", "CivilDates"]),
        service.target(
            "Redis",
            ["Cache", "Telemetry", "HTTPServer", "HTTPClient", "HTTPCore", "EventLoop", "Signatures", "CRedis"]),
        service.target("Routing", ["Contracts", "EventLoop", "HTTPCore", "Records", "JSONText", "CZlib", "CBrotli"]),
        service.target(
            "Pages", ["CScan"],
            embedding: [
                "explorer.html", "reference.html", "style.css", "icon.svg", "page.js", "json.js", "tree.js", "views.js",
                "explorer.js",
                "reference.js", "status.html", "status.js",
            ]),
        service.target(
            "Configuration",
            [
                "Contracts", "Forecast", "Tweets", "Telemetry", "HTTPServer", "HTTPClient", "HTTPCore", "EventLoop",
                "Records", "JSONText", "CivilDates",
            ]),
        service.target(
            "Samples",
            [
                "Configuration", "Contracts", "Telemetry", "HTTPServer", "HTTPCore", "EventLoop", "Records", "JSONText",
                "CivilDates",
            ]),
        service.target(
            "Upstreams",
            [
                "Configuration", "Routing", "Contracts", "Cache", "Telemetry", "HTTPClient", "HTTPServer", "HTTPCore",
                "EventLoop", "Signatures", "LenientCoding", "Records", "JSONText", "CivilDates", "CScan", "CZlib",
            ]),
        service.target(
            "Gateway",
            [
                "Upstreams", "Samples", "Redis", "Routing", "Pages", "Configuration", "Contracts", "Forecast", "Tweets",
                "Mapping",
                "Patterns", "JMESPath", "Cache",
                "Telemetry", "HTTPServer", "HTTPClient", "HTTPCore", "EventLoop", "Signatures", "Records", "JSONText",
                "CivilDates",
            ]),
        service.program(
            "weir",
            [
                "Gateway", "Configuration", "Upstreams", "Telemetry", "Inference", "Mapping", "Contracts", "Forecast",
                "Tweets",
                "EventLoop", "JMESPath", "Records", "JSONText",
            ]),

        .target(name: "TestSupport", dependencies: ["CSystem", "CTLS"], path: "Tests/Support", swiftSettings: strict),
        json.tests("CivilDates", []),
        json.tests("JSONText", ["CScan"]),
        json.tests("Records", ["JSONText"]),
        json.tests("JMESPath", ["JSONText"]),
        json.tests("LenientCoding", ["Records", "JSONText"]),
        http.tests("EventLoop", []),
        http.tests("HTTPCore", ["CivilDates"]),
        http.tests("HTTPServer", ["EventLoop", "HTTPCore"]),
        http.tests("HTTPClient", ["EventLoop", "HTTPCore", "CBrotli", "CZlib"]),
        http.tests("Signatures", ["HTTPCore"]),
        .target(
            name: "ContractsSupport", dependencies: ["Contracts", "Records", "JSONText", "TestSupport"],
            path: "Tests/Service/ContractsSupport", swiftSettings: strict),
        service.tests("Forecast", ["Contracts", "ContractsSupport", "Records", "JSONText", "CivilDates"]),
        service.tests("Tweets", ["Contracts", "ContractsSupport", "LenientCoding", "Records", "JSONText"]),
        .executableTarget(
            name: "cache-worker", dependencies: ["Cache"], path: "Tests/Service/CacheWorker", swiftSettings: strict),
        service.tests("Patterns", []),
        service.tests("Mapping", ["Contracts", "ContractsSupport", "JMESPath", "Records", "JSONText", "CivilDates"]),
        service.tests("Inference", ["Contracts", "ContractsSupport", "Mapping", "Records", "JSONText"]),
        service.tests("Cache", ["cache-worker", "CZlib"]),
        service.tests("Redis", ["Cache", "HTTPClient", "HTTPServer", "HTTPCore", "EventLoop", "Telemetry"]),
        service.tests("Telemetry", ["EventLoop", "HTTPCore", "JSONText"]),
        service.tests("Routing", ["Contracts", "HTTPClient", "HTTPCore", "Records"]),
        service.tests("Configuration", ["HTTPClient", "HTTPServer", "HTTPCore", "EventLoop"]),
        service.tests("Samples", ["JSONText", "CivilDates"]),
        service.tests(
            "Upstreams",
            [
                "Configuration", "Contracts", "Routing", "HTTPClient", "HTTPServer", "HTTPCore", "EventLoop",
                "Records", "JSONText", "Signatures", "Telemetry", "CivilDates", "Cache",
            ]),
        service.tests(
            "Gateway",
            [
                "Cache", "Upstreams", "Samples", "Routing", "Configuration", "Contracts", "Forecast", "Tweets",
                "HTTPClient",
                "HTTPServer", "HTTPCore", "EventLoop", "Records", "JSONText", "Signatures", "Telemetry", "CivilDates",
            ]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["weir", "Gateway", "Samples", "Telemetry", "Signatures", "HTTPCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "DocumentTests",
            dependencies: ["weir", "Forecast", "Tweets", "LenientCoding", "Records", "JSONText", "TestSupport"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
