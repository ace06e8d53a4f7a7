import Foundation
import TestSupport

/// The compiler of the tests, used to type-check other source code.
struct TypeChecker {
    struct Diagnostic: CustomStringConvertible {
        /// The file name given with `#sourceLocation`.
        let file: String
        let line: Int
        let message: String

        var description: String { "\(file):\(line): \(message)" }
    }

    let compiler: String
    /// The folder of the built modules.
    let modules: String

    /// The compiler in PATH; nil if there is none, or if the tests run outside their build folder.
    static let found: TypeChecker? = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let compilers = path.split(separator: ":").map { "\($0)/swiftc" }
        guard let compiler = compilers.first(where: FileManager.default.isExecutableFile),
            let tests = Bundle.main.executableURL?.resolvingSymlinksInPath()
        else { return nil }
        let modules = tests.deletingLastPathComponent().appending(path: "Modules").path
        guard FileManager.default.fileExists(atPath: "\(modules)/LenientCoding.swiftmodule") else { return nil }
        return TypeChecker(compiler: compiler, modules: modules)
    }()

    /// Returns the compiler's errors for `source`.
    func diagnostics(of source: String) async throws -> [Diagnostic] {
        try await WorkQueue.documentation.run { try check(source) }
    }

    private func check(_ source: String) throws -> [Diagnostic] {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).swift")
        try Data(source.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: compiler)
        process.arguments = [
            "-typecheck", "-parse-as-library", "-swift-version", "6", "-suppress-warnings",
            "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature", "MemberImportVisibility",
            "-diagnostic-style", "llvm", "-I", modules, "-I", "\(Checkout.root)/Sources/C/CScan",
            "-I", "\(Checkout.root)/Sources/C/CSystem", file.path,
        ]
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let diagnostics = text.split(separator: "\n").compactMap(Diagnostic.init)
        if diagnostics.isEmpty, process.terminationStatus != 0 { throw Failure(text) }
        return diagnostics
    }
}

extension TypeChecker.Diagnostic {
    /// Parses a line of the compiler's output: `file:1:2: error: message`.
    fileprivate init?(_ line: Substring) {
        let parts = line.split(separator: ":", maxSplits: 4)
        guard parts.count == 5, let number = Int(parts[1]), Int(parts[2]) != nil, parts[3] == " error" else {
            return nil
        }
        self.init(file: String(parts[0]), line: number, message: String(parts[4].dropFirst()))
    }
}
