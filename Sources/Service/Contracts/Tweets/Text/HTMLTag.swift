/// The elements that a text is made of.
enum HTMLElement {
    case anchor, block, cell, division, image, line, lineBreak, other, paragraph, preformatted, script, span, style

    /// The names, the most frequent first.
    private static let named: [(name: StaticString, element: HTMLElement)] =
        [
            ("p", .paragraph), ("a", .anchor), ("span", .span), ("br", .lineBreak), ("img", .image), ("div", .division),
            ("pre", .preformatted), ("td", .cell), ("th", .cell), ("script", .script), ("style", .style),
        ] + lines.map { ($0, .line) } + blocks.map { ($0, .block) }
    private static let lines: [StaticString] = ["li", "tr", "dd", "dt", "caption", "legend", "summary"]
    /// What browsers display as blocks (WHATWG HTML §15.3), without the parts of them that need no empty line.
    private static let blocks: [StaticString] = [
        "ul", "ol", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "table", "hr", "dl", "address", "article",
        "aside", "details", "fieldset", "figcaption", "figure", "footer", "form", "header", "main", "nav", "section",
    ]

    /// The element with this name, in either case.
    ///
    /// A dictionary of strings takes 10 % of the time of a Mastodon document.
    init(name: Span<UInt8>) {
        for (known, element) in Self.named where known.utf8CodeUnitCount == name.count {
            guard name.holds(known, at: 0, ignoringCase: true) else { continue }
            self = element
            return
        }
        self = .other
    }
}

/// A tag; its methods take the text between `<` and `>`.
struct HTMLTag {
    let element: HTMLElement
    let isEnd: Bool
    /// The offset after the name.
    private let nameEnd: Int

    init(_ text: Span<UInt8>) {
        isEnd = text.count > 0 && text[0] == UInt8(ascii: "/")
        let start = isEnd ? 1 : 0
        var end = start
        while end < text.count, text[end].isASCIILetter || UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[end] {
            end += 1
        }
        element = HTMLElement(name: text.extracting(start..<end))
        nameEnd = end
    }

    /// Whether `name` is one of the words of the attribute `class`.
    func hasClass(_ name: StaticString, _ text: Span<UInt8>) -> Bool {
        guard let value = attribute("class", text) else { return false }
        var start = value.lowerBound
        for end in value where text[end] == UInt8(ascii: " ") {
            if end - start == name.utf8CodeUnitCount, text.holds(name, at: start) { return true }
            start = end + 1
        }
        return value.upperBound - start == name.utf8CodeUnitCount && text.holds(name, at: start)
    }

    /// Returns the place of the value of an attribute, whose name is in lower case; nil if the tag does not have it.
    func attribute(_ name: StaticString, _ text: Span<UInt8>) -> Range<Int>? {
        var index = nameEnd
        func skip(while isSkipped: (UInt8) -> Bool) {
            while index < text.count, isSkipped(text[index]) { index += 1 }
        }
        while true {
            skip { $0.isASCIISpace || $0 == UInt8(ascii: "/") }
            guard index < text.count else { return nil }
            let start = index
            skip { !$0.isASCIISpace && $0 != UInt8(ascii: "=") }
            let length = index - start
            if length == 0 { index += 1 }
            skip(while: \.isASCIISpace)
            guard index < text.count, text[index] == UInt8(ascii: "=") else { continue }
            index += 1
            skip(while: \.isASCIISpace)
            let first = index < text.count ? text[index] : nil
            let quote = first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") ? first : nil
            if quote != nil { index += 1 }
            let valueStart = index
            skip { quote == nil ? !$0.isASCIISpace : $0 != quote }
            if length == name.utf8CodeUnitCount, text.holds(name, at: start, ignoringCase: true) {
                return valueStart..<index
            }
            if quote != nil, index < text.count { index += 1 }
        }
    }
}

extension UInt8 {
    var isASCIILetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }
    var isASCIISpace: Bool { self == 0x20 || 0x09...0x0D ~= self }
}

extension Span<UInt8> {
    /// Whether `byte` occurs: compares every byte without a branch, so that the compiler vectorizes the loop.
    ///
    /// With `contains` of a `UTF8View`, normalizing a search takes 9 % more instructions.
    func contains(_ byte: UInt8) -> Bool {
        var found: UInt8 = 0
        for index in indices { found |= self[index] == byte ? 1 : 0 }
        return found != 0
    }

    /// Returns the index of the first `byte` from `start` on; nil if there is none.
    func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
        var index = start
        while index < count {
            if self[index] == byte { return index }
            index += 1
        }
        return nil
    }

    /// Whether `other` is at `start`.
    @inline(__always)
    func holds(_ other: StaticString, at start: Int) -> Bool {
        other.withUTF8Buffer { holds($0.span, at: start) }
    }

    /// Whether `other`, which is in lower case, is at `start`, in either case.
    @inline(__always)
    func holds(_ other: StaticString, at start: Int, ignoringCase: Bool) -> Bool {
        guard start >= 0, other.utf8CodeUnitCount <= count - start else { return false }
        return other.withUTF8Buffer { other in
            for index in other.indices {
                let byte = self[start + index]
                let isUpper = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                if other[index] != (isUpper && ignoringCase ? byte | 0x20 : byte) { return false }
            }
            return true
        }
    }

    /// Whether `other` is at `start`.
    @inline(__always)
    func holds(_ other: Span<UInt8>, at start: Int) -> Bool {
        guard start >= 0, other.count <= count - start else { return false }
        for index in other.indices where self[start + index] != other[index] { return false }
        return true
    }
}

extension String {
    /// The text of bytes; U+FFFD replaces what is not UTF-8.
    init(repairing bytes: Span<UInt8>) {
        if let valid = try? UTF8Span(validating: bytes) {
            self.init(copying: valid)
        } else {
            self.init(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
    }
}
