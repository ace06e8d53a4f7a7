// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "benchmarks",
    dependencies: [.package(name: "weir", path: "..")],
    targets: [
        .target(name: "CAllocations"),
        .executableTarget(
            name: "weir-bench",
            dependencies: [
                "CAllocations",
                .product(name: "Contracts", package: "weir"),
                .product(name: "Gateway", package: "weir"),
                .product(name: "LenientCoding", package: "weir"),
                .product(name: "JSONText", package: "weir"),
                .product(name: "JMESPath", package: "weir"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "passthrough", dependencies: [.product(name: "Gateway", package: "weir")], swiftSettings: strict),
        .executableTarget(
            name: "stored", dependencies: [.product(name: "Gateway", package: "weir")], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
