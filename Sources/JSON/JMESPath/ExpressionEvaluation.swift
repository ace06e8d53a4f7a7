import JSONText

extension Expression {
    /// Returns the value for `current`; the height of the expression, which the parser limits, bounds the recursion.
    func value(_ current: JMESValue, _ context: inout JMESContext) throws(JMESFailure) -> JMESValue {
        try context.work()
        switch self {
        case .current: return current
        case .root: return context.root
        case .pattern: return .null
        case .literal(let literal):
            try context.make(bytes: 32 * literal.count)
            try context.work(literal.count)
            return literal.value
        case .variable(let name):
            try context.work(context.bindingCount / 4)
            return context[name] ?? .null
        case .member(let key): return try current.member(key, &context)
        case .index(let index):
            // The elements of a document's array are counted from the first one.
            let count = current.elements?.count ?? 0
            try context.work(min(index < 0 ? max(index, -count) + count : index, count) / 8)
            return current.element(at: index)
        case .sequence(let steps):
            var value = current
            for step in steps { value = try step.value(value, &context) }
            return value
        case .projection(let projection, let next, let keepsNulls):
            return try projection.value(current, next, keepsNulls: keepsNulls, &context)
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
            try context.work(4 + (left.textSize + right.textSize) / 16)
            return try operation.value(left, right)
        case .negation(let operand):
            let value = try operand.value(current, &context)
            try context.work(value.textSize / 16)
            return try value.negated()
        case .plus(let operand):
            let value = try operand.value(current, &context)
            guard value.kind == .number else { throw .type("+", takes: "a number", not: value) }
            return value
        case .ternary(let condition, let then, let other):
            return try (condition.value(current, &context).isTruthy ? then : other).value(current, &context)
        case .bound(let bindings, let body):
            // The values do not see each other.
            var values: [JMESValue] = []
            for binding in bindings { values.append(try binding.value.value(current, &context)) }
            for (binding, value) in zip(bindings, values) { context.bind(binding.name, to: value) }
            defer { context.unbind(bindings.count) }
            return try body.value(current, &context)
        case .call(let function, let arguments, let each):
            var values: [JMESValue] = []
            values.reserveCapacity(arguments.count)
            for argument in arguments { values.append(try argument.value(current, &context)) }
            return try function.value(values, each: each, &context)
        }
    }
}

extension Expression.Projection {
    /// Returns what `next` makes of the elements; null if the value has another type than is projected.
    func value(
        _ current: JMESValue, _ next: Expression?, keepsNulls: Bool, _ context: inout JMESContext
    ) throws(JMESFailure) -> JMESValue {
        if let text = try slice(ofText: current, &context) { return try next?.value(text, &context) ?? text }
        var values: [JMESValue] = []
        let isProjected = try forEach(current, &context) { element, context throws(JMESFailure) in
            let value = try next?.value(element, &context) ?? element
            if !keepsNulls, value.isNull { return }
            try context.makeElement()
            values.append(value)
        }
        return isProjected ? .array(values) : .null
    }

    /// Calls `body` with the elements; returns false if the value has another type than is projected.
    func forEach(
        _ current: JMESValue, _ context: inout JMESContext,
        _ body: (JMESValue, inout JMESContext) throws(JMESFailure) -> Void
    ) throws(JMESFailure) -> Bool {
        let isOfMembers = if case .values = self { true } else { false }
        guard let elements = isOfMembers ? current.memberValues : current.elements else { return false }
        switch self {
        case .elements: for element in elements { try body(element, &context) }
        case .values:
            try context.work(2 * elements.count)
            for element in elements { try body(element, &context) }
        case .flattened:
            for element in elements {
                try context.work()
                if let inner = element.elements {
                    for element in inner { try body(element, &context) }
                } else {
                    try body(element, &context)
                }
            }
        case .filtered(let condition):
            for element in elements where try condition.value(element, &context).isTruthy {
                try body(element, &context)
            }
        case .sliced(let start, let stop, let step):
            try context.work(elements.count / 2)
            let places = Self.places(start, stop, step, of: elements.count)
            let values = Array(elements.prefix(Swift.max(places.start + 1, places.stop)))
            for place in places.stride { try body(values[place], &context) }
        }
        return true
    }
}

extension Expression.Projection {
    /// Returns what a slice selects of a text, by code points; nil for other projections and values.
    fileprivate func slice(ofText value: JMESValue, _ context: inout JMESContext) throws(JMESFailure) -> JMESValue? {
        guard case .sliced(let start, let stop, let step) = self, let text = value.string else { return nil }
        try context.work(text.utf8.count / 4)
        try context.make(bytes: text.utf8.count)
        let scalars = Array(text.unicodeScalars)
        var result = String.UnicodeScalarView()
        for place in Self.places(start, stop, step, of: scalars.count).stride { result.append(scalars[place]) }
        return .string(String(result))
    }

    /// Returns the places that a slice selects, as in Python.
    private static func places(
        _ start: Int?, _ stop: Int?, _ step: Int, of count: Int
    ) -> (stride: StrideTo<Int>, start: Int, stop: Int) {
        func place(_ index: Int?, _ missing: Int) -> Int {
            guard let index else { return missing }
            let place = index < 0 ? index + count : index
            return step > 0 ? Swift.min(Swift.max(place, 0), count) : Swift.min(Swift.max(place, -1), count - 1)
        }
        let start = place(start, step > 0 ? 0 : count - 1)
        let stop = place(stop, step > 0 ? count : -1)
        return (Swift.stride(from: start, to: stop, by: step), start, stop)
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
        try context.work(1 + (left.textSize + right.textSize) / 16)
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

extension Expression {
    /// Writes the value for `current`; lists, objects and projections at once, without making them.
    func write(
        _ current: JMESValue, _ context: inout JMESContext, to writer: inout JSONWriter
    ) throws(JMESFailure) {
        switch self {
        case .sequence(let steps):
            try context.work()
            var value = current
            for step in steps.dropLast() { value = try step.value(value, &context) }
            try (steps.last ?? .current).write(value, &context, to: &writer)
        case .list(let expressions) where !current.isNull:
            try context.work()
            try writer.write("[", "]", expressions) { expression, writer throws(JMESFailure) in
                try expression.write(current, &context, to: &writer)
            }
        case .object(let members) where !current.isNull:
            try context.work()
            try writer.write("{", "}", members) { member, writer throws(JMESFailure) in
                try context.make(bytes: member.name.utf8.count)
                writer.write(member.name)
                writer.write(byte: UInt8(ascii: ":"))
                try member.value.write(current, &context, to: &writer)
            }
        case .projection(let projection, let next, let keepsNulls):
            try context.work()
            if let text = try projection.slice(ofText: current, &context) {
                return try (next ?? .current).write(text, &context, to: &writer)
            }
            let start = writer.count
            writer.write(byte: UInt8(ascii: "["))
            let isProjected = try projection.forEach(current, &context) { element, context throws(JMESFailure) in
                let mark = writer.count
                if mark > start + 1 { writer.write(byte: UInt8(ascii: ",")) }
                let first = writer.count
                try (next ?? .current).write(element, &context, to: &writer)
                // No other value is written as these four bytes, and a projection leaves null out.
                if !keepsNulls, writer.count - first == 4, writer.text(from: first) == "null" { writer.cut(to: mark) }
            }
            if isProjected { return writer.write(byte: UInt8(ascii: "]")) }
            writer.cut(to: start)
            writer.writeNull()
        default: try value(current, &context).write(to: &writer, in: &context)
        }
    }
}
