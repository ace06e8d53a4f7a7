import Foundation
import Records
import API
import Operations
import TestSupport
import Testing
import Contracts

@testable import Settings
@testable import Gateway
@testable import Proxy

/// What a user can name stands in one Swift file: a setting in its table, a parameter in its description.
struct NamesStandOnceTests {
    /// The Swift files below a folder of `Sources`, without raw strings, which hold examples in JSON.
    private static func files(in folder: String) throws -> [(path: String, text: String)] {
        let root = "\(Checkout.root)/Sources/\(folder)"
        return try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }.map { path in
            let text = String(decoding: try Checkout.read("\(root)/\(path)"), as: UTF8.self)
            return (path, text.replacing(/#".*?"#/, with: ""))
        }
    }

    /// The records that hold settings, each as its fields, and the paths of all settings as lists of names.
    private static func walk(
        _ fields: [FieldDescription], below path: [String] = []
    ) -> (records: [[FieldDescription]], paths: [[String]]) {
        var (records, paths) = ([fields], fields.map { path + [$0.name] })
        for field in fields where !field.members.isEmpty {
            let inner = walk(field.members, below: path + [field.name])
            (records, paths) = (records + inner.records, paths + inner.paths)
        }
        return (records, paths)
    }

    @Test("The lines of each record's settings are in one table")
    func tables() throws {
        let found = try Self.files(in: "Service").flatMap { _, text in
            text.matches(of: /Schema<\w+>\(.*?\) \{\n.*?\n    \}\n/.dotMatchesNewlines()).map { table in
                table.output.matches(of: /\b(Field|Included)\(\s*(?:"([^"]+)",\s*)?\\\.(\w+)/).map { line in
                    (isIncluded: line.1 == "Included", name: String(line.2 ?? line.3))
                }
            }
        }
        // The tables that others include, and the objects whose keys are in the table around them.
        let included = [
            "entry": FetchEntry.schema.keys, "rules": DocumentRules.schema.keys,
            "values": ParameterConfiguration.Values.schema.keys,
        ]
        let lines = found.map { table in table.flatMap { $0.isIncluded ? included[$0.name] ?? [] : [$0.name] } }
        let tables = lines.flatMap { names -> [[String]] in
            let groups = names.filter { $0.contains(".") }.map { String($0.prefix { $0 != "." }) }
            var own: [String] = []
            for name in names.map({ String($0.prefix { $0 != "." }) }) where !own.contains(name) { own.append(name) }
            let inner = Set(groups).map { group in
                names.filter { $0.hasPrefix("\(group).") }.map { String($0.dropFirst(group.count + 1)) }
            }
            return [own] + inner
        }
        let records = Self.walk(Configuration.schema.descriptions).records
        #expect(records.count > 20)
        for record in records {
            let names = record.map(\.name)
            #expect(tables.count { $0 == names } == 1, "\(names)")
        }
    }

    @Test("No code writes the path of a setting, or the end of one")
    func settings() throws {
        // Shapes have words of JSON Schema, which are no settings.
        let all = try Self.files(in: "Service").filter {
            // Nor are the keys of the last release.
            !$0.path.hasPrefix("Mapping/") && !$0.path.hasSuffix("RetiredSettings.swift")
        }
        let checks = try Self.files(in: "Service/Settings") + Self.files(in: "Service/Gateway/Configuration")
        #expect(all.count > 150 && checks.count > 15)
        var ends = Set<String>(), names = Set<String>()
        for path in Self.walk(Configuration.schema.descriptions).paths {
            for count in 1...path.count { ends.insert("." + path.suffix(count).joined(separator: ".")) }
            // The keys of a parameter are words of JSON Schema.
            if !path.contains("parameters") { names.formUnion(path.suffix(1)) }
        }
        // Texts such as "tls.keyFile", ".keyFile" and "[0].keyFile"; a single lower-case word has other meanings too.
        let joined = ends.map { $0.dropFirst() }.filter { $0.contains(".") }
        let paths = ends.union(ends.map { "\"" + $0 }).union(joined.map { "\"" + $0 })
        let words = Set(names.filter { $0.contains(where: \.isUppercase) }.map { "\"" + $0 })
        for (files, texts) in [(all, paths), (checks, words)] {
            for file in files {
                // A table writes the path of a setting in an object that is no record.
                let text = file.text.replacing(/Field\(\s*"[^"]+"/, with: "")
                let found = text.matches(of: /("?[A-Za-z0-9.$]+)"/).map { String($0.1) }.filter(texts.contains)
                #expect(found.isEmpty, "\(file.path): \(found)")
            }
        }
    }

    @Test("A key path has the path of its setting, with the names of the tables")
    func paths() {
        let note = SettingNotes<Configuration>(), upstream = note[\.upstreams, 1]
        let key: KeyPath<UpstreamConfiguration, KeyConfiguration?> = \.oauth1?.token
        for (path, expected) in [
            (note.path(of: \.schemaURL), "$schema"), (note.path(of: \.server), "server"),
            (note.path(of: \.server.maximumConnections), "server.maximumConnections"), (note.path(of: \.self), ""),
            (note.path(of: \.server.accessLogFormat), "server.accessLog.format"),
            (upstream.path(of: \.breakerRequests), "upstreams[1].breaker.minimumRequests"),
            (note[\.server.tls].path(of: \.keyFile), "server.tls.keyFile"),
            (upstream.path(of: \.self), "upstreams[1]"),
            (upstream.path(of: \.tls.caFile), "upstreams[1].tls.caFile"),
            (upstream.path(of: \.jwt?.keyID), "upstreams[1].jwt.keyID"),
            (upstream.path(of: key), "upstreams[1].oauth1.token"),
            (upstream.path(of: key.appending(path: \.?.file)), "upstreams[1].oauth1.token.file"),
        ] {
            #expect(path == expected)
        }
    }

    @Test("The name of each parameter is written in one file of the routes")
    func parameters() throws {
        // Samples read the requests of upstreams.
        let files = try Self.files(in: "Service/Gateway").filter { !$0.path.hasPrefix("Samples/") }
        let names = Set(Configuration.demo.routeDescriptions.flatMap(\.parameters).map(\.name))
        #expect(names.count > 15)
        for name in names {
            let writers = files.filter { $0.text.contains("\"\(name)\"") }.map(\.path)
            #expect(writers.count == 1, "\(name): \(writers)")
        }
    }
}
