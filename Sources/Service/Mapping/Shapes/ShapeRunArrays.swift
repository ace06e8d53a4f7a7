import JMESPath
import JSONText
import Records

extension ShapeRun {
    /// Writes the elements of an array; another value becomes an array of one element.
    mutating func writeArray(
        _ elements: ShapeNode.Elements, of value: JMESValue, in current: JMESValue, at node: ShapeNode,
        _ extent: FieldExtent, to writer: inout JSONWriter
    ) throws(ShapeFailure) -> Bool {
        var walk = walk(of: value, at: node)
        return try writeArray(elements, in: current, at: node, extent, to: &writer) { walk.next() }
    }

    /// Writes objects of the elements of columns at the same index: none, which is reported, if no column has a value.
    mutating func writeRows(
        of columns: [ShapeNode.NamedExpression], in current: JMESValue, at node: ShapeNode, _ extent: FieldExtent,
        to writer: inout JSONWriter
    ) throws(ShapeFailure) -> Bool {
        guard case .array(let elements) = node.content else { return false }
        var walks: [(name: String, walk: JMESElements)] = []
        for column in columns {
            guard let value = try value(of: column.expression, in: current, for: node), !value.isNull else { continue }
            walks.append((column.name, walk(of: value, at: node)))
        }
        if walks.isEmpty, writeAbsence(of: node, isThere: false, to: &writer) { return true }
        if !walks.isEmpty { drift.find(node) }
        let lengths = walks.map(\.walk.count)
        let missing = lengths.reduce(0) { $0 + (lengths.max() ?? 0) - $1 }
        if missing > 0 { drift.note(.dropped, .length, at: node, count: missing) }
        return try writeArray(elements, in: current, at: node, extent, to: &writer) {
            var row: [JMESValue.Member] = []
            row.reserveCapacity(walks.count)
            for index in walks.indices {
                if let value = walks[index].walk.next() { row.append(.init(walks[index].name, value)) }
            }
            return row.isEmpty ? nil : .object(row)
        }
    }

    private mutating func walk(of value: JMESValue, at node: ShapeNode) -> JMESElements {
        if let elements = value.elements { return elements }
        drift.note(.coerced, .singleElement, at: node)
        return [value]
    }

    private mutating func writeArray(
        _ elements: ShapeNode.Elements, in current: JMESValue, at node: ShapeNode, _ extent: FieldExtent,
        to writer: inout JSONWriter, next: () -> JMESValue?
    ) throws(ShapeFailure) -> Bool {
        let maximum = try limit(elements.limit, in: current, at: node) ?? .max
        let minimum = try limit(elements.minimum, in: current, at: node) ?? 0
        let beginning = writer.count
        writer.write(byte: UInt8(ascii: "["))
        let first = writer.count
        // The text of the elements, of arrays whose elements are unique.
        var texts: Set<[UInt8]> = []
        var (index, count) = (0, 0)
        drift.places.append(.index(0))
        while count < maximum, let element = next() {
            drift.places[drift.places.count - 1] = .index(index)
            index += 1
            if element.isNull, !elements.keepsNulls { continue }
            let end = writer.count
            if end > first { writer.write(byte: UInt8(ascii: ",")) }
            let start = writer.count
            var hasValue = true
            if element.isNull {
                writer.writeNull()
            } else {
                hasValue = try write(elements.node, of: element, extent, to: &writer)
            }
            if elements.areUnique { try work(2 + (writer.count - start) / 8) }
            if hasValue, !elements.areUnique || texts.insert(writer.canonicalText(from: start)).inserted {
                count += 1
            } else {
                writer.cut(to: end)
            }
        }
        drift.places.removeLast()
        if count < minimum {
            culprit = nil
            writer.cut(to: beginning)
            return drop(.tooFew, at: node, to: &writer)
        }
        writer.write(byte: UInt8(ascii: "]"))
        return true
    }

    /// Returns the number of elements that a limit means; nil for none.
    private mutating func limit(
        _ limit: ShapeNode.Elements.Limit, in current: JMESValue, at node: ShapeNode
    ) throws(ShapeFailure) -> Int? {
        switch limit {
        case .none: return nil
        case .number(let limit): return limit
        case .expression(let expression):
            guard let value = try value(of: expression, in: current, for: node), !value.isNull else { return nil }
            guard let number = value.numberText.flatMap(Double.init) else {
                drift.note(.dropped, .mistyped, at: node, of: expression.text)
                return nil
            }
            return Int(min(max(number, 0), 1e9))
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
