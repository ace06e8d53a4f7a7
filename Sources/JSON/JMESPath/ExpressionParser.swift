import JSONText

/// Parses an expression by the binding powers of its operators, and checks names, arity and depth.
struct ExpressionParser {
    private let tokens: [Token]
    private var position = 0
    private var depth = 0
    /// The variables of the enclosing `let`s, the innermost last.
    var scope: [String] = []
    let callerVariables: Set<String>
    let patterns: JMESPath.PatternCompiler?
    var usedVariables: Set<String> = []

    /// An expression with what limits recursion over it and over the values that it makes.
    struct Part {
        var expression: Expression
        /// The levels of expressions in it.
        var height = 1
        /// The levels of arrays and objects that it adds to values at most.
        var nesting = 0
    }

    init(
        _ text: String, variables: Set<String>, patterns: JMESPath.PatternCompiler?
    ) throws(JMESPathError) {
        tokens = try Lexer.tokens(of: text)
        (callerVariables, self.patterns) = (variables, patterns)
    }

    /// Parses the whole text.
    mutating func parse() throws(JMESPathError) -> Expression {
        let part = try expression()
        guard case .end = token.kind else { throw unexpected("an operator or the end") }
        return part.expression
    }

    // MARK: Tokens

    var token: Token { tokens[position] }
    private var nextToken: Token { tokens[min(position + 1, tokens.count - 1)] }

    mutating func advance() { position = min(position + 1, tokens.count - 1) }

    mutating func accept(_ symbol: Token.Symbol) -> Bool {
        guard token.symbol == symbol else { return false }
        advance()
        return true
    }

    mutating func expect(_ symbol: Token.Symbol, or other: String = "") throws(JMESPathError) {
        guard accept(symbol) else { throw unexpected("\(other)\"\(symbol.rawValue)\"") }
    }

    func unexpected(_ expected: String) -> JMESPathError {
        if case .number = token.kind {
            return JMESPathError(at: token.offset, "a number is written in backquotes: `\(token.shown)`")
        }
        return JMESPathError(at: token.offset, "\(expected) is expected, not \(token.shown)")
    }

    // MARK: Parts

    func part(
        _ expression: Expression, of parts: [Part], adding levels: Int = 0
    ) throws(JMESPathError) -> Part {
        let part = Part(
            expression: expression, height: 1 + (parts.map(\.height).max() ?? 0),
            nesting: levels + (parts.map(\.nesting).max() ?? 0))
        try check(part)
        return part
    }

    /// The part that applies `next` to the result of `first`.
    private func sequence(_ first: Part, _ next: Part) throws(JMESPathError) -> Part {
        let steps = first.expression.steps + next.expression.steps
        var part = Part(expression: steps.count == 1 ? steps[0] : .sequence(steps))
        if steps.isEmpty { part.expression = .current }
        part.height = max(first.height, next.height) + 1
        // Steps of one sequence stand side by side.
        if case .sequence = first.expression { part.height = max(first.height, next.height + 1) }
        part.nesting = first.nesting + next.nesting
        try check(part)
        return part
    }

    private func check(_ part: Part) throws(JMESPathError) {
        guard part.height <= JMESPath.maximumDepth, part.nesting <= JMESPath.maximumDepth else {
            throw JMESPathError(at: token.offset, "the expression has more than \(JMESPath.maximumDepth) levels")
        }
    }

    // MARK: Expressions

    mutating func expression(_ power: Int = BindingPower.none) throws(JMESPathError) -> Part {
        depth += 1
        defer { depth -= 1 }
        guard depth <= JMESPath.maximumDepth else {
            throw JMESPathError(at: token.offset, "the expression has more than \(JMESPath.maximumDepth) levels")
        }
        var left = try first()
        while power < token.power { left = try continued(left) }
        return left
    }

    /// Parses what begins an expression.
    private mutating func first() throws(JMESPathError) -> Part {
        let start = position
        let token = token
        advance()
        switch token.kind {
        case .literal(let literal): return try part(.literal(literal), of: [], adding: literal.depth)
        case .variable(let name):
            try use(name, at: token.offset)
            return Part(expression: .variable(name))
        case .name("let"): if case .variable = self.token.kind { return try letExpression() }
        case .quotedName(let name):
            if self.token.symbol == .openParenthesis {
                throw JMESPathError(at: token.offset, "the name of a function is not quoted")
            }
            return Part(expression: .member(MemberKey(name)))
        case .symbol(let symbol): if let part = try first(symbol) { return part }
        default: break
        }
        if case .name(let name) = token.kind {
            if accept(.openParenthesis) { return try call(name, at: token.offset) }
            return Part(expression: .member(MemberKey(name)))
        }
        position = start
        throw unexpected("a name, a value or a function")
    }

    private mutating func first(_ symbol: Token.Symbol) throws(JMESPathError) -> Part? {
        switch symbol {
        case .current: return Part(expression: .current)
        case .root: return Part(expression: .root)
        case .not:
            let operand = try expression(BindingPower.not)
            return try part(.not(operand.expression), of: [operand])
        case .minus, .plus:
            let operand = try expression(BindingPower.sum)
            return try part(
                symbol == .plus ? .plus(operand.expression) : .negation(operand.expression), of: [operand])
        case .star: return try projection(.values, BindingPower.star)
        case .flatten: return try projection(.flattened, BindingPower.flatten)
        case .filter: return try filter()
        case .openBrace: return try object()
        case .openParenthesis:
            let inner = try expression()
            try expect(.closeParenthesis)
            return inner
        case .openBracket:
            if let step = try bracket() { return step }
            return try list()
        default: return nil
        }
    }

    /// Parses an operator, and what stands behind it.
    private mutating func continued(_ left: Part) throws(JMESPathError) -> Part {
        guard let symbol = token.symbol else { return left }
        advance()
        switch symbol {
        case .dot:
            if accept(.star) { return try sequence(left, projection(.values, BindingPower.dot)) }
            return try sequence(left, behindDot(BindingPower.dot))
        case .pipe: return try sequence(left, expression(BindingPower.pipe))
        case .flatten: return try sequence(left, projection(.flattened, BindingPower.flatten))
        case .filter: return try sequence(left, filter())
        case .openBracket:
            guard let step = try bracket() else {
                let isName =
                    switch token.kind {
                    case .name, .variable: true
                    default: false
                    }
                throw unexpected("\(isName ? "lookup(value, name), or " : "")an index, a slice, \"*\", \"?\" or \"]\"")
            }
            return try sequence(left, step)
        case .question:
            let then = try expression()
            try expect(.colon)
            let other = try expression(BindingPower.ternary - 1)
            return try part(
                .ternary(left.expression, then: then.expression, else: other.expression), of: [left, then, other])
        default:
            let right = try expression(tokens[position - 1].power)
            return try part(Expression(symbol, left.expression, right.expression), of: [left, right])
        }
    }

    private mutating func behindDot(_ power: Int) throws(JMESPathError) -> Part {
        switch token.kind {
        case .name, .quotedName, .symbol(.star): return try expression(power)
        case .symbol(.openBracket):
            advance()
            return try list()
        case .symbol(.openBrace):
            advance()
            return try object()
        default: throw unexpected("a name, \"*\", \"[\" or \"{\"")
        }
    }

    // MARK: Projections

    /// Parses what is applied to each element of a projection.
    private mutating func projection(
        _ projection: Expression.Projection, _ power: Int, of others: [Part] = []
    ) throws(JMESPathError) -> Part {
        var next: Part?
        if token.power >= BindingPower.projectionEnd {
            next = accept(.dot) ? try behindDot(power) : try expression(power)
        }
        return try part(.projection(projection, next?.expression), of: others + [next].compactMap(\.self), adding: 1)
    }

    private mutating func filter() throws(JMESPathError) -> Part {
        let condition = try expression()
        try expect(.closeBracket)
        return try projection(.filtered(by: condition.expression), BindingPower.filter, of: [condition])
    }

    /// Parses an index, a slice or `*`, and the closing bracket; returns nil if none of them follows.
    private mutating func bracket() throws(JMESPathError) -> Part? {
        if token.symbol == .star, nextToken.symbol == .closeBracket {
            advance()
            advance()
            return try projection(.elements, BindingPower.star)
        }
        var numbers = [try integer()]
        guard numbers[0] != nil || token.symbol == .colon else { return nil }
        if let index = numbers[0], accept(.closeBracket) { return Part(expression: .index(index)) }
        while numbers.count < 3, accept(.colon) { numbers.append(try integer()) }
        guard numbers.count > 1 else { throw unexpected("\"]\" or \":\"") }
        let step = numbers.count > 2 ? numbers[2] ?? 1 : 1
        try expect(.closeBracket)
        guard step != 0 else { throw JMESPathError(.value, at: tokens[position - 2].offset, "a step is not 0") }
        return try projection(.sliced(start: numbers[0], stop: numbers[1], step: step), BindingPower.star)
    }

    private mutating func integer() throws(JMESPathError) -> Int? {
        let isNegative = token.symbol == .minus && token.end == nextToken.offset
        guard case .number(let digits) = (isNegative ? nextToken : token).kind else { return nil }
        guard digits.utf8.count <= 18, let value = Int(digits) else {
            throw JMESPathError(at: token.offset, "the index has more than 18 digits")
        }
        if isNegative { advance() }
        advance()
        return isNegative ? -value : value
    }
}

extension Expression {
    /// The steps of a sequence, none for `@`.
    fileprivate var steps: [Expression] {
        switch self {
        case .current: []
        case .sequence(let steps): steps
        default: [self]
        }
    }

    /// The operation of a binary operator.
    fileprivate init(_ symbol: Token.Symbol, _ left: Expression, _ right: Expression) {
        if symbol == .or || symbol == .and {
            self = symbol == .or ? .or(left, right) : .and(left, right)
        } else if let comparison = Comparison(rawValue: symbol.rawValue) {
            self = .comparison(comparison, left, right)
        } else {
            self = .arithmetic(Arithmetic(rawValue: symbol.rawValue) ?? .multiply, left, right)
        }
    }
}
