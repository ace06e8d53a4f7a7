import Foundation

/// A JSON document read by Foundation, independently of the parser under test.
package struct Parsed {
    private let value: Any?

    private init(value: Any?) { self.value = value }

    package init(_ bytes: some Collection<UInt8>) throws {
        value = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    }

    package init(_ text: String) throws { try self.init(Array(text.utf8)) }

    /// The member named `key`, or an absent value.
    package subscript(_ key: String) -> Parsed { Parsed(value: (value as? [String: Any])?[key]) }

    /// The element at `index`, or an absent value.
    package subscript(_ index: Int) -> Parsed {
        Parsed(value: (value as? [Any]).flatMap { $0.indices.contains(index) ? $0[index] : nil })
    }

    package var isAbsent: Bool { value == nil }
    package var isNull: Bool { value is NSNull }
    package var string: String? { value as? String }
    package var number: Double? { (value as? NSNumber)?.doubleValue }
    package var integer: Int? { (value as? NSNumber)?.intValue }
    package var elements: [Parsed] { (value as? [Any] ?? []).map { Parsed(value: $0) } }
    package var count: Int { elements.count }
    package var members: [String: Parsed] { (value as? [String: Any] ?? [:]).mapValues { Parsed(value: $0) } }
    package var strings: [String] { elements.compactMap(\.string) }

    /// Returns every value that is neither an array nor an object, with its path.
    package func leaves(at path: String = "") -> [(path: String, value: Parsed)] {
        if value is [Any] {
            return elements.enumerated().flatMap { $0.element.leaves(at: "\(path)[\($0.offset)]") }
        }
        if value is [String: Any] {
            return members.flatMap { $0.value.leaves(at: path.isEmpty ? $0.key : "\(path).\($0.key)") }
        }
        return [(path, self)]
    }
}
