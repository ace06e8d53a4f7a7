/// A function of JMESPath 1.0, of the JMESPath community, or of this library: `index_by`, `lookup`, `match`, `parse_json`,
/// `replace_pattern`, `round`.
enum Function: String, CaseIterable, Sendable {
    case abs, avg, ceil, contains
    case endsWith = "ends_with"
    case findFirst = "find_first"
    case findLast = "find_last"
    case floor
    case fromItems = "from_items"
    case groupBy = "group_by"
    case indexBy = "index_by"
    case items, join, keys, length, lookup, lower, map, match, max
    case maxBy = "max_by"
    case merge, min
    case minBy = "min_by"
    case notNull = "not_null"
    case padLeft = "pad_left"
    case padRight = "pad_right"
    case parseJSON = "parse_json"
    case replace
    case replacePattern = "replace_pattern"
    case reverse, round, sort
    case sortBy = "sort_by"
    case split
    case startsWith = "starts_with"
    case sum
    case toArray = "to_array"
    case toNumber = "to_number"
    case toString = "to_string"
    case trim
    case trimLeft = "trim_left"
    case trimRight = "trim_right"
    case type, upper, values, zip

    /// The types that an argument may have.
    struct Types: OptionSet {
        let rawValue: UInt8

        static let number = Types(rawValue: 1)
        static let string = Types(rawValue: 2)
        static let array = Types(rawValue: 4)
        static let object = Types(rawValue: 8)
        static let any = Types(rawValue: .max)

        func allows(_ kind: JMESValue.Kind) -> Bool {
            switch kind {
            case .number: contains(.number)
            case .string: contains(.string)
            case .array: contains(.array)
            case .object: contains(.object)
            case .null, .boolean: self == .any
            }
        }

        var description: String {
            let names: [(Types, String)] = [
                (.string, "a string"), (.number, "a number"), (.array, "an array"), (.object, "an object"),
            ]
            return names.filter { isSuperset(of: $0.0) }.map(\.1).joined(separator: " or ")
        }
    }

    /// The arguments of a function.
    struct Signature {
        /// The types of the values, without the `&expression`; further ones are as the last.
        let types: [Types]
        let minimum: Int
        let maximum: Int
        /// The index of the argument that is an `&expression`.
        let eachIndex: Int?

        init(_ types: Types..., optional: Int = 0, isVariadic: Bool = false, eachIndex: Int? = nil) {
            (self.types, self.eachIndex) = (types, eachIndex)
            let count = types.count + (eachIndex == nil ? 0 : 1)
            (minimum, maximum) = (count - optional, isVariadic ? .max : count)
        }

        /// The number of arguments in messages.
        var arity: String {
            let range =
                maximum == .max ? "at least \(minimum)" : minimum == maximum ? "\(minimum)" : "\(minimum) to \(maximum)"
            return "\(range) argument\(minimum == 1 && !(2...3 ~= maximum) ? "" : "s")"
        }
    }

    var signature: Signature {
        switch self {
        case .abs, .ceil, .floor: Signature(.number)
        case .avg, .sum, .max, .min, .sort, .fromItems: Signature(.array)
        case .contains: Signature([.array, .string], .any)
        case .endsWith, .startsWith: Signature(.string, .string)
        case .findFirst, .findLast: Signature(.string, .string, .number, .number, optional: 2)
        case .groupBy, .indexBy, .maxBy, .minBy, .sortBy: Signature(.array, eachIndex: 1)
        case .map: Signature(.array, eachIndex: 0)
        case .items, .keys, .values: Signature(.object)
        case .join: Signature(.string, .array)
        case .length: Signature([.string, .array, .object])
        case .lookup: Signature([.object, .array], .any)
        case .lower, .parseJSON, .upper: Signature(.string)
        case .match: Signature(.string, .string)
        case .merge: Signature(.object, isVariadic: true)
        case .notNull: Signature(.any, isVariadic: true)
        case .padLeft, .padRight: Signature(.string, .number, .string, optional: 1)
        case .replace: Signature(.string, .string, .string, .number, optional: 1)
        case .replacePattern: Signature(.string, .string, .string)
        case .reverse: Signature([.array, .string])
        case .round: Signature(.number, .number, optional: 1)
        case .split: Signature(.string, .string, .number, optional: 1)
        case .toArray, .toNumber, .toString, .type: Signature(.any)
        case .trim, .trimLeft, .trimRight: Signature(.string, .string, optional: 1)
        case .zip: Signature(.array, isVariadic: true)
        }
    }

    /// The levels of arrays and objects that a function adds to its arguments at most.
    var nesting: Int {
        switch self {
        case .items, .zip, .groupBy: 2
        case .indexBy, .map, .match, .toArray: 1
        case .parseJSON: Self.parsedDepth
        default: 0
        }
    }

    /// The levels of arrays and objects that `parse_json` reads at most.
    static let parsedDepth = 64

    /// Returns the result for the values of the arguments and the `&expression`.
    func value(
        _ arguments: [JMESValue], each: Expression?, _ context: inout JMESContext
    ) throws(JMESFailure) -> JMESValue {
        let types = signature.types
        for (index, argument) in arguments.enumerated() {
            let allowed = types[Swift.min(index, types.count - 1)]
            guard allowed.allows(argument.kind) else {
                throw .type("\(rawValue)()", takes: allowed.description, not: argument)
            }
        }
        switch self {
        case .abs, .avg, .ceil, .floor, .sum, .toNumber: return try number(arguments[0], &context)
        case .max, .min, .sort, .maxBy, .minBy, .sortBy: return try ordered(arguments[0], each, &context)
        case .groupBy: return try grouped(arguments[0], each, &context)
        case .indexBy: return try indexed(arguments[0], each, &context)
        case .map:
            var elements: [JMESValue] = []
            for element in arguments[0].elements ?? [] {
                try context.makeElement()
                elements.append(try each?.value(element, &context) ?? .null)
            }
            return .array(elements)
        case .fromItems, .items, .keys, .merge, .values: return try object(arguments, &context)
        case .contains:
            if let text = arguments[0].string { return try contains(text, arguments[1], &context) }
            for element in arguments[0].elements ?? []
            where try element.isEqual(to: arguments[1], in: &context) {
                return .bool(true)
            }
            return .bool(false)
        case .length, .reverse: return try sequence(arguments[0], &context)
        case .lookup: return try context.member(of: arguments[0], at: arguments[1])
        case .match, .replacePattern: return try matched(arguments, each, &context)
        case .parseJSON: return try parsed(arguments[0].string ?? "", &context)
        case .round: return try rounded(arguments, &context)
        case .notNull: return arguments.first { !$0.isNull } ?? .null
        case .toArray:
            if arguments[0].kind == .array { return arguments[0] }
            try context.makeElement()
            return .array(arguments)
        case .type: return .string(arguments[0].kind.rawValue)
        case .zip: return try zipped(arguments, &context)
        default: return try text(arguments, &context)
        }
    }
}
