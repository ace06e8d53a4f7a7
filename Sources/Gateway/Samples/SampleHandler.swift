import CivilDates
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
        let query: [(name: String, value: String)]
        let status: Status
        let document: SampleDocument
        let headers: [(name: String, value: String)]
        let invalidLocation: SampleError?

        init(_ answer: SampleAnswer, _ document: SampleDocument, commonHeaders: JSONValue?) {
            path = PathTemplate(answer.path)
            query = Self.strings(answer.query)
            status = Status(answer.status)
            self.document = document
            let own = Self.strings(answer.headers)
            headers = Self.strings(commonHeaders).filter { common in !own.contains { $0.name == common.name } } + own
            invalidLocation = answer.invalidLocation
        }

        /// Whether all parameters that it wants are among those asked for.
        func suits(_ asked: [String: String]) -> Bool {
            query.allSatisfy { name, value in asked[name].map { value == "*" || value == $0 } ?? false }
        }

        private static func strings(_ object: JSONValue?) -> [(name: String, value: String)] {
            guard case .object(let members)? = object else { return [] }
            return members.compactMap { member in
                if case .string(let value) = member.value { (member.key, value) } else { nil }
            }
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
            guard answer.suits(asked) else { continue }
            let location = asked.filter { $0.key == "latitude" || $0.key == "longitude" }
            guard Self.isPlace(location),
                let body = try? answer.document.rewritten(now: Self.moment(asked), values: location)
            else { return Self.response(answer.invalidLocation ?? notFound) }
            return Response(status: answer.status, headers: fields(of: answer, since: start), body: body)
        }
        return Self.response(notFound)
    }

    private func fields(of answer: Answer, since start: MonotonicTime) -> [(name: String, value: String)] {
        let now = WallClock.seconds, reset = now + 900
        let date = String(decoding: HTTPDate.format(secondsSinceEpoch: now + 60), as: UTF8.self)
        let values = [
            "count": "\(count.add(1, ordering: .relaxed).newValue)",
            "elapsed": "\(Int((MonotonicTime.now - start) / .milliseconds(1)))",
            // The real one writes its zone as +0000, which is no HTTP date.
            "expires": date.replacing("GMT", with: "+0000"),
            "reset": "\(reset)", "resetTime": ISO8601.string(from: Date(timeIntervalSince1970: Double(reset))) ?? "",
        ]
        return answer.headers.map { name, value in
            (name, values.reduce(value) { text, place in text.replacing("{\(place.key)}", with: place.value) })
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
