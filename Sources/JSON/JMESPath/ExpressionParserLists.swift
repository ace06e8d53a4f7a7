import JSONText

/// Lists, objects, `let` and calls: expressions side by side.
extension ExpressionParser {
    mutating func list() throws(JMESPathError) -> Part {
        var elements: [Part] = []
        repeat { elements.append(try expression()) } while accept(.comma)
        try expect(.closeBracket, or: "\",\" or ")
        return try part(.list(elements.map(\.expression)), of: elements, adding: 1)
    }

    mutating func object() throws(JMESPathError) -> Part {
        let (all, values) = try members(separator: .colon, named: "the name of a member") { kind in
            switch kind {
            case .name(let name), .quotedName(let name): name
            default: nil
            }
        }
        try expect(.closeBrace, or: "\",\" or ")
        var members: [Expression.Member] = []
        for member in all {
            if let index = members.firstIndex(where: { $0.name.utf8.elementsEqual(member.name.utf8) }) {
                members[index] = member
            } else {
                members.append(member)
            }
        }
        return try part(.object(members), of: values, adding: 1)
    }

    mutating func letExpression() throws(JMESPathError) -> Part {
        let (bindings, values) = try members(separator: .assign, named: "a variable such as $name") { kind in
            if case .variable(let name) = kind { name } else { nil }
        }
        guard case .name("in") = token.kind else { throw unexpected("\",\" or \"in\"") }
        advance()
        scope += bindings.map(\.name)
        defer { scope.removeLast(bindings.count) }
        let body = try expression()
        // The body may put the variables into what it makes.
        return try part(
            .bound(bindings, in: body.expression), of: values + [body], adding: values.map(\.nesting).max() ?? 0)
    }

    /// Parses names, which `name` finds in tokens, with their values.
    private mutating func members(
        separator: Token.Symbol, named expected: String, _ name: (Token.Kind) -> String?
    ) throws(JMESPathError) -> (members: [Expression.Member], values: [Part]) {
        var (members, values): ([Expression.Member], [Part]) = ([], [])
        repeat {
            guard let name = name(token.kind) else { throw unexpected(expected) }
            advance()
            try expect(separator)
            let value = try expression()
            members.append(Expression.Member(name: name, value: value.expression))
            values.append(value)
        } while accept(.comma)
        return (members, values)
    }

    mutating func use(_ name: String, at offset: Int) throws(JMESPathError) {
        if scope.contains(name) { return }
        guard callerVariables.contains(name) else {
            throw JMESPathError(
                .unknownVariable, at: offset, "there is no variable $\(name)",
                nearest: NameSearch.find(name, among: scope + callerVariables.sorted()).map { "$\($0)" })
        }
        usedVariables.insert(name)
    }

    /// Compiles the pattern of a function, which is known before there is a document.
    private func pattern(
        _ argument: Expression, of name: String, at offset: Int
    ) throws(JMESPathError) -> Expression {
        guard case .literal(.string(let text)) = argument else {
            throw JMESPathError(
                .type, at: offset, "argument 2 of \(name)() is a text in the expression, such as '^[0-9]+'")
        }
        guard let patterns else { throw JMESPathError(.value, at: offset, "\(name)() needs a library of patterns") }
        do {
            return .pattern(try patterns(text))
        } catch {
            throw JMESPathError(.value, at: offset, "argument 2 of \(name)() is no regular expression: \(error)")
        }
    }

    mutating func call(_ name: String, at offset: Int) throws(JMESPathError) -> Part {
        guard let function = Function(rawValue: name) else {
            let advice = ForeignWords.advice(forFunction: name).map { "; \($0)" }
            throw JMESPathError(
                .unknownFunction, at: offset, "there is no function \"\(name)\"\(advice ?? "")",
                nearest: advice != nil ? nil : NameSearch.find(name, among: Function.allCases.map(\.rawValue)))
        }
        let signature = function.signature
        var parts: [Part] = []
        var arguments: [Expression] = []
        var each: Expression?
        var count = 0
        if !accept(.closeParenthesis) {
            repeat {
                let place = token.offset
                let isEach = accept(.ampersand)
                let argument = try expression()
                if isEach != (signature.eachIndex == count), count < signature.maximum {
                    let wanted = isEach ? "a value, not an &expression" : "an &expression, such as &name"
                    throw JMESPathError(.type, at: place, "argument \(count + 1) of \(name)() is \(wanted)")
                }
                if isEach { each = argument.expression } else { arguments.append(argument.expression) }
                parts.append(argument)
                count += 1
            } while accept(.comma)
            try expect(.closeParenthesis, or: "\",\" or ")
        }
        guard signature.minimum...signature.maximum ~= count else {
            throw JMESPathError(.arity, at: offset, "\(name)() takes \(signature.arity), not \(count)")
        }
        switch function {
        case .zip: arguments = arguments.map(\.column)
        case .match, .replacePattern: each = try pattern(arguments.remove(at: 1), of: name, at: offset)
        default: break
        }
        return try part(.call(function, arguments, each: each), of: parts, adding: function.nesting)
    }
}
