/// The names in an object from which no coding key of one type can be made.
final class UnknownNames {
    /// In the order of the document.
    let all: [String]
    private let index: Set<Name>
    private let found: FoundNames

    init(_ all: [String], found: FoundNames) {
        self.all = all
        index = Set(all.map(Name.init))
        self.found = found
    }

    /// Whether `name` is one of them, and no key found it by other means.
    func contains(_ name: String) -> Bool {
        let name = Name(text: name)
        return index.contains(name) && !found.names.contains(name)
    }
}

/// The names that coding keys of one type led to, some of them by their letters and digits alone.
final class FoundNames {
    fileprivate(set) var names: Set<Name> = []

    func insert(_ name: String) { names.insert(Name(text: name)) }
}
