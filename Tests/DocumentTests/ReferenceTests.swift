import Foundation
import TestSupport
import Testing

@Suite("References in the documents")
struct ReferenceTests {
    /// The folders that a path in a document can start with.
    private static let folders = ["Sources/", "Tests/", "Config/", "docs/", "Benchmarks/", ".ci/"]

    @Test("Every link leads to an existing file and heading", arguments: Document.all)
    func links(of document: Document) throws {
        let folder = URL(fileURLWithPath: "\(Checkout.root)/\(document.path)").deletingLastPathComponent()
        for link in document.links where !link.hasPrefix("https://") {
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let file = parts[0].isEmpty ? "\(Checkout.root)/\(document.path)" : folder.appending(path: parts[0]).path
            #expect(FileManager.default.fileExists(atPath: file), "\(document.path): \(link)")
            guard parts.count == 2 else { continue }
            let target = try Document.named(
                String(URL(fileURLWithPath: file).standardized.path.dropFirst(Checkout.root.count + 1)))
            #expect(target.anchors.contains(parts[1]), "\(document.path): \(link)")
        }
    }

    @Test("Every path in a code span exists", arguments: Document.all)
    func paths(in document: Document) {
        for path in document.codeSpans where Self.folders.contains(where: path.hasPrefix) {
            // A path may end with a placeholder: Tests/Fixtures/<dialect>/<case>.in.json
            let known = path.prefix { !"<*…".contains($0) }
            #expect(FileManager.default.fileExists(atPath: "\(Checkout.root)/\(known)"), "\(document.path): \(path)")
        }
    }

    @Test("Every file name in a code span names one source file", arguments: Document.all)
    func fileNames(in document: Document) throws {
        let sources = Self.sourceFiles
        for name in document.codeSpans where name.wholeMatch(of: /[A-Za-z0-9+]+\.swift/) != nil {
            #expect(sources[name] == 1, "\(document.path): \(name)")
        }
    }

    @Test("Every make target in a document exists", arguments: Document.all)
    func makeTargets(in document: Document) throws {
        let makefile = try Checkout.text("Makefile")
        for span in document.codeSpans {
            guard let match = span.firstMatch(of: /^make ([a-z-]+)/) else { continue }
            #expect(makefile.contains("\n\(match.1):"), "\(document.path): \(span)")
        }
    }

    @Test("The block for nginx is Config/nginx/weir.conf, with which replicas restart in Tests/Full/restarts.py")
    func nginx() throws {
        let blocks = try Document.named("docs/operating.md").blocks.filter { $0.language == "nginx" }
        #expect(try blocks.map(\.text) == [Checkout.text("Config/nginx/weir.conf")])
    }

    @Test("The README has at most 110 lines and leads to every document")
    func readme() throws {
        let readme = try Document.named("README.md")
        #expect(readme.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 111)
        for document in Document.all where document.path != readme.path {
            #expect(readme.links.contains(document.path), "\(document.path)")
        }
    }

    /// How many source files have each name.
    private static let sourceFiles: [String: Int] = {
        var counts = ["Package.swift": 1]
        for folder in ["Sources", "Benchmarks/Sources"] {
            let files = FileManager.default.enumerator(atPath: "\(Checkout.root)/\(folder)")
            while let path = files?.nextObject() as? String {
                counts[(path as NSString).lastPathComponent, default: 0] += 1
            }
        }
        return counts
    }()
}
