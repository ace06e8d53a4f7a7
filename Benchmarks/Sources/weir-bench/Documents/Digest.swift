import API
import Foundation
import Records

/// The content of a decoded model: for each property path, the number of values and a sum over them.
///
/// Models of different types that hold the same values have equal digests.
struct Digest: Equatable {
    private struct Tally: Equatable {
        var count = 0
        var sum = 0.0
    }

    private var tallies: [String: Tally] = [:]

    init(_ model: Any) { add(model, as: "") }

    /// Returns the properties in which the digests differ, with their tallies.
    func differences(from other: Digest) -> [String] {
        Set(tallies.keys).union(other.tallies.keys).sorted().compactMap { name in
            let mine = tallies[name] ?? Tally(), theirs = other.tallies[name] ?? Tally()
            let isClose = mine.count == theirs.count && abs(mine.sum - theirs.sum) <= 1e-9 * abs(mine.sum)
            return isClose ? nil : "\(name): \(mine.count) with \(mine.sum), \(theirs.count) with \(theirs.sum)"
        }
    }

    /// Throws `UnequalWork` if this digest differs from `expected`.
    func expect(_ expected: Digest, of who: String, in document: String) throws {
        let differences = differences(from: expected)
        if !differences.isEmpty { throw UnequalWork(document: document, who: who, differences: differences) }
    }

    private mutating func add(_ value: Any, as name: String) {
        switch value {
        case let text as String: tally(Self.sum(text), name)
        case let number as Int: tally(Double(number), name)
        case let number as Double: tally(number, name)
        case let bool as Bool: tally(bool ? 1 : 0, name)
        case let date as Date: tally(date.timeIntervalSince1970, name)
        case let date as UnixSeconds: tally(date.seconds, name)
        case let date as TweetDate: tally(date.seconds, name)
        case let text as any OpenText: tally(Self.sum(text.rawValue), name)
        default: addParts(of: value, as: name)
        }
    }

    private mutating func addParts(of value: Any, as name: String) {
        let mirror = Mirror(reflecting: value)
        for (label, part) in mirror.children {
            let isElement = mirror.displayStyle == .collection || mirror.displayStyle == .optional
            // Members that a record passes through have no counterpart in the Codable models.
            if label == "others" || label == "sourceTimes" { continue }
            add(part, as: isElement ? name : name + "." + (label ?? ""))
        }
    }

    private mutating func tally(_ value: Double, _ name: String) {
        tallies[name, default: Tally()].count += 1
        tallies[name, default: Tally()].sum += value
    }

    private static func sum(_ text: String) -> Double {
        text.utf8.reduce(0.0) { ($0 * 31 + Double($1)).truncatingRemainder(dividingBy: 1_000_003) }
    }
}

/// An open enumeration, whose raw value is text.
private protocol OpenText {
    var rawValue: String { get }
}

extension OpenEnum: OpenText {}

/// The contestants do not do the same work, so a comparison would be meaningless.
struct UnequalWork: Error, CustomStringConvertible {
    let document: String, who: String, differences: [String]

    var description: String {
        "\(document): \(who) does not hold the values that Foundation decodes: \(differences.joined(separator: "; "))"
    }
}
