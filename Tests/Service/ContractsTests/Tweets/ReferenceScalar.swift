import ContractsSupport
import Foundation
import Records

/// A plain implementation of the contract's leniency for scalars.
enum ReferenceScalar {
    static func clean(_ value: JSONValue, as type: Substring, _ repairs: inout Repairs) -> ReferenceTable.Outcome {
        switch type {
        case "text", "html": text(value, &repairs)
        case "nonempty":
            value.stringValue?.allSatisfy(\.isWhitespace) == true ? .refused("sentinel") : text(value, &repairs)
        case "flag": flag(value, &repairs)
        case "int": integer(value, &repairs)
        case "count": integer(value, absent: "-1", &repairs)
        case "number": number(value, &repairs)
        case "id": id(value)
        case "reply": isZero(value) ? .refused("sentinel") : id(value)
        case "replykey": isZero(value) ? .refused("sentinel") : clean(value, as: "key", &repairs)
        case "key": isNoID(value) ? .refused("sentinel") : text(value, &repairs)
        case "moment": moment(value)
        case "color": color(value)
        case "countries": countries(value, &repairs)
        case "range": range(value, &repairs)
        case "indices": indices(value, &repairs)
        case "profile": value.members == nil ? .refused("mistyped") : .value(value)
        default: .value(value)
        }
    }

    private static func text(_ value: JSONValue, _ repairs: inout Repairs) -> ReferenceTable.Outcome {
        if case .number(let text) = value {
            repairs["coerced textOfNumber", default: 0] += 1
            return .value(.string(text))
        }
        return value.stringValue == nil ? .refused("mistyped") : .value(value)
    }

    private static func flag(_ value: JSONValue, _ repairs: inout Repairs) -> ReferenceTable.Outcome {
        if case .bool = value { return .value(value) }
        let texts = ["0": false, "false": false, "1": true, "true": true]
        var text = value.stringValue
        if case .number(let number) = value { text = whole(number).map { String($0) } }
        guard let flag = text.flatMap({ texts[$0] }) else { return .refused("mistyped") }
        repairs["coerced booleanText", default: 0] += 1
        return .value(.bool(flag))
    }

    private static func integer(
        _ value: JSONValue, absent: String? = nil, _ repairs: inout Repairs
    ) -> ReferenceTable.Outcome {
        guard let text = spelling(value) else { return .refused("mistyped") }
        guard let number = whole(text) else { return .refused("inexact") }
        if String(number) == absent { return .refused("sentinel") }
        noteSpelling(value, &repairs)
        return .value(.number(String(number)))
    }

    private static func number(_ value: JSONValue, _ repairs: inout Repairs) -> ReferenceTable.Outcome {
        guard let number = spelling(value).flatMap(Double.init), number.isFinite else {
            return .refused(value.stringValue == nil && spelling(value) != nil ? "inexact" : "mistyped")
        }
        noteSpelling(value, &repairs)
        return .value(.number(number.description))
    }

    private static func noteSpelling(_ value: JSONValue, _ repairs: inout Repairs) {
        if value.stringValue != nil { repairs["coerced numericString", default: 0] += 1 }
    }

    /// Returns the text of a number, or of a string that spells one between optional spaces.
    private static func spelling(_ value: JSONValue) -> String? {
        if case .number(let text) = value { return text }
        let text = value.stringValue?.trimmingCharacters(in: CharacterSet(charactersIn: " "))
        guard let text, case .number = JSONValue(parsing: Array(text.utf8)) else { return nil }
        return text
    }

    private static func whole(_ text: String) -> Int64? { Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) } }

    private static func id(_ value: JSONValue) -> ReferenceTable.Outcome {
        if isNoID(value) { return .refused("sentinel") }
        if value.stringValue != nil { return .value(value) }
        guard case .number(let text) = value else { return .refused("mistyped") }
        return text.allSatisfy(\.isNumber) ? .value(.string(text)) : .refused("inexact")
    }

    private static func isNoID(_ value: JSONValue) -> Bool {
        if let text = value.stringValue { return ["", "-1"].contains(text) }
        return value.doubleValue == -1
    }

    private static func isZero(_ value: JSONValue) -> Bool { value.stringValue == "0" || value.doubleValue == 0 }

    private static func moment(_ value: JSONValue) -> ReferenceTable.Outcome {
        if let text = value.stringValue, ReferenceDate.iso8601(text) != nil { return .value(value) }
        if let date = ReferenceDate.twitter(value.stringValue) { return .value(date) }
        guard let epoch = spelling(value).flatMap(Double.init), epoch.isFinite else { return .refused("mistyped") }
        guard let date = ReferenceDate.seconds(abs(epoch) < 1e11 ? epoch : epoch / 1000) else {
            return .refused("implausible")
        }
        return .value(date)
    }

    private static func color(_ value: JSONValue) -> ReferenceTable.Outcome {
        let digits = value.stringValue.map { $0.hasPrefix("#") ? $0.dropFirst() : $0[...] }
        guard let digits, [3, 6, 8].contains(digits.count), digits.allSatisfy(\.isHexDigit) else {
            return .refused("mistyped")
        }
        let whole = digits.count == 3 ? digits.map { "\($0)\($0)" }.joined() : String(digits)
        return .value(.string("#" + whole.uppercased()))
    }

    private static func countries(_ value: JSONValue, _ repairs: inout Repairs) -> ReferenceTable.Outcome {
        if let text = value.stringValue {
            return .value(.array(text.split { ", ".contains($0) }.map { .string(String($0)) }))
        }
        guard let elements = value.elements else { return .refused("mistyped") }
        return .value(
            .array(
                elements.compactMap { element in
                    if let code = text(element, &repairs).value { return code }
                    repairs["dropped mistyped", default: 0] += 1
                    return nil
                }))
    }

    /// Reads two integers, the second of which must not be less than the first.
    private static func range(_ value: JSONValue, _ repairs: inout Repairs) -> ReferenceTable.Outcome {
        guard let elements = value.elements, elements.count == 2 else { return .refused("mistyped") }
        for element in elements {
            if case .refused(let reason) = integer(element, &repairs) { return .refused(reason) }
        }
        var ignored: Repairs = [:]
        let range = elements.compactMap { integer($0, &ignored).value?.intValue }
        return range[0] < 0 || range[1] < range[0] ? .refused("implausible") : .value(.of(range))
    }

    /// Reads two integers; an invalid pair becomes indices that select nothing.
    private static func indices(_ value: JSONValue, _ repairs: inout Repairs) -> ReferenceTable.Outcome {
        guard let elements = value.elements else { return .refused("mistyped") }
        let pair = elements.prefix(2).compactMap { integer($0, &repairs).value?.intValue }
        return .value(.of(elements.count == 2 && pair.count == 2 ? pair : [-1, -1]))
    }
}

extension JSONValue {
    fileprivate static func of(_ numbers: [Int]) -> JSONValue { .array(numbers.map { JSONValue(integerLiteral: $0) }) }
}
