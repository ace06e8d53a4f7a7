// swift-tools-version: 6.2
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
    products: [
        .executable(name: "weir", targets: ["weir"]),
        .library(name: "LenientCoding", targets: ["LenientCoding"]),
        .library(name: "JSONText", targets: ["JSONText"]),
        .library(name: "Contracts", targets: ["Contracts"]),
        .library(name: "Gateway", targets: ["Gateway", "HTTPServer", "HTTPCore", "EventLoop"]),
    ],
    targets: [
        .systemLibrary(name: "CSystem"),
        .systemLibrary(name: "CCurl"),
        .systemLibrary(name: "CZlib"),
        .target(name: "CivilDates", swiftSettings: strict),
        .target(name: "JSONText", dependencies: ["CSystem"], swiftSettings: strict),
        .target(
            name: "LenientCoding", dependencies: ["CivilDates", "JSONText", "CSystem"], swiftSettings: strict),
        .target(
            name: "Contracts", dependencies: ["LenientCoding", "CivilDates", "JSONText"], swiftSettings: strict),
        .target(name: "EventLoop", dependencies: ["CSystem"], swiftSettings: strict),
        .target(name: "HTTPCore", swiftSettings: strict),
        .target(name: "HTTPServer", dependencies: ["EventLoop", "HTTPCore", "CivilDates"], swiftSettings: strict),
        .target(name: "HTTPClient", dependencies: ["EventLoop", "HTTPCore", "CCurl"], swiftSettings: strict),
        .target(
            name: "Gateway",
            dependencies: [
                "Contracts", "HTTPServer", "HTTPClient", "HTTPCore", "EventLoop", "LenientCoding", "CivilDates",
                "JSONText", "CZlib",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "weir",
            dependencies: ["Gateway", "Contracts", "EventLoop", "LenientCoding", "JSONText"], swiftSettings: strict),
        .target(name: "TestSupport", path: "Tests/Support", swiftSettings: strict),
        .testTarget(name: "CivilDatesTests", dependencies: ["CivilDates"], swiftSettings: strict),
        .testTarget(name: "JSONTextTests", dependencies: ["JSONText"], swiftSettings: strict),
        .testTarget(name: "LenientCodingTests", dependencies: ["LenientCoding", "JSONText"], swiftSettings: strict),
        .testTarget(
            name: "ContractsTests", dependencies: ["Contracts", "LenientCoding", "JSONText"], swiftSettings: strict),
        .testTarget(name: "EventLoopTests", dependencies: ["EventLoop"], swiftSettings: strict),
        .testTarget(name: "HTTPCoreTests", dependencies: ["HTTPCore"], swiftSettings: strict),
        .testTarget(
            name: "HTTPServerTests", dependencies: ["HTTPServer", "EventLoop", "HTTPCore"], swiftSettings: strict),
        .testTarget(
            name: "HTTPClientTests", dependencies: ["HTTPClient", "EventLoop", "HTTPCore"], swiftSettings: strict),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "Gateway", "Contracts", "HTTPClient", "HTTPServer", "HTTPCore", "EventLoop", "LenientCoding",
                "JSONText", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(name: "EndToEndTests", dependencies: ["weir", "Gateway", "TestSupport"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
