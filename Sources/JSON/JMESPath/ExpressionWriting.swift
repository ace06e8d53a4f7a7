import JSONText

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
        case .projection(let projection, let next):
            try context.work()
            let start = writer.count
            writer.write(byte: UInt8(ascii: "["))
            let isProjected = try projection.forEach(current, &context) { element, context throws(JMESFailure) in
                let mark = writer.count
                if mark > start + 1 { writer.write(byte: UInt8(ascii: ",")) }
                let first = writer.count
                try (next ?? .current).write(element, &context, to: &writer)
                // No other value is written as these four bytes, and a projection leaves null out.
                if writer.count - first == 4, writer.text(from: first) == "null" { writer.cut(to: mark) }
            }
            if isProjected { return writer.write(byte: UInt8(ascii: "]")) }
            writer.cut(to: start)
            writer.writeNull()
        default: try value(current, &context).write(to: &writer, in: &context)
        }
    }
}
