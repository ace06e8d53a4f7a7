/// The elements that a text is made of.
enum HTMLElement {
    case anchor, block, division, item, lineBreak, other, paragraph, preformatted, script, span, style

    /// The element with this name, in either case.
    init(name: Span<UInt8>) {
        func has(_ other: StaticString) -> Bool { name.holds(other, at: 0, ignoringCase: true) }
        switch name.count {
        case 1: self = has("p") ? .paragraph : has("a") ? .anchor : .other
        case 2:
            let isHeading = has("h") && UInt8(ascii: "1")...UInt8(ascii: "6") ~= name[1]
            self = has("br") ? .lineBreak : has("li") ? .item : isHeading || has("ul") || has("ol") ? .block : .other
        case 3: self = has("div") ? .division : has("pre") ? .preformatted : .other
        case 4: self = has("span") ? .span : .other
        case 5: self = has("style") ? .style : .other
        case 6: self = has("script") ? .script : .other
        case 10: self = has("blockquote") ? .block : .other
        default: self = .other
        }
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
