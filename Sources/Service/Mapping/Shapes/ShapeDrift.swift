import JSONText
import Records

/// Notes what a shape repairs in a document, and which expressions find nothing in any element.
struct ShapeDrift {
    /// An element of an array, or a member of a map, in which the current value is.
    enum Place {
        case index(Int)
        /// The keys of maps are data, which no report shows.
        case key
    }

    private struct Search {
        var isFound = false
        var losses = 0
        var example: [Place] = []
    }

    /// The elements and members around the current value, outermost first.
    var places: [Place] = []
    /// Why the last value was dropped or replaced; nil if it was not.
    var loss: DriftReport.Reason?
    var ledger = DriftLedger()
    private var searches: [Search]
    /// The number of notes since ``takeNotes()``.
    private var notes = 0

    init(nodes: Int) { searches = Array(repeating: Search(), count: nodes) }

    /// Returns the number of notes since the last call.
    mutating func takeNotes() -> Int {
        defer { notes = 0 }
        return notes
    }

    /// Notes that the expression of a node has a value.
    mutating func find(_ node: ShapeNode) { searches[node.number].isFound = true }

    /// Notes that the expression of a node has no value here.
    mutating func lose(_ node: ShapeNode) {
        guard !searches[node.number].isFound else { return }
        if searches[node.number].losses == 0 { searches[node.number].example = places }
        searches[node.number].losses += 1
    }

    /// Counts a repair of a node's value; `example` is the node whose place the report shows, and `expression` the one
    /// that failed.
    mutating func note(
        _ kind: DriftReport.Kind, _ reason: DriftReport.Reason, at node: ShapeNode, example: ShapeNode? = nil,
        of expression: String? = nil, count: Int = 1
    ) {
        notes += 1
        if kind == .dropped || kind == .defaulted { loss = reason }
        let places = places
        var hash = UInt64(node.number)
        // Each expression of `let` and of columns has its own entry.
        if var expression, expression != node.place { hash &+= expression.withUTF8 { LocationStack.hash(of: $0) } }
        ledger.note(kind, reason, hash: hash, count: count, from: expression ?? node.place) { isIndexed in
            isIndexed ? (example ?? node).path(places).text : node.path(nil).text
        }
    }

    /// Counts the equal keys in a value that is passed on whole.
    mutating func note(_ events: [JSONTransform.Event], at node: ShapeNode) {
        let places = places
        notes += events.count
        for event in events where event.kind == .duplicate {
            var inner = event.path
            let hash = inner.withUTF8 { LocationStack.hash(of: $0) } &+ UInt64(node.number)
            ledger.note(.duplicateKey, .duplicate, hash: hash, count: event.count, from: node.place) { isIndexed in
                let outer = node.path(isIndexed ? places : nil).text
                return outer.isEmpty || inner.hasPrefix("[") ? outer + inner : outer + "." + inner
            }
        }
    }

    /// Returns the report, with the expressions of `nodes` that found nothing at its end.
    mutating func report(_ nodes: [ShapeNode]) -> DriftReport {
        for node in nodes where !searches[node.number].isFound && searches[node.number].losses > 0 {
            places = searches[node.number].example
            note(.missing, .missing, at: node, count: searches[node.number].losses)
        }
        return ledger.report
    }
}

extension ShapeNode {
    /// Returns the path of the value at `places`; without places, its pattern.
    func path(_ places: [ShapeDrift.Place]?) -> DocumentPath {
        var path = DocumentPath()
        var places = places?[...]
        for step in steps {
            switch step {
            case .member(let name): path.append(member: name)
            case .key:
                _ = places?.popFirst()
                path.append(member: "*")
            case .element:
                if case .index(let index)? = places?.popFirst() {
                    path.append(index: index)
                } else {
                    path.appendAnyElement()
                }
            }
        }
        return path
    }
}
