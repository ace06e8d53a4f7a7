#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Conversions between the numbers of Swift and Foundation's `NSNumber`, which `JSONSerialization` makes.
///
/// FoundationEssentials has no `NSNumber`. Foundation bridges the numbers of Swift to it at run time, also on Linux, so a
/// process that uses Foundation has it here without an import.
enum ObjectNumber {
    /// Returns the `NSNumber` of a number or a Boolean; the value itself in a process without Foundation.
    static func object(_ value: Any) -> Any { bridged(value).map { $0 as Any } ?? value }

    /// Returns the storage of an `NSNumber`; nil for other values.
    ///
    /// A whole number becomes an integer: `NSNumber` does not tell 53 from 53.0 by casts.
    static func storage(of value: Any) -> AnyCodable.Storage? {
        guard type(of: value) is AnyClass else { return nil }
        if let truth = boolean(value as AnyObject) { return .bool(truth) }
        if let integer = value as? Int64 { return .int(integer) }
        if let integer = value as? UInt64 { return .uint(integer) }
        if let decimal = value as? Decimal { return .decimal(decimal) }
        return (value as? Double).map { .double($0) }
    }

    /// Foundation has one object for each Boolean; an `NSNumber` of 1 is another object.
    private static func boolean(_ object: AnyObject) -> Bool? {
        [true, false].first { bridged($0) === object }
    }

    private static func bridged(_ value: Any) -> AnyObject? {
        func bridge<Value: _ObjectiveCBridgeable>(_ value: Value) -> AnyObject { value._bridgeToObjectiveC() }
        return (value as? any _ObjectiveCBridgeable).map { bridge($0) }
    }
}
