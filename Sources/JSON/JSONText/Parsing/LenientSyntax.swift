/// A document with the syntax of scripts, rewritten as JSON: comments, commas behind the last value, a call around the document
/// (JSONP), and `None`, `True` and `False` of Python.
///
/// One pass without nesting, in which every character keeps its place. Unknown syntax stays, for the parser to refuse.
package struct LenientSyntax {
    private static let words = [("None", "null"), ("True", "true"), ("False", "false")].map {
        (Array($0.utf8), Array($1.utf8))
    }

    /// The document as JSON.
    package private(set) var document: [UInt8]
    /// The number of places that were rewritten.
    package private(set) var repairs = 0
    private var index = 0
    /// The last character outside of comments and white space; 0 before the first.
    private var last: UInt8 = 0
    /// The place of that character if it is a comma that follows a value.
    private var comma: Int?
    /// Whether the call around the document was closed; nil without a call.
    private var isClosed: Bool?

    /// Rewrites a document; nil if there is nothing to rewrite, or if the call around it has no end.
    package init?(_ source: [UInt8]) {
        document = source
        if source.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        while index < document.count { step() }
        if repairs == 0 || isClosed == false { return nil }
    }

    private mutating func step() {
        let byte = document[index]
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D: index += 1
        case UInt8(ascii: "/"):
            // Behind a comment without an end nothing is read, so that many of them take no longer than one.
            if let end = endOfComment { blank(to: end) } else { take(to: document.count) }
        case UInt8(ascii: ","):
            let follows = last != 0 && !",:[{".utf8.contains(last)
            let place = index
            take(to: index + 1)
            comma = follows ? place : nil
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            if let comma {
                document[comma] = 0x20
                repairs += 1
            }
            take(to: index + 1)
        case UInt8(ascii: "\""): take(to: endOfText)
        case UInt8(ascii: ")") where isClosed == false:
            isClosed = true
            document[index] = 0x20
            if let next = nextPlace(from: index), document[next] == UInt8(ascii: ";") { document[next] = 0x20 }
        case _ where Self.isOfName(byte): takeWord()
        default: take(to: index + 1)
        }
    }

    private mutating func take(to end: Int) { (last, index, comma) = (document[end - 1], end, nil) }

    private mutating func blank(to end: Int) {
        for place in index..<end where document[place] != 0x0A { document[place] = 0x20 }
        (index, repairs) = (end, repairs + 1)
    }

    /// Takes a word or a number; the name of a function before the document is a part of the call around it.
    private mutating func takeWord() {
        let end = document[index...].firstIndex { !Self.isOfName($0) } ?? document.count
        let isName = last == 0 && isClosed == nil && !(0x30...0x39 ~= document[index]) && end - index <= 128
        if isName, let bracket = nextPlace(from: end), document[bracket] == UInt8(ascii: "(") {
            isClosed = false
            return blank(to: bracket + 1)
        }
        for (word, json) in Self.words where document[index..<end].elementsEqual(word) {
            document.replaceSubrange(index..<end, with: json)
            repairs += 1
        }
        take(to: end)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        0x61...0x7A ~= byte | 0x20 || 0x30...0x39 ~= byte || "_$.".utf8.contains(byte)
    }

    private func nextPlace(from index: Int) -> Int? {
        document[index...].firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    private var endOfText: Int {
        var place = index + 1
        while place < document.count, document[place] != UInt8(ascii: "\"") {
            place += document[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(place + 1, document.count)
    }

    /// The end of the comment at the place; nil for none, or one without an end.
    private var endOfComment: Int? {
        switch index + 1 < document.count ? document[index + 1] : 0 {
        case UInt8(ascii: "/"): return document[index...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? document.count
        case UInt8(ascii: "*"):
            var place = index + 3
            while place < document.count {
                if document[place] == UInt8(ascii: "/"), document[place - 1] == UInt8(ascii: "*") { return place + 1 }
                place += 1
            }
            return nil
        default: return nil
        }
    }
}
