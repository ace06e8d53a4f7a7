import JSONText
import TestSupport

/// The recorded answers of the corpus.
enum RecordedDocuments {
    /// All recorded files.
    static let all = Checkout.sharedFiles("corpus")

    /// The arrays and objects in the recorded documents that are short enough to be damaged many times.
    static let fragments: [[UInt8]] = {
        var fragments = Set<[UInt8]>()
        for document in all {
            var parser = JSONParser()
            // A document that is not JSON has no fragments.
            try? parser.withDocument(document.bytes) { gather($0, &fragments) }
        }
        return fragments.sorted { $0.lexicographicallyPrecedes($1) }
    }()

    private static func gather(_ node: JSONNode, _ fragments: inout Set<[UInt8]>) {
        guard node.kind == .array || node.kind == .object else { return }
        if (12...200).contains(node.text.count) { fragments.insert(Array(node.text)) }
        guard node.text.count > 12 else { return }
        for element in node.elements { gather(element, &fragments) }
        for (_, value) in node.members { gather(value, &fragments) }
    }
}
