import JMESPath
import JSONText

/// The differences between the documents of two surveys, a line for each: `type    items[].id: string, was number`.
package struct SurveyComparison {
    /// The new values of an enumeration that a line names.
    private static let maximumValues = 5

    /// The lines, in the order of the old documents.
    package private(set) var lines: [String] = []

    /// Compares two surveys.
    package init(from old: ShapeSurvey, to new: ShapeSurvey) {
        compare(old.root, new.root, DocumentPath(maximumBytes: 1024))
    }

    private mutating func note(_ kind: String, _ path: DocumentPath, _ detail: String = "") {
        let place = path.text.isEmpty ? "the document" : path.text
        let line = kind + String(repeating: " ", count: 8 - kind.count) + place + (detail.isEmpty ? "" : ": " + detail)
        lines.append(line.withoutControlCharacters)
    }

    private mutating func compare(_ old: ValueSurvey, _ new: ValueSurvey, _ path: DocumentPath) {
        if !old.kinds.isEmpty, new.kinds.contains(where: { !old.kinds.contains($0) }) {
            note("type", path, "\(Self.words(new)), was \(Self.words(old))")
        }
        if old[.null] == 0, new[.null] > 0 { note("null", path, "\(new[.null]) of \(new.count)") }
        if let words = old.texts.words, let others = new.texts.distinct?.subtracting(words), !others.isEmpty {
            note("value", path, others.sorted().prefix(Self.maximumValues).joined(separator: ", "))
        }
        if let before = old.elements, let now = new.elements {
            var path = path
            path.appendAnyElement()
            compare(before, now, path)
        }
        if old[.object] > 0, new[.object] > 0, !old.isCut, !new.isCut { compareMembers(old, new, path) }
    }

    private mutating func compareMembers(_ old: ValueSurvey, _ new: ValueSurvey, _ outer: DocumentPath) {
        if old.keysAreData || new.keysAreData {
            var path = outer
            path.append(member: "*")
            return compare(old.allValues, new.allValues, path)
        }
        for name in old.names + new.names.filter({ old.member($0) == nil }) {
            var path = outer
            path.append(member: name)
            switch (old.member(name), new.member(name)) {
            case (let before?, let now?):
                if before.count >= old[.object], now.count < new[.object] {
                    note("absent", path, "in \(new[.object] - now.count) of \(new[.object])")
                }
                compare(before, now, path)
            case (_?, nil): note("gone", path)
            case (nil, let now): note("new", path, now.map(Self.words) ?? "")
            }
        }
    }

    private static func words(_ survey: ValueSurvey) -> String {
        survey.kinds.isEmpty ? "null" : survey.kinds.map { "\($0)" }.joined(separator: " or ")
    }
}

extension String {
    /// The text with JSON's escapes in place of characters that command a terminal, break a line or turn the direction.
    package var withoutControlCharacters: String {
        let isPlain: (Unicode.Scalar) -> Bool = {
            ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }
        if unicodeScalars.allSatisfy(isPlain) { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if isPlain(scalar) { return text.unicodeScalars.append(scalar) }
            for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
    }
}
