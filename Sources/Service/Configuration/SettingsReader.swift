import JSONText
import Records

/// The faults of an object's settings, and of the objects in it.
package struct ConfigurationFaults: Error {
    /// Each fault's path, such as `upstreams[0].name`, and its detail, which follows the path in a sentence.
    package fileprivate(set) var list: [(path: String, detail: String)] = []

    package init() {}

    package mutating func note(_ path: String, _ detail: String) { list.append((path, detail)) }
}

/// Reads the settings of one object and collects their faults; a decoder alone would stop at the first one.
///
/// `finish` throws the faults. The reader of the enclosing object catches them and continues.
package struct SettingsReader<Key: CodingKey> {
    private let container: KeyedDecodingContainer<Key>
    private let members: [String]
    private var settings: [String] = []
    private var faults = ConfigurationFaults()

    package init(_ decoder: any Decoder) throws {
        container = try decoder.container(keyedBy: Key.self)
        members = try decoder.container(keyedBy: RawCodingKey.self).allKeys.map(\.stringValue)
    }

    /// Returns a setting; nil if it is absent, null or wrong.
    package mutating func optional<Value: Decodable>(_ key: Key) -> Value? {
        value(key, Self.expectation(of: Value.self)) { _ in true }
    }

    /// Returns an integer within `range`; nil if it is absent, null or wrong.
    package mutating func optional(_ key: Key, in range: ClosedRange<Int>) -> Int? {
        value(key, "an integer from \(range.lowerBound) to \(range.upperBound)", isValid: range.contains)
    }

    /// Reads a setting into `value`, which keeps its default if the setting is absent.
    package mutating func read<Value: Decodable>(_ value: inout Value, _ key: Key) { value = optional(key) ?? value }

    /// Reads an integer within `range` into `value`, which keeps its default if the setting is absent.
    package mutating func read(_ value: inout Int, _ key: Key, in range: ClosedRange<Int>) {
        value = optional(key, in: range) ?? value
    }

    /// Returns a setting that must be present.
    package mutating func required<Value: Decodable>(_ key: Key) -> Value? {
        if !isPresent(key) { faults.note(path(key), "is missing: it takes \(Self.expectation(of: Value.self))") }
        return optional(key)
    }

    /// Returns the elements of an array that must be present.
    package mutating func elements<Element: Decodable>(_ key: Key) -> [Element] {
        let elements: [Attempt<Element>] = required(key) ?? []
        return elements.enumerated().compactMap { index, element in
            attempt("\(path(key))[\(index)]", Self.expectation(of: Element.self)) { try element.result.get() }
        }
    }

    /// Throws the faults of the settings, including members that are not settings.
    package mutating func finish() throws(ConfigurationFaults) {
        for name in members where !settings.contains(name) {
            let hint =
                NearestName.find(name, among: settings).map { "did you mean \"\($0)\"?" }
                ?? "the settings here are \(settings.joined(separator: ", "))"
            faults.note(path(RawCodingKey(name)), "is not a setting; \(hint)")
        }
        if !faults.list.isEmpty { throw faults }
    }

    private mutating func value<Value: Decodable>(
        _ key: Key, _ expectation: String, isValid: (Value) -> Bool
    ) -> Value? {
        settings.append(key.stringValue)
        guard isPresent(key) else { return nil }
        let container = container
        return attempt(path(key), expectation) {
            let value = try container.decode(Value.self, forKey: key)
            return isValid(value) ? value : nil
        }
    }

    private mutating func attempt<Value>(
        _ path: String, _ expectation: String, _ body: () throws -> Value?
    ) -> Value? {
        do {
            if let value = try body() { return value }
        } catch let error as ConfigurationFaults {
            faults.list += error.list
            return nil
        } catch {}
        faults.note(path, "must be \(expectation)")
        return nil
    }

    private func isPresent(_ key: Key) -> Bool { (try? container.decodeNil(forKey: key)) == false }

    private func path(_ key: some CodingKey) -> String {
        DocumentPath(container.codingPath + [key]).text
    }

    private static func expectation(of type: Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "an integer"
        case is any RandomAccessCollection.Type: "an array"
        default: "an object"
        }
    }
}

/// The outcome of decoding one element, so that one fault does not hide those of later elements.
private struct Attempt<Value: Decodable>: Decodable {
    let result: Result<Value, any Error>

    init(from decoder: any Decoder) throws {
        result = Result { try decoder.singleValueContainer().decode(Value.self) }
    }
}
