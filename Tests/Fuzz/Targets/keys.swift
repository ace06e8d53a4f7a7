import HTTPCore
import JSONText

/// No reader of an answer finds the key in it, a second search finds nothing, and a valid document stays valid.
///
/// The first line of the input is the key, of which only some characters are taken; the rest is the answer.
@_cdecl("LLVMFuzzerTestOneInput")
public func keys(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = input(start, count)
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    let key = line.filter { alphabet.contains($0) }
    let answer = Array(bytes.dropFirst(line.count + 1))
    guard key.count >= KeyScrubber.shortestKey else { return 0 }
    let scrubber = KeyScrubber([Secret(String(decoding: key, as: UTF8.self))])
    var scrubbed = answer
    let hasChanged = scrubber.scrub(&scrubbed)
    invariant(hasChanged || scrubbed == answer, "an answer without the key has changed: \(shown(answer))")
    invariant(scrubbed.count <= answer.count, "the answer has grown: \(shown(answer))")
    for reading in Readings.all(of: scrubbed) {
        invariant(!reading.contains(key), "\(shown(key)) is left in \(shown(scrubbed))")
    }
    var again = scrubbed
    invariant(!scrubber.scrub(&again), "\(shown(scrubbed)) becomes \(shown(again))")
    if isDocument(answer) {
        invariant(isDocument(scrubbed), "\(shown(answer)) becomes the invalid \(shown(scrubbed))")
    }
    return 0
}

private let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/=".utf8)

private func isDocument(_ bytes: [UInt8]) -> Bool {
    var parser = JSONParser()
    return (try? parser.withDocument(bytes) { _ in true }) == true
}
