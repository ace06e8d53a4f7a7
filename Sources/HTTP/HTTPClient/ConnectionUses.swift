import EventLoop

/// How often a connection of HTTP/1 has been used without proof that its answers belong to its requests.
///
/// A second answer to one request that arrives when the next one is sent already is taken for the answer to that, and
/// all later ones are shifted. Nothing shows it until the connection is idle for as long as an answer takes.
struct ConnectionUses {
    /// The number of answers without proof after which a connection is closed, so the most that get a wrong one.
    static let maximumAnswers = 64
    private static let minimumWait = Duration.milliseconds(50)
    private static let maximumWatch = Duration.seconds(2)

    private var answers = 0
    /// The documents among these answers.
    private var sketches: [AnswerSketch] = []
    private var start: MonotonicTime?
    /// When the connection was last idle, and for how long it has to be so to prove that no answer is late.
    private var idle: (since: MonotonicTime, proof: Duration)?

    /// Whether the connection has to be closed after the answer in progress.
    var isUp: Bool { answers >= Self.maximumAnswers }

    /// Whether an answer to a request that begins at `now` has to be the last.
    func isLast(at now: MonotonicTime) -> Bool {
        if let idle, now - idle.since >= idle.proof { return false }
        return answers >= Self.maximumAnswers - 1
    }

    /// A request begins; nothing had arrived while the connection was idle.
    mutating func begin(at now: MonotonicTime) {
        if let idle, now - idle.since >= idle.proof {
            answers = 0
            sketches.removeAll(keepingCapacity: true)
        }
        answers += 1
        start = now
    }

    /// Takes the document of the latest answer.
    /// - Returns: Whether it is the one of an earlier answer to a request for another URL.
    mutating func isCopy(_ sketch: AnswerSketch) -> Bool {
        if sketches.contains(where: sketch.copies) { return true }
        if sketches.count < Self.maximumAnswers { sketches.append(sketch) }
        return false
    }

    /// The answer is complete, and the connection is idle.
    mutating func end(at now: MonotonicTime) { idle = (now, wait(from: now)) }

    /// How long to listen to the connection after its last answer, which ended at `now`.
    func watch(from now: MonotonicTime) -> Duration { min(wait(from: now), Self.maximumWatch) }

    /// About twice the time that the answer took which ended at `now`.
    private func wait(from now: MonotonicTime) -> Duration {
        // Multiplying a duration takes 900 instructions.
        max(start.map { (now - $0) + (now - $0) } ?? .zero, Self.minimumWait)
    }
}
