import Contracts
import JMESPath
import Records

/// Reads the keys of a shape's object, and notes what is wrong with them.
struct KeyReader {
    private let object: JSONValue
    /// The place of the object.
    private let path: String
    private let variables: Set<String>
    private let faults: Faults

    /// The faults with their paths.
    final class Faults {
        private(set) var all: [(path: String, detail: String)] = []

        func note(_ path: String, _ detail: String) { all.append((path, detail)) }
    }

    init(_ object: JSONValue, at path: String, variables: Set<String>, _ faults: Faults) {
        (self.object, self.path, self.variables, self.faults) = (object, path, variables, faults)
    }

    /// The value of a key; nil if it is absent.
    subscript(key: String) -> JSONValue? { object[key] }

    /// The members of the object.
    var members: [JSONValue.Member] { object.members ?? [] }

    /// Notes what is wrong with a key's value.
    func note(_ key: String, _ detail: String) { faults.note("\(path).\(key)", detail) }

    /// Returns a reader for the object of a key; nil if the key is absent, or its value no object.
    func object(_ key: String) -> KeyReader? {
        guard let value = self[key] else { return nil }
        guard value.members != nil else {
            note(key, "must be an object, not \(value.kindName)")
            return nil
        }
        return KeyReader(value, at: "\(path).\(key)", variables: variables, faults)
    }

    /// Returns a text; nil if the key is absent, or its value no text.
    func text(_ key: String) -> String? {
        guard let value = self[key] else { return nil }
        if value.stringValue == nil { note(key, "must be a text, not \(value.kindName)") }
        return value.stringValue
    }

    /// Returns an array; nil if the key is absent, or its value no array.
    func array(_ key: String) -> [JSONValue]? {
        guard let value = self[key] else { return nil }
        if value.elements == nil { note(key, "must be an array, not \(value.kindName)") }
        return value.elements
    }

    /// Returns whether a key is true; false if the key is absent.
    func flag(_ key: String) -> Bool {
        guard let value = self[key] else { return false }
        if value.boolValue == nil { note(key, "must be true or false, not \(value.kindName)") }
        return value.boolValue == true
    }

    /// Returns a case of an enumeration; nil if the key is absent, or its value another.
    func choice<Choice: CaseIterable & RawRepresentable>(_ key: String, _ type: Choice.Type) -> Choice?
    where Choice.RawValue == String {
        guard let text = text(key) else { return nil }
        let words = type.allCases.map(\.rawValue)
        let choice = type.allCases.first { $0.rawValue == text }
        if choice == nil {
            note(key, "must be \(words.joined(separator: " or "))\(Quotation.hint(text, among: words))")
        }
        return choice
    }

    /// Returns the expression that a text is; nil, with a fault noted, if it is none.
    func expression(_ text: String, _ key: String) -> JMESPath? {
        do throws(JMESPathError) {
            return try JMESPath(text, variables: variables)
        } catch {
            note(key, "\(error)")
            return nil
        }
    }
}
