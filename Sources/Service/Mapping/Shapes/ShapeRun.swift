import JMESPath
import JSONText
import Records

/// Applies a shape to a document: walks the tape and writes the answer, without a tree of values in between.
///
/// Recurses as deep as the shape, which the compiler bounds. A function that writes returns false, or leaves nothing
/// behind, if there is no value.
struct ShapeRun: ~Copyable {
    /// The largest answer, in bytes.
    static let maximumBytes = 64 << 20

    let root: JSONNode
    /// The form in which the client wants dates.
    let dates: DateForm?
    var context: JMESContext
    var drift: ShapeDrift
    /// The property for which the last object had no value.
    var culprit: ShapeNode?
    private var transform = JSONTransform(keys: .keep, nulls: .keep)

    init(root: JSONNode, dates: DateForm?, context: consuming JMESContext, nodes: Int) {
        self.root = root
        self.dates = dates
        self.context = context
        drift = ShapeDrift(nodes: nodes)
    }

    /// Writes what a node makes of the current value; returns false, with nothing written, if there is no value.
    mutating func write(
        _ node: ShapeNode, of current: JMESValue, _ extent: FieldExtent, to writer: inout JSONWriter
    ) throws(ShapeFailure) -> Bool {
        if writer.count > Self.maximumBytes { throw .limit("\(Self.maximumBytes) bytes") }
        // A note of drift takes as long as some values.
        try work(2 + 4 * drift.takeNotes())
        if node.bindings.isEmpty { return try writeSource(of: node, in: current, extent, to: &writer) }
        var values: [JMESValue] = []
        for binding in node.bindings {
            values.append(try value(of: binding.expression, in: current, for: node) ?? .null)
        }
        for (binding, value) in zip(node.bindings, values) { context.bind(binding.name, to: value) }
        defer { context.unbind(node.bindings.count) }
        return try writeSource(of: node, in: current, extent, to: &writer)
    }

    private mutating func writeSource(
        of node: ShapeNode, in current: JMESValue, _ extent: FieldExtent, to writer: inout JSONWriter
    ) throws(ShapeFailure) -> Bool {
        if case .columns(let columns) = node.source {
            return try writeRows(of: columns, in: current, at: node, extent, to: &writer)
        }
        if case .composition(let expression) = node.source, case .whole = extent {
            return try writeComposition(expression, of: current, at: node, to: &writer)
        }
        guard let (value, isThere) = try source(of: node, in: current) else {
            drift.find(node)
            return writeFallback(of: node, to: &writer)
        }
        if value.isNull || value.bool == false && node.content.takesFalseAsNull {
            return writeAbsence(of: node, isThere: isThere || !value.isNull && node.source.isPath, to: &writer)
        }
        drift.find(node)
        var replaced = value
        if let rules = node.replacements {
            guard case .value(let value)? = try apply(rules, to: value, in: current, for: node) else {
                return writeFallback(of: node, to: &writer)
            }
            replaced = value
        }
        switch node.content {
        case .open: try writeOpen(replaced, extent, at: node, to: &writer)
        case .openObject:
            guard replaced.kind == .object else { return drop(.mistyped, at: node, to: &writer) }
            try writeOpen(replaced, extent, at: node, to: &writer)
        case .scalar(let rules):
            guard let value = try apply(rules, to: replaced, in: current, for: node) else {
                return writeFallback(of: node, to: &writer)
            }
            if case .value(let value) = value {
                try writeOpen(value, .whole, at: node, to: &writer)
            } else {
                value.write(to: &writer, dates: dates)
            }
        case .object(let properties, let others):
            guard replaced.kind == .object || !properties.isEmpty else { return drop(.mistyped, at: node, to: &writer) }
            return try writeObject(properties, others, of: replaced, at: node, extent, to: &writer)
        case .array(let elements):
            return try writeArray(elements, of: replaced, in: current, at: node, extent, to: &writer)
        }
        return true
    }

    /// Notes that a value was dropped, and writes the default if there is one.
    mutating func drop(
        _ reason: DriftReport.Reason, at node: ShapeNode, to writer: inout JSONWriter
    ) -> Bool {
        drift.note(.dropped, reason, at: node)
        return writeFallback(of: node, to: &writer)
    }

    /// Writes what stands for a value that is null; `isThere` says that a member of the node's path is null.
    mutating func writeAbsence(of node: ShapeNode, isThere: Bool, to writer: inout JSONWriter) -> Bool {
        drift.loss = isThere ? .null : .missing
        if isThere || node.fallback != nil || node.isOptional { drift.find(node) } else { drift.lose(node) }
        if node.keepsNulls, isThere || !node.source.isPath {
            writer.writeNull()
            return true
        }
        return writeFallback(of: node, to: &writer)
    }

    private func writeFallback(of node: ShapeNode, to writer: inout JSONWriter) -> Bool {
        guard let fallback = node.fallback else { return false }
        writer.write(raw: fallback)
        return true
    }

    /// Counts steps, as expressions do.
    mutating func work(_ steps: Int) throws(ShapeFailure) {
        do throws(JMESFailure) { try context.work(steps) } catch { throw ShapeFailure(error) }
    }
}

// MARK: Values

extension ShapeRun {
    /// Returns the value of a node's source, null if there is none, and whether a null is a member of the document.
    ///
    /// Returns nil for an expression that fails.
    private mutating func source(
        of node: ShapeNode, in current: JMESValue
    ) throws(ShapeFailure) -> (value: JMESValue, isThere: Bool)? {
        switch node.source {
        case .current: return (current, true)
        case .path(let names): return try member(at: names, of: current, for: node)
        case .expression(let expression), .composition(let expression):
            return try value(of: expression, in: current, for: node).map { ($0, false) }
        case .columns: return nil
        }
    }

    private mutating func member(
        at names: [String], of current: JMESValue, for node: ShapeNode
    ) throws(ShapeFailure) -> (value: JMESValue, isThere: Bool) {
        var value = current
        for name in names {
            try work(value.memberCount / 8)
            var count = 0
            let member: JMESValue? =
                if case .node(let object) = value {
                    object.member(called: name, &count).map { .node($0) }
                } else {
                    value[name]
                }
            if count > 1 { drift.note(.duplicateKey, .duplicate, at: node, count: count - 1) }
            guard let member else { return (.null, value.isNull) }
            value = member
        }
        return (value, value.isNull)
    }

    /// Returns the value of an expression, null if something that it needs is null or absent.
    ///
    /// Returns nil if the expression fails otherwise, which is noted.
    mutating func value(
        of expression: JMESPath, in current: JMESValue, for node: ShapeNode
    ) throws(ShapeFailure) -> JMESValue? {
        do throws(JMESFailure) {
            return try expression.value(of: current, in: &context)
        } catch {
            return try isAbsence(error, of: expression, at: node) ? .null : nil
        }
    }

    /// Whether an expression failed because something that it needs is null or absent; notes another failure.
    private mutating func isAbsence(
        _ failure: JMESFailure, of expression: JMESPath, at node: ShapeNode
    ) throws(ShapeFailure) -> Bool {
        switch failure {
        case .invalidType(_, isAbsence: true): return true
        case .invalidType: drift.note(.dropped, .mistyped, at: node, of: expression.text)
        case .invalidValue: drift.note(.dropped, .undefined, at: node, of: expression.text)
        case .tooMuchWork, .tooMuchOutput, .expired: throw ShapeFailure(failure)
        }
        return false
    }

    /// Writes the array or the object that an expression makes, without making it.
    private mutating func writeComposition(
        _ expression: JMESPath, of current: JMESValue, at node: ShapeNode, to writer: inout JSONWriter
    ) throws(ShapeFailure) -> Bool {
        let start = writer.count
        var isAbsent = false
        do throws(JMESFailure) {
            try expression.write(current, in: &context, to: &writer)
            // Arrays and objects begin with a bracket.
            isAbsent = writer.byte(at: start) == UInt8(ascii: "n")
        } catch {
            isAbsent = try isAbsence(error, of: expression, at: node)
        }
        if isAbsent {
            writer.cut(to: start)
            return writeAbsence(of: node, isThere: false, to: &writer)
        }
        drift.find(node)
        return writer.count > start || writeFallback(of: node, to: &writer)
    }

    /// Applies the rules of a scalar, and notes what they repair.
    private mutating func apply(
        _ rules: ScalarRules, to value: JMESValue, in current: JMESValue, for node: ShapeNode
    ) throws(ShapeFailure) -> ScalarValue? {
        var failure: ShapeFailure?
        let steps = context.remainingSteps
        let outcome = rules.apply(value, Pattern.Work(steps: steps, document: root)) { expression in
            do throws(ShapeFailure) {
                return try self.value(of: expression, in: current, for: node)
            } catch {
                failure = error
                return nil
            }
        }
        if let failure { throw failure }
        try work(steps - outcome.work.steps)
        for drift in outcome.drift { self.drift.note(drift.kind, drift.reason, at: node) }
        if let loss = outcome.loss { drift.loss = loss }
        return outcome.value
    }
}

// MARK: Objects

extension ShapeRun {
    private mutating func writeObject(
        _ properties: [ShapeNode.Property], _ others: ShapeNode?, of value: JMESValue, at node: ShapeNode,
        _ extent: FieldExtent, to writer: inout JSONWriter
    ) throws(ShapeFailure) -> Bool {
        let (start, mark) = (writer.count, drift.ledger.mark())
        writer.write(byte: UInt8(ascii: "{"))
        // Another value than an object is dropped if no property reads it, whatever the client selects.
        var isRead = value.kind == .object
        for index in properties.indices {
            let property = properties[index]
            let extent = extent.inner { index < $0.fields.count ? $0.fields[index] : .none }
            if extent.isNone, !property.isRequired, isRead { continue }
            let end = writer.count
            if end > start + 1 { writer.write(byte: UInt8(ascii: ",")) }
            writer.write(raw: property.key)
            if property.isRequired { (culprit, drift.loss) = (nil, nil) }
            let hasValue = try write(property.node, of: value, extent.isNone ? .whole : extent, to: &writer)
            // The default of a property says nothing of a text or a number.
            isRead = isRead || hasValue && (property.node.fallback == nil || value.kind == .array)
            if !hasValue || extent.isNone { writer.cut(to: end) }
            guard property.isRequired, !hasValue else { continue }
            let example = culprit ?? property.node
            culprit = example
            writer.cut(to: start)
            drift.ledger.rollBack(to: mark)
            drift.note(.dropped, drift.loss ?? .missing, at: node, example: example)
            return writeFallback(of: node, to: &writer)
        }
        if let others { try writeMap(of: value, without: properties, others, extent, after: start + 1, to: &writer) }
        guard isRead else {
            culprit = nil
            writer.cut(to: start)
            drift.ledger.rollBack(to: mark)
            return drop(.mistyped, at: node, to: &writer)
        }
        drift.ledger.forget(mark)
        let isEmpty = writer.count == start + 1
        writer.write(byte: UInt8(ascii: "}"))
        if isEmpty, !properties.isEmpty, node.isLeftOutEmpty {
            (culprit, drift.loss) = (nil, .missing)
            writer.cut(to: start)
            return writeFallback(of: node, to: &writer)
        }
        return true
    }

    /// Writes the members of an object that are not called as a property.
    private mutating func writeMap(
        of value: JMESValue, without properties: [ShapeNode.Property], _ node: ShapeNode, _ extent: FieldExtent,
        after first: Int, to writer: inout JSONWriter
    ) throws(ShapeFailure) {
        try work(value.memberCount * (4 + properties.count / 8))
        let members = value.members
        if case .node(let source) = value, source.count > members.count {
            drift.note(.duplicateKey, .duplicate, at: node, count: source.count - members.count)
        }
        drift.places.append(.key)
        defer { drift.places.removeLast() }
        for member in members where !properties.contains(where: { Name.areEqual($0.name, member.key) }) {
            let extent = extent.inner { $0.extent(of: member.key) }
            if extent.isNone { continue }
            let end = writer.count
            if end > first { writer.write(byte: UInt8(ascii: ",")) }
            writer.write(member.key)
            writer.write(byte: UInt8(ascii: ":"))
            if try !write(node, of: member.value, extent, to: &writer) { writer.cut(to: end) }
        }
    }

    /// Writes a value that is passed on.
    private mutating func writeOpen(
        _ value: JMESValue, _ extent: FieldExtent, at node: ShapeNode, to writer: inout JSONWriter
    ) throws(ShapeFailure) {
        var value = value
        if case .part(let part) = extent {
            try work(value.textSize / 8)
            value = value.selected(by: part)
        }
        guard case .node(let source) = value else {
            // A made value may hold a text of the document many times.
            do throws(JMESFailure) { try value.write(to: &writer, in: &context) } catch { throw ShapeFailure(error) }
            return
        }
        try work(source.text.count / 16)
        switch source.kind {
        case .string, .escapedString: writer.write(stringOf: source)
        case .integer: writer.write(raw: source.text)
        case .array, .object:
            transform.write(source, to: &writer)
            if !transform.events.isEmpty { drift.note(transform.events, at: node) }
        default: value.write(to: &writer)
        }
    }
}

extension ShapeNode {
    /// Whether an object without members is no value: those of the root and of elements stay.
    fileprivate var isLeftOutEmpty: Bool {
        switch steps.last {
        case .member, .key: true
        case .element, nil: false
        }
    }
}
