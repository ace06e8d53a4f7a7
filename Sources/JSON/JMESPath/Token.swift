import JSONText

/// A token of an expression.
struct Token {
    /// The kinds of tokens, with what they stand for.
    enum Kind {
        case name(String)
        case quotedName(String)
        /// Digits, as they stand in an index.
        case number(String)
        case literal(Literal)
        case variable(String)
        case symbol(Symbol)
        case end
    }

    /// Operators and brackets.
    enum Symbol: String {
        case dot = "."
        case comma = ","
        case colon = ":"
        case current = "@"
        case root = "$"
        case star = "*"
        case pipe = "|"
        case or = "||"
        case and = "&&"
        case ampersand = "&"
        case not = "!"
        case question = "?"
        case assign = "="
        case equal = "=="
        case unequal = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case plus = "+"
        case minus = "-"
        case times = "×"
        case divide = "/"
        case divideWhole = "//"
        case remainder = "%"
        case openParenthesis = "("
        case closeParenthesis = ")"
        case openBrace = "{"
        case closeBrace = "}"
        case openBracket = "["
        case closeBracket = "]"
        case flatten = "[]"
        case filter = "[?"
    }

    let kind: Kind
    /// The offsets of the first character, and behind the last.
    let offset: Int
    let end: Int

    var symbol: Symbol? { if case .symbol(let symbol) = kind { symbol } else { nil } }

    /// The token in messages.
    var shown: String {
        switch kind {
        case .name(let name): name
        case .quotedName(let name): "\"\(name)\""
        case .number(let digits): digits
        case .literal: "a literal"
        case .variable(let name): "$\(name)"
        case .symbol(let symbol): "\"\(symbol.rawValue)\""
        case .end: "the end"
        }
    }
}

/// Divides an expression into tokens.
struct Lexer {
    private let text: [Unicode.Scalar]
    private var position = 0

    /// Returns the tokens of `text`, the last of which is its end.
    static func tokens(of text: String) throws(JMESPathError) -> [Token] {
        var lexer = Lexer(text: Array(text.unicodeScalars))
        var tokens: [Token] = []
        while let token = try lexer.next() { tokens.append(token) }
        return tokens + [Token(kind: .end, offset: lexer.text.count, end: lexer.text.count)]
    }

    private init(text: [Unicode.Scalar]) { self.text = text }

    private func scalar(_ distance: Int = 0) -> Unicode.Scalar? {
        position + distance < text.count ? text[position + distance] : nil
    }

    private mutating func next() throws(JMESPathError) -> Token? {
        while let space = scalar(), " \t\r\n".unicodeScalars.contains(space) { position += 1 }
        let start = position
        guard let first = scalar() else { return nil }
        return Token(kind: try kind(first), offset: start, end: position)
    }

    private mutating func kind(_ first: Unicode.Scalar) throws(JMESPathError) -> Token.Kind {
        switch first {
        case "\"":
            let start = position
            guard case .string(let name)? = Self.json("\"\(try delimited("\""))\"") else {
                throw JMESPathError(at: start, "the quoted name is not a string of JSON")
            }
            return .quotedName(name)
        case "'": return .literal(.string(Self.unescaped(try delimited("'"), "'")))
        case "`":
            let start = position
            guard let literal = Self.json(Self.unescaped(try delimited("`"), "`")) else {
                throw JMESPathError(at: start, "the literal is not JSON; a text is '…' or `\"…\"`")
            }
            return .literal(literal)
        case "$" where scalar(1).map(Self.beginsName) == true:
            position += 1
            return .variable(nameHere())
        case _ where Self.beginsName(first):
            let start = position
            let name = nameHere()
            guard scalar() != "-" || scalar(1).map(Self.isInName) != true else {
                while let next = scalar(), Self.isInName(next) || next == "-" { position += 1 }
                let whole = text(from: start)
                throw JMESPathError(
                    at: start, "quote a name with \"-\": \"\(whole)\"; a subtraction needs spaces: \(name) - …")
            }
            return .name(name)
        case _ where Self.isDigit(first):
            let start = position
            while let digit = scalar(), Self.isDigit(digit) { position += 1 }
            return .number(text(from: start))
        default: return .symbol(try symbol(first))
        }
    }

    private mutating func symbol(_ first: Unicode.Scalar) throws(JMESPathError) -> Token.Symbol {
        if let second = scalar(1), let symbol = Token.Symbol(rawValue: "\(first)\(second)") {
            position += 2
            return symbol
        }
        position += 1
        switch first {
        case "÷": return .divide
        case "\u{2212}": return .minus
        default: break
        }
        guard let symbol = Token.Symbol(rawValue: String(first)) else {
            let advice = first == "#" ? ##"; quote the name: "#text""## : ""
            throw JMESPathError(at: position - 1, "\"\(first)\" has no meaning here\(advice)")
        }
        return symbol
    }

    private func text(from start: Int) -> String {
        var result = String.UnicodeScalarView()
        result.append(contentsOf: text[start..<position])
        return String(result)
    }

    private mutating func nameHere() -> String {
        let start = position
        while let next = scalar(), Self.isInName(next) { position += 1 }
        return text(from: start)
    }

    /// Returns the text up to the next delimiter that no backslash stands before.
    private mutating func delimited(_ delimiter: Unicode.Scalar) throws(JMESPathError) -> String {
        let start = position
        position += 1
        let first = position
        while let next = scalar() {
            if next == delimiter {
                defer { position += 1 }
                return text(from: first)
            }
            position += next == "\\" ? 2 : 1
        }
        throw JMESPathError(at: start, "there is no closing \(delimiter)")
    }

    private static func unescaped(_ text: String, _ delimiter: Unicode.Scalar) -> String {
        var result = String.UnicodeScalarView()
        for next in text.unicodeScalars {
            if next == delimiter { result.removeLast() }
            result.append(next)
        }
        return String(result)
    }

    private static func json(_ text: String) -> Literal? {
        var parser = JSONParser(options: JSONOptions(maximumDepth: JMESPath.maximumDepth / 2))
        return try? parser.withDocument(Array(text.utf8)) { Literal($0) }
    }

    private static func beginsName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "_": true
        default: false
        }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static func isInName(_ scalar: Unicode.Scalar) -> Bool { beginsName(scalar) || isDigit(scalar) }
}

/// How strongly operators bind what stands to their left; none below `projectionEnd` continues a projection.
enum BindingPower {
    static let none = 0
    static let pipe = 1
    static let ternary = 2
    static let or = 3
    static let and = 4
    static let comparison = 5
    static let sum = 6
    static let product = 7
    static let flatten = 9
    static let projectionEnd = 10
    static let star = 20
    static let filter = 21
    // Weaker than the dot, unlike in jmespath.py, where `!a.b` is the member of a Boolean, which is always null.
    static let not = 30
    static let dot = 40
    static let bracket = 55
}

extension Token {
    /// The power of an operator; `none` for other tokens.
    var power: Int {
        switch symbol {
        case .pipe: BindingPower.pipe
        case .question: BindingPower.ternary
        case .or: BindingPower.or
        case .and: BindingPower.and
        case .equal, .unequal, .less, .lessOrEqual, .greater, .greaterOrEqual: BindingPower.comparison
        case .plus, .minus: BindingPower.sum
        case .star, .times, .divide, .divideWhole, .remainder: BindingPower.product
        case .flatten: BindingPower.flatten
        case .filter: BindingPower.filter
        case .dot: BindingPower.dot
        case .openBracket: BindingPower.bracket
        default: BindingPower.none
        }
    }
}
