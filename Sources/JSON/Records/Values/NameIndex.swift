/// Finds names by their bytes.
///
/// The standard library treats a composed and a decomposed é as equal; JSON does not.
package struct NameIndex {
    /// The names in the order of the document.
    package let names: [String]
    private let lastOrdinals: [Name: Int]

    package init(_ names: [String]) {
        self.names = names
        lastOrdinals = Dictionary(names.enumerated().map { (Name(text: $1), $0) }) { _, last in last }
    }

    /// Whether a name appears more than once.
    package var hasDuplicates: Bool { lastOrdinals.count < names.count }

    /// Returns the last ordinal of `name`.
    package func lastOrdinal(of name: String) -> Int? { lastOrdinals[Name(text: name)] }

    /// Returns whether two strings have the same bytes.
    package static func areEqual(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
}

/// A string that is compared by its bytes.
package struct Name: Hashable {
    package let text: String

    package init(text: String) { self.text = text }

    package static func == (left: Name, right: Name) -> Bool { NameIndex.areEqual(left.text, right.text) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        // The pointer is only valid in the closure; the hasher takes all bytes at once.
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
