import Foundation
import LenientCoding
import TestSupport

/// The public declarations of a module, as the compiler lists them.
struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Kind: Decodable { var identifier: String }

        var kind: Kind
        /// The names of the enclosing types and of the declaration, which has its labels: `["Field(_:_:)"]`.
        var pathComponents: [String]
    }

    var symbols: [Symbol]

    /// Returns the graph of a module that was built for the tests.
    static func of(_ module: String, _ compiler: TypeChecker) throws -> SymbolGraph {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let info = try Tool.run([compiler.compiler, "-print-target-info"])
        let target = try LenientDecoder().decode(JSONValue.self, from: info.output)["target"]?["triple"]?.stringValue
        let result = try Tool.run([
            "\((compiler.compiler as NSString).deletingLastPathComponent)/swift-symbolgraph-extract", "-module-name",
            module,
            "-I", compiler.modules, "-I", "\(Checkout.root)/Sources/C/CScan", "-I",
            "\(Checkout.root)/Sources/C/CSystem",
            "-target", target ?? "", "-output-dir", folder.path, "-minimum-access-level", "public",
        ])
        guard result.status == 0 else { throw Failure(result.errors) }
        return try LenientDecoder().decode(
            SymbolGraph.self, from: Checkout.read("\(folder.path)/\(module).symbols.json"))
    }

    /// The types, protocols, macros and functions that are not in a type.
    var topLevel: Set<String> {
        let kinds = ["struct", "class", "enum", "protocol", "typealias", "func", "macro", "var"]
        return Set(
            symbols.filter { symbol in
                symbol.pathComponents.count == 1 && kinds.contains { symbol.kind.identifier == "swift.\($0)" }
            }.map { $0.pathComponents[0] })
    }
}
