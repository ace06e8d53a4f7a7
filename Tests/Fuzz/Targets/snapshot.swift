import HTTPCore

/// A file that is read has exactly the bytes that its records are written to; a record that is read has the lengths that it
/// says, and comes back from what it is written to.
@_cdecl("LLVMFuzzerTestOneInput")
public func snapshot(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = input(start, count)
    // The fuzzer does not find checksums.
    for content in [bytes, SnapshotImage.repaired(bytes)] {
        guard let records = SnapshotImage.records(of: content) else { continue }
        let size = records.reduce(40) { $0 + 4 + $1.count }
        invariant(size == content.count, "\(size) bytes of records in a file of \(content.count)")
        invariant(SnapshotImage.content(of: records) == content, "a file that no writer writes: \(content)")
        for record in records { check(record) }
    }
    check(bytes)
    return 0
}

/// Policies of an upstream that is obeyed, and of one that is not.
private let policies = [
    CachePolicy(defaultLifetime: 300, usesHeuristics: true, staleWhileRevalidate: 30, staleIfError: 86_400),
    CachePolicy(floor: 3600, ceiling: 3600, usesHeuristics: false, obeysUpstream: false),
]

private func check(_ bytes: [UInt8]) {
    var rest = bytes[...]
    guard let record = DocumentRecord(&rest) else { return }
    let origin = record.origin.map { 8 + $0.route.utf8.count + $0.target.utf8.count } ?? 0
    let texts =
        record.upstream.utf8.count + record.target.utf8.count + record.fields.utf8.count + record.body.count + origin
    invariant(9 + 16 + texts + rest.count == bytes.count, "texts of \(texts) bytes in \(bytes.count)")
    for policy in policies {
        var fields = rest
        guard let response = CachedResponse(decoding: &fields, policy: policy), fields.isEmpty else { continue }
        for now in [0, response.responseTime, response.responseTime + response.lifetime, .max, .min] {
            let age = response.age(at: now)
            invariant(0...CacheControl.longest ~= age, "an age of \(age)")
            if case .fresh(let age) = response.decision(at: now) {
                invariant(age < response.lifetime, "fresh after \(age) of \(response.lifetime) s")
            }
            _ = response.mayServe(afterErrorAt: now)
        }
        invariant(response.answerFields.allSatisfy { isLine($0.value) }, "\(response.answerFields)")
        invariant(response.size < 4096 + 64 * bytes.count, "\(response.size) bytes of \(bytes.count)")
        let written = record.encoded(response)
        // A byte of a field that is no UTF-8 becomes U+FFFD, which has three.
        invariant(written.count <= 3 * bytes.count, "\(written.count) bytes of \(bytes.count)")
        invariant(again(written, policy) == written, "\(written) is another record when it is written again")
    }
}

/// Returns what a record is written to after it was read.
private func again(_ bytes: [UInt8], _ policy: CachePolicy) -> [UInt8]? {
    var rest = bytes[...]
    guard let record = DocumentRecord(&rest), let response = CachedResponse(decoding: &rest, policy: policy),
        rest.isEmpty
    else { return nil }
    return record.encoded(response)
}

/// Whether a value ends no line of a head.
private func isLine(_ text: String) -> Bool { !text.utf8.contains { $0 == 10 || $0 == 13 || $0 == 0 } }
