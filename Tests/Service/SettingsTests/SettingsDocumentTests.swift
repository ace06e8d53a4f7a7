import Foundation
import Records
import TestSupport
import Testing

@testable import Settings

@Suite("The tables of docs/configuration.md")
struct SettingsDocumentTests {
    private static let path = "docs/configuration.md"
    private static let columns = ["key", "default", "range", "meaning", "example"]

    @Test("The tables are those of the settings; make docs rewrites them")
    func document() throws {
        let text = try Checkout.text(Self.path)
        let sections = text.matches(of: #/<!-- settings (\S+) -->/#).map { String($0.1) }
        #expect(sections.count == 27)
        let rows = Self.rows(of: Configuration.schema.descriptions, "", in: "root", sections: Set(sections))
        let tables = sections.map { section in
            let own = rows.filter { $0.section == section }.map(\.cells)
            #expect(!own.isEmpty, "no setting belongs to the table \(section)")
            return (name: "settings \(section)", text: GeneratedTables.table(Self.columns, own))
        }
        let updated = GeneratedTables.updated(text, with: tables)
        if ProcessInfo.processInfo.environment["WEIR_WRITE_DOCS"] == "1" {
            try Data(updated.utf8).write(to: URL(fileURLWithPath: "\(Checkout.root)/\(Self.path)"), options: .atomic)
        } else {
            let isCurrent = text == updated
            #expect(isCurrent, "run make docs")
        }
    }

    @Test("Every setting that is no group has a meaning and an example")
    func meanings() {
        func check(_ fields: [FieldDescription], _ path: String) {
            for field in fields {
                let path = path + field.name
                if field.members.isEmpty {
                    #expect(field.rules.note != nil && field.rules.example != nil, "\(path)")
                }
                check(field.members, path + ".")
            }
        }
        check(Configuration.schema.descriptions, "")
    }

    @Test("There are at most 233 settings, each counted where a table declares it")
    func count() throws {
        let folder = "\(Checkout.root)/Sources/Service/Settings"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
        let names = try files.flatMap { file in
            let text = try Checkout.text("Sources/Service/Settings/\(file)")
            return text.matches(of: #/\bField\(\s*(?:"([^"]+)",\s*)?\\\.(\w+)/#).map { String($0.1 ?? $0.2) }
        }
        #expect(names.contains("$schema") && names.contains("breaker.minimumRequests"))
        #expect(names.count <= 233)
    }

    /// Returns the rows of the settings below `path`, each with the section that lists it.
    private static func rows(
        of fields: [FieldDescription], _ path: String, in section: String, sections: Set<String>
    ) -> [(section: String, cells: [String])] {
        fields.flatMap { field in
            let name = path + field.name, list = field.isList ? "[]" : field.isMap ? ".NAME" : ""
            let inner = name + (field.members.isEmpty ? "" : list)
            let row = field.rules.note.map { [(section, cells(of: field, name, note: $0))] } ?? []
            // The source of a key has a table of its own, and so have the settings of a cache.
            if field.rules.domain != nil, !sections.contains(inner) { return row }
            let section = sections.contains(inner) ? inner : section
            return row + rows(of: field.members, inner + ".", in: section, sections: sections)
        }
    }

    private static func cells(of field: FieldDescription, _ name: String, note: String) -> [String] {
        let meaning = note + (field.rules.isFixed ? " A change needs a restart." : "")
        let example = field.rules.example.map { "`\($0)`" } ?? "see below"
        return ["`\(name)`", standard(field), domain(field), meaning, example]
    }

    private static func standard(_ field: FieldDescription) -> String {
        if let note = field.rules.defaultNote { return note }
        if field.isRequired { return "required" }
        switch field.defaultValue {
        case nil: return "none"
        case .object?: return "all defaults"
        case .array(let elements)?: return elements.isEmpty ? "`[]`" : "a list"
        case .string(let text)?: return "`\(text)`"
        case .number(let text)?: return "`\(text)`"
        case .bool(let isTrue)?: return "`\(isTrue)`"
        case .null?: return "`null`"
        }
    }

    private static func domain(_ field: FieldDescription) -> String {
        if let domain = field.rules.domain { return domain }
        if field.isMap, let element = field.elementExpectation { return "an object, each value \(element)" }
        if !field.rules.words.isEmpty { return field.rules.words.map { "`\($0)`" }.joined(separator: ", ") }
        if let range = field.rules.plausible { return "\(Int(range.lowerBound)) to \(Int(range.upperBound))" }
        if !field.members.isEmpty { return field.isList ? "a list of objects" : "an object" }
        return field.expectation == Bool.expectation ? "`true` or `false`" : field.expectation
    }
}
