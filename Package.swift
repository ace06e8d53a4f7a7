// swift-tools-version: 6.3
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

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
        .systemLibrary(name: "CScan"),
        .systemLibrary(name: "CSystem"),
        .systemLibrary(name: "CCurl"),
        .systemLibrary(name: "CZlib"),
        .systemLibrary(name: "CBrotli"),
        .systemLibrary(name: "CCrypto"),
        .systemLibrary(name: "CTLS"),
        .target(name: "CivilDates", swiftSettings: strict),
        .target(name: "JSONText", dependencies: ["CScan"], swiftSettings: strict),
        .target(
            name: "Records",
            dependencies: [
                "JSONText", "CivilDates", .target(name: "CSystem", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: strict),
        .target(
            name: "LenientCoding", dependencies: ["Records", "JSONText", "CivilDates"], swiftSettings: strict),
        .target(
            name: "Contracts", dependencies: ["LenientCoding", "Records", "JSONText", "CivilDates", "HTTPCore"],
            swiftSettings: strict),
        .target(name: "EventLoop", dependencies: ["CSystem"], swiftSettings: strict),
        .target(name: "Cache", dependencies: ["CZlib"], swiftSettings: strict),
        .target(name: "HTTPCore", dependencies: ["CivilDates"], swiftSettings: strict),
        .target(name: "Signatures", dependencies: ["HTTPCore", "CCrypto"], swiftSettings: strict),
        .target(
            name: "HTTPServer", dependencies: ["EventLoop", "HTTPCore", "CivilDates", "CTLS"], swiftSettings: strict),
        .target(
            name: "Telemetry", dependencies: ["EventLoop", "HTTPCore", "JSONText", "CivilDates"], swiftSettings: strict),
        .target(
            name: "HTTPClient", dependencies: ["EventLoop", "HTTPCore", "CCurl", "CZlib", "CBrotli"],
            swiftSettings: strict),
        .target(
            name: "Gateway",
            dependencies: [
                "Contracts", "HTTPServer", "HTTPClient", "HTTPCore", "EventLoop", "LenientCoding", "CivilDates",
                "JSONText", "Signatures", "Telemetry", "Cache", "CScan", "CZlib", "CBrotli",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "weir",
            dependencies: ["Gateway", "Contracts", "EventLoop", "LenientCoding", "JSONText"], swiftSettings: strict),
        .target(name: "TestSupport", dependencies: ["CSystem", "CTLS"], path: "Tests/Support", swiftSettings: strict),
        .testTarget(name: "CivilDatesTests", dependencies: ["CivilDates"], swiftSettings: strict),
        .testTarget(
            name: "JSONTextTests", dependencies: ["JSONText", "CScan", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "RecordsTests", dependencies: ["Records", "JSONText", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "LenientCodingTests", dependencies: ["LenientCoding", "Records", "JSONText", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ContractsTests", dependencies: ["Contracts", "LenientCoding", "JSONText", "TestSupport"],
            swiftSettings: strict),
        .executableTarget(
            name: "cache-worker", dependencies: ["Cache"], path: "Tests/CacheWorker", swiftSettings: strict),
        .testTarget(
            name: "CacheTests", dependencies: ["Cache", "cache-worker", "CZlib", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "EventLoopTests", dependencies: ["EventLoop", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "HTTPCoreTests", dependencies: ["HTTPCore", "CivilDates", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "HTTPServerTests", dependencies: ["HTTPServer", "EventLoop", "HTTPCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "TelemetryTests", dependencies: ["Telemetry", "EventLoop", "HTTPCore", "JSONText", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "HTTPClientTests",
            dependencies: ["HTTPClient", "EventLoop", "HTTPCore", "CBrotli", "CZlib", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "SignaturesTests", dependencies: ["Signatures", "HTTPCore", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "Gateway", "Contracts", "HTTPClient", "HTTPServer", "HTTPCore", "EventLoop", "LenientCoding",
                "JSONText", "Signatures", "Telemetry", "CivilDates", "TestSupport",
            ],
            swiftSettings: strict),
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
