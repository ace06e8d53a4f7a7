import EventLoop
import JMESPath
import JSONText
import API
import Operations
import Proxy
import Records
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
        let form = MappedForm(parameters: question.form.parameters)
        do throws(Problem) {
            return .document(try await document(list, upstreams, requests, form, until: end))
        } catch {
            guard let fallback = list.fallback else { return .failed(error) }
            return .fixed(fallback, failed: upstreams.sources.map(\.upstream.name))
        }
    }
}

extension PartsFetch {
    /// Returns the document of a list of requests, in a form if it has pages, all of the first upstream.
    func document(
        _ list: FetchList, _ upstreams: Upstreams<MappedUpstream>, _ requests: [MappedRequest.Filled?],
        _ form: MappedForm, until end: MonotonicTime
    ) async throws(Problem) -> PartDocument {
        var question = MappedQuestion(form: MappedForm(parameters: form.parameters, others: form.others))
        (question.requests, question.credentials) = (requests, self.question.credentials)
        var key = MappedForm.Key(route: nil)
        key.take(list, form.parameters)
        let formOfPages = AnswerForm(FormOf(key, textBytes: key.textBytes), keepsDrift: true)
        var pages: [Answer] = [], asked: Set<String> = [], cut: DriftReport.Reason?, rules = AnswerRules.verbatim
        while cut == nil {
            let page = try await upstreams.part(question, formOfPages, to: call, until: end)
            try memory.take(page.body.count, of: maximumBytes, for: page.upstream.name)
            let fields = Dictionary(page.fields) { $1 }, entry = fields[MappedFetch.entryField]
            if entry == nil, pages.isEmpty {
                return PartDocument(pages: [page], body: form.selecting(of: page.body), drift: page.drift)
            }
            guard page.body.first == UInt8(ascii: "["),
                let fetch = list.fetches.first(where: { "\($0.entry)" == entry }),
                let rule = fetch.pages, let request = question.requests[fetch.entry]
            else {
                cut = .mistyped
                if !pages.isEmpty { continue }
                throw UpstreamProblem.problem(of: .unusable("the first page has no list"), from: page.upstream.name)
            }
            pages.append(page)
            rules = fetch.rules.answer
            asked.insert(request.target)
            guard let value = fields[MappedFetch.nextField] else { break }
            let next = request.setting(rule.next.parameter, to: value)
            if asked.contains(next.target) { break }
            if pages.count == rule.maximum || value.utf8.count > 8192 { cut = .tooMany }
            question.requests = requests.indices.map { $0 == fetch.entry ? next : nil }
        }
        let losses = cut.map { DriftReport(.dropped, $0, ofDocument: 1) } ?? DriftReport()
        var drift = pages.reduce(into: losses) { $0.merge($1.drift) }
        let texts = pages.map(\.body), ofList = rules, depth = UpstreamConfiguration.maximumDepth + 1
        let shaped = try await pages[0].upstream.reading(
            texts.reduce(2) { $0 + $1.count }, { Self.joined(texts) }, maximumDepth: depth, for: call, until: end
        ) { text, options in try ofList.read(text, form, options) }
        drift.merge(shaped.drift)
        return PartDocument(pages: pages, body: shaped.body, drift: drift)
    }

    private static func joined(_ lists: [[UInt8]]) -> [UInt8] {
        let filled = lists.map { $0.dropFirst().dropLast() }.filter { !$0.isEmpty }
        return [UInt8(ascii: "[")] + filled.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
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
