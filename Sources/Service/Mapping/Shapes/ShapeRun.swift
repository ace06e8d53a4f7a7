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
    private(set) var culprit: ShapeNode?
    private var transform = JSONTransform(keys: .keep, nulls: .keep)
    private var steps = 0

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
        try checkLimits(writer.count)
        guard node.hasBindings else { return try writeSource(of: node, in: current, extent, to: &writer) }
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
            guard replaced.kind == .object else { return drop(.mistyped, at: node, to: &writer) }
            return try writeObject(properties, others, of: replaced, at: node, extent, to: &writer)
        case .array(let elements):
            try writeArray(elements, of: replaced, in: current, at: node, extent, to: &writer)
        }
        return true
    }

    /// Notes that a value was dropped, and writes the default if there is one.
    private mutating func drop(
        _ reason: DriftReport.Reason, at node: ShapeNode, to writer: inout JSONWriter
    ) -> Bool {
        drift.note(.dropped, reason, at: node)
        return writeFallback(of: node, to: &writer)
    }

    /// Writes what stands for a value that is null; `isThere` says that a member of the node's path is null.
    private mutating func writeAbsence(of node: ShapeNode, isThere: Bool, to writer: inout JSONWriter) -> Bool {
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

    private mutating func checkLimits(_ count: Int) throws(ShapeFailure) {
        steps &+= 1
        if count > Self.maximumBytes { throw .limit("\(Self.maximumBytes) bytes") }
        if steps & 1023 == 0, root.isExpired { throw .expired }
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
        case .path(let names, let index): return member(at: names, index, of: current, for: node)
        case .expression(let expression), .composition(let expression):
            guard let value = try value(of: expression, in: current, for: node) else { return nil }
            return (value, false)
        case .columns: return (.null, false)
        }
    }

    private mutating func member(
        at names: [String], _ index: Int?, of current: JMESValue, for node: ShapeNode
    ) -> (value: JMESValue, isThere: Bool) {
        var value = current
        var first = 0
        if let index, case .object(let members) = current, index < members.count, members[index].key == names[0] {
            value = members[index].value
            first = 1
        }
        for position in first..<names.count {
            let name = names[position]
            switch value {
            case .node(let object):
                var count = 0
                guard let member = object.member(called: name, &count) else { return (.null, object.isNull) }
                if count > 1 { drift.note(.duplicateKey, .duplicate, at: node, count: count - 1) }
                value = .node(member)
            case .object(let members):
                guard let member = members.last(where: { Name.areEqual($0.key, name) }) else { return (.null, false) }
                value = member.value
            default: return (.null, value.isNull)
            }
        }
        return (value, value.isNull)
    }

    /// Returns the value of an expression, null if something that it needs is null or absent.
    ///
    /// Returns nil if the expression fails otherwise, which is noted.
    private mutating func value(
        of expression: JMESPath, in current: JMESValue, for node: ShapeNode
    ) throws(ShapeFailure) -> JMESValue? {
        do throws(JMESFailure) {
            return try expression.value(of: current, in: &context)
        } catch {
            return try isAbsence(error, at: node) ? .null : nil
        }
    }

    /// Writes the value of an expression that makes an array or an object, without making it.
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
            isAbsent = try isAbsence(error, at: node)
        }
        if isAbsent {
            writer.cut(to: start)
            return writeAbsence(of: node, isThere: false, to: &writer)
        }
        drift.find(node)
        return writer.count > start || writeFallback(of: node, to: &writer)
    }

    /// Returns whether an expression failed because something that it needs is null or absent; notes another failure.
    private mutating func isAbsence(_ failure: JMESFailure, at node: ShapeNode) throws(ShapeFailure) -> Bool {
        switch failure {
        case .invalidType(_, isAbsence: true): return true
        case .invalidType: drift.note(.dropped, .mistyped, at: node)
        case .invalidValue: drift.note(.dropped, .undefined, at: node)
        case .tooMuchWork, .tooMuchOutput: throw .limit("\(failure)")
        case .expired: throw .expired
        }
        return false
    }

    /// Applies the rules of a scalar, and notes what they repair.
    private mutating func apply(
        _ rules: ShapeNode.Rules, to value: JMESValue, in current: JMESValue, for node: ShapeNode
    ) throws(ShapeFailure) -> ScalarValue? {
        var failure: ShapeFailure?
        let outcome = rules.scalar.apply(value) { expression in
            do throws(ShapeFailure) {
                return try self.value(of: expression, in: current, for: node)
            } catch {
                failure = error
                return nil
            }
        }
        if let failure { throw failure }
        for drift in outcome.drift { self.drift.note(drift.kind, drift.reason, at: node) }
        return outcome.value
    }
}

// MARK: Objects and arrays

extension ShapeRun {
    private mutating func writeObject(
        _ properties: [ShapeNode.Property], _ others: ShapeNode?, of value: JMESValue, at node: ShapeNode,
        _ extent: FieldExtent, to writer: inout JSONWriter
    ) throws(ShapeFailure) -> Bool {
        let (start, mark) = (writer.count, drift.mark())
        writer.write(byte: UInt8(ascii: "{"))
        for index in properties.indices {
            let property = properties[index]
            let extent = extent.ofProperty(index)
            if extent.isNone, !property.isRequired { continue }
            let end = writer.count
            if end > start + 1 { writer.write(byte: UInt8(ascii: ",")) }
            writer.write(raw: property.key)
            if property.isRequired { (culprit, drift.loss) = (nil, nil) }
            let hasValue = try write(property.node, of: value, extent, to: &writer)
            if !hasValue || extent.isNone { writer.cut(to: end) }
            guard property.isRequired, !hasValue else { continue }
            let example = culprit ?? property.node
            culprit = example
            writer.cut(to: start)
            drift.rollBack(to: mark)
            drift.note(.dropped, drift.loss ?? .missing, at: node, example: example)
            return writeFallback(of: node, to: &writer)
        }
        if let others { try writeMap(of: value, without: properties, others, extent, after: start + 1, to: &writer) }
        drift.forget(mark)
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
        let members = value.members
        if case .node(let source) = value, source.count > members.count {
            drift.note(.duplicateKey, .duplicate, at: node, count: source.count - members.count)
        }
        drift.places.append(.key("*"))
        defer { drift.places.removeLast() }
        for member in members where !properties.contains(where: { Name.areEqual($0.name, member.key) }) {
            let extent = extent.ofKey(member.key)
            if extent.isNone { continue }
            drift.places[drift.places.count - 1] = .key(member.key)
            let end = writer.count
            if end > first { writer.write(byte: UInt8(ascii: ",")) }
            writer.write(member.key)
            writer.write(byte: UInt8(ascii: ":"))
            if try !write(node, of: member.value, extent, to: &writer) { writer.cut(to: end) }
        }
    }
}

extension ShapeRun {
    private mutating func writeArray(
        _ elements: ShapeNode.Elements, of value: JMESValue, in current: JMESValue, at node: ShapeNode,
        _ extent: FieldExtent, to writer: inout JSONWriter
    ) throws(ShapeFailure) {
        var walk = value.elements
        if walk == nil { drift.note(.coerced, .singleElement, at: node) }
        try writeArray(elements, in: current, at: node, extent, to: &writer) {
            if walk != nil { return walk?.next() }
            walk = JMESValue.array([]).elements
            return value
        }
    }

    /// Writes objects of the elements of columns at the same index: none, which is reported, if no column has a value.
    private mutating func writeRows(
        of columns: [ShapeNode.NamedExpression], in current: JMESValue, at node: ShapeNode, _ extent: FieldExtent,
        to writer: inout JSONWriter
    ) throws(ShapeFailure) -> Bool {
        guard case .array(let elements) = node.content else { return false }
        var walks: [(name: String, walk: JMESElements)] = []
        for column in columns {
            guard let value = try value(of: column.expression, in: current, for: node), !value.isNull else { continue }
            if value.kind != .array { drift.note(.coerced, .singleElement, at: node) }
            if let walk = value.elements ?? JMESValue.array([value]).elements { walks.append((column.name, walk)) }
        }
        if walks.isEmpty, writeAbsence(of: node, isThere: false, to: &writer) { return true }
        if !walks.isEmpty { drift.find(node) }
        try writeArray(elements, in: current, at: node, extent, to: &writer) {
            var row: [JMESValue.Member] = []
            row.reserveCapacity(walks.count)
            for index in walks.indices {
                if let value = walks[index].walk.next() { row.append(.init(walks[index].name, value)) }
            }
            return row.isEmpty ? nil : .object(row)
        }
        return true
    }

    private mutating func writeArray(
        _ elements: ShapeNode.Elements, in current: JMESValue, at node: ShapeNode, _ extent: FieldExtent,
        to writer: inout JSONWriter, next: () -> JMESValue?
    ) throws(ShapeFailure) {
        let limit = try limit(of: elements, in: current, at: node)
        writer.write(byte: UInt8(ascii: "["))
        var array = ArrayProgress(start: writer.count)
        drift.places.append(.index(0))
        defer { drift.places.removeLast() }
        while array.count < limit, let element = next() {
            try write(element, in: elements, &array, extent, to: &writer)
        }
        writer.write(byte: UInt8(ascii: "]"))
    }

    /// The state of an array that is being written.
    private struct ArrayProgress {
        /// The number of bytes before the first element.
        let start: Int
        /// The index of the element in the source.
        var index = 0
        /// The number of elements written.
        var count = 0
        /// The text of the elements, of arrays whose elements are unique.
        var texts: Set<[UInt8]> = []
    }

    private mutating func write(
        _ element: JMESValue, in elements: ShapeNode.Elements, _ array: inout ArrayProgress, _ extent: FieldExtent,
        to writer: inout JSONWriter
    ) throws(ShapeFailure) {
        drift.places[drift.places.count - 1] = .index(array.index)
        array.index += 1
        if element.isNull, !elements.keepsNulls { return }
        let end = writer.count
        if end > array.start { writer.write(byte: UInt8(ascii: ",")) }
        let start = writer.count
        if element.isNull {
            writer.writeNull()
        } else if try !write(elements.node, of: element, extent, to: &writer) {
            return writer.cut(to: end)
        }
        if elements.areUnique, !array.texts.insert(writer.canonicalText(from: start)).inserted {
            return writer.cut(to: end)
        }
        array.count += 1
    }

    /// Returns how many elements of an array are kept.
    private mutating func limit(
        of elements: ShapeNode.Elements, in current: JMESValue, at node: ShapeNode
    ) throws(ShapeFailure) -> Int {
        switch elements.limit {
        case .none: return .max
        case .number(let limit): return limit
        case .expression(let expression):
            guard let value = try value(of: expression, in: current, for: node), !value.isNull else { return .max }
            guard let number = value.numberText.flatMap(Double.init) else {
                drift.note(.dropped, .mistyped, at: node)
                return .max
            }
            return Int(min(max(number, 0), 1e9))
        }
    }

    /// Writes a value that is passed on.
    private mutating func writeOpen(
        _ value: JMESValue, _ extent: FieldExtent, at node: ShapeNode, to writer: inout JSONWriter
    ) throws(ShapeFailure) {
        var value = value
        if case .part(let part) = extent { value = value.selected(by: part) }
        guard case .node(let source) = value else {
            // A made value may hold a text of the document many times.
            do throws(JMESFailure) { try value.write(to: &writer, in: &context) } catch {
                throw error == .expired ? .expired : .limit("\(error)")
            }
            return
        }
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

extension JSONWriter {
    /// Returns the text written from `start` on; strings with escapes get those of this writer, so that equal ones are.
    fileprivate func canonicalText(from start: Int) -> [UInt8] {
        let text = withBytes { Array($0[start...]) }
        guard text.contains(UInt8(ascii: "\\")) else { return text }
        var parser = JSONParser()
        return (try? parser.withDocument(text) { JSONValue($0).text }) ?? text
    }
}
