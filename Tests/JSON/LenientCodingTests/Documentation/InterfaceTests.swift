import Testing

@Suite("Parsing a module's interface")
struct InterfaceTests {
    @Test(
        "The name of a declaration includes its argument labels",
        arguments: [
            (
                "public func decode<Value: Decodable>(_ key: Key, default standard: @autoclosure () throws -> Value) {",
                "decode(_:default:)"
            ),
            (
                "public init<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws",
                "init(from:forKey:)"
            ),
            ("public static func == (left: A, right: A) -> Bool {", "=="),
            ("@inlinable public mutating func next() -> (key: Int, value: Int)? {", "next()"),
            ("public internal(set) var count: Int", "count"),
            ("public subscript(key: String) -> Int? {", "subscript(key:)"),
            ("case custom(Int)", "custom"),
        ])
    func names(_ line: String, _ name: String) {
        #expect(SourceFile(path: "", text: line).declarations().map(\.name) == [name])
    }

    @Test("A declaration is public if it is marked, required by a public protocol or a case of a public enumeration")
    func isPublic() {
        let text = """
            public protocol Shape: Sendable {
                var area: Double { get }
            }
            public enum Side {
                case left, right
                func other() -> Side {
                    switch self {
                    case .left: .right
                    default: .left
                    }
                }
            }
            enum Hidden { case one }
            extension Side {
                public var isLeft: Bool { self == .left }
                var isRight: Bool { self == .right }
            }
            """
        let declarations = SourceFile(path: "", text: text).declarations().filter(\.isPublic)
        #expect(declarations.map(\.name) == ["Shape", "area", "Side", "left", "isLeft"])
    }

    @Test("Only implementations of the requirements of known protocols are witnesses")
    func witnesses() {
        let text = """
            public protocol Shape: Sendable {
                var area: Double { get }
                func scaled(by factor: Double) -> Self
            }
            public protocol Solid: Shape {}
            extension Shape {
                public func scaled(by factor: Double) -> Self { self }
                public func scaled(to factor: Double) -> Self { self }
            }
            public struct Cube: Solid, Hashable {
                public var area: Double
                public var edge: Double
                public func hash(into hasher: inout Hasher) {}
            }
            public struct Carpet {
                public var area: Double
            }
            """
        let interface = Interface([SourceFile(path: "Shape.swift", text: text)])
        let witnesses = interface.publicDeclarations.filter(interface.isWitness).map(\.place)
        #expect(witnesses == [7, 11, 13].map { "Shape.swift:\($0)" })
    }

    @Test("A public declaration of an unknown form is reported")
    func unknownForm() {
        let text = """
            public import Foundation
            /// Nothing public here.
            public struct Known {
                public mysterious func f() {}
            }
            """
        let interface = Interface([SourceFile(path: "Known.swift", text: text)])
        #expect(interface.overlooked == ["Known.swift: public mysterious func f() {}"])
    }
}
