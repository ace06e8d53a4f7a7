import HTTPCore
import TestSupport
import Testing

/// The request cases of nodejs/llhttp.
@Suite("llhttp's request cases")
struct LlhttpCorpusTests {
    @Test("Requests are accepted or refused as by llhttp, except for the listed differences")
    func corpus() {
        let cases = LlhttpCase.all("request")
        guard !cases.isEmpty else { return }
        for sample in cases {
            var wire = Wire()
            wire.receive(sample.inputWithHost)
            guard sample.isStrict else { continue }
            // Requests after one that closes the connection are ignored.
            let read = wire.requests.firstIndex { !$0.keepsAlive }.map { $0 + 1 } ?? wire.requests.count
            if LlhttpCase.moreLenientHere[sample.name] != nil {
                #expect(read > sample.completed, "\(sample.name) is refused: remove it from the list")
            } else if sample.isRefused {
                #expect(read <= sample.completed, "\(sample.name)")
            } else if LlhttpCase.stricterHere[sample.name] == nil {
                #expect(read == sample.completed, "\(sample.name): \(wire.verdicts)")
            } else {
                #expect(wire.failure != nil, "\(sample.name) is accepted: remove it from the list")
            }
        }
        let refused = cases.count { $0.isStrict && $0.isRefused }
        print("llhttp's request cases: \(cases.count) tried, \(refused) of them refused by llhttp")
    }
}
