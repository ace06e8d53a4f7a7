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

    func target(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
        .target(name: name, dependencies: dependencies, path: "Sources/\(self.name)/\(name)", swiftSettings: strict)
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
        .library(name: "Contracts", targets: ["Contracts"]),
        .library(
            name: "Gateway",
            targets: ["Gateway", "Cache", "Telemetry", "HTTPServer", "HTTPClient", "HTTPCore", "EventLoop"]),
    ],
    targets: [
        c.headers("CScan"),
        c.headers("CSystem"),
        c.headers("CCurl"),
        c.headers("CZlib"),
        c.headers("CBrotli"),
        c.headers("CCrypto"),
        c.headers("CTLS"),

        json.target("CivilDates"),
        json.target("JSONText", ["CScan"]),
        json.target(
            "Records", ["JSONText", "CivilDates", .target(name: "CSystem", condition: .when(platforms: [.linux]))]),
        json.target("LenientCoding", ["Records", "JSONText", "CivilDates"]),

        http.target("EventLoop", ["CSystem"]),
        http.target("HTTPCore", ["CivilDates"]),
        http.target("HTTPServer", ["EventLoop", "HTTPCore", "CivilDates", "CTLS"]),
        http.target("HTTPClient", ["EventLoop", "HTTPCore", "CCurl", "CZlib", "CBrotli"]),
        http.target("Signatures", ["HTTPCore", "CCrypto"]),

        service.target("Contracts", ["LenientCoding", "Records", "JSONText", "CivilDates", "HTTPCore"]),
        service.target("Cache", ["CZlib"]),
        service.target("Telemetry", ["EventLoop", "HTTPCore", "JSONText", "CivilDates"]),
        service.target(
            "Gateway",
            [
                "Contracts", "HTTPServer", "HTTPClient", "HTTPCore", "EventLoop", "LenientCoding", "CivilDates",
                "JSONText", "Signatures", "Telemetry", "Cache", "CScan", "CZlib", "CBrotli",
            ]),
        service.program("weir", ["Gateway", "Contracts", "EventLoop", "LenientCoding", "JSONText"]),

        .target(name: "TestSupport", dependencies: ["CSystem", "CTLS"], path: "Tests/Support", swiftSettings: strict),
        json.tests("CivilDates", []),
        json.tests("JSONText", ["CScan"]),
        json.tests("Records", ["JSONText"]),
        json.tests("LenientCoding", ["Records", "JSONText"]),
        http.tests("EventLoop", []),
        http.tests("HTTPCore", ["CivilDates"]),
        http.tests("HTTPServer", ["EventLoop", "HTTPCore"]),
        http.tests("HTTPClient", ["EventLoop", "HTTPCore", "CBrotli", "CZlib"]),
        http.tests("Signatures", ["HTTPCore"]),
        service.tests("Contracts", ["LenientCoding", "JSONText"]),
        .executableTarget(
            name: "cache-worker", dependencies: ["Cache"], path: "Tests/Service/CacheWorker", swiftSettings: strict),
        service.tests("Cache", ["cache-worker", "CZlib"]),
        service.tests("Telemetry", ["EventLoop", "HTTPCore", "JSONText"]),
        service.tests(
            "Gateway",
            [
                "Contracts", "HTTPClient", "HTTPServer", "HTTPCore", "EventLoop", "LenientCoding", "JSONText",
                "Signatures", "Telemetry", "CivilDates",
            ]),
        .testTarget(
            name: "EndToEndTests", dependencies: ["weir", "Gateway", "Signatures", "HTTPCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "DocumentTests",
            dependencies: ["weir", "Contracts", "LenientCoding", "Records", "JSONText", "TestSupport"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
