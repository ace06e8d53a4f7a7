import JSONText

/// The functions on texts, whose characters are code points.
extension Function {
    /// The functions whose first argument is a text, `join` and `to_string`.
    func text(_ arguments: [JMESValue], _ context: inout JMESContext) throws(JMESFailure) -> JMESValue {
        if self == .toString {
            if let text = arguments[0].string ?? arguments[0].numberText { return try made(text, &context) }
            var writer = JSONWriter(capacity: 64)
            try arguments[0].write(to: &writer, in: &context)
            return .string(writer.text(from: 0))
        }
        let text = arguments[0].string ?? ""
        try context.work(text.utf8.count / 64)
        let other = arguments.count > 1 ? arguments[1].string ?? "" : ""
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

    private func made(_ text: String, _ context: inout JMESContext) throws(JMESFailure) -> JMESValue {
        try context.make(bytes: text.utf8.count)
        return .string(text)
    }

    /// `contains` of a text.
    func contains(
        _ text: String, _ value: JMESValue, _ context: inout JMESContext
    ) throws(JMESFailure) -> JMESValue {
        guard let other = value.string else { return .bool(false) }
        try context.work((text.utf8.count + other.utf8.count) / 64)
        return .bool(other.isEmpty || TextSearch(other).first(in: Array(text.utf8)[...]) != nil)
    }

    private func joined(
        _ array: JMESValue, by separator: String, _ context: inout JMESContext
    ) throws(JMESFailure) -> JMESValue {
        var result = ""
        var isFirst = true
        for element in array.elements ?? [] {
            guard let text = element.string else { throw .type("join()", takes: "strings", not: element) }
            try context.work()
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
        let bytes = Array(String(window).utf8)
        let search = TextSearch(other)
        try context.work((bytes.count + other.utf8.count) / 16)
        let place = self == .findFirst ? search.first(in: bytes[...]) : search.last(in: bytes[...])
        guard let place else { return .null }
        // Every byte but those that continue a character begins one.
        return .number(String(start + bytes[..<place].count { $0 & 0xC0 != 0x80 }))
    }

    private func divided(
        _ text: String, by separator: String, _ limit: Int?, _ context: inout JMESContext
    ) throws(JMESFailure) -> JMESValue {
        let limit = limit ?? .max
        guard !separator.isEmpty else {
            let scalars = text.unicodeScalars
            try context.make(bytes: 40 * Swift.min(scalars.count, limit) + text.utf8.count)
            var parts = scalars.prefix(limit).map { JMESValue.string(String($0)) }
            if scalars.count > limit { parts.append(.string(String(scalars.dropFirst(limit)))) }
            return .array(parts)
        }
        let (bytes, search) = (Array(text.utf8), TextSearch(separator))
        try context.work((bytes.count + separator.utf8.count) / 16)
        var parts: [JMESValue] = []
        var rest = bytes[...]
        while parts.count < limit, let place = search.first(in: rest) {
            try context.make(bytes: 40 + place - rest.startIndex)
            parts.append(.string(String(decoding: rest[..<place], as: UTF8.self)))
            rest = rest[(place + separator.utf8.count)...]
        }
        try context.make(bytes: 40 + rest.count)
        return .array(parts + [.string(String(decoding: rest, as: UTF8.self))])
    }

    private func replaced(
        _ text: String, _ other: String, by replacement: String, _ limit: Int?, _ context: inout JMESContext
    ) throws(JMESFailure) -> JMESValue {
        guard !other.isEmpty else { return .string(text) }
        let (bytes, search) = (Array(text.utf8), TextSearch(other))
        try context.work((bytes.count + other.utf8.count) / 16)
        var result: [UInt8] = []
        var rest = bytes[...]
        var left = limit ?? .max
        while left > 0, let place = search.first(in: rest) {
            try context.make(bytes: 8 + place - rest.startIndex + replacement.utf8.count)
            result += rest[..<place]
            result += replacement.utf8
            rest = rest[(place + other.utf8.count)...]
            left -= 1
        }
        try context.make(bytes: rest.count)
        return .string(String(decoding: result + rest, as: UTF8.self))
    }

    // MARK: Numbers

    private func integer(_ value: JMESValue) throws(JMESFailure) -> Int {
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

/// A search for a text in time that grows with the length of both (Knuth, Morris and Pratt 1977).
struct TextSearch {
    private let pattern: [UInt8]
    /// For each prefix of the pattern, the length of its longest end that is a prefix too.
    private let borders: [Int]

    /// A search for a text that is not empty.
    init(_ text: String) {
        let pattern = Array(text.utf8)
        var borders = [Int](repeating: 0, count: pattern.count)
        var length = 0
        for index in pattern.indices.dropFirst() {
            while length > 0, pattern[index] != pattern[length] { length = borders[length - 1] }
            if pattern[index] == pattern[length] { length += 1 }
            borders[index] = length
        }
        (self.pattern, self.borders) = (pattern, borders)
    }

    func first(in bytes: ArraySlice<UInt8>) -> Int? { search(bytes, isLast: false) }

    func last(in bytes: ArraySlice<UInt8>) -> Int? { search(bytes, isLast: true) }

    private func search(_ bytes: ArraySlice<UInt8>, isLast: Bool) -> Int? {
        var length = 0
        var found: Int?
        for index in bytes.indices {
            while length > 0, length == pattern.count || bytes[index] != pattern[length] {
                length = borders[length - 1]
            }
            if bytes[index] == pattern[length] { length += 1 }
            guard length == pattern.count else { continue }
            found = index + 1 - length
            if !isLast { break }
        }
        return found
    }
}
