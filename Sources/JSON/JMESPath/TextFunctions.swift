import JSONText

/// The functions on texts, whose characters are code points.
extension Function {
    /// The functions whose first argument is a text, `join` and `to_string`.
    func text(_ arguments: [JMESValue], _ context: inout JMESContext) throws(JMESFailure) -> JMESValue {
        if self == .toString {
            if let text = arguments[0].string ?? arguments[0].numberText { return try made(text, &context) }
            return .string(
                try JSONWriter.text { writer throws(JMESFailure) in try arguments[0].write(to: &writer, in: &context) })
        }
        try context.work((arguments[0].textSize + (arguments.count > 1 ? arguments[1].textSize : 0)) / 16)
        let text = arguments[0].string ?? ""
        let other = arguments.count > 1 ? arguments[1].string ?? "" : ""
        // The functions that look at every character.
        if [.lower, .upper, .trim, .trimLeft, .trimRight, .padLeft, .padRight].contains(self) {
            try context.work((text.utf8.count + other.utf8.count) / 4)
        }
        switch self {
        case .lower: return try made(text.lowercased(), &context)
        case .upper: return try made(text.uppercased(), &context)
        case .startsWith: return .bool(text.utf8.starts(with: other.utf8))
        case .endsWith: return .bool(text.utf8.reversed().starts(with: other.utf8.reversed()))
        case .join: return try joined(arguments[1], by: text, &context)
        case .trim, .trimLeft, .trimRight: return try made(trimmed(text, other), &context)
        case .padLeft, .padRight: return try padded(text, arguments, &context)
        case .findFirst, .findLast: return try found(other, in: text, arguments.dropFirst(2), &context)
        case .split: return try divided(text, by: other, try count(arguments.dropFirst(2)), &context)
        default:
            let count = try count(arguments.dropFirst(3))
            return try replaced(text, other, by: arguments[2].string ?? "", count, &context)
        }
    }

    /// `parse_json`: the value that a text of JSON has.
    func parsed(_ text: String, _ context: inout JMESContext) throws(JMESFailure) -> JMESValue {
        try context.work(text.utf8.count / 8)
        var parser = JSONParser(options: JSONOptions(maximumDepth: Self.parsedDepth))
        var result: Result<Literal, JMESFailure> = .failure(.tooMuchOutput)
        do {
            try parser.withDocument(Array(text.utf8)) { root in
                // A value is a literal first, each of whose parts has a text of its own.
                let bytes = 96 * Int(root.nextPosition - root.position) + 2 * root.text.count
                if bytes <= context.output { result = .success(Literal(root)) }
            }
        } catch {
            throw .invalidValue("parse_json() takes a text of JSON: \(error)")
        }
        let literal = try result.get()
        try context.make(bytes: 96 * literal.count + 2 * text.utf8.count)
        try context.work(4 * literal.count)
        return literal.value
    }

    private func made(_ text: String, _ context: inout JMESContext) throws(JMESFailure) -> JMESValue {
        try context.make(bytes: text.utf8.count)
        return .string(text)
    }

    /// `contains` of a text.
    func contains(
        _ text: String, _ value: JMESValue, _ context: inout JMESContext
    ) throws(JMESFailure) -> JMESValue {
        guard let other = value.string else { return .bool(false) }
        try context.work((text.utf8.count + other.utf8.count) / 4)
        return .bool(other.isEmpty || !Self.places(of: Array(other.utf8), in: Array(text.utf8), limit: 1).isEmpty)
    }

    private func joined(
        _ array: JMESValue, by separator: String, _ context: inout JMESContext
    ) throws(JMESFailure) -> JMESValue {
        var result = ""
        var isFirst = true
        for element in array.elements ?? [] {
            guard let text = element.string else { throw .element("join()", takes: "strings", not: element) }
            try context.work(2)
            try context.make(bytes: text.utf8.count + separator.utf8.count)
            if !isFirst { result += separator }
            isFirst = false
            result += text
        }
        return .string(result)
    }

    private func trimmed(_ text: String, _ characters: String) -> String {
        let set = Set(characters.unicodeScalars)
        func leaves(_ scalar: Unicode.Scalar) -> Bool {
            set.isEmpty ? scalar.properties.isWhitespace : set.contains(scalar)
        }
        var scalars = text.unicodeScalars[...]
        if self != .trimRight { scalars = scalars.drop(while: leaves) }
        if self != .trimLeft { while let last = scalars.last, leaves(last) { scalars.removeLast() } }
        return String(scalars)
    }

    private func padded(
        _ text: String, _ arguments: [JMESValue], _ context: inout JMESContext
    ) throws(JMESFailure) -> JMESValue {
        let padding = arguments.count > 2 ? arguments[2].string ?? "" : " "
        guard padding.unicodeScalars.count == 1 else {
            throw .invalidValue("\(rawValue)() takes one character to fill up with, not \"\(padding.prefix(16))\"")
        }
        let missing = try (count(arguments[1...1]) ?? 0) - text.unicodeScalars.count
        guard missing > 0 else { return .string(text) }
        // Before the text is made: the number may be any.
        try context.make(bytes: missing.multipliedReportingOverflow(by: 4).overflow ? .max / 2 : 4 * missing)
        try context.work(missing)
        let fill = String(repeating: padding, count: missing)
        return .string(self == .padLeft ? fill + text : text + fill)
    }

    // MARK: Search

    private func found(
        _ other: String, in text: String, _ bounds: ArraySlice<JMESValue>, _ context: inout JMESContext
    ) throws(JMESFailure) -> JMESValue {
        let scalars = text.unicodeScalars
        let count = scalars.count
        func place(_ value: JMESValue?, _ missing: Int) throws(JMESFailure) -> Int {
            guard let value else { return missing }
            let index = try integer(value)
            return Swift.min(Swift.max(index < 0 ? index + count : index, 0), count)
        }
        let start = try place(bounds.first, 0)
        let end = try place(bounds.dropFirst().first, count)
        guard !other.isEmpty, start < end else { return .null }
        let window = scalars[scalars.index(scalars.startIndex, offsetBy: start)...].prefix(end - start)
        var (bytes, pattern) = (Array(String(window).utf8), Array(other.utf8))
        try context.work((bytes.count + pattern.count) / 4)
        let isLast = self == .findLast
        if isLast { (bytes, pattern) = (bytes.reversed(), pattern.reversed()) }
        guard let place = Self.places(of: pattern, in: bytes, limit: 1).first else { return .null }
        let before = isLast ? bytes[(place + pattern.count)...] : bytes[..<place]
        // Every byte but those that continue a character begins one.
        return .number(String(start + before.count { $0 & 0xC0 != 0x80 }))
    }

    private func divided(
        _ text: String, by separator: String, _ limit: Int?, _ context: inout JMESContext
    ) throws(JMESFailure) -> JMESValue {
        if separator.isEmpty {
            let scalars = text.unicodeScalars
            let limit = limit ?? scalars.count
            try context.make(bytes: 40 * Swift.min(scalars.count, limit) + text.utf8.count)
            try context.work(Swift.min(scalars.count, limit))
            var parts = scalars.prefix(limit).map { JMESValue.string(String($0)) }
            if scalars.count > limit { parts.append(.string(String(scalars.dropFirst(limit)))) }
            return .array(parts)
        }
        let parts = try Self.parts(of: text, between: separator, limit, makingEach: 40, &context)
        return .array(parts.map { .string(String(decoding: $0, as: UTF8.self)) })
    }

    private func replaced(
        _ text: String, _ other: String, by replacement: String, _ limit: Int?, _ context: inout JMESContext
    ) throws(JMESFailure) -> JMESValue {
        guard !other.isEmpty else { return .string(text) }
        let size = 8 + replacement.utf8.count
        let parts = try Self.parts(of: text, between: other, limit, makingEach: size, &context)
        try context.work((text.utf8.count + parts.count * replacement.utf8.count) / 4)
        return .string(String(decoding: Array(parts.joined(separator: replacement.utf8)), as: UTF8.self))
    }

    /// Returns the parts of a text between the places of another one, which is not empty.
    private static func parts(
        of text: String, between other: String, _ limit: Int?, makingEach size: Int, _ context: inout JMESContext
    ) throws(JMESFailure) -> [ArraySlice<UInt8>] {
        let (bytes, pattern) = (Array(text.utf8), Array(other.utf8))
        try context.work((bytes.count + pattern.count) / 4)
        // One place more than there is room for, so that too many fail.
        let places = places(of: pattern, in: bytes, limit: Swift.min(limit ?? .max, context.output / size + 1))
        try context.make(bytes: bytes.count + size * (places.count + 1))
        var rest = bytes[...]
        var parts: [ArraySlice<UInt8>] = []
        for place in places {
            parts.append(rest[..<place])
            rest = rest[(place + pattern.count)...]
        }
        return parts + [rest]
    }

    /// Returns the first places of a pattern, which do not overlap (Knuth, Morris and Pratt 1977).
    ///
    /// The time grows with the length of both, also for a pattern that nearly repeats.
    private static func places(of pattern: [UInt8], in bytes: [UInt8], limit: Int) -> [Int] {
        guard limit > 0 else { return [] }
        // For each prefix of the pattern, the length of its longest end that is a prefix too.
        var borders = [0]
        var places: [Int] = []
        var length = 0
        // The pattern is searched for in itself first, which gives the borders.
        for (index, byte) in (pattern.dropFirst() + bytes).enumerated() {
            let place = index + 1 - pattern.count
            if place == 0 { length = 0 }
            while length > 0, pattern[length] != byte { length = borders[length - 1] }
            if pattern[length] == byte { length += 1 }
            if place < 0 {
                borders.append(length)
            } else if length == pattern.count {
                places.append(place + 1 - length)
                if places.count == limit { break }
                length = 0
            }
        }
        return places
    }

    // MARK: Numbers

    func integer(_ value: JMESValue) throws(JMESFailure) -> Int {
        guard let text = value.numberText, let number: Int64 = NumberText.integer(text), number.magnitude < 1 << 53
        else {
            throw .invalidValue("\(rawValue)() takes whole numbers, not \(value.text.prefix(32))")
        }
        return Int(number)
    }

    /// The number of an optional argument, which is not negative.
    private func count(_ arguments: ArraySlice<JMESValue>) throws(JMESFailure) -> Int? {
        guard let value = arguments.first else { return nil }
        let count = try integer(value)
        guard count >= 0 else { throw .invalidValue("\(rawValue)() takes a number that is not negative, not \(count)") }
        return count
    }
}
