import EventLoop
import FoundationEssentials
import HTTPCore
import HTTPServer
import JSONText
import LenientCoding
import Synchronization

/// Answers the requests to a sample upstream.
final class SampleHandler: RequestHandler {
    /// A path and its document.
    struct Answer: Sendable {
        let path: PathTemplate
        let document: SampleDocument
        let headers: [(name: String, value: String)]
        let invalidLocation: SampleError

        init(_ answer: SampleAnswer, _ document: SampleDocument) {
            path = PathTemplate(answer.path)
            self.document = document
            invalidLocation = answer.invalidLocation
            var headers: [(name: String, value: String)] = []
            if case .object(let members)? = answer.headers {
                for member in members {
                    if case .string(let value) = member.value { headers.append((member.key, value)) }
                }
            }
            self.headers = headers
        }
    }

    private static let farthestMoment = 100_000_000_000

    private let answers: [Answer]
    private let notFound: SampleError
    private let delay: Duration
    private let count = Atomic<Int>(0)

    init(answers: [Answer], configuration: SampleConfiguration) {
        self.answers = answers
        notFound = configuration.notFound
        delay = .milliseconds(configuration.delay)
    }

    func reply(to request: Request, on shard: Shard) -> Reply {
        let start = MonotonicTime.now
        guard delay > .zero else { return .now(response(to: request, since: start)) }
        return .later { [self] in
            // A sleep that is cut short is a client that has gone.
            try? await Task.sleep(for: delay)
            return response(to: request, since: start)
        }
    }

    func refusal(of failure: RequestFailure) -> Response {
        Response(status: failure.status, headers: [("Content-Type", "text/plain")], body: Array(failure.detail.utf8))
    }

    private func response(to request: Request, since start: MonotonicTime) -> Response {
        for answer in answers {
            guard let values = answer.path.match(request.target.path) else { continue }
            let asked = Dictionary(request.target.query.pairs, uniquingKeysWith: { $1 }).merging(values) { $1 }
            let location = asked.filter { $0.key == "latitude" || $0.key == "longitude" }
            guard Self.isPlace(location),
                let body = try? answer.document.rewritten(now: Self.moment(asked), values: location)
            else { return Self.response(answer.invalidLocation) }
            return Response(headers: fields(of: answer, since: start), body: body)
        }
        return Self.response(notFound)
    }

    private func fields(of answer: Answer, since start: MonotonicTime) -> [(name: String, value: String)] {
        let count = count.add(1, ordering: .relaxed).newValue
        let elapsed = Int((MonotonicTime.now - start) / .milliseconds(1))
        let date = String(decoding: HTTPDate.format(secondsSinceEpoch: WallClock.seconds + 60), as: UTF8.self)
        // The real one writes its zone as +0000, which is no HTTP date.
        let expires = date.replacing("GMT", with: "+0000")
        return answer.headers.map { name, value in
            let value = value.replacing("{count}", with: "\(count)").replacing("{elapsed}", with: "\(elapsed)")
            return (name, value.replacing("{expires}", with: expires))
        }
    }

    /// The moment of a time machine's question, clocks without zone taken as those of UTC, or now.
    private static func moment(_ asked: [String: String]) -> Int {
        guard let text = asked["time"] ?? asked["start_date"] else { return WallClock.seconds }
        let seconds = Int(text) ?? ISO8601.date(from: text).map { Int($0.timeIntervalSince1970) }
        return max(-farthestMoment, min(farthestMoment, seconds ?? WallClock.seconds))
    }

    private static func isPlace(_ location: [String: String]) -> Bool {
        location.allSatisfy { name, text in
            let isPlain = text.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "-" || $0 == ".") }
            guard isPlain, text.last != ".", let value = Double(text) else { return false }
            return abs(value) <= (name == "latitude" ? 90 : 180)
        }
    }

    private static func response(_ error: SampleError) -> Response {
        var writer = JSONWriter(capacity: 128)
        error.body.write(to: &writer)
        return Response(
            status: Status(error.status), headers: [("Content-Type", "application/json; charset=utf-8")],
            body: writer.bytes)
    }
}
