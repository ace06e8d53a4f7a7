import EventLoop
import JMESPath
import JSONText
import API
import Operations
import Proxy
import Settings

/// Gets the parts of an answer side by side, each as soon as those that it needs are there.
struct PartsFetch: Sendable {
    let plan: PartsPlan
    /// The upstreams of each part.
    let upstreams: [Upstreams<MappedUpstream>]
    let question: MappedQuestion
    let call: ClientCall
    /// The memory of the parts together.
    let memory: PartsMemory
    /// The end of the time for all parts together.
    let end: MonotonicTime
    /// The most bytes of parts in one text.
    let maximumBytes: Int

    /// The requests of one part that are under way at a time: each takes up memory before the upstream has a place for it.
    private static let maximumPieces = 32

    /// Returns all parts in their order.
    /// - Throws: The problem of the first part that fails and is not optional.
    func parts() async throws(Problem) -> PartAnswers {
        let result = await withTaskGroup(of: (Int, Result<PartAnswer, Problem>).self) { group in
            var answers: [Int: PartAnswer] = [:]
            var waiting = Array(plan.parts.indices)
            func start() {
                for index in waiting {
                    let needed = plan.parts[index].needs.compactMap { answers[$0] }
                    guard needed.count == plan.parts[index].needs.count else { continue }
                    waiting.removeAll { $0 == index }
                    group.addTask { (index, await answer(index, needed)) }
                }
            }
            start()
            while let (index, result) = await group.next() {
                switch result {
                case .success(let answer): answers[index] = answer
                case .failure(let problem):
                    group.cancelAll()
                    return Result<[Int: PartAnswer], Problem>.failure(problem.ofPart(plan.parts[index].name))
                }
                start()
            }
            return .success(answers)
        }
        let answers = try result.get()
        return PartAnswers(parts: plan.parts.indices.compactMap { answers[$0] })
    }

    /// Returns a part, whose templates use the parts `needed`; of one that is optional, failures are a part of the result.
    private func answer(_ index: Int, _ needed: [PartAnswer]) async -> Result<PartAnswer, Problem> {
        let part = plan.parts[index]
        let requests: PartRequests
        do throws(Problem) {
            requests = try await self.requests(index, needed)
        } catch {
            guard part.isOptional else { return .failure(error) }
            return .success(PartAnswer(name: part.name, pieces: [.failed(error)], isList: false))
        }
        let end = part.deadline.map { min(self.end, call.context.clock.now() + $0) } ?? self.end
        return await withTaskGroup(of: (Int, PartAnswer.Piece).self) { group in
            var waiting = requests.all.enumerated().makeIterator()
            func start() {
                guard let (number, request) = waiting.next() else { return }
                group.addTask { (number, await piece(index, request, until: end)) }
            }
            for _ in 0..<Self.maximumPieces { start() }
            var pieces: [Int: PartAnswer.Piece] = [:]
            while let (number, piece) = await group.next() {
                start()
                if case .failed(let problem) = piece, !part.isOptional {
                    group.cancelAll()
                    return .failure(problem)
                }
                pieces[number] = piece
            }
            var answer = PartAnswer(
                name: part.name, pieces: requests.all.indices.compactMap { pieces[$0] }, isList: requests.isList,
                dropped: requests.dropped, isOptional: part.isOptional)
            answer.fields = part.list.fields(of: answer.documents.first, question)
            return .success(answer)
        }
    }

    /// Returns the requests of a part, for which its templates read the parts that they need.
    private func requests(_ index: Int, _ needed: [PartAnswer]) async throws(Problem) -> PartRequests {
        let part = plan.parts[index]
        if let known = question.parts[index] { return known }
        let parameters = question.form.parameters, names = needed.map(\.name)
        return try await upstreams.reading(
            PartAnswers(parts: needed), maximumBytes: maximumBytes, for: call, until: end
        ) { text, options in
            var parser = JSONParser(options: options)
            return try parser.withDocument(text) { root in
                let values = names.reduce(TemplateValues(parameters, document: root)) { values, name in
                    values.adding(name, root[name].map { .node($0) } ?? .null)
                }
                return part.requests(values)
            }
        }
    }

    private func piece(
        _ index: Int, _ request: Result<[MappedRequest.Filled?], RequestTemplate.Fault>, until end: MonotonicTime
    ) async -> PartAnswer.Piece {
        let list = plan.parts[index].list, upstreams = upstreams[index]
        let requests: [MappedRequest.Filled?]
        do throws(RequestTemplate.Fault) { requests = try request.get() } catch {
            return error.isAbsence && plan.parts[index].isOptional ? .unasked(error.detail) : .failed(Problem(error))
        }
        if requests.isEmpty { return .unasked("the value of `each` is null") }
        // The rules of the part make its document; the client's wishes are for the whole answer.
        let parameters = question.form.parameters
        var own = MappedQuestion(form: MappedForm(parameters: parameters), requests: requests)
        own.credentials = question.credentials
        var key = MappedForm.Key(route: nil)
        key.take(list, parameters)
        let form = AnswerForm(FormOf(key, textBytes: key.textBytes), keepsDrift: true)
        do throws(Problem) {
            let document = try await upstreams.part(own, form, to: call, until: end)
            try memory.take(document.body.count, of: maximumBytes, for: document.upstream.name)
            return .document(document)
        } catch {
            guard let fallback = list.fallback else { return .failed(error) }
            return .fixed(fallback, failed: upstreams.sources.map(\.upstream.name))
        }
    }
}

extension [Upstreams<MappedUpstream>] {
    /// Waits for the memory of the parts of an answer.
    nonisolated(nonsending) func memory(
        _ expectation: PartsMemory.Expectation, for call: ClientCall, until end: MonotonicTime
    ) async throws(Problem) -> PartsMemory {
        try await first().memory(ofParts: expectation, until: end, on: call.context.shard)
    }

    /// An upstream of the parts, whose pools and budgets serve all of them.
    private func first() throws(Problem) -> Upstream {
        if let first = lazy.flatMap(\.sources).first { return first.upstream }
        throw Problem(.upstreamUnavailable, "No upstream of the parts is configured.")
    }

    /// Returns what `reader` finds in the text with several parts, which has at most `maximumBytes`; a long text is read by a
    /// thread of the first upstream.
    nonisolated(nonsending) func reading<Value: Sendable>(
        _ parts: PartAnswers, maximumBytes: Int, for call: ClientCall, until end: MonotonicTime,
        _ reader: @escaping @Sendable ([UInt8], JSONOptions) throws -> Value
    ) async throws(Problem) -> Value {
        let count = try parts.size(maximumBytes: maximumBytes)
        // The object of the parts, and the array of `each`.
        let depth = UpstreamConfiguration.maximumDepth + 2
        return try await first()
            .reading(count, { parts.text(count) }, maximumDepth: depth, for: call, until: end, reader)
    }
}

extension Problem {
    /// The problem of a request that the documents of other parts do not allow, or that has no place in the answer.
    init(_ fault: RequestTemplate.Fault) {
        let cause = fault.isAbsence ? "No upstream is asked" : "The other parts make no request"
        self.init(fault.isAbsence ? .upstreamNotFound : .upstreamFailed, "\(cause): \(fault.detail).")
    }
}
