import JSONText

extension Expression {
    /// Writes the value for `current`; lists, objects and projections at once, without making them.
    func write(
        _ current: JMESValue, _ context: inout JMESContext, to writer: inout JSONWriter
    ) throws(JMESFailure) {
        switch self {
        case .sequence(let steps):
            guard let last = steps.last else { return }
            try context.work()
            var value = current
            for step in steps.dropLast() { value = try step.value(value, &context) }
            try last.write(value, &context, to: &writer)
        case .list(let expressions) where !current.isNull:
            try context.work()
            writer.write(byte: UInt8(ascii: "["))
            for (index, expression) in expressions.enumerated() {
                if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
                try expression.write(current, &context, to: &writer)
            }
            writer.write(byte: UInt8(ascii: "]"))
        case .object(let members) where !current.isNull:
            try context.work()
            writer.write(byte: UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
                writer.write(member.name)
                writer.write(byte: UInt8(ascii: ":"))
                try member.value.write(current, &context, to: &writer)
            }
            writer.write(byte: UInt8(ascii: "}"))
        case .elements, .values, .flattened, .filtered, .sliced:
            try writeProjected(current, &context, to: &writer)
        case .ternary(let condition, let then, let other):
            let next = try condition.value(current, &context).isTruthy ? then : other
            try next.write(current, &context, to: &writer)
        case .bound(let bindings, let body):
            try Self.withBindings(bindings, current, &context) { context throws(JMESFailure) in
                try body.write(current, &context, to: &writer)
            }
        default: try value(current, &context).write(to: &writer, in: &context)
        }
    }

    private func writeProjected(
        _ current: JMESValue, _ context: inout JMESContext, to writer: inout JSONWriter
    ) throws(JMESFailure) {
        try context.work()
        let start = writer.count
        writer.write(byte: UInt8(ascii: "["))
        let isProjected = try forEachProjected(current, &context) { element, next, context throws(JMESFailure) in
            let mark = writer.count
            try (next ?? .current).write(element, &context, to: &writer)
            // No other value is written as these four bytes, and a projection leaves null out.
            if writer.count - mark == 4, writer.text(from: mark) == "null" { return writer.cut(to: mark) }
            writer.write(byte: UInt8(ascii: ","))
        }
        guard isProjected else {
            writer.cut(to: start)
            return writer.writeNull()
        }
        if writer.count > start + 1 { writer.cut(to: writer.count - 1) }
        writer.write(byte: UInt8(ascii: "]"))
    }
}
