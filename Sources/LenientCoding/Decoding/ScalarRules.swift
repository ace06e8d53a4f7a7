#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The types that are not decoded by their own `init(from:)`, nor encoded by their own `encode(to:)`.
enum ScalarRules {
    /// Returns whether values of a type are decoded and encoded by the rules of this module.
    ///
    /// The first three types only take a shorter way; the others have strategies or rules of their own.
    @inline(__always)
    static func apply(to type: Any.Type) -> Bool {
        type == String.self || type == Int.self || type == Double.self || type == Date.self || type == URL.self
            || type == Decimal.self || type == Data.self
    }
}

/// A dictionary that the standard library encodes as an object, whose keys no strategy converts.
private protocol KeyedByData {}

extension Dictionary: KeyedByData where Key: CodingKeyRepresentable {}

/// Knows which types are dictionaries.
struct DictionaryTypes {
    /// The last type that is no dictionary: elements of one array mostly have one type, and a conformance takes 25 ns.
    private var lastOther: Any.Type?

    /// Returns whether the standard library encodes values of a type as objects whose keys are data.
    mutating func contain(_ type: Any.Type) -> Bool {
        if let lastOther, lastOther == type { return false }
        if type is any KeyedByData.Type { return true }
        lastOther = type
        return false
    }
}
