import Foundation

/// The compiler that built the tests, asked whether other code is right.
struct TypeChecker {
    struct Mistake: CustomStringConvertible {
        /// As `#sourceLocation` gives it.
        let file: String
        let line: Int
        let message: String

        var description: String { "\(file):\(line): \(message)" }
    }

    private let compiler: String
    /// Where the build has put the modules.
    private let modules: String

    /// Nil where the path has no compiler, or the tests run apart from their build.
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

    /// What is wrong with `source`.
    func mistakes(in source: String) async throws -> [Mistake] { try await Aside.run { try check(source) } }

    private func check(_ source: String) throws -> [Mistake] {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).swift")
        try Data(source.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: compiler)
        process.arguments = [
            "-typecheck", "-parse-as-library", "-swift-version", "6", "-suppress-warnings",
            "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature", "MemberImportVisibility",
            "-diagnostic-style", "llvm", "-I", modules, "-I", "\(SourceFile.root)/Sources/CScan",
            "-I", "\(SourceFile.root)/Sources/CSystem", file.path,
        ]
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let mistakes = text.split(separator: "\n").compactMap(Mistake.init)
        if mistakes.isEmpty, process.terminationStatus != 0 { throw Failure(output: text) }
        return mistakes
    }

    /// The compiler failed and names no place.
    private struct Failure: Error {
        let output: String
    }
}

extension TypeChecker.Mistake {
    /// The mistake that a line of the compiler's tells of: `file:1:2: error: message`.
    fileprivate init?(_ line: Substring) {
        let parts = line.split(separator: ":", maxSplits: 4)
        guard parts.count == 5, let number = Int(parts[1]), Int(parts[2]) != nil, parts[3] == " error" else {
            return nil
        }
        self.init(file: String(parts[0]), line: number, message: String(parts[4].dropFirst()))
    }
}
