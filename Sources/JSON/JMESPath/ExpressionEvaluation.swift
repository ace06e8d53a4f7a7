import JSONText

extension Expression {
    /// Returns the value for `current`; the height of the expression, which the parser limits, bounds the recursion.
    func value(_ current: JMESValue, _ context: inout JMESContext) throws(JMESFailure) -> JMESValue {
        try context.work()
        switch self {
        case .current: return current
        case .root: return context.root
        case .literal(let literal):
            try context.make(bytes: 32 * literal.count)
            return literal.value
        case .variable(let name): return context[name] ?? .null
        case .member(let key): return try current.member(key, &context)
        case .index(let index):
            try context.work(abs(index) / 8)
            return current.element(at: index)
        case .sequence(let steps):
            var value = current
            for step in steps { value = try step.value(value, &context) }
            return value
        case .elements, .values, .flattened, .filtered, .sliced: return try projected(current, &context)
        case .list(let expressions):
            if current.isNull { return .null }
            var elements: [JMESValue] = []
            elements.reserveCapacity(expressions.count)
            for expression in expressions {
                try context.makeElement()
                elements.append(try expression.value(current, &context))
            }
            return .array(elements)
        case .object(let members):
            if current.isNull { return .null }
            var values: [JMESValue.Member] = []
            values.reserveCapacity(members.count)
            for member in members {
                try context.makeElement()
                values.append(JMESValue.Member(member.name, try member.value.value(current, &context)))
            }
            return .object(values)
        case .or(let left, let right):
            let value = try left.value(current, &context)
            return value.isTruthy ? value : try right.value(current, &context)
        case .and(let left, let right):
            let value = try left.value(current, &context)
            return value.isTruthy ? try right.value(current, &context) : value
        case .not(let operand): return .bool(try !operand.value(current, &context).isTruthy)
        case .comparison(let comparison, let left, let right):
            return try comparison.value(left.value(current, &context), right.value(current, &context), &context)
        case .arithmetic(let operation, let left, let right):
            let (left, right) = (try left.value(current, &context), try right.value(current, &context))
            return try operation.value(left, right)
        case .negation(let operand): return try operand.value(current, &context).negated()
        case .plus(let operand):
            let value = try operand.value(current, &context)
            guard value.kind == .number else { throw .type("+", takes: "a number", not: value) }
            return value
        case .ternary(let condition, let then, let other):
            return try (condition.value(current, &context).isTruthy ? then : other).value(current, &context)
        case .bound(let bindings, let body):
            return try Self.withBindings(bindings, current, &context) { context throws(JMESFailure) in
                try body.value(current, &context)
            }
        case .call(let function, let arguments, let each):
            var values: [JMESValue] = []
            values.reserveCapacity(arguments.count)
            for argument in arguments { values.append(try argument.value(current, &context)) }
            return try function.value(values, each: each, &context)
        }
    }

    /// Calls `body` with the variables of a `let`, whose values do not see each other.
    static func withBindings<Result>(
        _ bindings: [Member], _ current: JMESValue, _ context: inout JMESContext,
        _ body: (inout JMESContext) throws(JMESFailure) -> Result
    ) throws(JMESFailure) -> Result {
        var values: [JMESValue] = []
        for binding in bindings { values.append(try binding.value.value(current, &context)) }
        for (binding, value) in zip(bindings, values) { context.bind(binding.name, to: value) }
        defer { context.unbind(bindings.count) }
        return try body(&context)
    }

    // MARK: Projections

    private func projected(_ current: JMESValue, _ context: inout JMESContext) throws(JMESFailure) -> JMESValue {
        var elements: [JMESValue] = []
        let isProjected = try forEachProjected(current, &context) { element, next, context throws(JMESFailure) in
            let value = next == nil ? element : try next?.value(element, &context) ?? .null
            if value.isNull { return }
            try context.makeElement()
            elements.append(value)
        }
        return isProjected ? .array(elements) : .null
    }

    /// Passes each element of a projection to `body`, with what is to be applied to it.
    ///
    /// Returns false if the value has another type than the projection takes.
    func forEachProjected(
        _ current: JMESValue, _ context: inout JMESContext,
        _ body: (JMESValue, Expression?, inout JMESContext) throws(JMESFailure) -> Void
    ) throws(JMESFailure) -> Bool {
        switch self {
        case .values(let next):
            guard current.kind == .object else { return false }
            if case .node(let node) = current {
                try context.work(node.count)
                for member in node.distinct { try body(.node(member.value), next, &context) }
            } else {
                for member in current.members { try body(member.value, next, &context) }
            }
        case .elements(let next):
            guard let elements = current.elements else { return false }
            for element in elements { try body(element, next, &context) }
        case .flattened(let next):
            guard let elements = current.elements else { return false }
            for element in elements {
                try context.work()
                if let inner = element.elements {
                    for element in inner { try body(element, next, &context) }
                } else {
                    try body(element, next, &context)
                }
            }
        case .filtered(let condition, let next):
            guard let elements = current.elements else { return false }
            for element in elements where try condition.value(element, &context).isTruthy {
                try body(element, next, &context)
            }
        case .sliced(let slice, let next):
            guard let elements = current.elements else { return false }
            try context.work(elements.count / 8)
            for element in slice.elements(of: elements) { try body(element, next, &context) }
        default: return false
        }
        return true
    }
}

extension JMESValue {
    func member(_ key: MemberKey, _ context: inout JMESContext) throws(JMESFailure) -> JMESValue {
        switch self {
        case .node(let node):
            try context.work(node.count / 8)
            return key.value(in: node).map { .node($0) } ?? .null
        case .object(let members):
            try context.work(members.count / 8)
            return members.first { $0.key.utf8.elementsEqual(key.text.utf8) }?.value ?? .null
        default: return .null
        }
    }

    /// The number with the other sign, its digits as they are written.
    func negated() throws(JMESFailure) -> JMESValue {
        guard kind == .number, let text = numberText else { throw .type("-", takes: "a number", not: self) }
        if withNumber({ DecimalText($0).isZero }) { return .number("0") }
        return .number(text.hasPrefix("-") ? String(text.dropFirst()) : "-\(text)")
    }
}

extension Expression.Slice {
    /// Returns the elements that the slice selects, as in Python.
    func elements(of elements: JMESElements) -> [JMESValue] {
        let count = elements.count
        func place(_ index: Int?, _ missing: Int) -> Int {
            guard let index else { return missing }
            let place = index < 0 ? index + count : index
            return step > 0 ? min(max(place, 0), count) : min(max(place, -1), count - 1)
        }
        let start = place(start, step > 0 ? 0 : count - 1)
        let stop = place(stop, step > 0 ? count : -1)
        if step > 0 {
            guard start < stop else { return [] }
            var index = start - 1
            return elements.dropFirst(start).prefix(stop - start).filter { _ in
                index += 1
                return (index - start) % step == 0
            }
        }
        let all = Array(elements)
        return Swift.stride(from: start, to: stop, by: step).map { all[$0] }
    }
}

extension Expression.Comparison {
    /// Returns whether the comparison holds, null if the values have no order.
    func value(
        _ left: JMESValue, _ right: JMESValue, _ context: inout JMESContext
    ) throws(JMESFailure) -> JMESValue {
        switch self {
        case .equal: return .bool(try left.isEqual(to: right, in: &context))
        case .unequal: return .bool(try !left.isEqual(to: right, in: &context))
        default: break
        }
        guard let left = OrderKey(left), let right = OrderKey(right), left.isNumber == right.isNumber else {
            return .null
        }
        var steps = 0
        let order = left.compare(right, &steps)
        try context.work(steps)
        switch self {
        case .less: return .bool(order < 0)
        case .greater: return .bool(order > 0)
        case .lessOrEqual: return .bool(order <= 0)
        default: return .bool(order >= 0)
        }
    }
}

extension Expression.Arithmetic {
    func value(_ left: JMESValue, _ right: JMESValue) throws(JMESFailure) -> JMESValue {
        for operand in [left, right] where operand.kind != .number {
            throw .type(rawValue, takes: "numbers", not: operand)
        }
        return try JMESNumber.compute(self, JMESNumber(left), JMESNumber(right)).value
    }
}
