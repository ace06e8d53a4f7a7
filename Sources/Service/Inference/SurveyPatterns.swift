// How the objects of documents are used.
extension ValueSurvey {
    /// Whether objects are maps: their keys are ids, dates or codes, or many for objects of one shape.
    var keysAreData: Bool {
        if values != nil { return true }
        guard names.count >= 3, let first = names.first.flatMap(member) else { return false }
        let isData = /[0-9]+|[0-9]{4}-[0-9]{2}-[0-9]{2}.*|[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}/
        if names.allSatisfy({ $0.wholeMatch(of: isData) != nil }) { return true }
        let members = names.compactMap(member)
        guard names.count >= 8, members.allSatisfy({ $0.kinds == first.kinds }) else { return false }
        if first.kinds == [.number] { return names.allSatisfy { $0.wholeMatch(of: /[A-Z]{3}/) != nil } }
        return first.kinds == [.object] && !first.names.isEmpty
            && members.allSatisfy { Set($0.names) == Set(first.names) }
    }

    /// Whether every object has columns of one length, one of which is the time.
    var isTable: Bool {
        let times = ["time", "times", "date", "dates", "timestamp", "timestamps"]
        return kinds == [.object] && tables == self[.object] && names.count >= 2 && !isCut && values == nil
            && names.contains { times.contains($0.lowercased()) }
    }

    /// The rows of columns of one length.
    var row: ValueSurvey {
        ValueSurvey(objectsWith: names.compactMap { name in member(name)?.elements.map { (name, $0) } })
    }
}
