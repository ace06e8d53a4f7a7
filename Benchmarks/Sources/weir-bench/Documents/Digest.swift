import Contracts
import Foundation
import LenientCoding

/// What a decoded model holds: for each property name, how many values there were and a sum over them.
///
/// Two models of one document that have the same digest hold the same values, whatever their types are.
struct Digest: Equatable {
    private struct Tally: Equatable {
        var count = 0
        var sum = 0.0
    }

    private var tallies: [String: Tally] = [:]

    init(_ model: Any) { add(model, as: "") }

    /// The properties in which the two differ, with their tallies.
    func differences(from other: Digest) -> [String] {
        Set(tallies.keys).union(other.tallies.keys).sorted().compactMap { name in
            let mine = tallies[name] ?? Tally(), theirs = other.tallies[name] ?? Tally()
            let isClose = mine.count == theirs.count && abs(mine.sum - theirs.sum) <= 1e-9 * abs(mine.sum)
            return isClose ? nil : "\(name): \(mine.count) with \(mine.sum), \(theirs.count) with \(theirs.sum)"
        }
    }

    /// Fails where this digest is not the `expected` one.
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
            // What passes through the record without being a field has no twin.
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

/// Text that may be a case of an enumeration.
private protocol OpenText {
    var rawValue: String { get }
}

extension OpenEnum: OpenText {}

/// Contestants that do not do the same work: nothing they are measured by would mean anything.
struct UnequalWork: Error, CustomStringConvertible {
    let document: String, who: String, differences: [String]

    var description: String {
        "\(document): \(who) does not hold what Foundation decodes: \(differences.joined(separator: "; "))"
    }
}
